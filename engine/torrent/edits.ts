// What people change about a torrent, each durable before it resolves and in force at once: each one's share (the rules
// are in `holders.ts`), and who has one. What is wanted of its files is `file-selection.ts`.
import type { RateLimits } from '../../shared-protocol/commands.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import type { LibraryRecord } from '../../shared-protocol/library-record.js';
import { MAX_TRACKER_CHARS, MAX_TRACKERS } from '../../shared-protocol/torrent-bounds.js';
import type { HolderRow, TorrentRow } from '../../storage/types.js';
import { sameTracker, TrackerSet } from '../metainfo/index.js';
import { readTrackerUrl } from '../tracker/tracker-url.js';
import { FileSelection, type FileSelectionDeps } from './file-selection.js';
import { changedPriorities, selectionChange, type PriorityChange } from './files/file-priorities.js';
import { editShare, heldBy, holderOf, holdersOf } from './holders.js';
import { readInfo } from './files/content.js';
import { takeMetadata, type MetadataDeps } from './metadata-received.js';
import type { Recheck } from './check/recheck.js';
import type { DiskFailures } from './disk-failures.js';
import type { SwarmManager } from './swarm/swarm-manager.js';
import type { TorrentRecord } from './resume/torrent-record.js';
import type { TorrentServices } from './session-interface.js';

const FULL = `the torrent has no room for it: at most ${MAX_TRACKERS} trackers, of ${MAX_TRACKER_CHARS} characters in all`;

export interface EditsDeps extends FileSelectionDeps, MetadataDeps {
  readonly services: TorrentServices;
  readonly record: TorrentRecord;
  readonly swarmManager: SwarmManager;
  readonly recheck: Recheck;
  readonly diskFailures: DiskFailures;
}

/** `by`: whose share (`holders.ts`); undefined: everybody's. All of them throw `TORRENT_NOT_FOUND` where it has none. */
export class TorrentEdits {
  readonly #files: FileSelection;

  constructor(private readonly deps: EditsDeps) {
    this.#files = new FileSelection(deps);
  }

  setPaused(paused: boolean, by?: AccountId): Promise<void> {
    return this.#edit(by, () => ({ paused }));
  }

  setRateLimits(rateLimits: RateLimits, by?: AccountId): Promise<void> {
    return this.#edit(by, () => ({ rateLimits }));
  }

  /** @throws AppError `FILE_INDEX_INVALID` */
  setFilePriorities(change: PriorityChange, by?: AccountId): Promise<void> {
    return this.deps.record.edits.run(() => this.#files.set(change, by));
  }

  /** Earliest pieces first. */
  setSequential(sequential: boolean, by?: AccountId): Promise<void> {
    return this.#edit(by, () => ({ sequential }));
  }

  setForceStart(forceStart: boolean, by?: AccountId): Promise<void> {
    return this.#edit(by, () => ({ forceStart }));
  }

  setQueueKey(queueKey: number): Promise<void> {
    return this.deps.record.update({ queueKey });
  }

  setLibraryRecord(library: LibraryRecord, by?: AccountId): Promise<void> {
    return this.#edit(by ?? this.#owner, () => ({ library }));
  }

  /**
   * Nothing when the share has that address already. `accountId`: who brings it, by whose rights it is reached.
   * @throws AppError `TRACKER_INVALID`
   */
  async addTracker(text: string, accountId: AccountId, by?: AccountId): Promise<void> {
    const { transport, refusal } = readTrackerUrl(text.trim());
    if (refusal !== null) throw trackerInvalid(refusal);
    if (transport === 'none') throw trackerInvalid('expected http, https or udp');
    return this.#edit(by ?? this.#owner, (holder) =>
      withTrackers(holder, accountId, (known) => {
        const offer = known.offer(text);
        if (offer.kind === 'unusable') throw trackerInvalid('not a URL');
        if (offer.kind === 'full') throw trackerInvalid(FULL);
        return offer.kind === 'taken' ? [offer.url] : [];
      }),
    );
  }

  /** Adds the trackers that a second add brings, as far as there is room; a private torrent keeps to its own. */
  mergeTrackers(tiers: TorrentRow['trackers'], accountId: AccountId, by?: AccountId): Promise<void> {
    return this.#edit(by ?? this.#owner, (holder) => (this.#isPrivate ? {} : withFurther(holder, accountId, tiers)));
  }

