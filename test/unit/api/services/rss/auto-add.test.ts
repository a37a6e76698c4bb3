// What of a feed becomes a torrent, whose, where and how often (docs/semantics.md sections 6 and 9), over a memory
// engine.
import t, { type Test } from 'tap';
import { AppError } from '../../../../../shared-protocol/errors.js';
import { parseAccountId } from '../../../../../shared-protocol/ids.js';
import { emptyStats, TORRENT_FLAGS } from '../../../../../shared-protocol/stats-table.js';
import {
  account,
  idOf,
  magnetOf,
  SAVE_PATH,
  startFeedBench,
  type FeedBench,
  type Remains,
} from '../../../../support/feed-bench.js';
import { rssOf, type RssItem } from '../../../../support/feed-server.js';
import { makeTorrent, seededBytes } from '../../../../support/make-torrent.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** More than an interval of 30 minutes with its jitter. */
const NEXT_POLL_MS = 34 * MINUTE_MS;
const URL_A = 'https://a.example/rss';
const URL_B = 'https://b.example/rss';
const FILE = 'https://a.example/1.torrent';

/** The newest first, each with the magnet of its number. */
const items = (...numbers: number[]): RssItem[] => numbers.map((n) => ({ guid: `g${n}`, url: magnetOf(n) }));

async function start(t: Test, remains: Partial<Remains> = {}): Promise<FeedBench> {
  const bench = await startFeedBench(remains);
  t.teardown(() => bench.stop());
  return bench;
}

/** Puts items into a feed; with an etag that changes with them. */
function publish(bench: FeedBench, given: readonly RssItem[], url = URL_A): void {
  const body = rssOf(given);
  bench.server.pages.set(url, { body, etag: `"${Buffer.from(body).toString('base64').slice(-300)}${body.length}"` });
}

void t.test('what a filter matches is added, in the order of publication, and nothing else', async (t) => {
  const bench = await start(t);
  const given = [5, 4, 3, 2, 1].map((n) => ({ guid: `${n}`, title: n === 3 ? 'film' : `show ${n}`, url: magnetOf(n) }));
  publish(bench, [...given, { guid: 'no link', title: 'show' }]);
  const id = await bench.makeFeed(URL_A, { regex: '^show' });
  await bench.pass(10 * SECOND_MS);
  t.same(bench.added(), [1, 2, 4, 5]);
  t.match(bench.feeds.state(id), { last_error: '', failures: 0, added: 4 });
});

void t.test('the category of the first filter by id comes into being with the torrent', async (t) => {
  const bench = await start(t);
  const [one, two] = [
    await bench.labels.createCategory({ name: 'one', default_save_path: '', color: '' }),
    await bench.labels.createCategory({ name: 'two', default_save_path: '', color: '' }),
  ];
  publish(bench, [{ guid: '1', title: 'a b', url: magnetOf(1) }]);
  const admin = account(1);
  const feed_id = await bench.feeds.create(admin, { url: URL_A });
  for (const [regex, category_id, enabled] of [
    ['x', two, true],
    ['a', two, false],
    ['b', one, true],
    ['a', two, true],
  ] as const) {
    await bench.filters.create(admin, { feed_id, regex, category_id, enabled });
  }
  const seen: (number | null | undefined)[] = [];
  const { handleEvent } = bench.library;
  bench.library.handleEvent = (event) => {
    if (event.name === 'torrents.added') seen.push(event.payload.torrents[0]?.library.categoryId);
    handleEvent.call(bench.library, event);
  };
  await bench.pass(10 * SECOND_MS);
  t.same(seen, [one], 'nobody ever saw it without');
});

