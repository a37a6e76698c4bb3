// One WebSocket of an account. Owns its sending: ws is given one frame at a time, so that what waits is ours to
// replace (frame-queue.ts), and no memory grows because somebody does not read.
import type { AccountId } from '../../shared-protocol/ids.js';
import type { Credential } from '../auth/authenticate.js';
import { FrameQueue, type Frame } from './frame-queue.js';

/** RFC 6455 leaves it open; time for the other side to answer a close before the connection is cut. */
const CLOSE_GRACE_MS = 2_000;
/** Pings of a client that does not read the answers are not answered. */
const MAX_PENDING_FOR_PONG_BYTES = 64 * 1024;

/** What is used of a `WebSocket` of ws. */
export interface HubSocket {
  readonly OPEN: number;
  readonly readyState: number;
  readonly bufferedAmount: number;
  /** `done` is called when the bytes are written, or cannot be. */
  send(payload: Buffer, options: { binary: boolean; compress: boolean }, done: () => void): void;
  ping(): void;
  pong(data: Buffer): void;
  close(code: number, reason: string): void;
  terminate(): void;
  on(event: 'message' | 'pong' | 'close' | 'error', listener: () => void): this;
  on(event: 'ping', listener: (data: Buffer) => void): this;
}

/** The connection below the socket; given where deflated frames were negotiated. */
export interface FrameWriter {
  write(frame: Buffer, done: () => void): void;
}

/** RFC 6455 section 7.4.1: going away; policy violation. */
export type CloseCode = 1001 | 1008;

export class HubClient {
  readonly #queue = new FrameQueue();
  #heardAtMs: number;
  #isClosing = false;

  constructor(
    private readonly socket: HubSocket,
    readonly accountId: AccountId,
    readonly credential: Credential,
    private readonly now: () => number,
    private readonly deflatedWriter: FrameWriter | null = null,
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

  get takesDeflated(): boolean {
    return this.deflatedWriter !== null;
  }

  get dropped(): number {
    return this.#queue.dropped;
  }

  /** Milliseconds since anything came from the client. */
  get silentMs(): number {
    return this.now() - this.#heardAtMs;
  }

  /** The same bytes may go to many clients: they are not copied. */
  send(frame: Frame): void {
    if (!this.isOpen) return;
    this.#queue.push(frame);
    this.#sendNext();
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
    const done = () => {
      this.#queue.sent();
      this.#sendNext();
    };
    // Between two frames of ws: it writes each at once, and deflates none itself.
    if (frame.isDeflated) this.deflatedWriter?.write(frame.bytes, done);
    else this.socket.send(frame.bytes, { binary: false, compress: false }, done);
  }
}
