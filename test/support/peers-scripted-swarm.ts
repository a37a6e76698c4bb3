// A peer for whole swarms in virtual time: connects to an engine, gives what it is asked for at its own pace, takes at
// its own pace while it may, and notes when it was choked and unchoked, from the frames that reached it. It speaks BEP 3
// and BEP 6 with its own few lines, so that a fault of ours cannot hide behind itself.
import type { MemoryNetwork } from './memory-network.js';
import type { MemorySocket } from './memory-socket.js';
import type { Clock, PeerAddress, Timer } from '../../engine/environment.js';
import { block, frame, handshake, KEEP_ALIVE, reject, request } from './frames.js';

/** BEP 3: what one request asks for. */
const BLOCK_BYTES = 16 * 1024;
const HANDSHAKE_BYTES = 68;
/** BEP 3: "generally sent once every two minutes". */
const KEEP_ALIVE_MS = 100_000;
const ID = { choke: 0, unchoke: 1, interested: 2, notInterested: 3, request: 6, piece: 7, cancel: 8 } as const;
const HAVE_ALL = 14;
const HAVE_NONE = 15;

export interface SwarmPeerDeps {
  readonly clock: Clock;
  readonly network: MemoryNetwork;
  /** 40 hex digits. */
  readonly infoHash: string;
  readonly payload: Uint8Array;
  readonly pieceLength: number;
}

export interface SwarmPeerOptions {
  readonly host: string;
  readonly has: 'everything' | 'nothing';
  /** 0: unchokes, takes requests, and never answers one. @default 0 */
  readonly giveBytesPerSec?: number;
  /** Blocks it asks for while unchoked, one at a time. @default 0 */
  readonly takeBlocksPerSec?: number;
  /** It was choked or unchoked. */
  readonly onTurn?: () => void;
  /** It was asked for a block; it sent one. */
  readonly onAsked?: (block: AskedBlock) => void;
  readonly onGiven?: (block: AskedBlock) => void;
  /** Where several are at one host. @default of the host */
  readonly name?: string;
  /** What it sends instead of the torrent's bytes. @default those */
  readonly answer?: (block: AskedBlock, right: Uint8Array) => Uint8Array;
}

export interface AskedBlock {
  readonly piece: number;
  readonly begin: number;
  readonly length: number;
}

/** Of one stretch of time unchoked. */
export interface Turn {
  readonly fromMs: number;
  /** Infinity: not over. */
  toMs: number;
  /** The engine ended it; otherwise the connection went. */
  choked: boolean;
}

export class ScriptedSwarmPeer {
  /** 40 hex digits. */
  readonly peerId: string;
  readonly turns: Turn[] = [];
  /** Payload bytes received, and sent. */
  takenBytes = 0;
  givenBytes = 0;
  /** Why the connection went away; null while it is there. */
  closed: string | null = null;
  giveBytesPerSec: number;
  readonly #socket: MemorySocket;
  readonly #asked: AskedBlock[] = [];
  #unread = Buffer.alloc(0);
  #handshaken = false;
  #giving: Timer | null = null;
  #taking: Timer | null = null;
  #nextBlock = 0;