void t.test('tags that are there, and paused where the filter says so', async (t) => {
  const bench = await start(t);
  const kept = await bench.labels.createTag({ name: 'kept', color: '' });
  const gone = await bench.labels.createTag({ name: 'gone', color: '' });
  publish(
    bench,
    [1, 2, 3].map((n) => ({ guid: `${n}`, title: `t${n}`, url: magnetOf(n) })),
  );
  const admin = account(1);
  const feed_id = await bench.feeds.create(admin, { url: URL_A });
  await bench.filters.create(admin, { feed_id, regex: '', exclude_regex: '[12]$', paused: true });
  await bench.filters.create(admin, { feed_id, regex: '', exclude_regex: '2$', tag_ids: [kept, gone] });
  await bench.labels.deleteTag(gone);
  await bench.pass(10 * SECOND_MS);
  t.same(bench.added().sort(), [1, 3], 'none that each filter excludes');
  t.same(
    [1, 3].map((n) => bench.facts(n)?.library.tagIds),
    [[kept], []],
  );
  const flags = [1, 3].map((n) => {
    const stats = emptyStats();
    const facts = bench.facts(n)!;
    bench.library.stats.read(facts.row, facts.rowTag, stats);
    return stats.flags & TORRENT_FLAGS.paused;
  });
  t.same(flags, [0, TORRENT_FLAGS.paused]);
});

void t.test(
  "save path: the filter's, else the category's, else the default; a category that is gone is none",
  async (t) => {
    const bench = await start(t);
    const category_id = await bench.labels.createCategory({ name: 'c', default_save_path: '/srv/c', color: '' });
    const gone = await bench.labels.createCategory({ name: 'gone', default_save_path: '/srv/gone', color: '' });
    publish(
      bench,
      [1, 2, 3, 4].map((n) => ({ guid: `${n}`, title: `t${n}`, url: magnetOf(n) })),
    );
    const admin = account(1);
    const feed_id = await bench.feeds.create(admin, { url: URL_A });
    await bench.filters.create(admin, { feed_id, regex: 't1', category_id, save_path: '/srv/own' });
    await bench.filters.create(admin, { feed_id, regex: 't2', category_id });
    await bench.filters.create(admin, { feed_id, regex: 't3' });
    await bench.filters.create(admin, { feed_id, regex: 't4', category_id: gone });
    await bench.labels.deleteCategory(gone);
    await bench.pass(10 * SECOND_MS);
    t.same(
      [1, 2, 3, 4].map((n) => [bench.facts(n)?.savePath, bench.facts(n)?.library.categoryId]),
      [
        ['/srv/own', category_id],
        ['/srv/c', category_id],
        [SAVE_PATH, null],
        [SAVE_PATH, null],
      ],
    );
  },
);

void t.test('no enabled filter: nothing is added; a filter that is made later is for what is there then', async (t) => {
  const bench = await start(t);
  publish(bench, items(2, 1));
  const admin = account(1);
  const feed_id = await bench.feeds.create(admin, { url: URL_A });
  const off = await bench.filters.create(admin, { feed_id, regex: '', enabled: false });
  await bench.pass(2 * HOUR_MS);
  t.same(bench.added(), []);
  t.ok(bench.server.visits.some(({ status }) => status === 304));
  await bench.filters.change(admin, { id: off, feed_id, regex: '', enabled: true });
  await bench.pass(10 * SECOND_MS);
  t.same(bench.added(), [1, 2]);
});

void t.test('each guid once, whatever it leads to later, also across a restart', async (t) => {
  const bench = await start(t);
  publish(bench, items(1));
  await bench.makeFeed(URL_A);
  await bench.pass(10 * SECOND_MS);
  publish(bench, [{ guid: 'g1', title: 'repacked', url: magnetOf(9) }]);
  await bench.pass(NEXT_POLL_MS);
  await bench.stop();
  const after = await start(t, bench);
  publish(after, [
    { guid: 'g1', title: 'again', url: magnetOf(8) },
    { guid: 'g2', title: 'twice', url: magnetOf(2) },
    { guid: 'g2', title: 'twice', url: magnetOf(3) },
  ]);
  await after.pass(NEXT_POLL_MS);
  t.equal(after.added().length, 2);
  t.ok(after.added().includes(1));
});

