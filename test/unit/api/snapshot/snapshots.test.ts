// The encoded snapshots: when a torrent is encoded again, whose numbers it shows, and what ten thousand of them cost.
import t from 'tap';
import { firstAdmin } from '../../../../api/services/account-records.js';
import { Library } from '../../../../api/services/library.js';
import { Snapshots } from '../../../../api/snapshot/snapshots.js';
import type { TorrentFacts } from '../../../../shared-protocol/events.js';
import { ADMIN_ACCOUNT_ID, parseAccountId, parseInfoHash } from '../../../../shared-protocol/ids.js';
import { createInProcessTransport } from '../../../../shared-protocol/in-process-transport.js';
import { emptyStats, StatsWriter, TORRENT_FLAGS } from '../../../../shared-protocol/stats-table.js';
import { MemoryEngine } from '../../../support/memory-engine.js';

const ADMIN = firstAdmin('', 0);
const BOB = { ...ADMIN, id: parseAccountId(2), role: 'user' as const };

function start() {
  const engine = createInProcessTransport(new MemoryEngine().handlers);
  const library = new Library({ engine, settings: { savePath: '/files' } }, { allowedPaths: [] });
  const writer = new StatsWriter((buffer) => library.handleEvent({ name: 'stats.table', payload: { buffer } }));
  let count = 0;
  const add = (change: Partial<TorrentFacts> = {}): TorrentFacts => {
    const { row, tag } = writer.allocate();
    const facts: TorrentFacts = {
      id: parseInfoHash((++count).toString(16).padStart(40, '0')),
      row,
      rowTag: tag,
      name: `torrent "${count}" ☃`,
      magnet: 'magnet:?xt=urn:btih:…',
      savePath: '/files',
      totalBytes: 100,
      isPrivate: false,
      hasMetadata: true,
      addedAt: count,
      completedAt: null,
      ownerId: ADMIN_ACCOUNT_ID,
      error: null,
      ...change,
    };
    library.handleEvent({ name: 'torrents.added', payload: { torrents: [facts] } });
    return facts;
  };
  const snapshots = new Snapshots(library);
  const list = (account = ADMIN) =>
    JSON.parse(snapshots.list(account).toString()) as { id: string; name: string; peers: number; progress: number }[];
  return { library, writer, snapshots, add, list };
}

void t.test('a frame is the list in an envelope', async (t) => {
  const { snapshots, add, list } = start();
  t.same(JSON.parse(snapshots.torrentsTick(ADMIN).toString()), { type: 'torrents:tick', payload: [] });
  add();
  add();
  t.same(JSON.parse(snapshots.torrentsTick(ADMIN).toString()), { type: 'torrents:tick', payload: list() });
  t.same(JSON.parse(snapshots.statsTick(ADMIN).toString()), { type: 'stats:tick', payload: snapshots.stats(ADMIN) });
});

void t.test('rows and facts show when they change', async (t) => {
  const { library, writer, add, list } = start();
  const facts = add();
  writer.write(facts.row, { ...emptyStats(), peers: 7, wantedBytes: 100, wantedDone: 33 });
  t.match(list(), [{ name: 'torrent "1" ☃', peers: 7, progress: 0.33 }]);
  library.handleEvent({ name: 'torrent.changed', payload: { facts: { ...facts, name: 'new name' } } });
  t.match(list(), [{ name: 'new name', peers: 7 }]);
  for (let i = 0; i < 200; i++) add();
  t.match(list().at(-1), { id: facts.id, peers: 7 }, 'also from a table that has grown');
});

void t.test("a torrent never shows another's numbers, not even one that got its row", async (t) => {
  const { library, writer, add, list } = start();
  const gone = add();
  const neverRead = add();
  t.equal(list().length, 2);
  writer.release(gone.row);
  const late = { ...neverRead, id: parseInfoHash('e'.repeat(40)), row: gone.row, rowTag: 999 };
  writer.write(writer.allocate().row, { ...emptyStats(), peers: 42 });
  library.handleEvent({ name: 'torrents.added', payload: { torrents: [late] } });
  t.ok(list().every(({ peers }) => peers === 0));
  library.handleEvent({ name: 'torrent.removed', payload: { id: gone.id } });
  t.notOk(list().some(({ id }) => id === gone.id));
});

void t.test('accounts see and count what is theirs', async (t) => {
  const { writer, snapshots, add, list } = start();
  const bobs = add({ ownerId: BOB.id });
  writer.write(bobs.row, { ...emptyStats(), flags: TORRENT_FLAGS.completed | TORRENT_FLAGS.paused, peers: 2 });
  writer.write(add().row, { ...emptyStats(), downloadRate: 5 });
  t.same(
    list(BOB).map(({ id }) => id),
    [bobs.id],
  );
  t.equal(list(ADMIN).length, 2);
  t.same(snapshots.stats(BOB), {
    total_torrents: 1,
    active_torrents: 0,
    seeding_torrents: 1,
    total_download_rate: 0,
    total_upload_rate: 0,
    total_peers: 2,
  });
  t.match(snapshots.stats(ADMIN), { total_torrents: 2, active_torrents: 1, total_download_rate: 5 });
});

void t.test('a torrent without bytes is done when it is completed', async (t) => {
  const { writer, add, list } = start();
  const facts = add({ totalBytes: 0 });
  t.match(list(), [{ progress: 0 }]);
  writer.write(facts.row, { ...emptyStats(), flags: TORRENT_FLAGS.completed });
  t.match(list(), [{ progress: 1 }]);
});

void t.test('a new engine names its torrents; those it does not have any more go', async (t) => {
  const { library, add, list } = start();
  const [kept, lost] = [add(), add()];
  library.beginReload();
  t.equal(list().length, 2, 'nothing vanishes while it loads');
  library.handleEvent({ name: 'torrents.added', payload: { torrents: [kept] } });
  library.endReload();
  t.same(
    list().map(({ id }) => id),
    [kept.id],
  );
  t.equal(library.find(lost.id), undefined);
});
