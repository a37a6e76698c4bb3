// Payload rates: bytes counted as they pass, turned into a moving average once a second (docs/semantics.md section 11).

/** Weight of the newest second: about 90 % of a change shows within three seconds. */
const NEWEST_WEIGHT = 0.5;

export class RateMeter {
  #sinceTick = 0;
  #rate = 0;
  #total = 0;

  /** Bytes per second, an integer. */
  get rate(): number {
    return Math.round(this.#rate);
  }

  /** All bytes ever added. */
  get total(): number {
    return this.#total;
  }

  add(bytes: number): void {
    this.#sinceTick += bytes;
    this.#total += bytes;
  }

  tick(elapsedMs: number): void {
    const now = (this.#sinceTick * 1000) / Math.max(1, elapsedMs);
    this.#sinceTick = 0;
    this.#rate += (now - this.#rate) * NEWEST_WEIGHT;
    if (this.#rate < 1) this.#rate = 0;
  }
}
