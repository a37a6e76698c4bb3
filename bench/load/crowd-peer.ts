// One of a crowd of peers: a bare socket that shakes hands as clients do (BEP 3, 6, 10), says what it has, and then does
// nothing unless it is told to. It holds next to nothing itself, so that thousands fit into one process.
import { connect, type Socket } from 'node:net';
import { BLOCK_BYTES, handshake, ID, message, PIECE_HEADER_BYTES, WireReader } from './wire.js';

/** BEP 10 in byte 5, BEP 6 in byte 7. */
const RESERVED = Uint8Array.of(0, 0, 0, 0, 0, 0x10, 0, 0x04);
const EXTENDED_HANDSHAKE_ID = 0;
const KEEP_ALIVE = Buffer.alloc(4);
const READ_BUFFER_BYTES = 64 * 1024;
/** All sockets read into it: what is read is dealt with before the next read. */
const readBuffer = Buffer.allocUnsafe(READ_BUFFER_BYTES);

export interface CrowdPeerOptions {
  readonly port: number;
  readonly localAddress: string;
  readonly infoHash: string;
  /** 20 characters. */
  readonly peerId: string;
  /** Says that it listens there (BEP 10 `p`). */
  readonly listenPort: number;
  readonly bits: Buffer;
  readonly data: Uint8Array;
  readonly onGreeted: () => void;
  readonly onClosed: () => void;
}

export class CrowdPeer {
  /** Served to us. */
  receivedBlocks = 0;
  sentBlocks = 0;
  /** The daemon lets us ask. */
  isUnchoked = false;
  /** The daemon wants something of us. */
  isWanted = false;
  isOpen = true;
  /** Requests that will be answered before it chokes again. */
  #credit = 0;
  readonly #socket: Socket;

  constructor(private readonly options: CrowdPeerOptions) {
    const { port, localAddress, infoHash, peerId, onGreeted, onClosed } = options;
    const reader = new WireReader({
      onHandshake: () => {
        this.#introduce();
        onGreeted();
      },
      onMessage: (id, frame) => this.#onMessage(id, frame),
      onBlock: () => this.receivedBlocks++,
    });
    const callback = (length: number) => {
      reader.push(readBuffer.subarray(0, length));
      return true;
    };
    this.#socket = connect({ host: '127.0.0.1', port, localAddress, onread: { buffer: readBuffer, callback } });
    this.#socket.on('connect', () => this.#socket.write(handshake(infoHash, peerId, RESERVED)));
    // Being closed is counted, whatever the reason.
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      this.isOpen = false;
      onClosed();
    });
  }

  keepAlive(): void {
    this.#socket.write(KEEP_ALIVE);
  }

  /** A piece that it lacked has come to it from elsewhere. */
  have(piece: number): void {
    const { bits } = this.options;
    bits[piece >> 3]! |= 0x80 >> (piece & 7);
    this.#socket.write(message(ID.have, uint32(piece)));
  }

  request(piece: number): void {
    this.#socket.write(message(ID.request, uint32(piece, 0, BLOCK_BYTES)));
  }

  /** Answers so many requests, then chokes again. */
  serve(blocks: number): void {
    if (this.#credit === 0) this.#socket.write(message(ID.unchoke));
    this.#credit += blocks;
  }

  leave(): void {
    this.#socket.destroy();
  }

  #introduce(): void {
    const { bits, listenPort } = this.options;
    const extensions = `d1:md11:ut_metadatai2e6:ut_pexi1ee1:pi${listenPort}e4:reqqi250e1:v9:Crowd 1.0e`;
    const hello = Buffer.concat([Buffer.of(EXTENDED_HANDSHAKE_ID), Buffer.from(extensions)]);
    const parts = [message(ID.bitfield, bits), message(ID.extended, hello), message(ID.interested)];
    this.#socket.write(Buffer.concat(parts));
  }

  #onMessage(id: number, frame: Buffer): void {
    if (id === ID.choke) this.isUnchoked = false;
    else if (id === ID.unchoke) this.isUnchoked = true;
    else if (id === ID.interested) this.isWanted = true;
    else if (id === ID.request) this.#onRequest(frame);
  }

  /** What is not answered is refused (BEP 6), or the daemon would wait for it. */
  #onRequest(frame: Buffer): void {
    if (this.#credit === 0) return void this.#socket.write(message(ID.reject, frame.subarray(1)));
    const at = frame.readUInt32BE(1) * BLOCK_BYTES + frame.readUInt32BE(5);
    const block = this.options.data.subarray(at, at + frame.readUInt32BE(9));
    const header = Buffer.alloc(PIECE_HEADER_BYTES - 5);
    frame.copy(header, 0, 1, 9);
    this.#socket.write(message(ID.piece, Buffer.concat([header, block])));
    this.sentBlocks++;
    if (--this.#credit === 0) this.#socket.write(message(ID.choke));
  }
}

function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeUInt32BE(value, 4 * i));
  return bytes;
}
