// One suite over every FeedMemory; that what LMDB keeps outlives its process comes after it.
import { spawnSync } from 'node:child_process';
import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { parseInfoHash, type TorrentId } from '../../../shared-protocol/ids.js';
import { openFeedMemory } from '../../../storage/lmdb-feed-memory.js';
import { createMemoryFeedMemory } from '../../support/memory-feed-memory.js';
import type { FeedMemory, FeedPoll, SeenItem } from '../../../storage/types.js';
import { openDatabase } from '../../../storage/postgres/database.js';
import { openPostgresFeedMemory } from '../../../storage/postgres/postgres-feed-memory.js';
import { testWith } from '../../support/peers/index.js';
import { postgres, PostgresCluster } from '../../support/postgres.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const idOf = (n: number): TorrentId => parseInfoHash(n.toString(16).padStart(40, '0'));
const done = (at: number, n: number | null = null): SeenItem => ({
  kind: 'done',
  at,
  torrentId: n === null ? null : idOf(n),
});
const FAILED: SeenItem = { kind: 'failed', at: 7, tries: 2, retryAt: 1_700_000_000 };
const POLL: FeedPoll = { url: 'https://a.example/', etag: 'W/"é"', lastModified: 'x', judgedBy: 'y', lastPolled: 9 };

interface Kind {
  readonly name: string;
  readonly create: (t: Test) => Promise<FeedMemory>;
  readonly test?: (title: string, run: (t: Test) => Promise<void>) => Promise<unknown>;
}

let cluster: Promise<PostgresCluster> | null = null;

function plainTest(title: string, run: (t: Test) => Promise<void>): Promise<unknown> {
  return t.test(title, run);
}

const memories: Kind[] = [
  { name: 'memory', create: async () => createMemoryFeedMemory() },
  { name: 'lmdb', create: async () => openFeedMemory(await temporaryDirectory()) },
  {
    name: 'postgres',
    async create(t) {
      const running = await (cluster ??= PostgresCluster.start());
      const database = await openDatabase(running.address(await running.createDatabase()));
      t.teardown(() => database.close());
      return openPostgresFeedMemory(database);
    },
    test: async (title, run) => testWith(t, postgres, title, run),
  },
];

for (const { name, create, test = plainTest } of memories) {
  const suite = (title: string, run: (t: Test, memory: FeedMemory) => Promise<void>) =>
    test(`${name}: ${title}`, async (t) => {
      const memory = await create(t);
      await run(t, memory);
      await memory.close();
    });

  void suite('polls and items of each feed by themselves', async (t, memory) => {
    await memory.putPoll(1, POLL);
    await memory.putItem(1, 'a', done(1, 5));
    await memory.putItem(2, 'b', FAILED);
    t.same(memory.poll(1), POLL);
    t.equal(memory.poll(2), undefined);
    t.same([memory.item(1, 'a'), memory.item(2, 'b')], [done(1, 5), FAILED]);
    t.same([memory.item(2, 'a'), memory.item(1, 'b')], [undefined, undefined]);
    await memory.putItem(2, 'b', done(8));
    t.same(memory.item(2, 'b'), done(8));
  });

  void suite('guids of any length and of anything', async (t, memory) => {
    const guids = ['', 'é'.repeat(2_000), `${'é'.repeat(1_999)}e`, '\0', 'A', 'a', '\ud800'];
    for (const [n, guid] of guids.entries()) await memory.putItem(1, guid, done(n, n));
    for (const [n, guid] of guids.entries()) t.same(memory.item(1, guid), done(n, n));
  });

  void suite('a torrent is found as long as any item that led to it is remembered', async (t, memory) => {
    await memory.putItem(1, 'a', done(1, 5), true);
    await memory.putItem(1, 'b', done(2, 5));
    await memory.putItem(1, 'c', done(3, 6), true);
    await memory.putItem(1, 'd', FAILED);
    t.same(
      [5, 6, 7].map((n) => memory.hasTorrent(1, idOf(n))),
      [true, true, false],
    );
    t.notOk(memory.hasTorrent(2, idOf(5)));
    t.equal(memory.added(1), 2);
    t.equal(memory.added(2), 0);
    await memory.trim(1, 3, []);
    t.ok(memory.hasTorrent(1, idOf(5)), 'by the second');
    await memory.trim(1, 2, []);
    t.notOk(memory.hasTorrent(1, idOf(5)));
    await memory.putItem(1, 'c', done(9));
    t.notOk(memory.hasTorrent(1, idOf(6)), 'another outcome of the same item');
  });

  void suite('the oldest are forgotten, those to be kept are not', async (t, memory) => {
    for (const n of [3, 1, 4, 2, 5]) await memory.putItem(1, `${n}`, done(n, n));
    await memory.putItem(2, '1', done(0));
    await memory.trim(1, 5, []);
    const left = () => [1, 2, 3, 4, 5].filter((n) => memory.item(1, `${n}`));
    t.same(left(), [1, 2, 3, 4, 5]);
    await memory.trim(1, 3, ['1', '3']);
    t.same(left(), [1, 3, 5]);
    await memory.trim(1, 1, ['1', '3', 'other']);
    t.same(left(), [1, 3], 'more than the limit are to be kept');
    t.ok(memory.item(2, '1'));
  });

  void suite('a feed is forgotten with everything, and no other', async (t, memory) => {
    for (const feedId of [1, 2, 300]) {
      await memory.putPoll(feedId, POLL);
      await memory.putItem(feedId, 'a', done(1, 5), true);
    }
    await memory.putItem(4, 'a', done(1));
    t.same(memory.feedIds(), [1, 2, 4, 300]);
    await memory.forget(2);
    t.same(memory.feedIds(), [1, 4, 300]);
    t.same([memory.poll(2), memory.item(2, 'a'), memory.added(2)], [undefined, undefined, 0]);
    t.notOk(memory.hasTorrent(2, idOf(5)));
    t.ok(memory.hasTorrent(1, idOf(5)) && memory.hasTorrent(300, idOf(5)));
    await memory.forget(77);
  });
}