void t.test(
  'what the user removed is not added again: not by its guid, another guid, or another feed of theirs',
  async (t) => {
    const bench = await start(t);
    publish(bench, items(1));
    await bench.makeFeed(URL_A, { by: 2 });
    await bench.makeFeed(URL_B, { by: 2 });
    await bench.makeFeed('https://other.example/', { by: 3 });
    await bench.pass(10 * SECOND_MS);
    await bench.library.remove({ id: idOf(1) }, false);
    t.same(bench.added(), []);
    await bench.stop();
    const after = await start(t, bench);
    publish(after, [{ guid: 'new', url: magnetOf(1).toUpperCase().replace('MAGNET', 'magnet') }, ...items(1)]);
    publish(after, [{ guid: 'elsewhere', url: magnetOf(1) }], URL_B);
    await after.pass(2 * NEXT_POLL_MS);
    t.same(after.added(), []);
    t.equal(after.memory.added(1), 1);
    publish(after, items(1), 'https://other.example/');
    await after.pass(7 * HOUR_MS);
    t.same(after.added(), [1], 'another account is another matter');
  },
);

void t.test('a torrent file of the same torrent as a magnet before is known by its info hash', async (t) => {
  const bench = await start(t);
  const torrent = makeTorrent({ name: 'a', pieceLength: 16_384, files: seededBytes(1, 100) });
  bench.server.pages.set(FILE, { body: torrent.torrentBytes });
  publish(bench, [{ guid: '1', url: `magnet:?xt=urn:btih:${torrent.infoHash}` }]);
  await bench.makeFeed(URL_A);
  await bench.pass(10 * SECOND_MS);
  await bench.library.remove({ id: torrent.infoHash }, false);
  publish(bench, [{ guid: '2', url: FILE }]);
  await bench.pass(NEXT_POLL_MS);
  t.same(bench.engine.ids, []);
  t.equal(bench.server.visitsOf(FILE).length, 1);
  await bench.pass(4 * HOUR_MS);
  t.equal(bench.server.visitsOf(FILE).length, 1, 'and is not got again');
});

void t.test('a torrent that was added by hand counts as added, and is left as it is', async (t) => {
  const bench = await start(t);
  await bench.client.addTorrent({
    source: { kind: 'magnet', uri: magnetOf(1) },
    ...{ savePath: '/srv/hand', ownerId: parseAccountId(1), paused: true },
  });
  publish(bench, items(1));
  const id = await bench.makeFeed(URL_A);
  await bench.pass(10 * SECOND_MS);
  t.match(bench.facts(1), { savePath: '/srv/hand' });
  t.equal(bench.feeds.state(id).added, 0);
  await bench.library.remove({ id: idOf(1) }, false);
  publish(bench, [{ guid: 'other', url: magnetOf(1) }, ...items(1)]);
  await bench.pass(NEXT_POLL_MS);
  t.same(bench.added(), []);
});

void t.test("somebody else's torrent is added as one's own share of it", async (t) => {
  const bench = await start(t);
  await bench.client.addTorrent({
    source: { kind: 'magnet', uri: magnetOf(1) },
    ...{ savePath: '/srv/theirs', ownerId: parseAccountId(3), paused: false },
  });
  publish(bench, items(1));
  const id = await bench.makeFeed(URL_A, { by: 2 });
  await bench.pass(10 * SECOND_MS);
  t.match(bench.feeds.state(id), { last_error: '', added: 1 });
  t.match(bench.facts(1), { ownerId: 3, holders: [{ accountId: 3 }, { accountId: 2 }] });
  await bench.pass(NEXT_POLL_MS);
  t.equal(bench.server.visitsOf(URL_A).at(-1)?.status, 304, 'nothing is left to do');
});

