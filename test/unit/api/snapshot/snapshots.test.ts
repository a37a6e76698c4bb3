// The encoded snapshots: when a torrent is encoded again, whose numbers it shows, and what ten thousand of them cost.
import t from 'tap';
import { firstAdmin } from '../../../../api/services/accounts/account-records.js';
import { Library } from '../../../../api/services/library/library.js';
import { Snapshots } from '../../../../api/snapshot/snapshots.js';
import type { TagDto } from '../../../../shared-protocol/dto/labels.js';
import type { TorrentFacts } from '../../../../shared-protocol/events.js';
import { ADMIN_ACCOUNT_ID, parseAccountId, parseInfoHash } from '../../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../../../shared-protocol/library-record.js';
import { createInProcessTransport } from '../../../../shared-protocol/in-process-transport.js';
import { emptyStats, StatsWriter, TORRENT_FLAGS } from '../../../../shared-protocol/stats-table.js';
import { MemoryEngine } from '../../../support/memory-engine.js';

const ADMIN = firstAdmin('', 0);
const BOB = { ...ADMIN, id: parseAccountId(2), role: 'user' as const };

class TestLabels {
  revision = 0;
  tags: TagDto[] = [];
  /** How often a torrent was encoded that has a label. */
  lookups = 0;
  tag(id: number): TagDto | undefined {
    this.lookups++;
    return this.tags.find((tag) => tag.id === id);
  }
  category(): undefined {
    return undefined;
  }
}

function start() {
  const engine = createInProcessTransport(new MemoryEngine().handlers);
  const library = new Library({ engine, isAccount: () => true });
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
      library: NEW_LIBRARY_RECORD,
      error: null,
      ...change,
    };
    library.handleEvent({ name: 'torrents.added', payload: { torrents: [facts] } });
    return facts;
  };
  const labels = new TestLabels();
  const snapshots = new Snapshots(library, labels);
  const list = (account = ADMIN) =>
    JSON.parse(snapshots.list(account).toString()) as {
      id: string;
      name: string;
      peers: number;
      progress: number;
      tags: TagDto[];
    }[];
  return { library, writer, snapshots, labels, add, list };
}

void t.test('a frame is the list in an envelope', async (t) => {
  const { snapshots, add, list } = start();
  const frames = () => {
    const { torrents, stats } = snapshots.ticks(ADMIN);
    return [torrents, stats].map((bytes): unknown => JSON.parse(bytes.toString()));
  };
  for (let count = 0; count < 3; count++) {
    t.equal(list().length, count);
    t.same(frames(), [
      { type: 'torrents:tick', payload: list() },
      { type: 'stats:tick', payload: snapshots.stats(ADMIN) },
    ]);
    add();
  }
});

void t.test('the bytes of before are used again while nothing has changed, and by all administrators', async (t) => {
  const { library, writer, snapshots, add } = start();
  const facts = add();
  const mine = add({ ownerId: BOB.id });
  const tick = (account = ADMIN) => snapshots.ticks(account).torrents;
  const first = tick();
  t.equal(tick(), first);
  t.equal(tick({ ...ADMIN, id: parseAccountId(9) }), first);
  const bobs = tick(BOB);
  t.not(bobs, first);
  writer.write(facts.row, { ...emptyStats(), peers: 1 });
  t.not(tick(), first);
  t.equal(tick(BOB), bobs, 'it is nothing to bob');
  const second = tick();
  library.handleEvent({ name: 'torrent.changed', payload: { facts: { ...mine } } });
  t.equal(tick().equals(second), true);
  library.handleEvent({ name: 'torrent.removed', payload: { id: facts.id } });
  t.same(
    (JSON.parse(tick().toString()) as { payload: { id: string }[] }).payload.map(({ id }) => id),
    [mine.id],
  );
  t.equal(tick(BOB).equals(bobs), true);
});

void t.test('more accounts than views are kept for see what is theirs', async (t) => {
  const { snapshots, add } = start();
  const accounts = Array.from({ length: 100 }, (_, i) => ({ ...BOB, id: parseAccountId(i + 2) }));
  const owned = accounts.map(({ id }) => add({ ownerId: id }));
  for (let turn = 0; turn < 2; turn++) {
    for (const [i, account] of accounts.entries()) {
      t.match(JSON.parse(snapshots.list(account).toString()), [{ id: owned[i]!.id, access: 'owner' }]);
    }
  }
});

void t.test('a changed label is encoded again in the torrents that have one, and in no other', async (t) => {
  const { labels, snapshots, add, list } = start();
  add({ ownerId: BOB.id });
  const tagged = add({ library: { ...NEW_LIBRARY_RECORD, tagIds: [1] } });
  for (let i = 0; i < 10; i++) add();
  const tagsOf = () => list().find(({ id }) => id === tagged.id)?.tags;
  t.same(tagsOf(), []);
  labels.tags = [{ id: 1, name: 'hd', color: '' }];
  t.same(tagsOf(), [], 'nobody was told');
  const unlabelled = snapshots.ticks(BOB).torrents;
  labels.revision++;
  t.same(tagsOf(), [{ id: 1, name: 'hd', color: '' }]);
  t.equal(labels.lookups, 2);
  t.equal(snapshots.ticks(BOB).torrents, unlabelled);
});

void t.test('viewers do not see passkeys; whoever may edit trackers does', async (t) => {
  const { snapshots, library, add } = start();
  const url = `https://tracker.example/${'0123456789'.repeat(3)}/announce`;
  const magnet = `magnet:?xt=urn:btih:${'ab'.repeat(20)}&tr=${encodeURIComponent(url)}`;
  const [viewer, editor] = [BOB, { ...BOB, id: parseAccountId(3) }];
  const shares = [
    { accountId: viewer.id, access: 'viewer' as const },
    { accountId: editor.id, access: 'editor' as const },
  ];
  const facts = add({ magnet, library: { ...NEW_LIBRARY_RECORD, shares } });
  for (const isPrivate of [false, true]) {
    library.handleEvent({ name: 'torrent.changed', payload: { facts: { ...facts, isPrivate } } });
    for (const account of [ADMIN, editor]) {
      t.ok(snapshots.list(account).includes(JSON.stringify(magnet)));
      t.ok(snapshots.ticks(account).torrents.includes(JSON.stringify(magnet)));
    }
    for (const bytes of [snapshots.list(viewer), snapshots.ticks(viewer).torrents]) {
      t.ok(bytes.includes('"access":"viewer"'));
      t.notOk(bytes.includes('0123456789'));
      t.equal(bytes.includes('tracker.example'), !isPrivate);
    }
  }
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
