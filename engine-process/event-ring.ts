// The last events, as they were sent: a front whose stream was cut for a while goes on where it was. Pure.

/** Events that are kept: a front that has missed more is told of all torrents anew. */
const MAX_EVENTS = 10_000;
const MAX_BYTES = 8 * 1024 * 1024;

/** One message of events. */
export interface SentEvents {
  /** The sequence number of its first event. */
  readonly first: number;
  readonly count: number;
  readonly message: Uint8Array;
}

export class EventRing {
  readonly #kept: SentEvents[] = [];
  #events = 0;
  #bytes = 0;

  add(sent: SentEvents): void {
    this.#kept.push(sent);
    this.#events += sent.count;
    this.#bytes += sent.message.length;
    while (this.#kept.length > 0 && (this.#events > MAX_EVENTS || this.#bytes > MAX_BYTES)) {
      const { count, message } = this.#kept.shift()!;
      this.#events -= count;
      this.#bytes -= message.length;
    }
  }

  /** Nothing of it is of use any more. */
  clear(): void {
    this.#kept.length = 0;
    this.#events = 0;
    this.#bytes = 0;
  }

  /** Returns what came after that many events, of so many in all; null: it is not kept any more. */
  after(heard: number, sequence: number): readonly SentEvents[] | null {
    if (heard > sequence) return null;
    const missed = this.#kept.filter(({ first }) => first > heard);
    const known = missed.reduce((events, { count }) => events + count, 0);
    return known === sequence - heard ? missed : null;
  }
}
