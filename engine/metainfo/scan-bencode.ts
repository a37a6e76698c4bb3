// Validates bencode without building anything. Also refuses duplicate keys at any depth: what passes means the same to
// every decoder, whether it takes the first or the last of two. For the info dictionary, and for messages that other
// people's decoders read afterwards.
import { AppError } from '../../shared-protocol/errors.js';
import { BencodeScanner, type BencodeLimits } from './bencode-scanner.js';

/**
 * Reads over the whole first value.
 * @returns the offset behind it
 * @throws AppError `TORRENT_INVALID`, whatever the bytes were meant to be
 */
export function scanBencode(bytes: Uint8Array, limits: BencodeLimits): { end: number } {
  const scanner = new BencodeScanner(bytes, limits);
  const open: (KeyWatch | null)[] = [];
  do {
    const token = scanner.next();
    if (token === 'dictionary') open.push(new KeyWatch());
    else if (token === 'list') open.push(null);
    else if (token === 'end') open.pop();
    else if (token === 'key') open.at(-1)?.meet(scanner);
  } while (open.length > 0);
  return { end: scanner.offset };
}

/** The keys met in one dictionary. While they ascend, as BEP 3 wants, comparing each with the last is enough. */
class KeyWatch {
  /** Start and end of each key, until they are found unsorted; then `#seen` takes over. */
  #spans: number[] = [];
  #seen: Set<string> | null = null;

  meet(scanner: BencodeScanner): void {
    const { contentStart: start, contentEnd: end, bytes } = scanner;
    if (this.#seen === null) {
      if (this.#ascends(bytes, start, end)) {
        this.#spans.push(start, end);
        return;
      }
      this.#seen = this.#collect(bytes);
    }
    const key = scanner.contentLatin1();
    if (this.#seen.has(key)) {
      throw new AppError('TORRENT_INVALID', `bencode: duplicate key ${JSON.stringify(key.slice(0, 60))}`);
    }
    this.#seen.add(key);
  }

  #ascends(bytes: Buffer, start: number, end: number): boolean {
    const last = this.#spans.length - 2;
    return last < 0 || bytes.compare(bytes, start, end, this.#spans[last], this.#spans[last + 1]) < 0;
  }

  #collect(bytes: Buffer): Set<string> {
    const keys = new Set<string>();
    for (let i = 0; i < this.#spans.length; i += 2) {
      keys.add(bytes.toString('latin1', this.#spans[i], this.#spans[i + 1]));
    }
    this.#spans = [];
    return keys;
  }
}
