import t from 'tap';
import { logLogSlope } from '../../../../bench/measure/slope.js';

void t.test('the exponent of the power that fits', async (t) => {
  const cases = [
    { name: 'constant', y: () => 7, expected: 0 },
    { name: 'linear', y: (x: number) => 3 * x, expected: 1 },
    { name: 'quadratic', y: (x: number) => x * x, expected: 2 },
    { name: 'root', y: Math.sqrt, expected: 0.5 },
  ];
  for (const { name, y, expected } of cases) {
    const slope = logLogSlope([10, 1_000, 30_000].map((x) => ({ x, y: y(x) })));
    t.ok(Math.abs(slope - expected) < 1e-9, `${name}: ${slope}`);
  }
});

void t.test('too little to tell', async (t) => {
  const cases = [
    { name: 'nothing', points: [] },
    { name: 'one point', points: [{ x: 1, y: 1 }] },
    { name: 'one size', points: [1, 2].map((y) => ({ x: 10, y })) },
    { name: 'what is not positive has no logarithm', points: [-1, 2].map((y) => ({ x: 10 + y, y })) },
  ];
  for (const { name, points } of cases) t.ok(Number.isNaN(logLogSlope(points)), name);
});
