// Ranges of addresses as they cross threads and lie on disk: sorted, merged, each with both its ends, in shared memory, so
// that a million of them is one block that no thread copies. And the question whether an address is in one of them.
import { IPV6_WORDS, mappedIpv4, parseIpv4, parseIpv6 } from './ip-address.js';

/** Sorted ranges of addresses in the machine's own byte order; they are never written to again. */
export interface AddressRanges {
  /** Uint32 pairs: first and last address of each range, by the first; no two overlap. */
  readonly ipv4: SharedArrayBuffer;
  /** The same in four Uint32 for each address, most significant first. Mapped IPv4 addresses are among the others. */
  readonly ipv6: SharedArrayBuffer;
}

export const IPV4_RANGE_BYTES = 8;
export const IPV6_RANGE_BYTES = 2 * IPV6_WORDS * 4;

export function countRanges({ ipv4, ipv6 }: AddressRanges): number {
  return ipv4.byteLength / IPV4_RANGE_BYTES + ipv6.byteLength / IPV6_RANGE_BYTES;
}

/** Binary search: some hundred nanoseconds in a million ranges. */
export class RangeLookup {
  readonly #ipv4: Uint32Array;
  readonly #ipv6: Uint32Array;
  readonly #address = new Uint32Array(IPV6_WORDS);

  constructor(ranges: AddressRanges) {
    this.#ipv4 = new Uint32Array(ranges.ipv4);
    this.#ipv6 = new Uint32Array(ranges.ipv6);
  }

  /** A literal address, also with a zone; false for what is none. */
  has(host: string): boolean {
    const ipv4 = parseIpv4(host);
    if (ipv4 >= 0) return this.#hasIpv4(ipv4);
    const zone = host.indexOf('%');
    if (!parseIpv6(zone < 0 ? host : host.slice(0, zone), this.#address)) return false;
    const mapped = mappedIpv4(this.#address);
    return mapped >= 0 ? this.#hasIpv4(mapped) : this.#hasIpv6();
  }

  #hasIpv4(address: number): boolean {
    const ranges = this.#ipv4;
    // The ranges before `low` begin at the address or before it, those from `high` on after it.
    let low = 0;
    let high = ranges.length >> 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ranges[2 * middle]! <= address) low = middle + 1;
      else high = middle;
    }
    return low > 0 && address <= ranges[2 * low - 1]!;
  }

  #hasIpv6(): boolean {
    const ranges = this.#ipv6;
    const address = this.#address;
    const size = 2 * IPV6_WORDS;
    const [first, second] = [address[0]!, address[1]!];
    let low = 0;
    let high = ranges.length / size;
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = middle * size;
      // Half of the address decides nearly always.
      let difference = ranges[at]! - first;
      if (difference === 0) difference = ranges[at + 1]! - second;
      if (difference === 0) difference = compareWords(ranges, at, address, 0);
      if (difference <= 0) low = middle + 1;
      else high = middle;
    }
    return low > 0 && compareWords(address, 0, ranges, low * size - IPV6_WORDS) <= 0;
  }
}

/** Two IPv6 addresses: negative when the first comes first. */
export function compareWords(left: Uint32Array, leftAt: number, right: Uint32Array, rightAt: number): number {
  for (let word = 0; word < IPV6_WORDS; word++) {
    const difference = left[leftAt + word]! - right[rightAt + word]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
