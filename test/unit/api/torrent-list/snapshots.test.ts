// The encoded snapshots: when a torrent is encoded again, whose numbers it shows, and what ten thousand of them cost.
import fc from 'fast-check';
import t from 'tap';
import { firstAdmin, type Account } from '../../../../api/auth/account.js';
import { Library } from '../../../../api/services/library/library.js';
import { Snapshots } from '../../../../api/torrent-list/snapshots.js';
import type { TagDto } from '../../../../shared-protocol/dto/labels.js';
import type { TorrentFacts } from '../../../../shared-protocol/events.js';
import { ADMIN_ACCOUNT_ID, parseAccountId, parseInfoHash } from '../../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../../../shared-protocol/library-record.js';
import { createInProcessTransport } from '../../../support/in-process-transport.js';
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
  const writer = new StatsWriter((table) => library.handleEvent({ name: 'stats.table', payload: table }));
  let count = 0;
  const add = (change: Partial<TorrentFacts> = {}): TorrentFacts => {
    const { row, tag } = writer.allocate();
    const facts: TorrentFacts = {
      id: parseInfoHash((++count).toString(16).padStart(40, '0')),
      row,
      rowTag: tag,
      name: `torrent "${count}" ☃`,
      trackers: 'udp://tracker.example:1337/announce',
      savePath: '/files',
      totalBytes: 100,
      isPrivate: false,
      hasMetadata: true,
      metadataBytes: 1_000,
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
  /** As bytes. */
  const bytes = async (account: Account = ADMIN) => Buffer.concat((await snapshots.of(account)).json);
  const list = async (account: Account = ADMIN) =>
    JSON.parse((await bytes(account)).toString()) as {
      id: string;
      name: string;
      peers: number;
      progress: number;
      tags: TagDto[];
    }[];
  return { library, writer, snapshots, labels, add, bytes, list };
}

void t.test(
  'a snapshot is the one of before while nothing has changed, and the same for all administrators',
  async (t) => {
    const { library, writer, snapshots, add, list } = start();
    const facts = add();
    const mine = add({ ownerId: BOB.id });
    const of = (account: Account = ADMIN) => snapshots.of(account);
    const first = await of();
    t.equal(await of(), first);
    t.equal(await of({ ...ADMIN, id: parseAccountId(9) }), first);
    const bobs = await of(BOB);
    t.not(bobs.version, first.version);
    writer.write(facts.row, { ...emptyStats(), peers: 1 });
    const second = await of();
    t.not(second.version, first.version);
    t.match(JSON.parse(Buffer.concat(first.json).toString()), [{}, { peers: 0 }], 'what was handed out stays');
    t.equal(await of(BOB), bobs, 'it is nothing to bob');
    library.handleEvent({ name: 'torrent.changed', payload: { facts: { ...mine } } });
    t.same(Buffer.concat((await of()).json), Buffer.concat(second.json));
    library.handleEvent({ name: 'torrent.removed', payload: { id: facts.id } });
    t.same(
      (await list()).map(({ id }) => id),
      [mine.id],
    );
    t.same(Buffer.concat((await of(BOB)).json), Buffer.concat(bobs.json));
  },
);

void t.test(
  'whatever happens, it shows what a list made from nothing shows, and only what has changed is made anew',
  async (t) => {
    const step = fc.record({
      what: fc.constantFrom('add', 'write', 'write', 'change', 'remove', 'label'),
      which: fc.nat(200),
      addedAt: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 30 }), { maxLength: 6 }), async (rounds) => {
        const { library, writer, snapshots, labels, add } = start();
        for (let i = 0; i < 60; i++) add({ addedAt: i % 4, library: { ...NEW_LIBRARY_RECORD, tagIds: [i % 9] } });
        for (const steps of rounds) {
          for (const { what, which, addedAt } of steps) {
            const all = [...library.all];
            const facts = all[which % all.length];
            if (what === 'add' || !facts) add({ addedAt, ...(which % 2 ? {} : { ownerId: BOB.id }) });
            else if (what === 'write') writer.write(facts.row, { ...emptyStats(), peers: which });
            else if (what === 'remove') library.handleEvent({ name: 'torrent.removed', payload: { id: facts.id } });
            else if (what === 'change') {
              const changed = { ...facts, name: `${which}`, ownerId: which % 2 ? BOB.id : ADMIN.id };
              library.handleEvent({ name: 'torrent.changed', payload: { facts: changed } });
            } else {
              labels.tags = [{ id: which % 9, name: `${which}`, color: '' }];
              labels.revision++;
            }
          }
          for (const account of [ADMIN, BOB]) {
            const anew = await new Snapshots(library, labels).of(account);
            const kept = await snapshots.of(account);
            t.same(Buffer.concat(kept.json), Buffer.concat(anew.json));
            t.same(kept.totals, anew.totals);
            t.same(await snapshots.totals(account), anew.totals);
            t.doesNotThrow(() => JSON.parse(Buffer.concat(kept.json).toString()));
          }
        }
      }),
      { numRuns: 30 },
    );
  },
);

