// One end of a connection in memory (memory-network.ts). What is written waits here until the other end has room for
// it; what has arrived waits at the other end until its time has come and it is read.
//
// Invariant: `bufferedBytes` is what is written and not taken; a write's `done` runs exactly once, after its last
// byte was taken or the socket has gone; `onClose` runs exactly once and nothing after it.
import type { PeerAddress, PeerSocket, PeerSocketHandler } from '../../engine/environment.js';
import { TURN_BYTES, type MemoryUplink } from './memory-uplink.js';

/** What sockets need of their network. */
export interface MemoryMedium {
  readonly latencyMs: number;
  readonly windowBytes: number;
  readonly readBytes: number;
  readonly rubbish: number;
  nowMs(): number;
  /** At once means in a microtask. */
  after(delayMs: number, callback: () => void): void;
  onOpened(socket: MemorySocket): void;
  onClosed(socket: MemorySocket): void;
  /** What the host sends through; undefined: as fast as it likes. */
  uplink(host: string): MemoryUplink | undefined;
}

interface Write {
  readonly bytes: Uint8Array;
  readonly done: (() => void) | undefined;
  taken: number;
}

type Arrival =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly dueMs: number }
  | { readonly kind: 'end'; readonly reason: string; readonly dueMs: number };

export class MemorySocket implements PeerSocket {
  #handler: PeerSocketHandler | null = null;
  #other: MemorySocket | null = null;
  readonly #writes: Write[] = [];
  #bufferedBytes = 0;
  #takePending = false;
  #inbox: Arrival[] = [];
  /** Bytes in the inbox: on their way or unread. */
  #inboxBytes = 0;
  #readPending = false;
  #paused = false;
  #destroyed = false;
  #closed = false;

  constructor(
    private readonly medium: MemoryMedium,
    readonly local: PeerAddress,
    readonly remote: PeerAddress,
  ) {
    medium.onOpened(this);
  }

  get bufferedBytes(): number {
    return this.#bufferedBytes;
  }

  get destroyed(): boolean {
    return this.#destroyed;
  }

  setHandler(handler: PeerSocketHandler): void {
    this.#handler = handler;
    this.#scheduleRead();
  }

  write(bytes: Uint8Array, done?: () => void): void {
    if (this.#destroyed) {
      if (done) this.medium.after(0, done);
      return;
    }
    this.#writes.push({ bytes, done, taken: 0 });
    this.#bufferedBytes += bytes.length;
    this.#scheduleTake();
  }

  pauseReading(): void {
    this.#paused = true;
  }

  resumeReading(): void {
    this.#paused = false;
    this.#scheduleRead();
  }

  /** Orderly for the other end: it reads what is on its way, then an end. What was not taken is lost. */
  destroy(): void {
    this.#leave('', '');
  }

  /** As if the machine had gone: both ends lose what is on its way. */
  reset(): void {
    const other = this.#other;
    if (other) other.#dropInbox();
    this.#leave('', 'read ECONNRESET');
  }

  /** The connection could not be made. */
  fail(reason: string): void {
    this.#leave(reason, '');
  }

  /** The other end is there. An opener hears of it; one that is accepted knows. */
  join(other: MemorySocket): void {
    if (this.#destroyed) return other.#arriveEnd('');
    const isOpener = other.#other === this;
    this.#other = other;
    if (isOpener) this.#handler?.onConnect();
    this.#scheduleTake();
  }

  #leave(reason: string, reasonThere: string): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#dropInbox();
    const other = this.#other;
    if (other) other.#arriveEnd(reasonThere);
    this.medium.after(0, () => this.#close(reason));
  }

  #close(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.medium.onClosed(this);
    this.#bufferedBytes = 0;
    for (const write of this.#writes.splice(0)) write.done?.();
    this.#handler?.onClose(reason);
  }

  #dropInbox(): void {
    this.#inbox = this.#inbox.filter((arrival) => arrival.kind === 'end');
    this.#inboxBytes = 0;
  }

  #scheduleTake(): void {
    if (this.#takePending || this.#writes.length === 0 || !this.#other) return;
    this.#takePending = true;
    const uplink = this.medium.uplink(this.local.host);
    if (uplink) {
      uplink.enqueue((durationMs) => {
        this.#takePending = false;
        const sent = this.#take(TURN_BYTES, durationMs);
        // With more to send it waits for its next turn; without room there, the other end's reading asks for one.
        if (sent > 0) this.#scheduleTake();
        return sent;
      });
      return;
    }
    this.medium.after(0, () => {
      this.#takePending = false;
      this.#take(Infinity, () => 0);
    });
  }

  /** The kernel's part: as much as the other end has room for goes on its way. Returns how much. */
  #take(limit: number, durationMs: (bytes: number) => number): number {
    const other = this.#other;
    if (!other) return 0;
    let sent = 0;
    let took = false;
    for (let write = this.#writes[0]; write && !this.#destroyed; write = this.#writes[0]) {
      // What is written to an end that has gone is lost; that it has gone is on its way here.
      const free = other.#destroyed ? Infinity : this.medium.windowBytes - other.#inboxBytes;
      const room = Math.min(free, this.medium.readBytes, limit - sent);
      if (room <= 0) break;
      const part = new Uint8Array(write.bytes.subarray(write.taken, write.taken + room));
      write.taken += part.length;
      this.#bufferedBytes -= part.length;
      sent += part.length;
      took = true;
      if (part.length > 0 && !other.#destroyed) other.#arriveBytes(part, durationMs(sent));
      if (write.taken < write.bytes.length) continue;
      this.#writes.shift();
      write.done?.();
    }
    if (took && this.#bufferedBytes === 0 && !this.#destroyed) this.#handler?.onDrain();
    return sent;
  }

  #arriveBytes(bytes: Uint8Array, durationMs: number): void {
    this.#inbox.push({ kind: 'bytes', bytes, dueMs: this.medium.nowMs() + durationMs + this.medium.latencyMs });
    this.#inboxBytes += bytes.length;
    this.#scheduleRead();
  }

  #arriveEnd(reason: string): void {
    if (this.#destroyed) return;
    this.#inbox.push({ kind: 'end', reason, dueMs: this.medium.nowMs() + this.medium.latencyMs });
    this.#scheduleRead();
  }

  #scheduleRead(): void {
    const first = this.#inbox[0];
    if (this.#readPending || !first || this.#paused || !this.#handler) return;
    this.#readPending = true;
    this.medium.after(first.dueMs - this.medium.nowMs(), () => {
      this.#readPending = false;
      this.#read();
    });
  }

  #read(): void {
    const nowMs = this.medium.nowMs();
    for (let first = this.#inbox[0]; first && first.dueMs <= nowMs; first = this.#inbox[0]) {
      if (this.#paused || this.#destroyed || !this.#handler) break;
      this.#inbox.shift();
      if (first.kind === 'end') {
        this.#destroyed = true;
        this.#close(first.reason);
        return;
      }
      this.#inboxBytes -= first.bytes.length;
      this.#handler.onData(first.bytes);
      first.bytes.fill(this.medium.rubbish);
    }
    const other = this.#other;
    if (other) other.#scheduleTake();
    if (!this.#destroyed) this.#scheduleRead();
  }
}
