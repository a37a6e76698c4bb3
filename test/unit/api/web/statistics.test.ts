// What the page of statistics works out: ranges, days without anything, when a disk is full, parts by tracker and category.
import t from 'tap';
import { byCategory, byTracker } from '../../../../api/web/src/features/statistics/breakdown.js';
import {
  daysKnown,
  daysShown,
  daysUntilFull,
  everyDay,
  movedQuery,
  paceOf,
  ratesPath,
  stepOf,
} from '../../../../api/web/src/features/statistics/periods.js';
import { ratiosOf } from '../../../../api/web/src/features/statistics/ratios.js';
import { busiest, DAYS, HOURS, hoursOfWeek, levelOf } from '../../../../api/web/src/features/statistics/week.js';
import { torrent } from './torrent-samples.js';

const DAY_S = 86_400;
const NOON = 20_000 * DAY_S + DAY_S / 2;

void t.test('what the server is asked for', async (t) => {
  t.equal(movedQuery('hour', NOON), `resolution=5min&from=${NOON - 3_600}`);
  t.equal(movedQuery('week', NOON), `resolution=day&from=${19_994 * DAY_S}`, 'today is one of the seven');
  t.match(ratesPath('year'), 'seconds=31536000&');
  t.same([daysShown('hour'), daysShown('week'), daysShown('year')], [30, 7, 365]);
});

void t.test('days on which nothing was moved have a place', async (t) => {
  const days = everyDay([{ at: 19_999 * DAY_S, down: 1, up: 2 }], 3, NOON);
  t.same(days, [
    { at: 19_998 * DAY_S, down: 0, up: 0 },
    { at: 19_999 * DAY_S, down: 1, up: 2 },
    { at: 20_000 * DAY_S, down: 0, up: 0 },
  ]);
});

void t.test('when a disk is full', async (t) => {
  t.same([daysUntilFull(100, 10), daysUntilFull(100, 0), daysUntilFull(0, 1)], [10, null, 0]);
  const known = (down: (number | null)[]) =>
    daysKnown({ step: DAY_S / 2, from: NOON - 10 * DAY_S, down, up: [] }, NOON);
  const unknown = Array.from<null>({ length: 16 }).fill(null);
  t.same([known(unknown), known([...unknown, 0, 5]), known([0, ...unknown])], [0, 2, 7]);
  t.same([paceOf(70, 7), paceOf(70, 2), paceOf(70, 0.5)], [10, 35, null], 'half an hour says nothing of a day');
  t.equal(daysUntilFull(100, paceOf(70, 0.5)), null);
});

void t.test('the length of a step', async (t) => {
  t.same([10, 300, 4_500, 54_000].map(stepOf), [
    { unit: 'seconds', count: 10 },
    { unit: 'minutes', count: 5 },
    { unit: 'minutes', count: 75 },
    { unit: 'hours', count: 15 },
  ]);
});

void t.test('parts: each tracker of a torrent, and what was moved', async (t) => {
  const failing = { host: 'a.example', code: 'UNREGISTERED', message: 'not registered' } as const;
  const torrents = [
    torrent('x', { trackerHosts: ['a.example', 'b.example'], completed: true, total_bytes: 10, bytes_done: 10 }),
    torrent('x', {
      trackerHosts: ['a.example'],
      total_bytes: 100,
      bytes_done: 4,
      tracker_error: failing,
      category_id: 7,
    }),
    torrent('x', { trackerHosts: ['a.example'], paused: true, tracker_error: failing }),
    torrent('x', { trackerHosts: [] }),
  ];
  const traffic = (series: readonly { id: string; down: number; up: number }[]) => ({
    ...{ resolution: 'day' as const, step: DAY_S, from: 0, to: DAY_S },
    series: [...series],
  });
  const trackers = byTracker(torrents, traffic([{ id: 'b.example', down: 5, up: 6 }]));
  t.same(
    trackers.map(({ id, torrents: count, seedingBytes, errors, down }) => [id, count, seedingBytes, errors, down]),
    [
      ['b.example', 1, 10, 0, 5],
      ['a.example', 3, 10, 1, 0],
      ['', 1, 0, 0, 0],
    ],
  );
  const categories = byCategory(torrents, traffic([{ id: '9', down: 0, up: 1 }]));
  t.same(
    categories.map(({ id, torrents: count, errors }) => [id, count, errors]),
    [
      ['9', 0, 0],
      ['', 3, 0],
      ['7', 1, 1],
    ],
  );
});

void t.test('the ratio at the end of each day: the totals of now, less what was moved since', async (t) => {
  const days = [
    { at: 0, down: 0, up: 0 },
    { at: DAY_S, down: 100, up: 50 },
    { at: 2 * DAY_S, down: 0, up: 150 },
  ];
  t.same(ratiosOf(days, { down: 100, up: 200 }), [null, 0.5, 2]);
  t.same(ratiosOf(days, { down: 200, up: 400 }), [2, 1.25, 2], 'with what was moved before');
  t.same(ratiosOf([], { down: 1, up: 1 }), []);
});

void t.test('hours of the week are means of all weeks, by the clock of the browser', async (t) => {
  const monday = new Date(2024, 0, 1, 13).getTime() / 1000;
  const week = { step: 1_200, from: monday, down: [30, 60, 90, 0], up: [null, null, null, null] };
  const down = hoursOfWeek(week, 'down');
  t.equal(down.length, DAYS * HOURS);
  t.same(down[HOURS + 13], { day: 1, hour: 13, rate: 60 });
  t.same(down[HOURS + 14], { day: 1, hour: 14, rate: 0 });
  t.same(down[HOURS + 15], { day: 1, hour: 15, rate: null }, 'not known');
  t.same(busiest(down), { day: 1, hour: 13, rate: 60 });
  t.equal(busiest(hoursOfWeek(week, 'up')), null);
  const later = { ...week, down: Array<number>((2 * 7 * DAY_S) / 1_200).fill(10) };
  t.ok(hoursOfWeek(later, 'down').every(({ rate }) => rate === 10));
});

void t.test('shades: none for nothing, the darkest for the most, and quiet hours are seen', async (t) => {
  t.same(
    [null, 0, 1, 100, 400, 10_000].map((rate) => levelOf(rate, 10_000)),
    [0, 0, 1, 1, 1, 5],
  );
  t.equal(levelOf(2_500, 10_000), 3);
});
