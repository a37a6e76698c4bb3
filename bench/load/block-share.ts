// The blocks of a payload, shared out among leechers that are choked now and then: each is asked for once, and again
// only if it was not served.

export class BlockShare {
  received = 0;
  #next = 0;
  #returned: number[] = [];

  constructor(readonly count: number) {}

  /** How many nobody has asked for. */
  get left(): number {
    return this.count - this.#next + this.#returned.length;
  }

  get isComplete(): boolean {
    return this.received === this.count;
  }

  /** Blocks to ask for now, at most so many, those that were given back first. */
  take(most: number): number[] {
    const taken = this.#returned.splice(0, most);
    while (taken.length < most && this.#next < this.count) taken.push(this.#next++);
    return taken;
  }

  giveBack(blocks: Iterable<number>): void {
    this.#returned.push(...blocks);
  }
}