void t.test('the process dies after the add and before it is remembered: added once', async (t) => {
  const bench = await start(t);
  publish(bench, items(1));
  const { putItem } = bench.memory;
  bench.memory.putItem = () => Promise.reject(new AppError('STORAGE_FAILED', 'feed memory: no'));
  const id = await bench.makeFeed(URL_A);
  await bench.pass(10 * SECOND_MS);
  t.same(bench.added(), [1]);
  t.match(bench.feeds.state(id), { last_error: 'storage failure', failures: 1, added: 0 });
  await bench.stop();
  bench.memory.putItem = putItem.bind(bench.memory);
  const after = await start(t, bench);
  await after.pass(MINUTE_MS);
  t.same(after.added(), [1]);
  await after.library.remove({ id: idOf(1) }, false);
  publish(after, [{ guid: 'other', url: magnetOf(1) }, ...items(1)]);
  await after.pass(NEXT_POLL_MS);
  t.same(after.added(), [], 'and remembered since');
});

void t.test('nothing more is added while nothing can be remembered', async (t) => {
  const bench = await start(t);
  publish(bench, items(3, 2, 1));
  bench.memory.putItem = () => Promise.reject(new AppError('STORAGE_FAILED', 'feed memory: no'));
  await bench.makeFeed(URL_A);
  await bench.pass(10 * SECOND_MS);
  t.same(bench.added(), [1]);
});

void t.test('an item that cannot be got is tried again, less and less often, then given up', async (t) => {
  const bench = await start(t);
  publish(bench, [{ guid: '1', url: FILE }, ...items(2)]);
  const id = await bench.makeFeed(URL_A);
  await bench.pass(10 * SECOND_MS);
  t.same(bench.added(), [2], 'the others are added');
  t.match(bench.feeds.state(id), { last_error: '1 not added: HTTP status 404', failures: 0 });
  await bench.pass(48 * HOUR_MS);
  const at = bench.server.visitsOf(FILE).map(({ atMs }) => atMs / HOUR_MS);
  t.equal(at.length, 6);
  t.ok((at[5] ?? 0) > 10 && (at[5] ?? 0) < 24, `${at[5]} h`);
  t.equal(bench.lines.filter((line) => line.includes('given up')).length, 1);
  t.equal(bench.feeds.state(id).last_error, '');
  t.equal(bench.server.visitsOf(URL_A).at(-1)?.status, 304);
  bench.server.pages.set(FILE, { body: 'd4:infod4:name1:aee' });
  await bench.stop();
  const after = await start(t, bench);
  await after.pass(24 * HOUR_MS);
  t.equal(after.server.visitsOf(FILE).length, 6, 'also after a restart');
});

void t.test('an item that can be got in the end is added, and tries are counted across a restart', async (t) => {
  const bench = await start(t);
  publish(bench, [{ guid: '1', url: FILE }]);
  bench.server.pages.set(FILE, { body: '<html>sign in</html>' });
  const id = await bench.makeFeed(URL_A);
  await bench.pass(10 * SECOND_MS);
  t.match(bench.feeds.state(id).last_error, /^1 not added: torrent: /);
  await bench.pass(NEXT_POLL_MS);
  await bench.stop();
  const after = await start(t, bench);
  t.match(after.memory.item(id, '1'), { kind: 'failed', tries: 2 });
  const torrent = makeTorrent({ name: 'a', pieceLength: 16_384, files: seededBytes(1, 100) });
  after.server.pages.set(FILE, { body: torrent.torrentBytes });
  await after.pass(3 * HOUR_MS);
  t.same(after.engine.ids, [torrent.infoHash]);
  t.match(after.feeds.state(id), { last_error: '', added: 1 });
});

void t.test('an engine that is away costs no item: the feed is read again in a minute', async (t) => {
  const bench = await start(t);
  publish(bench, items(2, 1));
  bench.engine.refuseNextAdd = new AppError('ENGINE_EXITED', 'engine: exited');
  const id = await bench.makeFeed(URL_A);
  await bench.pass(10 * SECOND_MS);
  t.same(bench.added(), []);
  t.match(bench.feeds.state(id), { last_error: '1 not added: engine: exited', failures: 0 });
  await bench.pass(70 * SECOND_MS);
  t.same(bench.added(), [1, 2]);
  t.match(bench.feeds.state(id), { last_error: '', added: 2 });
});

