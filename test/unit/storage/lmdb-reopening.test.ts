// Stores of the API's own thread after the disk has failed at the moment that leaves LMDB past use: what was to be committed then has
// failed, and nothing else waits for a restart.
import t from 'tap';
import { setImmediate as turn } from 'node:timers/promises';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../shared-protocol/errors.js';
import { openFeedMemory } from '../../../storage/lmdb-feed-memory.js';
import { openTrafficHistory } from '../../../storage/lmdb-traffic-history.js';
import { pointAt } from '../../../storage/traffic-history.js';
import { loseMetaPages } from '../../support/lose-meta-pages.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const NOON = 20_000 * 86_400 + 43_200;
const DAY = pointAt('day', NOON);
const REFUSED = { code: 'STORAGE_FAILED', message: /^(feed memory|traffic history): cannot write/ };
const poll = (lastPolled: number) => ({
  url: 'https://a.example/',
  etag: '',
  lastModified: '',
  judgedBy: '',
  lastPolled,
});
const moved = (up: number) => [
  { at: NOON, forgotten: [], moved: new Map([['a', { down: 0, up }]]), counters: new Map(), lasting: ['a'] },
];

const errorCode = (error: unknown) => (error instanceof AppError ? error.code : error);

t.setTimeout(30_000);

void t.test('what is remembered of feeds', async (t) => {
  const folder = realpathSync(await temporaryDirectory());
  const memory = openFeedMemory(folder);
  await memory.putPoll(1, poll(1));
  loseMetaPages(join(folder, 'data.mdb'));
  const failing = memory.putPoll(1, poll(2));
  await turn();
  const behind = memory.putPoll(2, poll(3));
  await t.rejects(failing, REFUSED);
  t.same(memory.poll(1), poll(1), 'what had been stored is there');
  await behind;
  t.same(memory.poll(2), poll(3), 'what came meanwhile is answered');
  await memory.putPoll(1, poll(4));
  loseMetaPages(join(folder, 'data.mdb'));
  await t.rejects(memory.putPoll(1, poll(5)), REFUSED, 'and another time');
  await memory.close();
  const again = openFeedMemory(folder);
  t.same([again.poll(1), again.poll(2)], [poll(4), poll(3)]);
  await again.close();
});

void t.test('what was moved', async (t) => {
  const folder = realpathSync(await temporaryDirectory());
  const history = openTrafficHistory(folder);
  await history.add(moved(5));
  loseMetaPages(join(folder, 'data.mdb'));
  const reading = history.points('a', 'day', { first: DAY - 300, last: DAY }).then(JSON.stringify, errorCode);
  await t.rejects(history.add(moved(7)), REFUSED);
  t.match(await reading, /^\[\{"point":20000,"down":0,"up":5\}\]$|^STORAGE_FAILED$/, 'who reads meanwhile is answered');
  await history.add(moved(11));
  t.match(await history.points('a', 'day', { first: DAY, last: DAY }), [{ up: 16 }], 'what was refused is not in it');
  t.match(history.ever('a'), { up: 16 });
  const rates = { seconds: Array.from({ length: 120 }, () => 1), tens: Array.from({ length: 12 }, () => 1) };
  await history.rates.put(1, new Map([['a', rates]]));
  t.equal([...history.rates.all()].length, 1);
  await history.close();
});
