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

  constructor(private readonly socket: OutboxSocket) {}

  /** Events, rows, and what answers nobody: in their order. */
  sendInOrder(message: Uint8Array): void {
    this.socket.send(wholeFrame(message));
  }

  /** A call or an answer: others may go before it is there as a whole, if it is large. */
  send(message: Uint8Array): void {
    if (message.length <= PART_BYTES) return this.sendInOrder(message);
    this.#nextNumber = (this.#nextNumber + 1) >>> 0;
    this.#waiting.push(partFrames(message, this.#nextNumber));
    if (!this.#isSending) this.#sendPart();
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