void t.test('what takes more than 5 minutes is left for the next poll, which comes in a minute', async (t) => {
  const bench = await start(t);
  publish(bench, items(5, 4, 3, 2, 1));
  const addTorrent = bench.client.addTorrent.bind(bench.client);
  Object.assign(bench.client, {
    addTorrent: async (params: Parameters<typeof addTorrent>[0]) => {
      await bench.clock.advance(2 * MINUTE_MS);
      return addTorrent(params);
    },
  });
  await bench.makeFeed(URL_A);
  await bench.clock.advance(SECOND_MS);
  await bench.poller.idle();
  t.same(bench.added(), [1, 2, 3]);
  await bench.clock.advance(61 * SECOND_MS);
  await bench.poller.idle();
  t.same(bench.added(), [1, 2, 3, 4, 5]);
  t.equal(bench.server.visits.length, 2);
});

void t.test('a full disk costs no item, however long it lasts', async (t) => {
  const bench = await start(t);
  publish(bench, items(2, 1));
  const { client } = bench;
  const addTorrent = client.addTorrent.bind(client);
  let isFull = true;
  Object.assign(client, {
    addTorrent: (params: Parameters<typeof addTorrent>[0]) =>
      isFull ? Promise.reject(new AppError('DISK_FULL', 'disk: full')) : addTorrent(params),
  });
  const id = await bench.makeFeed(URL_A);
  await bench.pass(72 * HOUR_MS);
  t.same([bench.added(), bench.feeds.state(id).last_error], [[], '2 not added: disk: full']);
  const polls = bench.server.visits.length;
  t.equal(bench.lines.filter((line) => line.includes('not added')).length, polls, 'a line for each poll');
  isFull = false;
  await bench.pass(NEXT_POLL_MS);
  t.same(bench.added(), [1, 2]);
});

const ENDINGS: Record<string, (bench: FeedBench, id: number) => Promise<unknown>> = {
  'the feed is deleted': (bench, id) => bench.feeds.delete(id),
  'the feed is disabled': (bench, id) => bench.feeds.change(account(1), { id, url: URL_A, enabled: false }),
  'the feed is moved': (bench, id) => bench.feeds.change(account(1), { id, url: URL_B }),
  'the filter is deleted': (bench, id) => bench.filters.delete(bench.filters.ofFeed(account(1), id)[0]!.id),
  'the filter is changed': (bench, id) =>
    bench.filters.change(account(1), { ...bench.filters.ofFeed(account(1), id)[0]!, regex: 'other' }),
};

/** A poll that has come to a point and stands there until it is released. */
async function heldAt(bench: FeedBench, point: 'feed' | 'file' | 'add') {
  const torrent = makeTorrent({ name: 'a', pieceLength: 16_384, files: seededBytes(1, 100) });
  publish(bench, [...items(2), { guid: 'file', url: FILE }]);
  publish(bench, [], URL_B);
  bench.server.pages.set(FILE, { body: torrent.torrentBytes });
  let release = () => {};
  const hold = new Promise<void>((resolve) => (release = resolve));
  if (point !== 'add') bench.server.held.set(point === 'feed' ? URL_A : FILE, hold);
  let isAdding = false;
  const addTorrent = bench.client.addTorrent.bind(bench.client);
  Object.assign(bench.client, {
    addTorrent: async (params: Parameters<typeof addTorrent>[0]) => {
      isAdding = true;
      if (point === 'add') await hold;
      return addTorrent(params);
    },
  });
  const id = await bench.makeFeed(URL_A);
  await bench.clock.advance(SECOND_MS);
  const { server } = bench;
  const isThere = () =>
    point === 'add' ? isAdding : server.running === 1 && server.visits.length === (point === 'file' ? 1 : 0);
  while (!isThere()) await bench.clock.settle();
  return { id, release };
}

