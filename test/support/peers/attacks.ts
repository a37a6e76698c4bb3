// What a hostile peer may send, and what should become of it (BEP 3, 6, 10; docs/limits.md 2.1 to 2.12). Frames are
// written here, not by our encoders, as most of them are wrong.
import { BLOCK_BYTES, extended, frame, handshake, ID, pieceMessage, request, uint32 } from './raw-peer.js';

export interface Attack {
  readonly name: string;
  /** How it introduces itself; the attack follows once it has been answered. null: the attack is the introduction. */
  readonly hello: 'plain' | 'fast' | 'extended' | null;
  readonly bytes: Uint8Array;
  /** What becomes of the attacker; harmless nonsense may be borne. */
  readonly fate: 'cut off' | 'borne';
}

/** Of no torrent. */
export const NOISE = Buffer.alloc(BLOCK_BYTES, 0x66);

/** Against a torrent of so many pieces of at least 256 KiB; a multiple of 8. */
export function attacksOn(pieces: number): readonly Attack[] {
  return [
    {
      name: 'HTTP',
      hello: null,
      bytes: Buffer.from(`GET /api/torrents HTTP/1.1\r\nHost: x\r\n\r\n${'x'.repeat(100)}`),
      fate: 'cut off',
    },
    {
      name: 'random bytes',
      hello: null,
      bytes: Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 167 + 91) & 0xff)),
      fate: 'cut off',
    },
    { name: 'a torrent we do not have', hello: null, bytes: handshake('00'.repeat(20)), fate: 'cut off' },
    {
      name: 'a frame of 4 GiB',
      hello: 'plain',
      bytes: Buffer.concat([uint32(0xffffffff), Buffer.from([20])]),
      fate: 'cut off',
    },
    { name: 'a have of 9 bytes', hello: 'plain', bytes: frame(ID.have, Buffer.alloc(8)), fate: 'cut off' },
    { name: 'a choke with a payload', hello: 'plain', bytes: frame(0, Buffer.alloc(1)), fate: 'cut off' },
    { name: 'a request of 5 bytes', hello: 'plain', bytes: frame(ID.request, Buffer.alloc(4)), fate: 'cut off' },
    {
      name: 'a short bitfield',
      hello: 'plain',
      bytes: frame(ID.bitfield, Buffer.alloc(pieces / 8 - 1, 0xff)),
      fate: 'cut off',
    },
    {
      name: 'a long bitfield',
      hello: 'plain',
      bytes: frame(ID.bitfield, Buffer.alloc(pieces / 8 + 1, 0xff)),
      fate: 'cut off',
    },
    { name: 'a have out of range', hello: 'plain', bytes: frame(ID.have, uint32(pieces)), fate: 'cut off' },
    { name: 'a have far out of range', hello: 'plain', bytes: frame(ID.have, uint32(0xffffffff)), fate: 'cut off' },
    {
      name: 'a block of 32 KiB',
      hello: 'plain',
      bytes: pieceMessage(0, 0, Buffer.alloc(2 * BLOCK_BYTES)),
      fate: 'cut off',
    },
    {
      name: 'a piece message without a block offset',
      hello: 'plain',
      bytes: frame(ID.piece, uint32(0)),
      fate: 'cut off',
    },
    { name: 'one block never requested', hello: 'plain', bytes: pieceMessage(3, 0, NOISE), fate: 'borne' },
    {
      name: 'blocks of pieces that do not exist',
      hello: 'plain',
      bytes: repeat(10, pieceMessage(0xffffffff, 0xffffffff, NOISE)),
      fate: 'borne',
    },
    { name: '12 MiB never requested', hello: 'plain', bytes: repeat(768, pieceMessage(5, 0, NOISE)), fate: 'cut off' },
    { name: 'requests while choked', hello: 'plain', bytes: repeat(5_000, request(0, 0)), fate: 'cut off' },
    { name: 'requests out of range', hello: 'plain', bytes: repeat(1_000, request(pieces + 1, 0)), fate: 'cut off' },
    {
      name: 'requests that wrap around',
      hello: 'plain',
      bytes: repeat(1_000, request(0, 0xfffffff0, 0xffff)),
      fate: 'cut off',
    },
    {
      name: 'cancels of nothing',
      hello: 'plain',
      bytes: repeat(5_000, frame(8, uint32(1, 0, BLOCK_BYTES))),
      fate: 'borne',
    },
    { name: 'fast messages without the fast extension', hello: 'plain', bytes: frame(ID.haveAll), fate: 'cut off' },
    {
      name: 'rejects of nothing',
      hello: 'fast',
      bytes: Buffer.concat([frame(ID.haveNone), repeat(1_000, frame(ID.reject, uint32(0, 0, BLOCK_BYTES)))]),
      fate: 'borne',
    },
    {
      name: 'allowed-fast pieces without end',
      hello: 'fast',
      bytes: Buffer.concat([frame(ID.haveAll), repeat(5_000, frame(ID.allowedFast, uint32(1)))]),
      fate: 'borne',
    },
    {
      name: 'an extended handshake that is no dictionary',
      hello: 'extended',
      bytes: extended('i42e'),
      fate: 'cut off',
    },
    {
      name: 'an extended handshake of noise',
      hello: 'extended',
      bytes: extended('\x00\x01not bencode'),
      fate: 'cut off',
    },
    {
      name: 'lists in lists in lists',
      hello: 'extended',
      bytes: extended(`d1:m${'l'.repeat(50_000)}${'e'.repeat(50_001)}`),
      fate: 'cut off',
    },
    {
      name: 'extensions that are no numbers',
      hello: 'extended',
      bytes: extended('d1:md11:ut_metadata3:oneee'),
      fate: 'cut off',
    },
    {
      name: 'a prototype for a dictionary',
      hello: 'extended',
      bytes: extended('d9:__proto__d1:m1:xee'),
      fate: 'cut off',
    },
    {
      name: 'an extension nobody offered',
      hello: 'extended',
      bytes: frame(ID.extended, Buffer.from([77, 1, 2, 3])),
      fate: 'borne',
    },
    { name: 'a message nobody knows', hello: 'plain', bytes: frame(99, Buffer.alloc(1_000)), fate: 'borne' },
  ];
}

function repeat(count: number, bytes: Uint8Array): Buffer {
  return Buffer.concat(Array<Uint8Array>(count).fill(bytes));
}
