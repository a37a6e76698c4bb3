// How long is waited for a database that is away.
import t from 'tap';
import { backOffMs } from '../../../../storage/postgres/back-off.js';

void t.test('ever longer up to ten seconds, and chance takes up to half', async (t) => {
  const spans: readonly (readonly [failures: number, chance: number, ms: number])[] = [
    [0, 0, 100],
    [0, 0.5, 75],
    [1, 0, 200],
    [6, 0, 6_400],
    [7, 0, 10_000],
    [7, 0.999_999, 5_000],
    [5_000, 0, 10_000],
  ];
  for (const [failures, chance, ms] of spans) t.equal(Math.round(backOffMs(failures, chance)), ms, `${failures}`);
});
