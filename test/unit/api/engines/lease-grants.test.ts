// Leases are granted one at a time to each engine, for what it asked last, and none waits for another's.
import t from 'tap';
import { LeaseGrants } from '../../../../api/engines/lease-grants.js';

void t.test('an engine that asks without end, and another', async (t) => {
  const granted: (readonly [number, number])[] = [];
  const ends: (() => void)[] = [];
  const grants = new LeaseGrants((engine, asked) => {
    granted.push([engine, asked]);
    return new Promise((resolve) => ends.push(resolve));
  });
  const first = grants.want(0, 1);
  for (let asked = 2; asked <= 1_000; asked++) void grants.want(0, asked);
  const other = grants.want(1, 1);
  t.same(granted, [
    [0, 1],
    [1, 1],
  ]);
  ends[0]!();
  ends[1]!();
  await other;
  t.same(granted.slice(2), [[0, 1_000]], 'the last one');
  ends[2]!();
  await first;
  const again = grants.want(0, 1_001);
  t.same(granted.at(-1), [0, 1_001]);
  ends[3]!();
  await again;
});
