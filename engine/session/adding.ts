// A torrent comes: where it lies is reserved for it, it is stored durably, and then it is there and goes to work.
import type { TorrentFacts } from '../../shared-protocol/events.js';
import type { TorrentId } from '../../shared-protocol/ids.js';
import { AppError } from '../../shared-protocol/errors.js';
import { because } from '../../shared-protocol/reasons.js';
import type { RecordedState } from '../../shared-protocol/recorded-state.js';
import type { TorrentRow } from '../../storage/types.js';
import type { Claims } from '../claims/index.js';
import type { FileState } from '../disk/types.js';
import type { Metainfo } from '../metainfo/index.js';
import { liesComplete } from '../torrent/move/complete-place.js';
import { wholeResumeRow } from '../torrent/resume/resume-row.js';
import type { TorrentServices } from '../torrent/session-interface.js';
import { Torrent } from '../torrent/torrent.js';
import type { Queue } from './queue.js';
import { FIRST_PATH_LIST, recordedOf, recordedPaths } from './recorded-torrent.js';
import type { Removals } from './removals.js';
import type { Torrents } from './torrents.js';

/** The metadata that a torrent file brings besides its row. */
export type AddedMetainfo = Pick<Metainfo, 'info' | 'infoBytes'>;

export interface AddOptions {
  /** All of it lies there, in files of these states, and has just been hashed. @default it is looked for */
  readonly hashed?: readonly FileState[] | null;
  /** In the queue, else it is the last. @default false */
  readonly isFirst?: boolean;
  /** The record of another program. @default none */
  readonly recorded?: RecordedState | null;
  /** With `recorded`: by an administrator's right. @default false */
  readonly takeOver?: boolean;
}

export interface AddingDeps {
  readonly services: TorrentServices;
  readonly torrents: Torrents;
  readonly claims: Claims;
  readonly queue: Pick<Queue<Torrent>, 'firstKey' | 'nextKey'>;
  readonly removals: Removals;
  onAdded(torrents: readonly TorrentFacts[]): void;
}

export class Adding {
  /** Adds whose store transaction is under way: the same torrent may be added twice at once. */
  readonly #underWay = new Map<TorrentId, Promise<void>>();

  constructor(private readonly deps: AddingDeps) {}

  /** Whether a torrent is there, and is not being removed: adding it would change nothing. */
  stays(id: TorrentId): boolean {
    return this.deps.torrents.has(id) && !this.deps.removals.isLeaving(id);
  }

  /**
   * Stores the torrent durably, tells of it, and sets it to work. `metainfo`: null for a magnet. False when it was there
   * already. @throws AppError `SAVE_PATH_INVALID` where it may not lie
   */
  async add(row: TorrentRow, metainfo: AddedMetainfo | null, options: AddOptions = {}): Promise<boolean> {
    if (this.stays(row.id)) return false;
    const underWay = this.#underWay.get(row.id);
    if (underWay) return underWay.then(() => false);
    const adding = this.#insert(row, metainfo, options).finally(() => this.#underWay.delete(row.id));
    this.#underWay.set(row.id, adding);
    await adding;
    return true;
  }

  async #insert(
    given: TorrentRow,
    metainfo: AddedMetainfo | null,
    { hashed = null, isFirst = false, recorded = null, takeOver = false }: AddOptions,
  ): Promise<void> {
    const { services, torrents, claims, queue, removals } = this.deps;
    // Those that are added at once are queued as they came.
    const queueKey = isFirst ? queue.firstKey() : queue.nextKey();
    await removals.clear(given);
    const exactly = metainfo && recorded && { ...metainfo, recorded };
    const row = exactly ? given : await this.#whereItLies(given, metainfo);
    const paths = exactly && recordedPaths(exactly.info, exactly.infoBytes, exactly.recorded);
    const reservation =
      exactly && paths
        ? await claims.reserveExactly(row, exactly.info, paths, takeOver)
        : await claims.reserve(row, metainfo?.info ?? null);
    let torrent: Torrent;
    try {
      const { place } = reservation;
      if (hashed && place.folder !== undefined) {
        throw new AppError(
          'SAVE_PATH_INVALID',
          'save_path: what lies there is not for this account to seed',
          because('PATH_OF_OTHERS'),
        );
      }
      const unixMs = services.clock.unixMs();
      const whole = hashed && metainfo ? wholeResumeRow(metainfo.info, hashed, unixMs) : null;
      const resume = exactly ? recordedOf(exactly.info, row, exactly.recorded, unixMs) : whole;
      const completion = whole ? { completedAt: whole.savedAt } : {};
      const placed = { ...row, ...place, ...completion, ...(paths?.list && { pathList: FIRST_PATH_LIST }), queueKey };
      const pathLists = new Map(paths?.list ? [[FIRST_PATH_LIST, paths.list]] : []);
      await services.store.insert(placed, metainfo?.infoBytes ?? null, resume, pathLists);
      torrent = new Torrent(services, placed, resume ?? undefined);
      torrents.admit(torrent, queueKey);
      if (exactly && takeOver) claims.grant(torrent.id);
    } finally {
      reservation.release();
    }
    this.deps.onAdded([torrent.facts()]);
    // Answered only when it is known whether there is something to verify: what the caller sees next is true.
    await torrents.start([torrent], hashed === null);
    // A check that is still to come looks at files that are the torrent's by now.
    if (exactly && takeOver) claims.revokeGrant(torrent.id);
  }

  /** Where complete ones lie, if something of it is there. */
  async #whereItLies(row: TorrentRow, metainfo: AddedMetainfo | null): Promise<TorrentRow> {
    const { completePath } = row;
    if (!metainfo || !completePath || !(await liesComplete(this.deps.services, row, metainfo.info))) return row;
    return { ...row, savePath: completePath, completePath: null };
  }
}
