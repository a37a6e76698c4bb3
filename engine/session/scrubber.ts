// Pieces that torrents have on trust, and that nobody asks for, are hashed in the background: one torrent after the other,
// slowly, so that in the end all that is claimed has been hashed (docs/decisions/0037-trust-is-looked-into.md).
import { MINUTE_MS } from '../environment.js';

/** No spec value: a hard disk reads twenty times as much, and a day goes over 690 GB. */
const BYTES_PER_SECOND = 8 * 1024 * 1024;
/** The pause after a start: those who come back to it, and what is imported, come first. */
const FIRST_AFTER_MS = 10 * MINUTE_MS;
/** From a round in which there was nothing to the next. */
const REST_MS = MINUTE_MS;
/** Torrents that are asked in a second whether they have something. */
const MAX_ASKED = 1_000;

/** A torrent that may have pieces on trust. */
export interface ScrubbedTorrent {
  /**
   * Has such pieces hashed that nobody asks for, one at least; their bytes, not many more than that. 0: there are none, or
   * this is not the time.
   */
  scrub(maxBytes: number): number;
  /** Pieces of it are being hashed. */
  readonly isProving: boolean;
}

export interface ScrubberDeps {
  /** Live: torrents come and go while it is gone through. */
  readonly torrents: { values(): Iterator<ScrubbedTorrent> };
  readonly throttle: { readonly isBusy: boolean };
  readonly startedMs: number;
}

export class Scrubber {
  /** Bytes that may be hashed now; negative after a piece that was larger. */
  #credit = 0;
  #round: Iterator<ScrubbedTorrent> | null = null;
  #current: ScrubbedTorrent | null = null;
  #hasFound = false;
  #nextMs: number;

  constructor(private readonly deps: ScrubberDeps) {
    this.#nextMs = deps.startedMs + FIRST_AFTER_MS;
  }

  /** Once a second. */
  tick(nowMs: number): void {
    this.#credit = Math.min(BYTES_PER_SECOND, this.#credit + BYTES_PER_SECOND);
    if (nowMs < this.#nextMs || this.#credit <= 0 || this.deps.throttle.isBusy) return;
    // On a slow disk that takes longer.
    if (this.#current?.isProving) return;
    for (let asked = 0; asked < MAX_ASKED; asked++) {
      this.#current ??= this.#next();
      if (!this.#current) return this.#endRound(nowMs);
      const bytes = this.#current.scrub(this.#credit);
      if (bytes > 0) {
        this.#credit -= bytes;
        this.#hasFound = true;
        return;
      }
      this.#current = null;
    }
  }

  #next(): ScrubbedTorrent | null {
    this.#round ??= this.deps.torrents.values();
    const { done, value } = this.#round.next();
    return done ? null : value;
  }

  #endRound(nowMs: number): void {
    this.#round = null;
    if (!this.#hasFound) this.#nextMs = nowMs + REST_MS;
    this.#hasFound = false;
  }
}
