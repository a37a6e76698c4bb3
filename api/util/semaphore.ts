// Lets a few callers in at a time and a few wait; refuses the rest at once. Owns: running <= limit, waiting <= queue.
export class Semaphore {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(
    private readonly limit: number,
    private readonly queueLimit: number,
  ) {}

  /** Runs the work when its turn comes; null when the queue is full. */
  async run<Result>(work: () => Promise<Result>): Promise<Result | null> {
    if (this.#running >= this.limit) {
      if (this.#waiting.length >= this.queueLimit) return null;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running++;
    }
    try {
      return await work();
    } finally {
      // The place passes on to the next in line without being free in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