for (const [name, end] of Object.entries(ENDINGS)) {
  void t.test(`${name} while the feed is polled: nothing is added afterwards`, async (t) => {
    for (const point of ['feed', 'file', 'add'] as const) {
      const bench = await start(t);
      const { id, release } = await heldAt(bench, point);
      let isAnswered = false;
      const ended = end(bench, id).then(() => (isAnswered = true));
      if (point === 'add') {
        for (let n = 0; n < 20; n++) await bench.clock.settle();
        t.notOk(isAnswered, 'not before the engine has done what it had begun');
        release();
      }
      await ended;
      const { length } = bench.engine.ids;
      t.equal(length, point === 'add' ? 1 : 0, point);
      release();
      await bench.pass(2 * HOUR_MS);
      t.equal(bench.engine.ids.length, length, `${point}: nothing afterwards`);
    }
  });
}

void t.test(
  "torrents are the feed's creator's; account 1's when that is gone; nobody's when it may not add",
  async (t) => {
    const bench = await start(t);
    publish(bench, items(1));
    const id = await bench.makeFeed(URL_A, { by: 2 });
    await bench.pass(10 * SECOND_MS);
    t.equal(bench.facts(1)?.ownerId, 2);
    for (const change of [{ perm_add_torrents: false }, { disabled: true }]) {
      bench.accounts = [account(1), account(2, change)];
      publish(bench, items(2, 1));
      await bench.pass(2 * HOUR_MS);
      t.same(bench.added(), [1], JSON.stringify(change));
      t.equal(bench.feeds.state(id).last_error, "1 not added: the feed's account may not add torrents");
    }
    bench.accounts = [account(1), account(2)];
    await bench.pass(NEXT_POLL_MS);
    t.equal(bench.facts(2)?.ownerId, 2, 'made up for as soon as it may');
    bench.accounts = [account(1)];
    publish(bench, items(3, 2, 1));
    await bench.pass(NEXT_POLL_MS);
    t.equal(bench.facts(3)?.ownerId, 1);
  },
);

void t.test(
  'a path that its owner may not save to is no way around: nothing is added or got until it may',
  async (t) => {
    const bench = await start(t);
    bench.server.pages.set(FILE, { body: 'x' });
    publish(bench, [{ guid: '1', url: FILE }, ...items(2)]);
    const feed_id = await bench.feeds.create(account(2), { url: URL_A });
    await bench.filters.create(account(1), { feed_id, regex: '', save_path: '/srv/elsewhere' });
    await bench.pass(24 * HOUR_MS);
    t.same([bench.added(), bench.server.visitsOf(FILE).length], [[], 0]);
    t.match(bench.feeds.state(feed_id).last_error, /^2 not added: /);
    await bench.labels.createCategory({ name: 'c', default_save_path: '/srv/elsewhere', color: '' });
    await bench.pass(NEXT_POLL_MS);
    t.same(bench.added(), [2]);
  },
);

void t.test('an account that may only manage feeds has nothing added by the feed of another', async (t) => {
  for (const [what, act] of [
    ['an address', (bench, id) => bench.feeds.change(account(2), { id, url: URL_B })],
    ['a filter', (bench, id) => bench.filters.create(account(2), { feed_id: id, regex: '' })],
    ['a changed filter', (bench, id) => bench.filters.change(account(2), { id: 1, feed_id: id, regex: '' })],
  ] satisfies [string, (bench: FeedBench, id: number) => Promise<unknown>][]) {
    const bench = await start(t);
    bench.accounts = [account(1), account(2, { perm_add_torrents: false })];
    publish(bench, items(1));
    publish(bench, items(1), URL_B);
    const id = await bench.makeFeed(URL_A, { regex: 'nothing' });
    if (what === 'an address') await bench.filters.create(account(1), { feed_id: id, regex: '' });
    await act(bench, id);
    await bench.pass(2 * HOUR_MS);
    t.same(bench.added(), [], what);
    t.equal(bench.feeds.state(id).last_error, "1 not added: the feed's account may not add torrents");
    bench.accounts = [account(1), account(2)];
    await bench.pass(NEXT_POLL_MS);
    t.equal(bench.facts(1)?.ownerId, 2, `${what}: its own once it may add`);
  }
});

