// What waits for one client that reads slowly. A tick is a full snapshot, so a newer one takes the place of one of its
// kind that still waits; what has no place left is dropped (docs/api.md: a send buffer of 64 frames). Deltas make sense
// one after another only: none is replaced but by a full list, which takes the place of all that wait. Pure.
import type { Frame } from './frames.js';

/** With the one that is being sent. */
const MAX_FRAMES = 64;
/** A client that is further behind is better off with a full list. */
const MAX_DELTAS = 16;
const MAX_BYTES = 8 * 1024 * 1024;

/** The frames that wait for one client. */
export class FrameQueue {
  readonly #waiting: Frame[] = [];
  /** Taken out, and not yet written to the connection. */
  #sending: Frame | null = null;
  #weight = 0;
  #dropped = 0;

  /** Frames that the client never gets, those included that a newer one took the place of. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The frames that are being sent or wait. */
  get held(): readonly Frame[] {
    return this.#sending ? [this.#sending, ...this.#waiting] : this.#waiting;
  }

  /** False: there is no place for it, and it is dropped. */
  push(frame: Frame): boolean {
    if (frame.type === 'torrents:tick') this.#dropDeltas();
    if (frame.type === 'torrents:delta' && this.#count('torrents:delta') >= MAX_DELTAS) return this.#drop();
    // What has changed since the last one: the client is told with the next.
    if (frame.type === 'servers:tick' && this.#count('servers:tick') > 0) return this.#drop();
    const place = this.#placeOfOlder(frame);
    const older = this.#waiting[place];
    const isFull = !older && this.#waiting.length + (this.#sending ? 1 : 0) >= MAX_FRAMES;
    const weight = this.#weight - (older ? weightOf(older) : 0) + weightOf(frame);
    const isHeavy = weight > MAX_BYTES;
    if (isFull || isHeavy) return this.#drop();
    if (older) this.#dropped++;
    if (older) this.#waiting[place] = frame;
    else this.#waiting.push(frame);
    this.#weight = weight;
    return true;
  }

  /** The next to send; null while one is being sent, or when none waits. */
  take(): Frame | null {
    if (this.#sending) return null;
    this.#sending = this.#waiting.shift() ?? null;
    return this.#sending;
  }

  /** The one that was taken has been written. */
  sent(): void {
    this.#weight -= this.#sending ? weightOf(this.#sending) : 0;
    this.#sending = null;
  }

  clear(): void {
    this.#waiting.length = 0;
    this.#weight = this.#sending ? weightOf(this.#sending) : 0;
  }

  #drop(): false {
    this.#dropped++;
    return false;
  }

  /** A full list says all that they say. */
  #dropDeltas(): void {
    for (let place = this.#waiting.length - 1; place >= 0; place--) {
      const frame = this.#waiting[place]!;
      if (frame.type !== 'torrents:delta') continue;
      this.#waiting.splice(place, 1);
      this.#weight -= weightOf(frame);
      this.#dropped++;
    }
  }

  #count(type: Frame['type']): number {
    return this.#waiting.reduce((count, frame) => count + (frame.type === type ? 1 : 0), 0);
  }

  /** Updates, notices and deltas are no snapshots: each is told. */
  #placeOfOlder({ type }: Frame): number {
    return type === 'update:available' || type === 'notices:changed' || type === 'torrents:delta'
      ? -1
      : this.#waiting.findIndex((frame) => frame.type === type);
  }
}

/**
 * A list that is larger than the cap waits all the same, or its client would never see one; at most one is being sent and
 * one waits. It must not keep the small ones from its client either.
 */
function weightOf({ length }: Frame): number {
  return length > MAX_BYTES ? 0 : length;
}