void t.test('a change costs the chunks it is in, not the others', async (t) => {
  const { library, writer, snapshots, add } = start();
  for (let i = 0; i < 1_000; i++) add();
  const before = new Set((await snapshots.of(ADMIN)).chunks);
  const anew = async () => (await snapshots.of(ADMIN)).chunks.filter((chunk) => !before.has(chunk)).length;
  writer.write([...library.all][500]!.row, { ...emptyStats(), peers: 1 });
  t.equal(await anew(), 1);
  add();
  t.equal(await anew(), 2);
});

void t.test('what is not shown changes nothing', async (t) => {
  const { writer, snapshots, add } = start();
  const facts = add();
  for (let i = 0; i < 100; i++) add();
  const first = await snapshots.of(ADMIN);
  for (const uploadRate of [0.1, 0.2]) {
    writer.write(facts.row, { ...emptyStats(), uploadRate });
    t.equal(await snapshots.of(ADMIN), first);
  }
  writer.write(facts.row, { ...emptyStats(), uploadRate: 0.6 });
  t.match((await snapshots.of(ADMIN)).totals, { total_upload_rate: 1 });
});

void t.test('more rows written than are remembered, by an engine that is then another one', async (t) => {
  const { library, writer, labels, snapshots, add, list } = start();
  const all = Array.from({ length: 300 }, () => add());
  await list();
  for (let round = 1; round <= 20; round++) {
    for (const { row } of all) writer.write(row, { ...emptyStats(), peers: round });
  }
  t.ok((await list()).every(({ peers }) => peers === 20));
  library.beginReload();
  const next = new StatsWriter((table) => library.handleEvent({ name: 'stats.table', payload: table }));
  const moved = all.map((facts, index) => {
    const { row, tag } = next.allocate();
    next.write(row, { ...emptyStats(), peers: index });
    return { ...facts, row, rowTag: tag };
  });
  library.handleEvent({ name: 'torrents.added', payload: { torrents: moved } });
  library.endReload();
  const anew = await new Snapshots(library, labels).of(ADMIN);
  t.same(Buffer.concat((await snapshots.of(ADMIN)).json), Buffer.concat(anew.json));
  t.equal(anew.totals.total_peers, (300 * 299) / 2);
});

void t.test('very many are looked at in slices; what happens meanwhile is in the next one', async (t) => {
  const { library, labels, add } = start();
  for (let i = 0; i < 1_000; i++) add();
  let [now, pauses] = [0, 0];
  const pause = async () => {
    if (++pauses === 1) library.handleEvent({ name: 'torrent.removed', payload: { id: [...library.all][900]!.id } });
  };
  const snapshots = new Snapshots(library, labels, { nowMs: () => now++, pause });
  const [asked, meanwhile] = [snapshots.of(ADMIN), snapshots.of(ADMIN)];
  t.equal(asked, meanwhile, 'asked for twice, made once');
  t.equal((await asked).length, 1_000);
  t.ok(pauses > 5);
  t.equal((await snapshots.of(ADMIN)).length, 999);
});

void t.test('more accounts than lists are kept for see what is theirs', async (t) => {
  const { add, list } = start();
  const accounts = Array.from({ length: 100 }, (_, i) => ({ ...BOB, id: parseAccountId(i + 2) }));
  const owned = accounts.map(({ id }) => add({ ownerId: id }));
  for (let turn = 0; turn < 2; turn++) {
    for (const [i, account] of accounts.entries()) {
      t.match(await list(account), [{ id: owned[i]!.id, access: 'owner' }]);
    }
  }
});

void t.test('a changed label is encoded again in the torrents that have one, and in no other', async (t) => {
  const { labels, snapshots, add, list } = start();
  add({ ownerId: BOB.id });
  const tagged = add({ library: { ...NEW_LIBRARY_RECORD, tagIds: [1] } });
  for (let i = 0; i < 10; i++) add();
  const tagsOf = async () => (await list()).find(({ id }) => id === tagged.id)?.tags;
  t.same(await tagsOf(), []);
  labels.tags = [{ id: 1, name: 'hd', color: '' }];
  t.same(await tagsOf(), [], 'nobody was told');
  const unlabelled = await snapshots.of(BOB);
  labels.revision++;
  t.same(await tagsOf(), [{ id: 1, name: 'hd', color: '' }]);
  t.equal(labels.lookups, 2);
  t.equal(await snapshots.of(BOB), unlabelled);
});