  /** Whichever of them leads to that address. */
  removeTracker(url: string, by?: AccountId): Promise<void> {
    return this.#edit(by, ({ trackers, addedTrackers = [] }) => {
      const known = sameTracker(trackers.flat(), url);
      const left = trackers.map((tier) => tier.filter((other) => other !== known));
      return {
        trackers: left.filter((tier) => tier.length > 0),
        ...(addedTrackers.length > 0 && { addedTrackers: addedTrackers.filter((added) => added.url !== known) }),
      };
    });
  }

  /**
   * One more holds it, with a share as this one; who does already keeps its own, and merges trackers. `infoBytes`: of its
   * torrent file, which is used at once where the metadata is unknown.
   * @throws AppError `TORRENT_PRIVATE` without the file of a private torrent
   */
  join(holder: HolderRow, infoBytes: Uint8Array | null): Promise<void> {
    const { record } = this.deps;
    const { accountId, trackers } = holder;
    return record.edits.run(async () => {
      const { row } = record;
      if (this.deps.hasEnded) throw notThere(row);
      const holders = holdersOf(row);
      if (holders.some((other) => other.accountId === accountId)) {
        return this.#store(
          editShare(row, accountId, (own) => (this.#isPrivate ? {} : withFurther(own, accountId, trackers))),
        );
      }
      if (this.#isPrivate && !infoBytes) {
        throw new AppError('TORRENT_PRIVATE', 'torrent: private, and added without its file', { id: row.id });
      }
      const chosen = { ...holder, filePriorities: this.#chosenBy(holder) };
      await this.#store(heldBy(row, [...holders, chosen]));
      if (infoBytes && !row.summary) await takeMetadata(this.deps, infoBytes, accountId);
    });
  }

  /** Takes a share away; with the last one, or when all are meant, `removeAll` is called. */
  leave(by: AccountId | undefined, removeAll: () => Promise<void>): Promise<void> {
    const { record } = this.deps;
    return record.edits.run(async () => {
      const { row } = record;
      if (this.deps.hasEnded) throw notThere(row);
      if (by !== undefined) holderOf(row, by);
      const [first, ...others] = holdersOf(row).filter(({ accountId }) => by !== undefined && accountId !== by);
      if (!first) return removeAll();
      await this.#store(heldBy(row, [first, ...others]));
    });
  }

  get #owner(): AccountId {
    return this.deps.record.row.ownerId;
  }

  get #isPrivate(): boolean {
    return this.deps.record.row.summary?.isPrivate ?? false;
  }

  #edit(by: AccountId | undefined, edit: (holder: HolderRow) => Partial<HolderRow>): Promise<void> {
    const { record } = this.deps;
    return record.edits.run(() => this.#store(editShare(record.row, by, edit)));
  }

  /** BEP 53: what the magnet of one who joins leaves out. */
  #chosenBy({ selectOnly }: HolderRow): HolderRow['filePriorities'] {
    const { record, services, swarmManager } = this.deps;
    const info = record.row.summary && selectOnly ? readInfo(services, record.row, swarmManager.openedContent) : null;
    return info && changedPriorities(info.files, null, selectionChange(info, selectOnly));
  }

  async #store(change: Partial<TorrentRow>): Promise<void> {
    if (Object.keys(change).length === 0) return;
    const { record, swarmManager, services } = this.deps;
    const { id, trackers, summary } = record.row;
    const within = (mutate: () => void) => {
      const now = change.trackers ?? trackers;
      this.deps.change(() => {
        mutate();
        // Before it goes to work: these are a holder's who does not want it to.
        for (const url of notIn(now, trackers)) services.announces.removeTracker(id, url);
      });
      // After it has stopped, where it does.
      services.announces.addTrackers(id, notIn(trackers, now));
    };
    if (change.filePriorities === undefined || !summary) await record.update(change, within);
    else await this.#files.store(change, within);
    if (change.sequential !== undefined) swarmManager.swarm?.download?.picker.setSequential(change.sequential);
    if (change.rateLimits) swarmManager.swarm?.limits.set(change.rateLimits);
  }
}

/** Each that is new in a tier of its own, behind the others. */
function withTrackers(
  holder: HolderRow,
  accountId: AccountId,
  choose: (known: TrackerSet) => readonly string[],
): Partial<Pick<HolderRow, 'trackers' | 'addedTrackers'>> {
  const { trackers, addedTrackers = [] } = holder;
  const added = choose(new TrackerSet(trackers));
  if (added.length === 0) return {};
  const noted = accountId === holder.accountId ? [] : added.map((url) => ({ url, accountId }));
  return {
    trackers: [...trackers, ...added.map((url) => [url])],
    ...(noted.length > 0 && { addedTrackers: [...addedTrackers, ...noted] }),
  };
}

function withFurther(
  holder: HolderRow,
  accountId: AccountId,
  tiers: TorrentRow['trackers'],
): Partial<Pick<HolderRow, 'trackers' | 'addedTrackers'>> {
  return withTrackers(holder, accountId, (known) =>
    tiers.flat().flatMap((text) => {
      const offer = known.offer(text);
      return offer.kind === 'taken' ? [offer.url] : [];
    }),
  );
}

/** Tiers of the second list without what the first one has. */
function notIn(tiers: TorrentRow['trackers'], others: TorrentRow['trackers']): string[] {
  const known = new Set(tiers.flat());
  return others.flat().filter((url) => !known.has(url));
}

function trackerInvalid(reason: string): AppError {
  return new AppError('TRACKER_INVALID', `url: ${reason}`);
}

function notThere({ id }: TorrentRow): AppError {
  return new AppError('TORRENT_NOT_FOUND', 'torrent not found', { id });
}
