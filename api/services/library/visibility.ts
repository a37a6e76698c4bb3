// Which torrents an account sees: for each account that owns or was granted some, those, in the order of its list; so
// that a list costs no look at the torrents of others. Owns: a torrent is in the list of its owner and of each account
// that it is shared with, and in no other.
import type { TorrentFacts } from '../../../shared-protocol/events.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { TorrentOrder } from './torrent-order.js';

export class Visibility {
  readonly #all = new TorrentOrder();
  readonly #byAccount = new Map<AccountId, TorrentOrder>();

  get all(): TorrentOrder {
    return this.#all;
  }

  ofAccount(accountId: AccountId): TorrentOrder {
    return this.#byAccount.get(accountId) ?? new TorrentOrder();
  }

  add(facts: TorrentFacts): void {
    this.#all.add(facts);
    for (const accountId of viewersOf(facts)) this.#orderOf(accountId).add(facts);
  }

  /** Both are the same torrent, as it was and as it is. */
  replace(before: TorrentFacts, after: TorrentFacts): void {
    this.#all.replace(before, after);
    const [old, now] = [viewersOf(before), viewersOf(after)];
    for (const accountId of now) {
      if (old.delete(accountId)) this.#orderOf(accountId).replace(before, after);
      else this.#orderOf(accountId).add(after);
    }
    for (const accountId of old) this.#removeFrom(accountId, before);
  }

  remove(facts: TorrentFacts): void {
    this.#all.remove(facts);
    for (const accountId of viewersOf(facts)) this.#removeFrom(accountId, facts);
  }

  #orderOf(accountId: AccountId): TorrentOrder {
    const known = this.#byAccount.get(accountId);
    if (known) return known;
    const order = new TorrentOrder();
    this.#byAccount.set(accountId, order);
    return order;
  }

  #removeFrom(accountId: AccountId, facts: TorrentFacts): void {
    const order = this.#byAccount.get(accountId);
    order?.remove(facts);
    if (order?.size === 0) this.#byAccount.delete(accountId);
  }
}

function viewersOf({ ownerId, library }: TorrentFacts): Set<AccountId> {
  return new Set([ownerId, ...library.shares.map(({ accountId }) => accountId)]);
}
