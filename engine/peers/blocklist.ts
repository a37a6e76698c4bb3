// Who is kept away by a list of the machine's owner (docs/limits.md 2.17 to 2.19): as a peer, as a node of the DHT, as
// a web seed and as a tracker, whichever source names the address and also by hand. No address is exempt: what is on
// the list is meant.
import { RangeLookup, type AddressRanges } from '../../shared-protocol/address-ranges.js';

export class Blocklist {
  #lookup: RangeLookup | null = null;

  /** In place of the one before; null: everybody is let in. */
  set(ranges: AddressRanges | null): void {
    this.#lookup = ranges && new RangeLookup(ranges);
  }

  /** A literal address. Asked for each connection and each datagram. */
  has(host: string): boolean {
    return this.#lookup?.has(host) ?? false;
  }
}
