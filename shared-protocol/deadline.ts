// The end of waiting: a time limit and, beside it, a caller that gives up earlier. `AbortSignal.any` over a signal of
// `AbortSignal.timeout` is none: in Node 20 what collects garbage takes the limit away, and it never ends.
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #hasPassed = false;

  /** From now on. `given` ends it earlier. To be cleared in any case. */
  constructor(
    timeoutMs: number,
    private readonly given?: AbortSignal,
  ) {
    this.#timer = setTimeout(() => {
      this.#hasPassed = true;
      this.#controller.abort();
    }, timeoutMs);
    given?.addEventListener('abort', this.#giveUp);
    if (given?.aborted) this.#giveUp();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether it was the time that ended it. */
  get hasPassed(): boolean {
    return this.#hasPassed;
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.given?.removeEventListener('abort', this.#giveUp);
  }

  /** Rejects when the end comes first. What cannot be told to stop is left to itself. */
  async race<Value>(promise: Promise<Value>): Promise<Value> {
    const { signal } = this;
    let stop = (): void => undefined;
    const ended = new Promise<never>((_resolve, reject) => {
      stop = () => reject(new Error('given up'));
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
    });
    return Promise.race([promise, ended]).finally(() => signal.removeEventListener('abort', stop));
  }

  readonly #giveUp = (): void => this.#controller.abort();
}
