// How late the engine thread's event loop comes to its work, measured only while a caller asks: the measurement itself
// wakes the thread fifty times a second, which an idle daemon must not (0.6 % of a core).
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 20;
/** Time without a question after which measuring ends. */
const FORGET_AFTER_MS = 60_000;

export class LoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #forget: NodeJS.Timeout | null = null;

  /** 99th percentile in milliseconds since the last call; 0 at the first one. */
  p99Ms(): number {
    const isMeasuring = this.#forget !== null;
    const p99 = isMeasuring ? this.#histogram.percentile(99) / 1e6 : 0;
    this.#histogram.reset();
    this.#histogram.enable();
    if (this.#forget) clearTimeout(this.#forget);
    this.#forget = setTimeout(() => this.stop(), FORGET_AFTER_MS).unref();
    return p99;
  }

  stop(): void {
    this.#histogram.disable();
    if (this.#forget) clearTimeout(this.#forget);
    this.#forget = null;
  }
}
