// Leases that engines ask for, granted one at a time for each: one that asks without end gets the answer to what it asked last, and
// keeps no other from its own.
export class LeaseGrants {
  /** The last question of each engine that is being answered. */
  readonly #asked = new Map<number, number>();

  /** `grant` never rejects. */
  constructor(private readonly grant: (engine: number, asked: number) => Promise<void>) {}

  async want(engine: number, asked: number): Promise<void> {
    const isUnderWay = this.#asked.has(engine);
    this.#asked.set(engine, asked);
    if (isUnderWay) return;
    for (let last: number | undefined; last !== this.#asked.get(engine);) {
      last = this.#asked.get(engine)!;
      await this.grant(engine, last);
    }
    this.#asked.delete(engine);
  }
}
