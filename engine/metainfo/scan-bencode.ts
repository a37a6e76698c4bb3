// Validates bencode without building anything. Also refuses duplicate keys at any depth: what passes means the same to
// every decoder, whether it takes the first or the last of two. For the info dictionary, and for messages that other
// people's decoders read afterwards.
import { AppError } from '../../shared-protocol/errors.js';
import { BencodeScanner, type BencodeLimits } from '../../shared-protocol/bencode-scanner.js';
import { because } from '../../shared-protocol/reasons.js';
import { PrintSet, printOf } from './path-prints.js';

/**
 * Reads over the whole first value.
 * @returns the offset behind it
 * @throws AppError `TORRENT_INVALID`, whatever the bytes were meant to be
 */
export function scanBencode(bytes: Uint8Array, limits: BencodeLimits): { end: number } {
  const scanner = new BencodeScanner(bytes, limits);
  const keys = new KeyWatch(scanner.bytes, limits.maxDepth);
  do {
    const token = scanner.next();
    if (token === 'key') keys.meet(scanner);
    else if (token === 'dictionary' || token === 'list') keys.open(scanner.depth);
    else if (token === 'end') keys.close(scanner.depth + 1);
  } while (scanner.depth > 0);
  return { end: scanner.offset };
}

/**
 * The keys met in each open dictionary, by depth. While they ascend, as BEP 3 wants, comparing each with the last is
 * enough; from the first that does not, all keys of its dictionary are in a set.
 */
class KeyWatch {
  /** Start and end of each key, those of inner dictionaries behind those of the outer ones. */
  #spans = new Int32Array(256);
  /** Behind the last of them. */
  #top = 0;
  /** Where in `#spans` those of an open container begin. */
  readonly #first: Int32Array;
  readonly #seen: (PrintSet | null)[];

  constructor(
    private readonly bytes: Buffer,
    maxDepth: number,
  ) {
    this.#first = new Int32Array(maxDepth + 1);
    this.#seen = new Array<PrintSet | null>(maxDepth + 1).fill(null);
  }

  open(depth: number): void {
    this.#first[depth] = this.#top;
  }

  close(depth: number): void {
    this.#top = this.#first[depth]!;
    this.#seen[depth] = null;
  }

  meet(scanner: BencodeScanner): void {
    const { contentStart: start, contentEnd: end, depth } = scanner;
    let seen = this.#seen[depth]!;
    if (seen === null) {
      if (this.#top === this.#first[depth] || this.#ascends(start, end)) {
        this.#push(start, end);
        return;
      }
      this.#seen[depth] = seen = this.#collect(depth);
    }
    const { low, high } = printOf(this.bytes, start, end);
    if (seen.add(low, high)) return;
    const key = scanner.contentLatin1().slice(0, 60);
    const said = `bencode: duplicate key ${JSON.stringify(key)}`;
    throw new AppError('TORRENT_INVALID', said, because('TORRENT_INVALID', { detail: said }));
  }

  /** Whether the key comes behind the last one. Byte by byte: keys differ early, and a call of Buffer's costs more. */
  #ascends(start: number, end: number): boolean {
    const { bytes } = this;
    let last = this.#spans[this.#top - 2]!;
    const lastEnd = this.#spans[this.#top - 1]!;
    let at = start;
    for (; at < end && last < lastEnd; at++, last++) {
      const difference = bytes[at]! - bytes[last]!;
      if (difference !== 0) return difference > 0;
    }
    return at < end;
  }

  #push(start: number, end: number): void {
    if (this.#top === this.#spans.length) {
      const longer = new Int32Array(2 * this.#top);
      longer.set(this.#spans);
      this.#spans = longer;
    }
    this.#spans[this.#top++] = start;
    this.#spans[this.#top++] = end;
  }

  #collect(depth: number): PrintSet {
    const first = this.#first[depth]!;
    const keys = new PrintSet((this.#top - first) / 2);
    for (let i = first; i < this.#top; i += 2) {
      const { low, high } = printOf(this.bytes, this.#spans[i]!, this.#spans[i + 1]!);
      keys.add(low, high);
    }
    this.#top = first;
    return keys;
  }
}
