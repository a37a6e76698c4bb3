// A peer made of a bare socket: connects to a peer listener and sends exactly the bytes it is told to (BEP 3, 6, 10),
// right or wrong. Shares no code with the engine, so that the two check each other.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { KIB } from './payload.js';

/** BEP 3, BEP 5 and BEP 6. */
export const ID = {
  unchoke: 1,
  interested: 2,
  have: 4,
  bitfield: 5,
  request: 6,
  piece: 7,
  port: 9,
  haveAll: 14,
  haveNone: 15,
  reject: 16,
  allowedFast: 17,
  extended: 20,
} as const;

export const BLOCK_BYTES = 16 * KIB;
const HANDSHAKE_BYTES = 68;
const PROTOCOL = Buffer.from('\x13BitTorrent protocol', 'latin1');

export interface Received {
  readonly id: number;
  readonly payload: Buffer;
}

export interface RawPeerOptions {
  /** Which loopback address it comes from: attackers of different hosts. @default 127.0.0.1 */
  readonly localAddress?: string;
  /** Every frame that is not a keep-alive. */
  readonly onMessage?: (message: Received) => void;
}

export class RawPeer {
  readonly #socket: Socket;
  readonly closed: Promise<void>;
  readonly messages: Received[] = [];
  #buffer: Buffer = Buffer.alloc(0);
  #greeting: Buffer | null = null;
  #receivedBytes = 0;
  #isClosed = false;

  private constructor(
    socket: Socket,
    private readonly options: RawPeerOptions,
  ) {
    this.#socket = socket;
    this.#socket.on('data', (bytes) => this.#onData(bytes));
    // Being cut off is what most of these peers are here for.
    this.#socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      this.#socket.once('close', () => {
        this.#isClosed = true;
        resolve();
      });
    });
  }

  static async connect(port: number, options: RawPeerOptions = {}): Promise<RawPeer> {
    const { localAddress = '127.0.0.1' } = options;
    const peer = new RawPeer(connect({ host: '127.0.0.1', port, localAddress }), options);
    await new Promise<void>((resolve, reject) => {
      peer.#socket.once('connect', resolve).once('error', reject);
    });
    return peer;
  }

  /** One that was dialled: the other end of a connection that a server has accepted. */
  static over(socket: Socket, options: RawPeerOptions = {}): RawPeer {
    return new RawPeer(socket, options);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The other's handshake has arrived. */
  get isGreeted(): boolean {
    return this.#greeting !== null;
  }

  /** The other's handshake: reserved bits at 20, info hash at 28, peer id at 48. */
  get greeting(): Buffer | null {
    return this.#greeting;
  }

  /** Of anything at all, also what is no handshake. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  send(...parts: readonly Uint8Array[]): void {
    this.#socket.write(Buffer.concat(parts));
  }

  /** Reads nothing any more. */
  deafen(): void {
    this.#socket.pause();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #onData(bytes: Buffer): void {
    this.#receivedBytes += bytes.length;
    this.#buffer = Buffer.concat([this.#buffer, bytes]);
    let at = 0;
    if (!this.#greeting) {
      if (this.#buffer.length < HANDSHAKE_BYTES) return;
      this.#greeting = Buffer.from(this.#buffer.subarray(0, HANDSHAKE_BYTES));
      at = HANDSHAKE_BYTES;
    }
    while (this.#buffer.length - at >= 4) {
      const length = this.#buffer.readUInt32BE(at);
      if (this.#buffer.length - at < 4 + length) break;
      if (length > 0) this.#onFrame(this.#buffer.subarray(at + 4, at + 4 + length));
      at += 4 + length;
    }
    this.#buffer = this.#buffer.subarray(at);
  }

  #onFrame(frame: Buffer): void {
    const message = { id: frame[0] ?? 0, payload: Buffer.from(frame.subarray(1)) };
    this.messages.push(message);
    this.options.onMessage?.(message);
  }
}

/** Reserved bits that a handshake sets: the DHT (BEP 5), the fast extension (BEP 6), the extension protocol (BEP 10). */
export function handshake(infoHash: string, { dht = false, fast = false, extended = false } = {}): Buffer {
  const reserved = Buffer.alloc(8);
  reserved[7] = (dht ? 0x01 : 0) | (fast ? 0x04 : 0);
  if (extended) reserved[5] = 0x10;
  const peerId = Buffer.concat([Buffer.from('-RP0001-'), randomBytes(12)]);
  return Buffer.concat([PROTOCOL, reserved, Buffer.from(infoHash, 'hex'), peerId]);
}

/** A frame whose length prefix is right unless another is given. */
export function frame(id: number, payload: Uint8Array = Buffer.alloc(0), length = payload.length + 1): Buffer {
  return Buffer.concat([uint32(length), Buffer.from([id]), payload]);
}

/** The extended handshake (BEP 10), or what passes for one. */
export function extended(body: string): Buffer {
  return frame(ID.extended, Buffer.concat([Buffer.from([0]), Buffer.from(body)]));
}

/** A message of an extension (BEP 10): `id` is what the other named in `m`. */
export function extensionMessage(id: number, body: Uint8Array): Buffer {
  return frame(ID.extended, Buffer.concat([Buffer.from([id]), body]));
}

export function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeUInt32BE(value, 4 * i));
  return bytes;
}

export function request(piece: number, begin: number, length = BLOCK_BYTES): Buffer {
  return frame(ID.request, uint32(piece, begin, length));
}

export function pieceMessage(piece: number, begin: number, block: Uint8Array): Buffer {
  return frame(ID.piece, Buffer.concat([uint32(piece, begin), block]));
}

/** A bitfield that says it has everything. */
export function fullBitfield(pieceCount: number): Buffer {
  const bits = Buffer.alloc(Math.ceil(pieceCount / 8), 0xff);
  const spare = bits.length * 8 - pieceCount;
  bits[bits.length - 1] = (0xff << spare) & 0xff;
  return frame(ID.bitfield, bits);
}
