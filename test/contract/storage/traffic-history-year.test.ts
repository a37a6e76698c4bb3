// How much room a year of the history takes, and how long it takes to store what ten thousand torrents have moved.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { openTrafficHistory } from '../../../storage/lmdb-traffic-history.js';
import { pointAt, POINT_S, POINTS_KEPT, type Moved, type Resolution } from '../../../storage/traffic-history.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const DAY_S = POINT_S.day;
const NOON = 20_000 * DAY_S + DAY_S / 2;
const MAX_BYTES = 100e6;
/** Stored together, which is faster and no smaller. */
const AT_A_TIME = 9;

void t.test(
  'a year of 10,000 torrents that all move something each day, and all the time of the last two',
  async (t) => {
    const dir = await temporaryDirectory();
    const store = openTrafficHistory(dir);
    const names = Array.from({ length: 10_000 }, (_, n) => `t/${n.toString(16).padStart(40, '0')}`);
    // More than fits through a gigabit: each torrent a GB up on a day and 4 MB in five minutes, and a tenth of it down.
    const movedBy = (n: number, point: number, bytes: number): Moved => ({
      down: Math.floor(bytes / 10) + ((n * 7_919 + point * 104_729) % 100_003),
      up: bytes + ((n * 104_729 + point * 7_919) % 1_000_003),
    });
    const fill = async (resolution: Resolution, points: number, bytes: number) => {
      const last = pointAt(resolution, NOON);
      const all = Array.from({ length: points }, (_, i) => last - points + 1 + i);
      for (let from = 0; from < points; from += AT_A_TIME) {
        const batches = all.slice(from, from + AT_A_TIME).map((point) => {
          const moved = new Map(names.map((name, n) => [name, movedBy(n, point, bytes)]));
          return { at: point * POINT_S[resolution], forgotten: [], moved, counters: moved };
        });
        await store.add(batches);
        await store.trim(batches.at(-1)!.at);
      }
    };
    await fill('day', 365, 2 ** 30);
    await fill('5min', POINTS_KEPT['5min'], 2 ** 22);
    const { size } = await stat(join(dir, 'data.mdb'));
    t.comment(`${(size / 1e6).toFixed(1)} MB`);
    t.ok(size < MAX_BYTES, `${size} bytes`);
    const days = { first: pointAt('day', NOON) - 364, last: pointAt('day', NOON) };
    t.equal((await store.points(names[9_999]!, 'day', days)).length, 365);
    t.equal((await store.sums(names, 'day', days)).size, 10_000);
    const last = pointAt('5min', NOON);
    t.equal((await store.points(names[0]!, '5min', { first: last - 575, last })).length, 576);
    await store.close();
  },
);
