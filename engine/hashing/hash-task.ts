// What travels between the engine and a hashing thread: numbers in one array, digests in another, because cloning
// objects costs more than hashing a small piece.
import { AppError } from '../../shared-protocol/errors.js';
import { DIGEST_BYTES } from './constants.js';
import type { PieceSpan } from './types.js';

export type HashTask =
  /** `numbers`: offset and length of each region of the slab. */
  | { readonly kind: 'regions'; readonly numbers: Float64Array }
  /** `numbers`: for each piece the count of its spans, then kind, descriptor, position and length of each. */
  | { readonly kind: 'pieces'; readonly numbers: Float64Array };

const NUMBERS_PER_SPAN = 4;
const SPAN_KINDS = ['file', 'zeroes', 'missing', 'sparse'] as const;

export function encodePieces(pieces: readonly (readonly PieceSpan[])[]): Float64Array {
  const count = pieces.reduce((sum, spans) => sum + 1 + spans.length * NUMBERS_PER_SPAN, 0);
  const numbers = new Float64Array(count);
  let at = 0;
  for (const spans of pieces) {
    numbers[at++] = spans.length;
    for (const span of spans) {
      numbers[at++] = SPAN_KINDS.indexOf(span.kind === 'file' && span.isSparse ? 'sparse' : span.kind);
      numbers[at++] = span.kind === 'file' ? span.fd : -1;
      numbers[at++] = span.kind === 'file' ? span.position : 0;
      numbers[at++] = span.length;
    }
  }
  return numbers;
}

export function decodePieces(numbers: Float64Array): PieceSpan[][] {
  const pieces: PieceSpan[][] = [];
  for (let at = 0; at < numbers.length;) {
    const end = at + 1 + numbers[at]! * NUMBERS_PER_SPAN;
    const spans: PieceSpan[] = [];
    for (at++; at < end; at += NUMBERS_PER_SPAN) spans.push(decodeSpan(numbers.subarray(at, at + NUMBERS_PER_SPAN)));
    pieces.push(spans);
  }
  return pieces;
}

function decodeSpan([kindIndex, fd, position, length]: Float64Array): PieceSpan {
  const kind = SPAN_KINDS[kindIndex ?? -1];
  if (kind === undefined || fd === undefined || position === undefined || length === undefined) {
    throw new AppError('BUG', `bug: span of kind ${kindIndex}`);
  }
  if (kind === 'sparse') return { kind: 'file', fd, position, length, isSparse: true };
  return kind === 'file' ? { kind, fd, position, length } : { kind, length };
}

/** One record per digest: a byte that says whether there is one, then the digest. */
const RECORD_BYTES = 1 + DIGEST_BYTES;

export class DigestRecords {
  constructor(readonly bytes: Uint8Array) {}

  static forCount(count: number): DigestRecords {
    return new DigestRecords(new Uint8Array(count * RECORD_BYTES));
  }

  set(index: number, digest: Uint8Array | null): void {
    if (!digest) return;
    this.bytes[index * RECORD_BYTES] = 1;
    this.bytes.set(digest, index * RECORD_BYTES + 1);
  }

  get(index: number): Uint8Array | null {
    const at = index * RECORD_BYTES;
    return this.bytes[at] === 1 ? this.bytes.slice(at + 1, at + RECORD_BYTES) : null;
  }
}
