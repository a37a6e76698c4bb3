// Who is kept away by the lists of the machine's owner, the one that is fetched and the bans by hand (docs/limits.md 2.17 to 2.19): as a peer, as a node of the DHT, as
// a web seed and as a tracker, whichever source names the address and also by hand. No address is exempt: what is on
// the list is meant.
import { RangeLookup, type AddressRanges } from '../../shared-protocol/address-ranges.js';

export class Blocklist {
  #lookups: readonly RangeLookup[] = [];

  /** In place of those before; none: everybody is let in. */
  set(lists: readonly AddressRanges[]): void {
    this.#lookups = lists.map((ranges) => new RangeLookup(ranges));
  }

  /** A literal address. Asked for each connection and each datagram. */
  has(host: string): boolean {
    for (const lookup of this.#lookups) if (lookup.has(host)) return true;
    return false;
  }
}
