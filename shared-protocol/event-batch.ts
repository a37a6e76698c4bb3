// Events of one turn of the engine's event loop travel to the API as one message: an add alone causes three, and each
// message wakes the main thread and is cloned with a head of its own.
import type { EngineEvent } from './events.js';

export class EventBatch {
  #events: EngineEvent[] = [];
  #isDue = false;
  readonly #send: (events: readonly EngineEvent[]) => void;

  constructor(send: (events: readonly EngineEvent[]) => void) {
    this.#send = send;
  }

  /** An error may be the last thing that this thread says, so it does not wait for the end of the turn. */
  add(event: EngineEvent): void {
    this.#events.push(event);
    if (event.name === 'log' && event.payload.level === 'error') return this.flush();
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.flush();
    });
  }

  /** To be called before each answer, as a caller has seen every event that its command caused (shared-protocol/transport.ts). */
  flush(): void {
    if (this.#events.length === 0) return;
    const events = this.#events;
    this.#events = [];
    this.#send(events);
  }
}
