// How much an account may own that is no administrator: all of it is held in both threads or in the store that every
// account shares, so that one account could fill them for the others; and as much as administrators allow it on disk. What
// is being added counts from the moment it is asked for: a hundred adds at once are not each the last one.
import type { TorrentSource } from '../../../shared-protocol/commands/adding.js';
import { AppError } from '../../../shared-protocol/errors.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { MAX_TRACKER_CHARS } from '../../../shared-protocol/torrent-bounds.js';
import { RequestError } from '../../errors.js';
import type { Account } from '../../auth/account.js';
import { boundOf, noRoom, quotaOf, tooMany, uploadedAll } from './account-quota.js';
import type { Usage } from './account-usage.js';
import type { Library } from './library.js';

const MIB = 1024 * 1024;

/** Twice what the largest seedboxes have; about 40 MB of memory in both threads. */
export const MAX_TORRENTS_OWNED = 20_000;
/** On disk, and the part of it that is in use in memory: 20,000 torrents of 25 KiB each. */
export const MAX_METADATA_BYTES_OWNED = 512 * MIB;
/** In the memory of both threads: 20,000 torrents of 1.6 KiB each, which is twenty URLs. */
export const MAX_TRACKER_CHARS_OWNED = 32 * MIB;

/** Which accounts have uploaded as much as they may this month (`../history/monthly-uploads.ts`). */
export interface MonthlyBound {
  isUsedUp(account: Bounded): boolean;
  /** `next`: the day on which the next month begins. */
  readonly month: { readonly next: string };
}

export interface QuotasDeps {
  readonly library: Pick<Library, 'usageOf'>;
  readonly uploads: MonthlyBound;
}

type Bounded = Pick<Account, 'id' | 'role' | 'quota'>;
type UnderWay = Omit<Usage, 'bytes'>;

const NO_CHANGE: UnderWay = { torrents: 0, metadataBytes: 0, trackerChars: 0 };

export class Quotas {
  /** The usage of what is being added, by account. */
  readonly #underWay = new Map<AccountId, UnderWay>();
  /** The last act of an account that has to wait for the one before. */
  readonly #turns = new Map<AccountId, Promise<unknown>>();

  constructor(private readonly deps: QuotasDeps) {}

  /**
   * Adds for the account if it has room; `add` is told how large a torrent may be, where it is bounded.
   * @throws RequestError `QUOTA_EXCEEDED`; whatever `add` throws
   */
  async within<Result>(
    account: Bounded,
    source: TorrentSource,
    add: (maxBytes?: number) => Promise<Result>,
  ): Promise<Result> {
    const { uploads } = this.deps;
    const quota = quotaOf(account);
    if (!quota) return add();
    if (uploads.isUsedUp(account)) throw uploadedAll(quota.up_bytes_month, uploads.month.next);
    const run = () => this.#withRoom(account.id, sizeOf(source), quota.torrents, () => this.#onDisk(account, add));
    // How large it is, and whether it runs, is known when it has been added: one after another.
    return quota.bytes > 0 || quota.active > 0 ? this.inTurn(account.id, run) : run();
  }

  /**
   * Lets trackers of the account's torrents grow by so many characters.
   * @throws RequestError `QUOTA_EXCEEDED`; whatever `run` throws
   */
  growing<Result>(account: Bounded | undefined, trackerChars: number, run: () => Promise<Result>): Promise<Result> {
    if (trackerChars <= 0 || !account || !quotaOf(account)) return run();
    return this.#withRoom(account.id, { ...NO_CHANGE, trackerChars }, 0, run);
  }

  /** One after another for an account. */
  inTurn<Result>(id: AccountId, run: () => Promise<Result>): Promise<Result> {
    const before = this.#turns.get(id) ?? Promise.resolve();
    const result = before.then(run);
    const settled = result
      .catch(() => undefined)
      .then(() => {
        if (this.#turns.get(id) === settled) this.#turns.delete(id);
      });
    this.#turns.set(id, settled);
    return result;
  }

  async #onDisk<Result>({ id, quota }: Bounded, add: (maxBytes?: number) => Promise<Result>): Promise<Result> {
    if (quota.bytes === 0) return add();
    const { bytes: used } = this.deps.library.usageOf(id);
    if (used >= quota.bytes) throw noRoom(used, quota.bytes, 0);
    try {
      return await add(quota.bytes - used);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'TORRENT_TOO_LARGE') throw error;
      throw noRoom(used, quota.bytes, Number(error.data?.['bytes'] ?? 0));
    }
  }

  async #withRoom<Result>(
    id: AccountId,
    size: UnderWay,
    torrents: number,
    run: () => Promise<Result>,
  ): Promise<Result> {
    const underWay = this.#underWay.get(id);
    const wanted = underWay ? sum(underWay, size) : size;
    refuseBeyond(sum(this.deps.library.usageOf(id), wanted), size, boundOf(torrents));
    this.#underWay.set(id, wanted);
    try {
      return await run();
    } finally {
      this.#end(id, size);
    }
  }

  #end(id: AccountId, size: UnderWay): void {
    const rest = sum(this.#underWay.get(id) ?? size, size, -1);
    if (rest.torrents > 0 || rest.trackerChars > 0) this.#underWay.set(id, rest);
    else this.#underWay.delete(id);
  }
}

/** Returns the most that the source may come to: nothing of it has been read. */
function sizeOf(source: TorrentSource): UnderWay {
  const length = source.kind === 'magnet' ? source.uri.length : source.bytes.length;
  const metadataBytes = source.kind === 'magnet' ? 0 : length;
  return { torrents: 1, metadataBytes, trackerChars: Math.min(length, MAX_TRACKER_CHARS) };
}

function sum(a: UnderWay, b: UnderWay, sign: 1 | -1 = 1): UnderWay {
  return {
    torrents: a.torrents + sign * b.torrents,
    metadataBytes: a.metadataBytes + sign * b.metadataBytes,
    trackerChars: a.trackerChars + sign * b.trackerChars,
  };
}

/** Only for what grows: one that is beyond a bound already may still change what does not make it more. */
function refuseBeyond({ torrents, metadataBytes, trackerChars }: UnderWay, size: UnderWay, allowed: number): void {
  if (size.torrents > 0) {
    if (torrents > allowed) throw tooMany(torrents - size.torrents, allowed);
    if (torrents > MAX_TORRENTS_OWNED) throw exceeded(`${MAX_TORRENTS_OWNED} torrents`);
    if (metadataBytes > MAX_METADATA_BYTES_OWNED)
      throw exceeded(`${MAX_METADATA_BYTES_OWNED / MIB} MiB of torrent files`);
  }
  if (trackerChars > MAX_TRACKER_CHARS_OWNED) throw exceeded(`${MAX_TRACKER_CHARS_OWNED / MIB} MiB of tracker URLs`);
}

function exceeded(bound: string): RequestError {
  return new RequestError('QUOTA_EXCEEDED', `torrent: your account may have at most ${bound}; remove some first`);
}
