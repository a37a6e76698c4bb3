// Adds what an item of a feed leads to, for the account that feed-rights.ts names. Decides in which category and where,
// and whether it was added before: by an item of another guid or another feed of the same account, however long it has
// been gone (docs/semantics.md sections 6 and 9). What failed is told apart by whose fault it is, for that decides
// whether trying again has an end.
import type { TorrentSource } from '../../../shared-protocol/commands/adding.js';
import { PLACED_BY_FLEET } from '../../../shared-protocol/engine-choice.js';
import { AppError, ENGINE_GONE, type ErrorCode } from '../../../shared-protocol/errors.js';
import type { TorrentId } from '../../../shared-protocol/ids.js';
import { isMagnetText } from '../../../shared-protocol/magnet-text.js';
import type { Egress } from '../../egress/egress.js';
import { RequestError, type RequestErrorCode } from '../../errors.js';
import type { Account } from '../../auth/account.js';
import type { Adding } from '../library/adding.js';
import { MAX_TORRENT_FILE_BYTES } from '../library/torrent-source.js';
import type { Labels } from '../library/labels.js';
import type { Library } from '../library/library.js';
import type { SavePaths } from '../settings/save-paths.js';
import type { StoredFilter } from './feed-records.js';
import { sourceId } from '../../../shared-protocol/source-id.js';

/** Errors of the item itself or of where it is got: nothing that the user sets right here. */
const ITS_OWN: ReadonlySet<string> = new Set<ErrorCode | RequestErrorCode>([
  ...(['TORRENT_INVALID', 'MAGNET_INVALID', 'INFO_HASH_INVALID', 'TRACKER_INVALID'] as const),
  ...(['FETCH_FAILED', 'FETCH_REFUSED'] as const),
]);

export type AddOutcome =
  /** null: there, but not told which. */
  | { readonly kind: 'added' | 'present' | 'addedBefore'; readonly torrentId: TorrentId | null }
  /** The item's fault. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Ours: a path that may not be used, a full disk, an engine that restarts. */
  | { readonly kind: 'blocked' | 'engineAway'; readonly reason: string }
  | { readonly kind: 'abandoned' };

export interface AutoAddDeps {
  readonly adding: Pick<Adding, 'add'>;
  readonly egress: Pick<Egress, 'fetch'>;
  readonly labels: Pick<Labels, 'category' | 'tag'>;
  readonly library: Pick<Library, 'find' | 'accessOf'>;
  readonly savePaths: Pick<SavePaths, 'resolve'>;
}

export interface Order {
  /** The account that the torrent is added as, with the role that paths are judged by. */
  readonly owner: Account;
  readonly filter: StoredFilter;
  readonly url: string;
  /** Whether the torrent was added by a feed before. */
  readonly isRemembered: (id: TorrentId) => boolean;
  /** Nothing is begun after it; what the engine has begun is finished. */
  readonly signal: AbortSignal;
}

export class AutoAdd {
  constructor(private readonly deps: AutoAddDeps) {}

  /** @throws what is a bug */
  async add(order: Order): Promise<AddOutcome> {
    try {
      return await this.#add(order);
    } catch (error) {
      if (order.signal.aborted) return { kind: 'abandoned' };
      if (!(error instanceof AppError) && !(error instanceof RequestError)) throw error;
      return { kind: kindOf(error.code), reason: error.message };
    }
  }

  async #add({ owner, filter, url, isRemembered, signal }: Order): Promise<AddOutcome> {
    const { adding, labels, library, savePaths } = this.deps;
    const category = filter.category_id === null ? undefined : labels.category(filter.category_id);
    // Before anything is fetched that could not be saved.
    const judged = await savePaths.resolve(owner, filter.save_path, category?.default_save_path);
    // Where nobody says the engine decides that is chosen for it.
    const savePath = owner.engine === PLACED_BY_FLEET ? filter.save_path : judged;
    const source = await this.#source(owner, url, signal);
    const expectedId = sourceId(source);
    if (expectedId !== null && isRemembered(expectedId)) return { kind: 'addedBefore', torrentId: expectedId };
    if (signal.aborted) return { kind: 'abandoned' };
    const there = expectedId === null ? undefined : library.find(expectedId);
    const wasThere = there !== undefined && library.accessOf(owner, there) !== null;
    const tags = filter.tag_ids?.filter((id) => labels.tag(id) !== undefined) ?? [];
    const beginning = {
      ...{ save_path: savePath, category_id: category?.id ?? null, tags },
      ...(filter.paused && { paused: true }),
    };
    try {
      const torrentId = await adding.add(owner, source, beginning);
      return { kind: wasThere ? 'present' : 'added', torrentId };
    } catch (error) {
      // Another account has it.
      const isHidden = error instanceof RequestError && error.code === 'TORRENT_HIDDEN';
      if (isHidden) return { kind: 'present', torrentId: expectedId };
      throw error;
    }
  }

  async #source({ id: caller }: Account, url: string, signal: AbortSignal): Promise<TorrentSource> {
    if (isMagnetText(url)) return { kind: 'magnet', uri: url };
    const fetched = await this.deps.egress.fetch(url, { caller, maxBytes: MAX_TORRENT_FILE_BYTES, signal });
    if (fetched.kind === 'magnet') return { kind: 'magnet', uri: fetched.uri };
    return { kind: 'metainfo', bytes: fetched.bytes };
  }
}

function kindOf(code: string): 'failed' | 'blocked' | 'engineAway' {
  if (ENGINE_GONE.has(code)) return 'engineAway';
  return ITS_OWN.has(code) ? 'failed' : 'blocked';
}