void t.test('viewers do not see passkeys; whoever may edit trackers does', async (t) => {
  const { bytes, library, add } = start();
  const url = `https://tracker.example/${'0123456789'.repeat(3)}/announce`;
  const [viewer, editor] = [BOB, { ...BOB, id: parseAccountId(3) }];
  const shares = [
    { accountId: viewer.id, access: 'viewer' as const },
    { accountId: editor.id, access: 'editor' as const },
  ];
  const facts = add({ trackers: url, library: { ...NEW_LIBRARY_RECORD, shares } });
  for (const isPrivate of [false, true]) {
    library.handleEvent({ name: 'torrent.changed', payload: { facts: { ...facts, isPrivate } } });
    for (const account of [ADMIN, editor]) t.ok((await bytes(account)).includes(`&tr=${encodeURIComponent(url)}"`));
    const shown = await bytes(viewer);
    t.ok(shown.includes('"access":"viewer"'));
    t.notOk(shown.includes('0123456789'));
    t.equal(shown.includes('tracker.example'), !isPrivate);
  }
});

void t.test('rows and facts show when they change', async (t) => {
  const { library, writer, add, list } = start();
  const facts = add();
  writer.write(facts.row, { ...emptyStats(), peers: 7, wantedBytes: 100, wantedDone: 33 });
  t.match(await list(), [{ name: 'torrent "1" ☃', peers: 7, progress: 0.33 }]);
  library.handleEvent({ name: 'torrent.changed', payload: { facts: { ...facts, name: 'new name' } } });
  t.match(await list(), [{ name: 'new name', peers: 7 }]);
  for (let i = 0; i < 200; i++) add();
  t.match((await list()).at(-1), { id: facts.id, peers: 7 }, 'also from a table that has grown');
});

void t.test("a torrent never shows another's numbers, not even one that got its row", async (t) => {
  const { library, writer, add, list } = start();
  const gone = add();
  const neverRead = add();
  t.equal((await list()).length, 2);
  writer.release(gone.row);
  const late = { ...neverRead, id: parseInfoHash('e'.repeat(40)), row: gone.row, rowTag: 999 };
  writer.write(writer.allocate().row, { ...emptyStats(), peers: 42 });
  library.handleEvent({ name: 'torrents.added', payload: { torrents: [late] } });
  t.ok((await list()).every(({ peers }) => peers === 0));
  library.handleEvent({ name: 'torrent.removed', payload: { id: gone.id } });
  t.notOk((await list()).some(({ id }) => id === gone.id));
});

void t.test('accounts see and count what is theirs', async (t) => {
  const { writer, snapshots, add, list } = start();
  const bobs = add({ ownerId: BOB.id });
  writer.write(bobs.row, { ...emptyStats(), flags: TORRENT_FLAGS.completed | TORRENT_FLAGS.paused, peers: 2 });
  writer.write(add().row, { ...emptyStats(), downloadRate: 5 });
  t.same(
    (await list(BOB)).map(({ id }) => id),
    [bobs.id],
  );
  t.equal((await list(ADMIN)).length, 2);
  t.same(await snapshots.totals(BOB), {
    total_torrents: 1,
    active_torrents: 0,
    seeding_torrents: 1,
    total_download_rate: 0,
    total_upload_rate: 0,
    total_peers: 2,
  });
  t.match(await snapshots.totals(ADMIN), { total_torrents: 2, active_torrents: 1, total_download_rate: 5 });
});

void t.test('a torrent without bytes is done when it is completed', async (t) => {
  const { writer, add, list } = start();
  const facts = add({ totalBytes: 0 });
  t.match(await list(), [{ progress: 0 }]);
  writer.write(facts.row, { ...emptyStats(), flags: TORRENT_FLAGS.completed });
  t.match(await list(), [{ progress: 1 }]);
});

void t.test('a new engine names its torrents; those it does not have any more go', async (t) => {
  const { library, add, list } = start();
  const [kept, lost] = [add(), add()];
  library.beginReload();
  t.equal((await list()).length, 2, 'nothing vanishes while it loads');
  library.handleEvent({ name: 'torrents.added', payload: { torrents: [kept] } });
  library.endReload();
  t.same(
    (await list()).map(({ id }) => id),
    [kept.id],
  );
  t.equal(library.find(lost.id), undefined);
});
