// How long a user waits for an answer while the program works at full speed: a request at a fixed rate, whether or not
// the one before has been answered, so that a stall is counted as often as users would have met it.
import { percentile } from './percentile.js';

const EVERY_MS = 50;

export interface LatencyProbe {
  /** 99th percentile in milliseconds; NaN when nothing was asked. */
  stop(): Promise<number>;
}

export function probeLatency(ask: () => Promise<unknown>): LatencyProbe {
  const latenciesMs: number[] = [];
  const pending = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const startMs = performance.now();
    const asked = ask()
      .then(() => void latenciesMs.push(performance.now() - startMs))
      .finally(() => pending.delete(asked));
    pending.add(asked);
  }, EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
      return percentile(latenciesMs, 99);
    },
  };
}