void t.test(
  "an administrator's filter with a path elsewhere is no help to whoever gives the feed its address",
  async (t) => {
    const bench = await start(t);
    publish(bench, items(1), URL_B);
    const id = await bench.feeds.create(account(1), { url: URL_A });
    await bench.filters.create(account(1), { feed_id: id, regex: '', save_path: '/etc' });
    await bench.feeds.change(account(2), { id, url: URL_B });
    await bench.pass(2 * HOUR_MS);
    t.same(bench.added(), []);
  },
);

void t.test('10,000 guids are remembered; the oldest are forgotten, but not while they are in the feed', async (t) => {
  const bench = await start(t);
  publish(bench, items(1, 2));
  const id = await bench.makeFeed(URL_A);
  for (let n = 0; n < 10_000; n++) {
    await bench.memory.putItem(id, n === 0 ? 'g1' : `old${n}`, { kind: 'done', torrentId: null, at: n });
  }
  await bench.pass(10 * SECOND_MS);
  t.same(bench.added(), [2]);
  t.ok(bench.memory.item(id, 'g1'), 'the oldest of all, and still there');
  t.equal(bench.memory.item(id, 'old1'), undefined);
  t.ok(bench.memory.item(id, 'old2'));
});

void t.test('1,000 items in one go, with others running in between', async (t) => {
  const bench = await start(t);
  publish(bench, items(...Array.from({ length: 1_000 }, (_, n) => 1_000 - n)));
  await bench.makeFeed(URL_A);
  let turns = 0;
  const watch = setInterval(() => turns++, 1);
  await bench.pass(10 * SECOND_MS);
  clearInterval(watch);
  t.same(
    bench.added(),
    Array.from({ length: 1_000 }, (_, n) => n + 1),
  );
  t.ok(turns >= 10, `${turns} turns`);
});

void t.test('titles, guids and links of a feed are in no line of the log but those for debugging', async (t) => {
  const bench = await start(t);
  publish(bench, [
    { guid: 'passkey-1', title: 'passkey-2', url: 'https://a.example/passkey-3.torrent' },
    { guid: 'passkey-4', title: 'passkey-5', url: magnetOf(1) },
  ]);
  await bench.makeFeed(URL_A);
  await bench.pass(24 * HOUR_MS);
  const lines = bench.lines.filter((line) => !line.startsWith('debug'));
  t.ok(lines.length > 5);
  t.notMatch(lines.join('\n'), 'passkey');
});

void t.test(
  'a torrent of an account that is placed by the fleet goes where it is placed, unless the filter says where',
  async (t) => {
    const remains = { accounts: [account(1, { engine: 'auto' }), account(2)] };
    const bench = await start(t, remains);
    publish(bench, [
      { guid: '1', title: 'film', url: magnetOf(1) },
      { guid: '2', title: 'show', url: magnetOf(2) },
    ]);
    const [admin] = remains.accounts;
    const feed_id = await bench.feeds.create(admin!, { url: URL_A });
    const category_id = await bench.labels.createCategory({
      name: 'Films',
      default_save_path: '/srv/films',
      color: '',
    });
    await bench.filters.create(admin!, { feed_id, regex: 'film', category_id, enabled: true });
    await bench.filters.create(admin!, { feed_id, regex: 'show', save_path: '/srv/shows', enabled: true });
    await bench.pass(10 * SECOND_MS);
    t.same(bench.added(), [2, 1]);
    const byAccount = { account: 'u1', tags: [] };
    t.match(
      [...bench.wishes].sort((a, b) => a.path.localeCompare(b.path)),
      [
        { torrent: { ...byAccount, category: 'Films' }, path: '', inherited: '/srv/films' },
        { torrent: { ...byAccount, category: null }, path: '/srv/shows', inherited: '' },
      ],
    );
  },
);