  constructor(
    private readonly deps: SwarmPeerDeps,
    private readonly options: SwarmPeerOptions,
    engine: PeerAddress,
  ) {
    this.giveBytesPerSec = options.giveBytesPerSec ?? 0;
    this.#socket = deps.network.connectFrom(options.host, engine);
    this.#socket.setHandler({
      onConnect: () => undefined,
      onData: (bytes) => this.#onData(bytes),
      onDrain: () => undefined,
      onClose: (reason) => this.#onClose(reason),
    });
    this.peerId = Buffer.from(`-SP0001-${options.name ?? options.host}`.padEnd(20, '-')).toString('hex');
    this.#socket.write(handshake({ infoHash: deps.infoHash, peerId: this.peerId, extended: false }));
    this.#socket.write(frame(options.has === 'everything' ? HAVE_ALL : HAVE_NONE));
    this.#socket.write(frame(ID.unchoke));
    this.setInterested(true);
    this.#keepAlive();
  }

  get isUnchoked(): boolean {
    return this.turns.at(-1)?.toMs === Infinity;
  }

  setInterested(interested: boolean): void {
    this.#socket.write(frame(interested ? ID.interested : ID.notInterested));
  }

  leave(): void {
    this.#socket.destroy();
  }

  /** Time unchoked between two times. */
  unchokedMs(fromMs: number, toMs: number): number {
    const within = (turn: Turn): number => Math.min(turn.toMs, toMs) - Math.max(turn.fromMs, fromMs);
    return this.turns.reduce((sum, turn) => sum + Math.max(0, within(turn)), 0);
  }

  #onClose(reason: string): void {
    this.closed = reason;
    this.#giving?.cancel();
    this.#endTurn(false);
  }

  #onData(bytes: Uint8Array): void {
    this.#unread = Buffer.concat([this.#unread, bytes]);
    let at = 0;
    if (!this.#handshaken && this.#unread.length >= HANDSHAKE_BYTES) {
      this.#handshaken = true;
      at = HANDSHAKE_BYTES;
    }
    while (this.#handshaken && at + 4 <= this.#unread.length) {
      const end = at + 4 + this.#unread.readUInt32BE(at);
      if (end > this.#unread.length) break;
      if (end > at + 4) this.#onFrame(this.#unread[at + 4]!, this.#unread.subarray(at + 5, end));
      at = end;
    }
    this.#unread = Buffer.from(this.#unread.subarray(at));
  }

  #onFrame(id: number, body: Buffer): void {
    if (id === ID.choke) this.#endTurn(true);
    else if (id === ID.unchoke) this.#beginTurn();
    else if (id === ID.piece) this.takenBytes += body.length - 8;
    else if (id === ID.request) this.#onRequest(askedOf(body));
    else if (id === ID.cancel) this.#onCancel(askedOf(body));
  }

  #keepAlive(): void {
    this.deps.clock.after(KEEP_ALIVE_MS, () => {
      if (this.closed !== null) return;
      this.#socket.write(KEEP_ALIVE);
      this.#keepAlive();
    });
  }

  #beginTurn(): void {
    if (!this.isUnchoked) this.turns.push({ fromMs: this.deps.clock.nowMs(), toMs: Infinity, choked: false });
    this.options.onTurn?.();
    if (!this.#taking) this.#take();
  }

  #endTurn(choked: boolean): void {
    const turn = this.turns.at(-1);
    if (turn?.toMs === Infinity) {
      turn.toMs = this.deps.clock.nowMs();
      turn.choked = choked;
    }
    this.options.onTurn?.();
    this.#taking?.cancel();
    this.#taking = null;
  }

  #take(): void {
    const { takeBlocksPerSec = 0 } = this.options;
    if (takeBlocksPerSec === 0) return;
    const { payload, pieceLength } = this.deps;
    const offset = (this.#nextBlock++ * BLOCK_BYTES) % (payload.length - BLOCK_BYTES);
    const start = offset - (offset % BLOCK_BYTES);
    this.#socket.write(request(Math.floor(start / pieceLength), start % pieceLength, BLOCK_BYTES));
    this.#taking = this.deps.clock.after(1_000 / takeBlocksPerSec, () => this.#take());
  }

  #onRequest(asked: AskedBlock): void {
    this.#asked.push(asked);
    this.options.onAsked?.(asked);
    this.#giveNext();
  }

  /** BEP 6: a cancelled request is answered by a reject. What is on the line already is not called back. */
  #onCancel({ piece, begin, length }: AskedBlock): void {
    const index = this.#asked.findIndex((asked) => asked.piece === piece && asked.begin === begin);
    if (index === -1) return;
    this.#asked.splice(index, 1);
    this.#socket.write(reject(piece, begin, length));
  }

  #giveNext(): void {
    if (this.#giving || this.giveBytesPerSec === 0 || this.closed !== null) return;
    const asked = this.#asked.shift();
    if (!asked) return;
    const { piece, begin, length } = asked;
    this.#giving = this.deps.clock.after((length * 1_000) / this.giveBytesPerSec, () => {
      this.#giving = null;
      const start = piece * this.deps.pieceLength + begin;
      const right = this.deps.payload.subarray(start, start + length);
      this.#socket.write(block(piece, begin, this.options.answer?.(asked, right) ?? right));
      this.givenBytes += length;
      this.options.onGiven?.(asked);
      this.#giveNext();
    });
  }
}

function askedOf(body: Buffer): AskedBlock {
  return { piece: body.readUInt32BE(0), begin: body.readUInt32BE(4), length: body.readUInt32BE(8) };
}
