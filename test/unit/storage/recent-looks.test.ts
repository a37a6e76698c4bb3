// What was seen on the disk a moment ago: asked for once by many, and again when it may be another.
import t from 'tap';
import { RecentLooks } from '../../../storage/recent-looks.js';

void t.test('a second of torrents asks once', async (t) => {
  const asked: string[] = [];
  let nowMs = 0;
  const looks = new RecentLooks(async (path) => `/real${asked.push(path)}`, { nowMs: () => nowMs });
  t.same(await Promise.all([looks.at('/a'), looks.at('/a'), looks.at('/b')]), ['/real1', '/real1', '/real2']);
  nowMs = 999;
  t.equal(await looks.at('/a'), '/real1');
  nowMs = 1_000;
  t.equal(await looks.at('/a'), '/real3', 'a second later the disk is asked again');
  looks.forget('/a');
  t.equal(await looks.at('/a'), '/real4', 'forgotten by a torrent that found something else');
  t.same(asked, ['/a', '/b', '/a', '/a']);
});

void t.test('a failure is told to all who wait, and not remembered', async (t) => {
  let isThere = false;
  const looks = new RecentLooks(async (path) => {
    if (!isThere) throw new Error('absent');
    return path;
  });
  const both = [looks.at('/a'), looks.at('/a')];
  await t.rejects(both[0]!, { message: 'absent' });
  await t.rejects(both[1]!, { message: 'absent' });
  isThere = true;
  t.equal(await looks.at('/a'), '/a');
});

void t.test('an answer that is not to last is told to all who wait, and asked for again', async (t) => {
  const answers = [false, true, false];
  let asked = 0;
  const looks = new RecentLooks(async () => answers[asked++]!, { nowMs: () => 0, isLasting: (found) => found });
  t.same(await Promise.all([looks.at('/a'), looks.at('/a')]), [false, false]);
  t.equal(await looks.at('/a'), true);
  t.equal(await looks.at('/a'), true);
  t.equal(asked, 2);
});
