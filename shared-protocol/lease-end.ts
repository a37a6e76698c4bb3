// The moment from which an engine on shared roots writes nothing, known to its thread by itself: one that was made to stand still goes
// on in the middle of what it did, before anybody can tell it that another engine has its torrents.
import { AppError } from './errors.js';

export class LeaseEnd {
  readonly #at: Float64Array;

  /** `buffer`: what the thread that is told has got of the one that tells. */
  constructor(readonly buffer: SharedArrayBuffer = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)) {
    this.#at = new Float64Array(buffer);
  }

  /** Sets it to so many milliseconds from now. */
  setIn(ms: number): void {
    this.#at[0] = machineMs() + ms;
  }

  /** @throws AppError `ENGINE_FENCED` */
  assertBefore(): void {
    if (machineMs() >= this.#at[0]!) throw new AppError('ENGINE_FENCED', 'engine: its lease has run out');
  }
}

/** Monotonic milliseconds, alike in all threads. */
function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
