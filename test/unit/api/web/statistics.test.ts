// What the page of statistics works out: ranges, days without anything, when a disk is full, parts by tracker and category.
import t from 'tap';
import { byCategory, byTracker } from '../../../../api/web/src/features/statistics/breakdown.js';
import {
  daysShown,
  daysUntilFull,
  everyDay,
  movedQuery,
  ratesPath,
} from '../../../../api/web/src/features/statistics/periods.js';
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
  t.same([daysUntilFull(100, 70), daysUntilFull(100, 0), daysUntilFull(0, 7)], [10, null, 0]);
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
