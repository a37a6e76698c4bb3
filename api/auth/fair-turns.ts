// Lets a few in at a time and a few wait, in turn by who asks: whoever sends very many takes places from nobody but
// himself. Owns: running <= limit, waiting <= places; whoever is refused is told at once.

export interface Asker {
  /** Who it is, for the turns. */
  readonly key: string;
  /** Has not asked lately: the reserved places are for these. */
  readonly isFresh: boolean;
}

export interface TurnLimits {
  readonly running: number;
  readonly waiting: number;
  /** Of the waiting places; only for those who have not asked lately. */
  readonly reserved: number;
}

/** Called with true when the turn has come, with false when it never will. */
type Waiter = (isAdmitted: boolean) => void;

export class FairTurns {
  #running = 0;
  #waitingCount = 0;
  /** By asker; the first is served next, and goes to the end then. */
  readonly #waiting = new Map<string, Waiter[]>();

  constructor(private readonly limits: TurnLimits) {}

  /** Runs the work when its turn comes; null when there is no place to wait. */
  async run<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result | null> {
    if (this.#running >= this.limits.running) {
      if (!this.#hasPlaceFor(asker)) return null;
      const isAdmitted = await new Promise<boolean>((resolve) => this.#wait(asker.key, resolve));
      if (!isAdmitted) return null;
    } else {
      this.#running++;
    }
    try {
      return await work();
    } finally {
      // The place passes on to the next in line without being free in between.
      const next = this.#next();
      if (next) next(true);
      else this.#running--;
    }
  }

  #hasPlaceFor({ key, isFresh }: Asker): boolean {
    const { waiting, reserved } = this.limits;
    if (this.#waitingCount < waiting - (isFresh ? 0 : reserved)) return true;
    return this.#makesRoomFor(key);
  }

  /** The last of whoever has most in line goes, where that is more than the newcomer would have. */
  #makesRoomFor(key: string): boolean {
    let most: Waiter[] = [];
    for (const line of this.#waiting.values()) if (line.length > most.length) most = line;
    const own = this.#waiting.get(key)?.length ?? 0;
    if (most.length <= own + 1) return false;
    const last = most.pop();
    this.#waitingCount--;
    last?.(false);
    return true;
  }

  #wait(key: string, waiter: Waiter): void {
    const line = this.#waiting.get(key);
    if (line) line.push(waiter);
    else this.#waiting.set(key, [waiter]);
    this.#waitingCount++;
  }

  #next(): Waiter | null {
    const [first] = this.#waiting;
    if (!first) return null;
    const [key, line] = first;
    const waiter = line.shift();
    this.#waiting.delete(key);
    if (line.length > 0) this.#waiting.set(key, line);
    this.#waitingCount--;
    return waiter ?? null;
  }
}
