// How many things fit side by side.
import t from 'tap';
import { howManyFit } from '../../../../api/web/src/features/list/fitting.js';

void t.test('as many as there is room for, with a mark behind them when some do not fit', async (t) => {
  const cases = [
    { widths: [], room: 0, expected: 0 },
    { widths: [40, 40], room: 84, expected: 2 },
    { widths: [40, 40], room: 83, expected: 1 },
    { widths: [40, 40, 40], room: 108, expected: 2 },
    { widths: [40, 40, 40], room: 107, expected: 1 },
    { widths: [40, 10], room: 45, expected: 0 },
    { widths: [40], room: 40, expected: 1 },
  ];
  for (const { widths, room, expected } of cases) {
    t.equal(howManyFit(widths, room, 20), expected, `${widths.join(' ')} in ${room}`);
  }
});
