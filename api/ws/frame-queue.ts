// What waits for one client that reads slowly. A tick is a full snapshot, so a newer one takes the place of one of its
// kind that still waits; what has no place left is dropped (interface.md: a send buffer of 64 frames). Pure.

/** A frame as it goes to clients, and what it is. */
export interface Frame {
  readonly type: 'torrents:tick' | 'stats:tick' | 'inspector:tick' | 'update:available';
  readonly bytes: Buffer;
  /** The bytes are a frame of the protocol already, deflated; else its payload. */
  readonly isDeflated?: boolean;
}

/** With the one that is being sent. */
const MAX_FRAMES = 64;
const MAX_BYTES = 8 * 1024 * 1024;

export class FrameQueue {
  readonly #waiting: Frame[] = [];
  /** Taken out, and not yet written to the connection. */
  #sending: Frame | null = null;
  #bytes = 0;
  #dropped = 0;

  /** Frames that the client never gets, those included that a newer one took the place of. */
  get dropped(): number {
    return this.#dropped;
  }

  push(frame: Frame): void {
    const place = this.#placeOfOlder(frame);
    const replaced = this.#waiting[place]?.bytes.length ?? 0;
    const isFull = place < 0 && this.#waiting.length + (this.#sending ? 1 : 0) >= MAX_FRAMES;
    // A frame larger than the cap still goes to a client for which nothing else waits.
    const others = this.#bytes - replaced;
    const isHeavy = others > 0 && others + frame.bytes.length > MAX_BYTES;
    if (place >= 0 || isFull || isHeavy) this.#dropped++;
    if (isFull || isHeavy) return;
    if (place >= 0) this.#waiting[place] = frame;
    else this.#waiting.push(frame);
    this.#bytes = others + frame.bytes.length;
  }

  /** The next to send; null while one is being sent, or when none waits. */
  take(): Frame | null {
    if (this.#sending) return null;
    this.#sending = this.#waiting.shift() ?? null;
    return this.#sending;
  }

  /** The one that was taken has been written. */
  sent(): void {
    this.#bytes -= this.#sending?.bytes.length ?? 0;
    this.#sending = null;
  }

  clear(): void {
    this.#waiting.length = 0;
    this.#bytes = this.#sending?.bytes.length ?? 0;
  }

  /** Updates are no snapshots: each is told. */
  #placeOfOlder({ type }: Frame): number {
    return type === 'update:available' ? -1 : this.#waiting.findIndex((frame) => frame.type === type);
  }
}
