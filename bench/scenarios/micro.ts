// How micro scenarios measure: a warm-up, then several rounds of a fixed time, of which the median counts.
import { median } from '../measure/percentile.js';

const WARM_UP_MS = 200;
const ROUND_MS = 300;
const ROUNDS = 5;

/** Units of work in a second. `work` does some and says how much. */
export async function perSecond(work: () => number | Promise<number>): Promise<number> {
  await forMs(WARM_UP_MS, work);
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) rates.push(await forMs(ROUND_MS, work));
  return median(rates);
}

async function forMs(ms: number, work: () => number | Promise<number>): Promise<number> {
  const startMs = performance.now();
  let done = 0;
  do {
    const some = work();
    done += typeof some === 'number' ? some : await some;
  } while (performance.now() - startMs < ms);
  return (done * 1_000) / (performance.now() - startMs);
}
