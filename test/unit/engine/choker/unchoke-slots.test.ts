import t from 'tap';
import { DEFAULT_UNCHOKE_SLOTS_OPTIONS, unchokeSlots } from '../../../../engine/choker/index.js';

const KIB = 1024;

/** Where the slots end up when the rate stays. */
function settle(rate: number, from: number): number {
  let slots = from;
  for (let round = 0; round < 100; round++) slots = unchokeSlots(rate, slots, DEFAULT_UNCHOKE_SLOTS_OPTIONS);
  return slots;
}

void t.test('slots follow the measured rate, from 8 to 64', async (t) => {
  // n slots need 1 + 2 + … + n KiB/s.
  const cases = [
    { rate: 0, slots: 8 },
    { rate: 36 * KIB, slots: 8 },
    { rate: 45 * KIB, slots: 9 },
    { rate: 210 * KIB, slots: 20 },
    { rate: 2_079 * KIB, slots: 63 },
    { rate: 2_080 * KIB, slots: 64 },
    { rate: 100_000 * KIB, slots: 64 },
  ];
  for (const { rate, slots } of cases) t.equal(settle(rate, 8), slots, `${rate / KIB} KiB/s`);
});

void t.test('one step at a time, and no swinging around a border', async (t) => {
  t.equal(unchokeSlots(100_000 * KIB, 8, DEFAULT_UNCHOKE_SLOTS_OPTIONS), 9);
  t.equal(unchokeSlots(0, 40, DEFAULT_UNCHOKE_SLOTS_OPTIONS), 39);
  const swinging = [210, 209, 210, 209].map((kib) => unchokeSlots(kib * KIB, 20, DEFAULT_UNCHOKE_SLOTS_OPTIONS));
  t.same(swinging, [20, 20, 20, 20]);
  t.equal(settle(0, 64), 8);
});

void t.test('options bound the slots', async (t) => {
  const options = { ...DEFAULT_UNCHOKE_SLOTS_OPTIONS, minSlots: 2, maxSlots: 3 };
  t.equal(unchokeSlots(0, 2, options), 2);
  t.equal(unchokeSlots(100_000 * KIB, 3, options), 3);
});
