// Rates by slot of time: as many slots as are kept, each written over when its place is needed again. A slot says which
// one it is, so nothing has to be cleared where nothing was sampled, or where a clock was set back. Pure.

/** Bytes per second. */
export interface Rates {
  readonly down: number;
  readonly up: number;
}

export class RateRing {
  /** Numbers of slots, which fit until 2106; 0: none. */
  readonly #slots: Uint32Array;
  readonly #down: Float32Array;
  readonly #up: Float32Array;

  constructor(readonly length: number) {
    this.#slots = new Uint32Array(length);
    this.#down = new Float32Array(length);
    this.#up = new Float32Array(length);
  }

  put(slot: number, { down, up }: Rates): void {
    const place = slot % this.length;
    this.#slots[place] = slot;
    this.#down[place] = down;
    this.#up[place] = up;
  }

  /** null: nothing was sampled, or it is too long ago. */
  at(slot: number): Rates | null {
    const place = slot % this.length;
    if (slot <= 0 || this.#slots[place] !== slot) return null;
    return { down: this.#down[place]!, up: this.#up[place]! };
  }
}

/** The means of what is sampled within one slot, as far as it has come. */
export class SlotMeans<Key> {
  #slot = 0;
  #samples = 0;
  readonly #sums = new Map<Key, { down: number; up: number }>();

  /**
   * Takes one sample, in which those that are not named are at rest; returns the means of all that moved in the slot. `isKept` is
   * asked of those that begin to: there may be too many of them to be summed.
   */
  add(
    slot: number,
    rates: ReadonlyMap<Key, Rates>,
    isKept: (key: Key) => boolean = () => true,
  ): ReadonlyMap<Key, Rates> {
    if (slot !== this.#slot) {
      this.#slot = slot;
      this.#samples = 0;
      this.#sums.clear();
    }
    this.#samples++;
    for (const [key, { down, up }] of rates) {
      const known = this.#sums.get(key);
      if (!known && !isKept(key)) continue;
      const sum = known ?? { down: 0, up: 0 };
      sum.down += down;
      sum.up += up;
      if (!known) this.#sums.set(key, sum);
    }
    const mean = ({ down, up }: Rates): Rates => ({ down: down / this.#samples, up: up / this.#samples });
    return new Map([...this.#sums].map(([key, sum]) => [key, mean(sum)]));
  }
}
