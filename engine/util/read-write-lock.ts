// Many may be inside at once, or one alone: transfers share a torrent's files, a change of where bytes lie does not.
// First come, first served, so that neither kind starves.

export class ReadWriteLock {
  #inside = 0;
  #closed = false;
  readonly #queue: { readonly alone: boolean; readonly enter: () => void }[] = [];

  /** Runs beside others that share. */
  shared<T>(work: () => Promise<T>): Promise<T> {
    return this.#run(false, work);
  }

  /** Runs when all before it have left; work that comes later waits. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#run(true, work);
  }

  async #run<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
    if (this.#mayEnter(alone) && this.#queue.length === 0) this.#enter(alone);
    else await new Promise<void>((enter) => void this.#queue.push({ alone, enter }));
    try {
      return await work();
    } finally {
      this.#inside--;
      this.#closed = false;
      this.#admit();
    }
  }

  #mayEnter(alone: boolean): boolean {
    return !this.#closed && (!alone || this.#inside === 0);
  }

  #enter(alone: boolean): void {
    this.#inside++;
    this.#closed = alone;
  }

  #admit(): void {
    for (let next = this.#queue[0]; next && this.#mayEnter(next.alone); next = this.#queue[0]) {
      this.#queue.shift();
      this.#enter(next.alone);
      next.enter();
    }
  }
}
