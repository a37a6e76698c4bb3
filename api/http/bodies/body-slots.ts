// How many bodies are on their way at a time: a few of all, fewer of one source, and a line for those who come meanwhile,
// so that a source that sends many at once is served in turn. Owns: running <= total, running and waiting of a source
// within its own limits. Nothing of a body in the line has been read.
export interface SlotLimits {
  readonly total: number;
  readonly perSource: number;
  readonly waiting: number;
  readonly waitingPerSource: number;
}

/** A slot is given back by calling it, once. */
export type Release = () => void;

interface Waiting {
  readonly source: string;
  readonly enter: () => void;
}

export class BodySlots {
  readonly #running = new Map<string, number>();
  #count = 0;
  #line: Waiting[] = [];

  constructor(private readonly limits: SlotLimits) {}

  get running(): number {
    return this.#count;
  }

  get waiting(): number {
    return this.#line.length;
  }

  /** Null: the line is full, or `signal` came first. */
  async take(source: string, signal: AbortSignal): Promise<Release | null> {
    if (signal.aborted) return null;
    if (this.#hasRoom(source)) this.#enter(source);
    else if (!(await this.#wait(source, signal))) return null;
    return () => this.#release(source);
  }

  #enter(source: string): void {
    this.#count++;
    this.#running.set(source, this.#of(source) + 1);
  }

  #hasRoom(source: string): boolean {
    return this.#count < this.limits.total && this.#of(source) < this.limits.perSource;
  }

  #of(source: string): number {
    return this.#running.get(source) ?? 0;
  }

  /** Whether its turn came. */
  #wait(source: string, signal: AbortSignal): Promise<boolean> {
    const own = this.#line.filter((other) => other.source === source).length;
    if (this.#line.length >= this.limits.waiting || own >= this.limits.waitingPerSource) return Promise.resolve(false);
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.#line = this.#line.filter((other) => other !== waiting);
        resolve(false);
      };
      const enter = (): void => {
        signal.removeEventListener('abort', giveUp);
        // At once: no other body slips in between.
        this.#enter(source);
        resolve(true);
      };
      const waiting = { source, enter };
      this.#line.push(waiting);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  #release(source: string): void {
    this.#count--;
    const left = this.#of(source) - 1;
    if (left > 0) this.#running.set(source, left);
    else this.#running.delete(source);
    const next = this.#line.find((waiting) => this.#hasRoom(waiting.source));
    if (!next) return;
    this.#line = this.#line.filter((waiting) => waiting !== next);
    next.enter();
  }
}
