// What the worker has for the page. The frames of one tick come a few milliseconds after one another, and as messages of their
// own each would be laid out and painted by itself: the list waits for the figures of all, which follow it.
import type { FromWorker } from './messages.js';

/** A frame of the screen: nobody sees that something has waited for so long. */
const HOLD_MS = 16;

export class Outbox {
  readonly #held: FromWorker[] = [];

  constructor(private readonly post: (messages: readonly FromWorker[]) => void) {}

  /** With the next one that is sent, or alone when none comes. */
  hold(message: FromWorker): void {
    this.#held.push(message);
    if (this.#held.length === 1) setTimeout(() => this.#flush(), HOLD_MS);
  }

  /** At once, after what is held. */
  send(message: FromWorker): void {
    this.#held.push(message);
    this.#flush();
  }

  #flush(): void {
    if (this.#held.length > 0) this.post(this.#held.splice(0));
  }
}
