// How much an account may own that is no administrator: all of it is held in both threads or in the store that every
// account shares, so that one account could fill them for the others. What is being added counts from the moment it is
// asked for: a hundred adds at once are not each the last one.
import type { TorrentSource } from '../../../shared-protocol/commands.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { MAX_TRACKER_CHARS } from '../../../shared-protocol/torrent-bounds.js';
import { RequestError } from '../../errors.js';
import type { Account } from '../../auth/account.js';
import type { Usage } from './account-usage.js';
import type { Library } from './library.js';

const MIB = 1024 * 1024;

/** Twice what the largest seedboxes have; about 40 MB of memory in both threads. */
export const MAX_TORRENTS_OWNED = 20_000;
/** On disk, and the part of it that is in use in memory: 20,000 torrents of 25 KiB each. */
export const MAX_METADATA_BYTES_OWNED = 512 * MIB;
/** In the memory of both threads: 20,000 torrents of 1.6 KiB each, which is twenty URLs. */
export const MAX_TRACKER_CHARS_OWNED = 32 * MIB;

export interface QuotasDeps {
  readonly library: Pick<Library, 'usageOf'>;
}

export class Quotas {
  /** The usage of what is being added, by account. */
  readonly #underWay = new Map<AccountId, Usage>();

  constructor(private readonly deps: QuotasDeps) {}

  /** Adds for the account if it has room. @throws RequestError `QUOTA_EXCEEDED`; whatever `add` throws */
  async within<Result>(account: Account, source: TorrentSource, add: () => Promise<Result>): Promise<Result> {
    if (account.role === 'admin') return add();
    const { id } = account;
    const size = sizeOf(source);
    const underWay = this.#underWay.get(id);
    const wanted = underWay ? sum(underWay, size) : size;
    refuseBeyond(sum(this.deps.library.usageOf(id), wanted));
    this.#underWay.set(id, wanted);
    try {
      return await add();
    } finally {
      this.#end(id, size);
    }
  }

  #end(id: AccountId, size: Usage): void {
    const rest = sum(this.#underWay.get(id) ?? size, size, -1);
    if (rest.torrents > 0) this.#underWay.set(id, rest);
    else this.#underWay.delete(id);
  }
}

/** Returns the most that the source may come to: nothing of it has been read. */
function sizeOf(source: TorrentSource): Usage {
  const length = source.kind === 'magnet' ? source.uri.length : source.bytes.length;
  const metadataBytes = source.kind === 'magnet' ? 0 : length;
  return { torrents: 1, metadataBytes, trackerChars: Math.min(length, MAX_TRACKER_CHARS) };
}

function sum(a: Usage, b: Usage, sign: 1 | -1 = 1): Usage {
  return {
    torrents: a.torrents + sign * b.torrents,
    metadataBytes: a.metadataBytes + sign * b.metadataBytes,
    trackerChars: a.trackerChars + sign * b.trackerChars,
  };
}

function refuseBeyond({ torrents, metadataBytes, trackerChars }: Usage): void {
  if (torrents > MAX_TORRENTS_OWNED) throw exceeded(`${MAX_TORRENTS_OWNED} torrents`);
  if (metadataBytes > MAX_METADATA_BYTES_OWNED)
    throw exceeded(`${MAX_METADATA_BYTES_OWNED / MIB} MiB of torrent files`);
  if (trackerChars > MAX_TRACKER_CHARS_OWNED) throw exceeded(`${MAX_TRACKER_CHARS_OWNED / MIB} MiB of tracker URLs`);
}

function exceeded(bound: string): RequestError {
  return new RequestError('QUOTA_EXCEEDED', `torrent: your account may have at most ${bound}; remove some first`);
}
