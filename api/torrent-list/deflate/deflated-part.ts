// A part of a message in raw DEFLATE (RFC 1951) that ends on a byte and refers to nothing before it: parts that were deflated
// by themselves stand beside each other in any message, in any order.
import { constants, crc32, deflateRawSync } from 'node:zlib';

/** A part in DEFLATE, with what a gzip file says of it. */
export interface DeflatedPart {
  readonly bytes: Uint8Array;
  /** Bytes of the part before it was deflated, and CRC-32 of them. */
  readonly plainLength: number;
  readonly checksum: number;
}

/** A part that is copied into the memory of the deflating thread. */
export interface PlainPart {
  readonly byteLength: number;
  copyTo(into: Buffer, at: number): void;
}

/** A service that deflates parts: `DeflateThread`. */
export interface Deflate {
  /** The parts in their order. Rejects when the thread has died; another one is started for the next call. */
  deflate(parts: readonly PlainPart[]): Promise<DeflatedPart[]>;
}

/** A part whose bytes are there already. */
export function plainPart(bytes: Uint8Array): PlainPart {
  return { byteLength: bytes.byteLength, copyTo: (into, at) => into.set(bytes, at) };
}

/** A few bytes that are sent again and again, deflated on the spot. */
export function deflatedPart(text: string): DeflatedPart {
  const plain = Buffer.from(text);
  const bytes = deflateRawSync(plain, { finishFlush: constants.Z_SYNC_FLUSH });
  return { bytes, plainLength: plain.length, checksum: crc32(plain) };
}
