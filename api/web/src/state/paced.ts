// Something that people feel, done no more often than they bear, and not left out either: what came too soon is done later.
import { Pace } from './pace.js';

export class Paced {
  readonly #pace: Pace;
  #later: ReturnType<typeof setTimeout> | undefined;

  /** `everyMs`: at least, from one time to the next. */
  constructor(
    everyMs: number,
    private readonly run: () => void,
  ) {
    this.#pace = new Pace(everyMs);
  }

  /** Does it now, where it is urgent or may be done again; else as soon as it may. */
  ask(isUrgent: boolean): void {
    this.stop();
    const waitMs = this.#pace.waitMs(performance.now());
    if (waitMs === 0 || isUrgent) this.run();
    else this.#later = setTimeout(() => this.ask(false), waitMs);
  }

  /** Stops what was to be done later. */
  stop(): void {
    clearTimeout(this.#later);
    this.#later = undefined;
  }
}
