import t from 'tap';
import type { TorrentId } from '../../../../shared-protocol/ids.js';
import { TORRENT_FLAGS } from '../../../../shared-protocol/stats-table.js';
import { Bench, torrent } from './engine-bench.js';

void t.test('queue positions are dense and close up when a torrent goes', async (t) => {
  const bench = new Bench();
  await bench.start();
  const ids: TorrentId[] = [];
  for (const seed of [1, 2, 3, 4]) ids.push((await bench.add(torrent(seed).torrentBytes)).id);
  t.same(
    ids.map((id) => bench.statsOf(id).queuePosition),
    [0, 1, 2, 3],
  );
  await bench.engine.removeTorrent({ id: ids[1]!, deleteData: false });
  t.same(
    [ids[0]!, ids[2]!, ids[3]!].map((id) => bench.statsOf(id).queuePosition),
    [0, 1, 2],
  );
  await bench.engine.stop({ timeoutMs: 1 });
});

void t.test('the same torrent added twice at once is one torrent', async (t) => {
  const bench = new Bench();
  await bench.start();
  const { torrentBytes } = torrent(1);
  const answers = await Promise.all([bench.add(torrentBytes), bench.add(torrentBytes), bench.add(torrentBytes)]);
  t.same(answers.map(({ existed }) => existed).sort(), [false, true, true]);
  t.equal(bench.facts.size, 1);
  t.equal([...bench.store.rows()].length, 1);
  await bench.engine.stop({ timeoutMs: 1 });
});

void t.test(
  'data that is there is verified before the add is answered as anything else, and is known after a restart',
  async (t) => {
    const first = new Bench();
    await first.start();
    const { payload, torrentBytes } = torrent(7);
    first.disk.put('/save/payload-7', 0, payload);
    const { id } = await first.add(torrentBytes);
    t.ok(
      first.statsOf(id).flags & (TORRENT_FLAGS.verifying | TORRENT_FLAGS.completed),
      'never shown as simply missing',
    );
    await first.clock.advance(100);
    t.ok(first.statsOf(id).flags & TORRENT_FLAGS.completed);
    await first.engine.stop({ timeoutMs: 1 });

    const second = new Bench(first.store, first.disk);
    t.equal((await second.start()).torrents, 1);
    await second.clock.advance(100);
    const stats = second.statsOf(id);
    t.ok(stats.flags & TORRENT_FLAGS.completed);
    t.notOk(stats.flags & TORRENT_FLAGS.verifying, 'nothing changed, so nothing is hashed again');
    t.equal(stats.bytesDone, payload.length);
    await second.engine.stop({ timeoutMs: 1 });
  },
);

void t.test('files that vanish between two runs are missed, not created; back again they are trusted', async (t) => {
  const first = new Bench();
  await first.start();
  const { payload, torrentBytes } = torrent(8);
  first.disk.put('/save/payload-8', 0, payload);
  const { id } = await first.add(torrentBytes);
  await first.clock.advance(100);
  await first.engine.stop({ timeoutMs: 1 });

  first.disk.remove('/save/payload-8');
  const second = new Bench(first.store, first.disk);
  await second.start();
  await second.clock.advance(100);
  t.ok(second.statsOf(id).flags & TORRENT_FLAGS.filesMissing);
  t.equal(second.facts.get(id)?.error?.code, 'FILES_MISSING');
  t.equal(second.disk.content('/save/payload-8'), null);

  second.disk.put('/save/payload-8', 0, payload);
  await second.clock.advance(31_000);
  t.notOk(second.statsOf(id).flags & TORRENT_FLAGS.filesMissing);
  t.equal(second.facts.get(id)?.error, null);
  await second.engine.stop({ timeoutMs: 1 });
});

void t.test('what cannot be added leaves nothing', async (t) => {
  const bench = new Bench();
  await bench.start();
  await t.rejects(async () => bench.add(Buffer.from('d4:infod4:name1:aee')), { code: 'TORRENT_INVALID' });
  t.equal(bench.facts.size, 0);
  t.equal([...bench.store.rows()].length, 0);
  await bench.engine.stop({ timeoutMs: 1 });
});
