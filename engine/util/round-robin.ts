// Work that must not overlap, of several who take turns: a piece of each is done before the second one of any.

export class RoundRobin<Key> {
  /** By whose it is, in the order in which their turns come; each in the order in which it was handed in. */
  readonly #waiting = new Map<Key, Set<() => Promise<void>>>();
  #isBusy = false;

  /** Resolves and rejects as the work does; a failure does not stop what comes after it. */
  run<Result>(of: Key, work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const own = this.#waiting.get(of) ?? new Set();
      this.#waiting.set(
        of,
        own.add(() => work().then(resolve, reject)),
      );
      if (!this.#isBusy) void this.#doAll();
    });
  }

  async #doAll(): Promise<void> {
    this.#isBusy = true;
    for (let work = this.#takeNext(); work; work = this.#takeNext()) await work();
    this.#isBusy = false;
  }

  /** The work whose turn it is; those whose it is come last from then on. */
  #takeNext(): (() => Promise<void>) | null {
    for (const [of, own] of this.#waiting) {
      this.#waiting.delete(of);
      for (const work of own) {
        own.delete(work);
        if (own.size > 0) this.#waiting.set(of, own);
        return work;
      }
    }
    return null;
  }
}
