// How much of the service's memory and store each account's torrents take, counted as they come and go: to ask costs
// nothing, however many there are.
import type { AccountId } from '../../../shared-protocol/ids.js';
import { sharesOf, type ListedTorrent } from './shares.js';

export interface Usage {
  readonly torrents: number;
  /** Size of its torrents when all of each is there, by whomever they are held besides. */
  readonly bytes: number;
  /** Bytes of info dictionaries. */
  readonly metadataBytes: number;
  /** Characters of announce URLs. */
  readonly trackerChars: number;
}

const NOTHING: Usage = { torrents: 0, bytes: 0, metadataBytes: 0, trackerChars: 0 };

export class AccountUsage {
  readonly #byOwner = new Map<AccountId, Usage>();

  of(owner: AccountId): Usage {
    return this.#byOwner.get(owner) ?? NOTHING;
  }

  /** Counts the torrent for each account that holds it. */
  add(torrent: ListedTorrent): void {
    for (const share of sharesOf(torrent)) this.#change(share, 1);
  }

  remove(torrent: ListedTorrent): void {
    for (const share of sharesOf(torrent)) this.#change(share, -1);
  }

  #change({ ownerId, totalBytes, metadataBytes, trackers }: ListedTorrent, sign: 1 | -1): void {
    const before = this.of(ownerId);
    const after = {
      torrents: before.torrents + sign,
      bytes: before.bytes + sign * totalBytes,
      metadataBytes: before.metadataBytes + sign * metadataBytes,
      trackerChars: before.trackerChars + sign * trackers.length,
    };
    if (after.torrents === 0) this.#byOwner.delete(ownerId);
    else this.#byOwner.set(ownerId, after);
  }
}
