// The few messages of BEP 3 that the raw ends speak, encoded and cut by hand: the bench must not lean on the code that
// it measures.

export const BLOCK_BYTES = 16 * 1024;
export const HANDSHAKE_BYTES = 68;
export const PIECE_HEADER_BYTES = 13;
export const REQUEST_BYTES = 17;

export const ID = {
  choke: 0,
  unchoke: 1,
  interested: 2,
  have: 4,
  bitfield: 5,
  request: 6,
  piece: 7,
  reject: 16,
  extended: 20,
} as const;

/** `reserved`: the eight bytes that tell of extensions. @default none */
export function handshake(infoHash: string, peerId: string, reserved: Uint8Array = new Uint8Array(8)): Buffer {
  const bytes = Buffer.alloc(HANDSHAKE_BYTES);
  bytes.set(reserved, 20);
  bytes[0] = 19;
  bytes.write('BitTorrent protocol', 1, 'latin1');
  bytes.write(infoHash, 28, 'hex');
  bytes.write(peerId, 48, 'latin1');
  return bytes;
}

export function message(id: number, payload: Uint8Array = new Uint8Array(0)): Buffer {
  const bytes = Buffer.alloc(5 + payload.length);
  bytes.writeUInt32BE(1 + payload.length);
  bytes[4] = id;
  bytes.set(payload, 5);
  return bytes;
}

export function fullBitfield(pieceCount: number): Buffer {
  const bits = Buffer.alloc(Math.ceil(pieceCount / 8), 0xff);
  const spare = bits.length * 8 - pieceCount;
  bits[bits.length - 1]! &= (0xff << spare) & 0xff;
  return message(ID.bitfield, bits);
}

/** What the other side said, cut from its stream. Payload of blocks is counted and never looked at. */
export interface WireSink {
  onHandshake(): void;
  /** `frame` holds the message from its id on, and only during the call. */
  onMessage(id: number, frame: Buffer): void;
  /** A block's header has arrived: `length` bytes of payload follow. */
  onBlock(length: number, piece: number, begin: number): void;
}

/** Sans-I/O. Keeps what is cut by the end of a read; blocks are skipped without being kept. */
export class WireReader {
  #rest = Buffer.alloc(0);
  #skip = 0;
  #isGreeted = false;

  constructor(private readonly sink: WireSink) {}

  push(bytes: Buffer): void {
    let at = Math.min(this.#skip, bytes.length);
    this.#skip -= at;
    if (at === bytes.length) return;
    let data = bytes;
    if (this.#rest.length > 0) {
      data = Buffer.concat([this.#rest, bytes.subarray(at)]);
      at = 0;
    }
    at = this.#read(data, at);
    this.#rest = at < data.length ? Buffer.from(data.subarray(at)) : Buffer.alloc(0);
  }

  /** Returns where the first message begins that is not whole yet. */
  #read(data: Buffer, at: number): number {
    if (!this.#isGreeted) {
      if (data.length - at < HANDSHAKE_BYTES) return at;
      this.#isGreeted = true;
      at += HANDSHAKE_BYTES;
      this.sink.onHandshake();
    }
    while (data.length - at >= 5) {
      const length = data.readUInt32BE(at);
      if (length === 0) {
        at += 4;
        continue;
      }
      const id = data[at + 4]!;
      if (id === ID.piece) {
        if (data.length - at < PIECE_HEADER_BYTES) return at;
        const here = Math.min(4 + length, data.length - at);
        this.#skip = 4 + length - here;
        this.sink.onBlock(length - 9, data.readUInt32BE(at + 5), data.readUInt32BE(at + 9));
        at += here;
        continue;
      }
      if (data.length - at < 4 + length) return at;
      this.sink.onMessage(id, data.subarray(at + 4, at + 4 + length));
      at += 4 + length;
    }
    return at;
  }
}
