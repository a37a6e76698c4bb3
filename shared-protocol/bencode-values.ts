// Bencoded values as plain data, for input that is small because its limits are: tracker replies, extension
// messages, the records of other programs. Torrents are read with the scanner instead, without a tree in between.
// Not the npm `bencode`: its decoder recurses, believes declared lengths and rounds integers.
import { BencodeScanner, type BencodeLimits, type BencodeScalar } from './bencode-scanner.js';

export type { BencodeLimits } from './bencode-scanner.js';

/** Keys carry one character for each byte (latin1); of a key held twice the first counts. */
export type BencodeDictionary = ReadonlyMap<string, BencodeValue>;
/** Strings are views of the input; integers beyond 2^53 are bigints. */
export type BencodeValue = BencodeScalar | readonly BencodeValue[] | BencodeDictionary;

type Open =
  | { readonly kind: 'list'; readonly items: BencodeValue[] }
  | { readonly kind: 'dictionary'; readonly entries: Map<string, BencodeValue>; key: string };

/**
 * The first value; bytes behind it are ignored, as some trackers end with a line break.
 * @throws AppError `TORRENT_INVALID`, whatever the bytes were meant to be
 */
export function decodeBencode(bytes: Uint8Array, limits: BencodeLimits): BencodeValue {
  return decodeBencodePrefix(bytes, limits).value;
}

/**
 * Like {@link decodeBencode}, with the offset behind the value: `ut_metadata` appends its data there (BEP 9).
 * @throws AppError `TORRENT_INVALID`
 */
export function decodeBencodePrefix(bytes: Uint8Array, limits: BencodeLimits): { value: BencodeValue; end: number } {
  const scanner = new BencodeScanner(bytes, limits);
  const open: Open[] = [];
  for (;;) {
    const token = scanner.next();
    let value: BencodeValue;
    const parent = open.at(-1);
    switch (token) {
      case 'key':
        if (parent?.kind === 'dictionary') parent.key = scanner.contentLatin1();
        continue;
      case 'list':
        open.push({ kind: 'list', items: [] });
        continue;
      case 'dictionary':
        open.push({ kind: 'dictionary', entries: new Map(), key: '' });
        continue;
      case 'end': {
        const closed = open.pop();
        value = closed?.kind === 'dictionary' ? closed.entries : (closed?.items ?? []);
        break;
      }
      case 'integer':
        value = scanner.integer();
        break;
      case 'string':
        value = scanner.content();
        break;
    }
    const container = open.at(-1);
    if (!container) return { value, end: scanner.offset };
    if (container.kind === 'list') container.items.push(value);
    else if (!container.entries.has(container.key)) container.entries.set(container.key, value);
  }
}

type Maybe = BencodeValue | null | undefined;

/** An integer that a double holds exactly, else null. */
export function asInteger(value: Maybe): number | null {
  return typeof value === 'number' ? value : null;
}

export function asBytes(value: Maybe): Uint8Array | null {
  return value instanceof Uint8Array ? value : null;
}

/** A string as UTF-8, U+FFFD where it was not. */
export function asText(value: Maybe): string | null {
  return value instanceof Uint8Array ? utf8(value) : null;
}

export function asList(value: Maybe): readonly BencodeValue[] | null {
  return isList(value) ? value : null;
}

export function asDictionary(value: Maybe): BencodeDictionary | null {
  return value instanceof Map ? value : null;
}

/** U+FFFD where the bytes are not UTF-8. */
export function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

// Array.isArray does not narrow a readonly array out of a union.
function isList(value: Maybe): value is readonly BencodeValue[] {
  return Array.isArray(value);
}
