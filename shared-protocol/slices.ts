// Slices of a thread's time: long work goes on within one, and at its end others have their turn of the event loop.
import { setImmediate as othersRan } from 'node:timers/promises';

export interface SliceClock {
  /** Monotonic milliseconds. @default the system's */
  readonly nowMs?: () => number;
  /** Lets the thread do other things. @default for a turn of the event loop */
  readonly pause?: () => Promise<void>;
}

export class Slices {
  readonly #nowMs: () => number;
  readonly #pause: () => Promise<void>;
  #begunMs: number;
  #turn: Promise<void> | null = null;

  /** `sliceMs`: one piece of work more may be done after it. */
  constructor(
    private readonly sliceMs: number,
    { nowMs = () => performance.now(), pause = () => othersRan() }: SliceClock = {},
  ) {
    this.#nowMs = nowMs;
    this.#pause = pause;
    this.#begunMs = nowMs();
  }

  /** Whether to {@link pass} before the next piece of work: cheaper than to do so each time. */
  get isOver(): boolean {
    return this.#turn !== null || this.#nowMs() - this.#begunMs >= this.sliceMs;
  }

  /** Lets others run; hands that work side by side wait for one and the same turn. The next slice begins after it. */
  pass(): Promise<void> {
    this.#turn ??= this.#pause().then(() => {
      this.#turn = null;
      this.#begunMs = this.#nowMs();
    });
    return this.#turn;
  }
}
