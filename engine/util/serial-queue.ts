// Work that must not overlap: each begins when the one before has ended, in the order in which it was handed in.

const SETTLED: Promise<unknown> = Promise.resolve();

export class SerialQueue {
  #last = SETTLED;

  /** Resolves and rejects as the work does; a failure does not stop what comes after it. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    // Nothing of the last result is held on to: there are queues for each torrent.
    const settle = () => {
      if (this.#last === last) this.#last = SETTLED;
    };
    const last: Promise<unknown> = result.then(settle, settle);
    this.#last = last;
    return result;
  }
}
