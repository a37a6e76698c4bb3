// One side's way onto the stream. What has to keep its order goes at once and whole; a call or an answer that is large goes
// in parts behind it, one part whenever the other side has taken the part before.
import { PART_BYTES, partFrames, wholeFrame } from './frames.js';

export interface OutboxSocket {
  /** `onTaken`: the system has taken the bytes, or the socket is gone. */
  send(frame: Uint8Array, onTaken?: () => void): void;
}

export class Outbox {
  #nextNumber = 0;
  readonly #waiting: Generator<Uint8Array>[] = [];
  #isSending = false;
  #waitingBytes = 0;

  constructor(private readonly socket: OutboxSocket) {}

  /** Bytes of large messages of which the last part has not gone to the socket. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Events, rows, and what answers nobody: in their order. */
  sendInOrder(message: Uint8Array): void {
    this.socket.send(wholeFrame(message));
  }

  /** A call or an answer: others may go before it is there as a whole, if it is large. */
  send(message: Uint8Array): void {
    if (message.length <= PART_BYTES) return this.sendInOrder(message);
    this.#nextNumber = (this.#nextNumber + 1) >>> 0;
    this.#waiting.push(this.#parts(message, this.#nextNumber));
    this.#waitingBytes += message.length;
    if (!this.#isSending) this.#sendPart();
  }

  *#parts(message: Uint8Array, messageNumber: number): Generator<Uint8Array> {
    yield* partFrames(message, messageNumber);
    this.#waitingBytes -= message.length;
  }

  /** Sends the next part: of several large messages each has a turn. */
  #sendPart(): void {
    const parts = this.#waiting.shift();
    this.#isSending = parts !== undefined;
    if (!parts) return;
    const { value: frame, done = false } = parts.next();
    if (done || !frame) return this.#sendPart();
    this.#waiting.push(parts);
    this.socket.send(frame, () => this.#sendPart());
  }
}
