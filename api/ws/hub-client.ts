// One WebSocket of an account. Owns its sending: the connection is given one frame at a time, so that what waits is ours
// to replace (frame-queue.ts), no memory grows because a client does not read, and nothing is deflated in vain.
import type { AccountId } from '../../shared-protocol/ids.js';
import type { Credential } from '../auth/authenticate.js';
import type { Crowded } from './crowding.js';
import { FrameQueue } from './frame-queue.js';
import type { Frame } from './frames.js';

/** RFC 6455 leaves it open; time for the other side to answer a close before the connection is cut. */
const CLOSE_GRACE_MS = 2_000;
/** Pings of a client that does not read the answers are not answered. */
const MAX_PENDING_FOR_PONG_BYTES = 64 * 1024;

/** A `WebSocket` of ws, as far as it is used. */
export interface HubSocket {
  readonly OPEN: number;
  readonly readyState: number;
  readonly bufferedAmount: number;
  ping(): void;
  pong(data: Buffer): void;
  close(code: number, reason: string): void;
  terminate(): void;
  on(event: 'message' | 'pong' | 'close' | 'error', listener: () => void): this;
  on(event: 'ping', listener: (data: Buffer) => void): this;
}

/** The connection below the socket. */
export interface FrameWriter {
  /** In one piece. `done` is called when the bytes are written, or cannot be. */
  write(parts: readonly Uint8Array[], done: () => void): void;
  /** Bytes that the other side has not taken yet. */
  readonly pending: number;
}

/** Wishes of a client, told when it connected. */
export interface ClientOptions {
  /** permessage-deflate was negotiated. */
  readonly takesDeflated: boolean;
  /** `?frames=delta`: lists as deltas (torrent-list/delta-feed.ts). */
  readonly takesDeltas: boolean;
  /** `?servers=all`: what remotes tell of their lists. */
  readonly takesServers: boolean;
}

/** RFC 6455 section 7.4.1: going away; policy violation; try again later. */
export type CloseCode = 1001 | 1008 | 1013;

export class HubClient implements Crowded {
  readonly #queue = new FrameQueue();
  #heardAtMs: number;
  /** When the frame that is being sent was begun; null: none is. */
  #sendingSinceMs: number | null = null;
  /** When of that frame something was taken, as far as was seen, and how much was left then. */
  #tookAtMs = 0;
  #left = Number.POSITIVE_INFINITY;
  #isClosing = false;
  /** Revisions of the lists of remotes that it has been sent. */
  marks: ReadonlyMap<number, number> = new Map();
  /** Whether it was sent last that there are remotes. */
  knowsServers = false;
  /** Whether it lacks the frame that the next delta is made against. */
  #needsFull = true;

  constructor(
    private readonly socket: HubSocket,
    private readonly writer: FrameWriter,
    private readonly options: ClientOptions,
    readonly accountId: AccountId,
    readonly credential: Credential,
    private readonly now: () => number,
  ) {
    this.#heardAtMs = now();
    const heard = () => (this.#heardAtMs = now());
    // Whatever clients send is read and thrown away.
    socket.on('message', heard).on('pong', heard);
    socket.on('ping', (data) => {
      heard();
      const isReading = socket.bufferedAmount <= MAX_PENDING_FOR_PONG_BYTES;
      if (this.isOpen && isReading) socket.pong(data);
    });
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  get dropped(): number {
    return this.#queue.dropped;
  }

  /** Milliseconds since anything came from the client. */
  get silentMs(): number {
    return this.now() - this.#heardAtMs;
  }

  get held(): readonly Frame[] {
    return this.#queue.held;
  }

  get sendingMs(): number {
    return this.#sendingSinceMs === null ? 0 : this.now() - this.#sendingSinceMs;
  }

  /** Milliseconds since some of the frame was taken. Of a large one that is seen only now and then: ask each second or so. */
  get idleMs(): number {
    if (this.#sendingSinceMs === null) return 0;
    const left = this.writer.pending;
    // Pings add to it.
    if (left < this.#left) this.#tookAtMs = this.now();
    this.#left = left;
    return this.now() - this.#tookAtMs;
  }

  get takesDeltas(): boolean {
    return this.options.takesDeltas;
  }

  get takesServers(): boolean {
    return this.options.takesServers;
  }

  get needsFull(): boolean {
    return this.#needsFull;
  }

  /** The same bytes may go to many clients: they are not copied. False: it was dropped. */
  send(frame: Frame): boolean {
    if (!this.isOpen) return false;
    const isTaken = this.#queue.push(frame);
    this.#sendNext();
    return isTaken;
  }

  /** Sends one of the two: a delta only where nothing before it was dropped, so that there is never a hole. */
  sendInTurn(full: Frame, next: Frame): void {
    this.#needsFull = !this.send(this.#needsFull ? full : next);
  }

  ping(): void {
    if (this.isOpen) this.socket.ping();
  }

  /** Nothing follows but the close itself. */
  close(code: CloseCode, reason: string): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#queue.clear();
    this.socket.close(code, reason);
    setTimeout(() => this.socket.terminate(), CLOSE_GRACE_MS).unref();
  }

  terminate(): void {
    this.socket.terminate();
  }

  #sendNext(): void {
    const frame = this.isOpen ? this.#queue.take() : null;
    if (!frame) return;
    const deflated = this.options.takesDeflated ? frame.deflated : null;
    if (!deflated) return this.#write(frame.plain());
    deflated().then(
      ({ bytes, release }) => this.#write([bytes], release),
      // A client that takes deflated frames takes others as well.
      () => this.#write(frame.plain()),
    );
  }

  /** Between two frames of ws, which writes each at once. `done`: the parts are not read any more. */
  #write(parts: readonly Uint8Array[], done: () => void = () => undefined): void {
    const onWritten = (): void => {
      done();
      this.#queue.sent();
      this.#sendingSinceMs = null;
      this.#sendNext();
    };
    if (this.isOpen) {
      this.#tookAtMs = this.#sendingSinceMs = this.now();
      this.#left = Number.POSITIVE_INFINITY;
      return this.writer.write(parts, onWritten);
    }
    // Closed while the frame was being deflated: nothing follows the close.
    done();
    this.#queue.sent();
  }
}
