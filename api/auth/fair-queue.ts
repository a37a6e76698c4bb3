// A fair queue: a few run at a time and a few wait, served round by round, one of each requester in a round, so that a
// requester that sends very many fills its own line only. Owns: running <= `running`, waiting <= `waiting`; a refusal comes
// at once.

export interface Requester {
  /** Requests with the same key share a line. */
  readonly key: string;
  /** Has not asked lately: the reserved part of the queue is for these. */
  readonly isFresh: boolean;
}

export interface FairQueueLimits {
  readonly running: number;
  readonly waiting: number;
  /** The part of `waiting` that is only for requesters that have not asked lately. */
  readonly reserved: number;
}

/** Called with true when the turn has come, with false when it never will. */
type Waiter = (isAdmitted: boolean) => void;

export class FairQueue {
  #running = 0;
  #waitingCount = 0;
  /** By requester; the first is served next, and goes to the end then. */
  readonly #waiting = new Map<string, Waiter[]>();

  constructor(private readonly limits: FairQueueLimits) {}

  /** Runs the work when its turn comes; null when the queue is full. */
  async run<Result>(requester: Requester, work: () => Promise<Result>): Promise<Result | null> {
    if (this.#running >= this.limits.running) {
      if (!this.#hasRoomFor(requester)) return null;
      const isAdmitted = await new Promise<boolean>((resolve) => this.#wait(requester.key, resolve));
      if (!isAdmitted) return null;
    } else {
      this.#running++;
    }
    try {
      return await work();
    } finally {
      // The next in line begins without the slot being free in between.
      const next = this.#next();
      if (next) next(true);
      else this.#running--;
    }
  }

  #hasRoomFor({ key, isFresh }: Requester): boolean {
    const { waiting, reserved } = this.limits;
    if (this.#waitingCount < waiting - (isFresh ? 0 : reserved)) return true;
    return this.#makesRoomFor(key);
  }

  /** The last of the requester with most in line goes, where that is more than the newcomer would have. */
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
