import t from 'tap';
import { creditBytes, hasRoomAgain, lookDelayMs, reserveBytes } from '../../../../engine/disk/volume-rules.js';

const MIB = 2 ** 20;
const GIB = 1024 * MIB;
const UNTOLD = { freeBytes: 0, totalBytes: 0 };

void t.test('what is kept free, and what may be written up to it', async (t) => {
  t.equal(reserveBytes({ freeBytes: 0, totalBytes: 100 * MIB }), MIB, 'a hundredth of a small one');
  t.equal(reserveBytes({ freeBytes: 0, totalBytes: 1024 * GIB }), 64 * MIB);
  const cases = [
    { name: 'plenty', freeMib: 5_000, underWayMib: 0, expectedMib: 64 },
    { name: 'little', freeMib: 70, underWayMib: 0, expectedMib: 6 },
    { name: 'what is under way is not free', freeMib: 70, underWayMib: 4, expectedMib: 2 },
    { name: 'the reserve', freeMib: 64, underWayMib: 0, expectedMib: 0 },
    { name: 'less than that', freeMib: 3, underWayMib: 0, expectedMib: 0 },
  ];
  for (const { name, freeMib, underWayMib, expectedMib } of cases) {
    const space = { freeBytes: freeMib * MIB, totalBytes: 1024 * GIB };
    t.equal(creditBytes(space, underWayMib * MIB), expectedMib * MIB, name);
  }
  t.ok(creditBytes(UNTOLD, 0) > 0, 'a file system that does not tell is not full');
});

void t.test('room again', async (t) => {
  const cases = [
    { name: 'half a gibibyte', totalGib: 10, freeMib: 576, missingMib: 9_000, expected: true },
    { name: 'less than that', totalGib: 10, freeMib: 575, missingMib: 9_000, expected: false },
    { name: 'a hundredth of a large one', totalGib: 1_000, freeMib: 10_304, missingMib: 900_000, expected: true },
    { name: 'less than a hundredth', totalGib: 1_000, freeMib: 10_303, missingMib: 900_000, expected: false },
    { name: 'all that is missing', totalGib: 10, freeMib: 164, missingMib: 100, expected: true },
    { name: 'not all that is missing', totalGib: 10, freeMib: 163, missingMib: 100, expected: false },
    { name: 'half of a tiny one', totalGib: 0.25, freeMib: 131, missingMib: 9_000, expected: true },
    { name: 'less than half of it', totalGib: 0.25, freeMib: 130, missingMib: 9_000, expected: false },
  ];
  for (const { name, totalGib, freeMib, missingMib, expected } of cases) {
    t.equal(hasRoomAgain({ freeBytes: freeMib * MIB, totalBytes: totalGib * GIB }, missingMib * MIB), expected, name);
  }
  t.ok(hasRoomAgain(UNTOLD, GIB));
});

void t.test('looks are quick at first', async (t) => {
  t.same([0, 1, 2, 3, 4, 100].map(lookDelayMs), [2_000, 5_000, 10_000, 30_000, 30_000, 30_000]);
});
