// One WebSocket of an account. Owns its backlog: at most 64 frames or 8 MiB wait for a client that reads slowly;
// what comes on top is dropped, since the next tick is a full snapshot anyway.
import type { AccountId } from '../../shared-protocol/ids.js';
import type { Credential } from '../auth/authenticate.js';

/** interface.md: send buffer of 64 frames. */
const MAX_PENDING_FRAMES = 64;
const MAX_PENDING_BYTES = 8 * 1024 * 1024;
/** RFC 6455 leaves it open; time for the other side to answer a close before the connection is cut. */
const CLOSE_GRACE_MS = 2_000;

/** What is used of a `WebSocket` of ws. */
export interface HubSocket {
  readonly OPEN: number;
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(frame: Buffer, options: { binary: boolean }, done: () => void): void;
  ping(): void;
  close(code: number, reason: string): void;
  terminate(): void;
  on(event: 'message' | 'ping' | 'pong' | 'close' | 'error', listener: () => void): this;
}

export class HubClient {
  #pendingFrames = 0;
  #dropped = 0;
  #heardAtMs: number;

  constructor(
    private readonly socket: HubSocket,
    readonly accountId: AccountId,
    readonly credential: Credential,
    private readonly now: () => number,
  ) {
    this.#heardAtMs = now();
    const heard = () => (this.#heardAtMs = now());
    // Whatever clients send is read and thrown away.
    socket.on('message', heard).on('ping', heard).on('pong', heard);
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** Milliseconds since anything came from the client. */
  get silentMs(): number {
    return this.now() - this.#heardAtMs;
  }

  /** The same bytes may go to many clients: they are not copied. */
  send(frame: Buffer): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    const isFull = this.#pendingFrames >= MAX_PENDING_FRAMES;
    // A frame larger than the cap still goes to a client that has nothing pending.
    const isHeavy = this.#pendingFrames > 0 && this.socket.bufferedAmount + frame.length > MAX_PENDING_BYTES;
    if (isFull || isHeavy) {
      this.#dropped++;
      return;
    }
    this.#pendingFrames++;
    this.socket.send(frame, { binary: false }, () => this.#pendingFrames--);
  }

  ping(): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.ping();
  }

  close(code: 1001 | 1008, reason: string): void {
    this.socket.close(code, reason);
    setTimeout(() => this.socket.terminate(), CLOSE_GRACE_MS).unref();
  }

  terminate(): void {
    this.socket.terminate();
  }
}
