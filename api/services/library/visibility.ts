// Which torrents an account sees: for each account that holds or was granted some, its shares of them (shares.ts), in the
// order of its list; so that a list costs no look at the torrents of others. Owns: a torrent is in the list of each
// account that holds it or that it is shared with, once, and in no other.
import type { AccountId } from '../../../shared-protocol/ids.js';
import { sharesByAccount, type ListedTorrent } from './shares.js';
import { TorrentOrder } from './torrent-order.js';

/** The orders of all torrents and of each account's. */
export class Visibility {
  readonly #all = new TorrentOrder();
  readonly #byAccount = new Map<AccountId, TorrentOrder>();

  get all(): TorrentOrder {
    return this.#all;
  }

  ofAccount(accountId: AccountId): TorrentOrder {
    return this.#byAccount.get(accountId) ?? new TorrentOrder();
  }

  add(torrent: ListedTorrent): void {
    this.#all.add(torrent);
    for (const [accountId, share] of sharesByAccount(torrent)) this.#orderOf(accountId).add(share);
  }

  /** Replaces a torrent as it was by the same torrent as it is. */
  replace(before: ListedTorrent, after: ListedTorrent): void {
    this.#all.replace(before, after);
    const [old, now] = [sharesByAccount(before), sharesByAccount(after)];
    for (const [accountId, share] of now) {
      const known = old.get(accountId);
      old.delete(accountId);
      if (!known) this.#orderOf(accountId).add(share);
      else if (known !== share) this.#orderOf(accountId).replace(known, share);
    }
    for (const [accountId, share] of old) this.#removeFrom(accountId, share);
  }

  remove(torrent: ListedTorrent): void {
    this.#all.remove(torrent);
    for (const [accountId, share] of sharesByAccount(torrent)) this.#removeFrom(accountId, share);
  }

  #orderOf(accountId: AccountId): TorrentOrder {
    const known = this.#byAccount.get(accountId);
    if (known) return known;
    const order = new TorrentOrder();
    this.#byAccount.set(accountId, order);
    return order;
  }

  #removeFrom(accountId: AccountId, share: ListedTorrent): void {
    const order = this.#byAccount.get(accountId);
    order?.remove(share);
    if (order?.size === 0) this.#byAccount.delete(accountId);
  }
}
