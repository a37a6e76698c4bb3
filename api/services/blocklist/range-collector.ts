// Ranges as a list gives them, in any order, overlapping and repeated; sorted and merged when they are asked for, and
// whenever there is no room, so that what repeats itself takes none.
import { endianness } from 'node:os';
import {
  compareWords,
  IPV4_RANGE_BYTES,
  IPV6_RANGE_BYTES,
  type AddressRanges,
} from '../../../shared-protocol/address-ranges.js';
import { IPV6_WORDS } from '../../../shared-protocol/ip-address.js';
import { fetchFailed } from '../../egress/failure.js';
import type { RangeSink } from './list-line.js';

/** Bytes of each family, merged: no spec value; four million of IPv4 at least, a million of IPv6. */
const MAX_BYTES = 64 * 1024 * 1024;
const FIRST_BYTES = 256 * 1024;

export class RangeCollector implements RangeSink {
  readonly #ipv4: Ipv4Collector;
  readonly #ipv6: Ipv6Collector;

  constructor(maxBytes = MAX_BYTES) {
    this.#ipv4 = new Ipv4Collector(maxBytes);
    this.#ipv6 = new Ipv6Collector(maxBytes);
  }

  /** @throws RequestError `FETCH_FAILED` when there are too many */
  addIpv4(first: number, last: number): void {
    this.#ipv4.add(first, last);
  }

  /** @throws as {@link addIpv4} */
  addIpv6(first: Uint32Array, last: Uint32Array): void {
    this.#ipv6.add(first, last);
  }

  /** Nothing is added afterwards. */
  finish(): AddressRanges {
    return { ipv4: this.#ipv4.finish(), ipv6: this.#ipv6.finish() };
  }
}

abstract class FamilyCollector {
  protected records: Uint32Array;
  protected count = 0;

  constructor(
    protected readonly recordBytes: number,
    private readonly maxBytes: number,
  ) {
    this.records = new Uint32Array(Math.min(FIRST_BYTES, maxBytes) / 4);
  }

  /** Sorts and merges. */
  protected abstract compact(): void;

  /** In order. */
  protected abstract writeTo(target: Uint32Array): void;

  finish(): SharedArrayBuffer {
    this.compact();
    const shared = new SharedArrayBuffer(this.count * this.recordBytes);
    this.writeTo(new Uint32Array(shared));
    return shared;
  }

  /** Where the next record goes. */
  protected next(): number {
    if ((this.count + 1) * this.recordBytes > this.records.byteLength) this.#makeRoom();
    return (this.count++ * this.recordBytes) / 4;
  }

  /** At least half of the room is free then, so that sorting costs little for each record. */
  #makeRoom(): void {
    this.compact();
    if (this.count * this.recordBytes * 2 <= this.records.byteLength) return;
    const bytes = this.records.byteLength * 2;
    if (bytes > this.maxBytes) throw fetchFailed(`more than ${this.maxBytes / 2 / this.recordBytes} separate ranges`);
    const larger = new Uint32Array(bytes / 4);
    larger.set(this.records.subarray(0, (this.count * this.recordBytes) / 4));
    this.records = larger;
  }
}

/** Both ends as one number of 64 bits, first end above: those are sorted without a function that compares. */
class Ipv4Collector extends FamilyCollector {
  readonly #first = endianness() === 'LE' ? 1 : 0;
  readonly #last = 1 - this.#first;

  constructor(maxBytes: number) {
    super(IPV4_RANGE_BYTES, maxBytes);
  }

  add(first: number, last: number): void {
    const at = this.next();
    this.records[at + this.#first] = first;
    this.records[at + this.#last] = last;
  }

  protected compact(): void {
    const { records } = this;
    new BigUint64Array(records.buffer, 0, this.count).sort();
    let kept = 0;
    for (let from = 0; from < this.count; from++) {
      const first = records[2 * from + this.#first]!;
      const last = records[2 * from + this.#last]!;
      const before = 2 * (kept - 1) + this.#last;
      // Those that touch become one as well.
      if (kept > 0 && first <= records[before]! + 1) {
        if (last > records[before]!) records[before] = last;
        continue;
      }
      records[2 * kept + this.#first] = first;
      records[2 * kept + this.#last] = last;
      kept++;
    }
    this.count = kept;
  }

  protected writeTo(target: Uint32Array): void {
    for (let at = 0; at < 2 * this.count; at += 2) {
      target[at] = this.records[at + this.#first]!;
      target[at + 1] = this.records[at + this.#last]!;
    }
  }
}

const RECORD_WORDS = 2 * IPV6_WORDS;

class Ipv6Collector extends FamilyCollector {
  constructor(maxBytes: number) {
    super(IPV6_RANGE_BYTES, maxBytes);
  }

  add(first: Uint32Array, last: Uint32Array): void {
    const at = this.next();
    this.records.set(first, at);
    this.records.set(last, at + IPV6_WORDS);
  }

  protected compact(): void {
    const { records, count } = this;
    const order = Uint32Array.from({ length: count }, (_, record) => record * RECORD_WORDS);
    order.sort((left, right) => compareWords(records, left, records, right));
    const merged = new Uint32Array(records.length);
    let kept = 0;
    for (const from of order) {
      const before = (kept - 1) * RECORD_WORDS + IPV6_WORDS;
      if (kept > 0 && compareWords(records, from, merged, before) <= 0) {
        if (compareWords(records, from + IPV6_WORDS, merged, before) > 0) {
          merged.set(records.subarray(from + IPV6_WORDS, from + RECORD_WORDS), before);
        }
        continue;
      }
      merged.set(records.subarray(from, from + RECORD_WORDS), kept++ * RECORD_WORDS);
    }
    this.records = merged;
    this.count = kept;
  }

  protected writeTo(target: Uint32Array): void {
    target.set(this.records.subarray(0, this.count * RECORD_WORDS));
  }
}
