// Peer wire frames (BEP 3, 6, 9, 10) as bytes, written from the specifications and not with our own encoders.
import bencode, { type BencodeInput } from 'bencode';

/** `fields` are 32-bit numbers in front of the payload. */
export function frame(id: number, fields: readonly number[] = [], payload: Uint8Array = new Uint8Array(0)): Buffer {
  const bytes = Buffer.alloc(5 + 4 * fields.length + payload.length);
  bytes.writeUInt32BE(bytes.length - 4, 0);
  bytes[4] = id;
  fields.forEach((field, i) => bytes.writeUInt32BE(field, 5 + 4 * i));
  bytes.set(payload, 5 + 4 * fields.length);
  return bytes;
}

export const KEEP_ALIVE = Buffer.alloc(4);

export const request = (piece: number, begin: number, length: number): Buffer => frame(6, [piece, begin, length]);
export const block = (piece: number, begin: number, payload: Uint8Array): Buffer => frame(7, [piece, begin], payload);
export const cancel = (piece: number, begin: number, length: number): Buffer => frame(8, [piece, begin, length]);
export const reject = (piece: number, begin: number, length: number): Buffer => frame(16, [piece, begin, length]);

/** An extension message; 0 is the extended handshake. */
export function extended(extension: number, payload: Uint8Array): Buffer {
  return frame(20, [], Buffer.concat([Buffer.of(extension), payload]));
}

export function extendedHandshake(fields: Readonly<Record<string, BencodeInput>>): Buffer {
  return extended(0, bencode.encode(fields));
}

export interface HandshakeFields {
  /** 40 hex digits each. */
  readonly infoHash: string;
  readonly peerId: string;
  /** @default true */
  readonly fast?: boolean;
  /** @default true */
  readonly extended?: boolean;
}

export function handshake(fields: HandshakeFields): Buffer {
  const reserved = Buffer.alloc(8);
  if (fields.extended !== false) reserved[5] = 0x10;
  if (fields.fast !== false) reserved[7] = 0x04;
  return Buffer.concat([
    Buffer.from('\x13BitTorrent protocol', 'latin1'),
    reserved,
    Buffer.from(fields.infoHash, 'hex'),
    Buffer.from(fields.peerId, 'hex'),
  ]);
}