void t.test('lmdb: what was acknowledged outlives a process that is killed', async (t) => {
  const dir = await temporaryDirectory();
  const module = new URL('../../../storage/lmdb-feed-memory.js', import.meta.url).href;
  const script = `
    const { openFeedMemory } = await import(${JSON.stringify(module)});
    const memory = openFeedMemory(${JSON.stringify(dir)});
    await memory.putPoll(1, ${JSON.stringify(POLL)});
    await memory.putItem(1, 'a', ${JSON.stringify(done(1, 5))}, true);
    process.kill(process.pid, 'SIGKILL');`;
  t.equal(spawnSync(process.execPath, ['--input-type=module', '-e', script]).signal, 'SIGKILL');
  const memory = openFeedMemory(dir);
  t.same([memory.poll(1), memory.item(1, 'a'), memory.added(1)], [POLL, done(1, 5), 1]);
  t.ok(memory.hasTorrent(1, idOf(5)));
  await memory.close();
});

void t.test('lmdb: 10,000 items are trimmed and forgotten without standing in the way for long', async (t) => {
  const memory = openFeedMemory(await temporaryDirectory());
  await Promise.all(Array.from({ length: 10_100 }, (_, n) => memory.putItem(1, `${n}`, done(n, n))));
  const started = performance.now();
  await memory.trim(1, 10_000, ['0']);
  t.same(
    [memory.item(1, '0') !== undefined, memory.item(1, '100'), memory.item(1, '101') !== undefined],
    [true, undefined, true],
  );
  await memory.forget(1);
  t.same(memory.feedIds(), []);
  t.ok(performance.now() - started < 5_000);
  await memory.close();
});

void t.test('lmdb: what it writes is for its user only, also where it was made for others to read', async (t) => {
  const dir = join(await temporaryDirectory(), 'feeds');
  const modes = async () =>
    Promise.all(
      (await readdir(dir)).sort().map(async (name) => [name, (await stat(join(dir, name))).mode & 0o777] as const),
    );
  const FILES = [
    ['data.mdb', 0o600],
    ['data.mdb-lock', 0o600],
  ];
  const first = openFeedMemory(dir);
  await first.putPoll(1, POLL);
  t.same(await modes(), FILES);
  await first.close();
  for (const name of await readdir(dir)) await chmod(join(dir, name), 0o644);
  const second = openFeedMemory(dir);
  t.same([await modes(), second.poll(1)], [FILES, POLL]);
  await second.close();
});

void testWith(t, postgres, 'what one front remembers is seen by another once it asks for it', async (t) => {
  const running = await (cluster ??= PostgresCluster.start());
  const address = running.address(await running.createDatabase());
  const open = async (): Promise<FeedMemory> => {
    const database = await openDatabase(address);
    t.teardown(() => database.close());
    return openPostgresFeedMemory(database);
  };
  const [one, other] = [await open(), await open()];
  await one.putPoll(1, POLL);
  await one.putItem(1, 'a', done(1, 5), true);
  await one.putItem(2, 'b', done(2, 6));
  t.equal(other.item(1, 'a'), undefined);
  await other.refresh();
  t.same(
    [other.poll(1), other.item(1, 'a'), other.added(1), other.hasTorrent(2, idOf(6))],
    [POLL, done(1, 5), 1, true],
  );
  await one.forget(1);
  await other.refresh();
  t.same([other.poll(1), other.item(1, 'a'), other.added(1), other.feedIds()], [undefined, undefined, 0, [2]]);
});
