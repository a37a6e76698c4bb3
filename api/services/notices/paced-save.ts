// Stores something that changes often: at once where nothing was stored just now, and what changes then together.
const EVERY_MS = 2_000;

export interface PacedSaveDeps {
  /** Stores everything as it is now. */
  readonly store: () => Promise<void>;
  /** Hears of a failure that nobody waits for; what could not be stored is stored with what comes next. */
  readonly onFailed: (error: unknown) => void;
}

export class PacedSave {
  /** Whether there is something that is not stored, nor about to be. */
  #isChanged = false;
  /** Whether somebody waits for it. */
  #isWanted = false;
  #storing: Promise<void> | null = null;
  #pause: NodeJS.Timeout | null = null;

  constructor(private readonly deps: PacedSaveDeps) {}

  /** Resolves when all that has changed by now is stored. One store at a time: what changes meanwhile is in the next. */
  now(): Promise<void> {
    this.#isWanted = true;
    return (this.#storing ??= this.#storeAll());
  }

  /** Stores what has changed, soon. */
  soon(): void {
    this.#isChanged = true;
    if (this.#pause) return;
    this.#pause = setTimeout(() => {
      this.#pause = null;
      if (this.#isChanged) this.soon();
    }, EVERY_MS).unref();
    this.now().catch(this.deps.onFailed);
  }

  /** Resolves when nothing is left to store, as far as it can be. */
  async finish(): Promise<void> {
    this.drop();
    await (this.#isChanged ? this.now() : this.#storing)?.catch(this.deps.onFailed);
  }

  /** Forgets what is not stored yet. */
  drop(): void {
    clearTimeout(this.#pause ?? undefined);
    this.#pause = null;
  }

  /** Ends in the moment in which nobody wants anything stored: whoever comes after it begins another. */
  async #storeAll(): Promise<void> {
    try {
      while (this.#isWanted) {
        // Later in this turn of the loop more may change.
        await Promise.resolve();
        this.#isWanted = false;
        this.#isChanged = false;
        await this.deps.store();
      }
    } finally {
      this.#storing = null;
    }
  }
}
