// What people change about a torrent: durable when it is answered, told, and in force.
import t from 'tap';
import { ADMIN_ACCOUNT_ID, type TorrentId } from '../../../../shared-protocol/ids.js';
import { MAX_TRACKERS } from '../../../../shared-protocol/torrent-bounds.js';
import { makeTorrent, seededBytes } from '../../../support/make-torrent.js';
import { Bench, PIECE, torrent } from '../session/engine-bench.js';

const RECORD = {
  shares: [],
  categoryId: 3,
  tagIds: [1, 2],
  seedPolicy: { ratioLimit: 2, minutesLimit: null },
  seedingSince: 1_700_000_000,
};

const tracked = (trackers: readonly (readonly string[])[], isPrivate = false) =>
  makeTorrent({ name: 'tracked', pieceLength: PIECE, files: seededBytes(9, PIECE), trackers, private: isPrivate });

const A = 'http://a.example/announce';
const B = 'http://b.example/announce';
const C = 'udp://c.example:80/announce';
const D = 'https://d.example/announce';

async function start(trackers: readonly (readonly string[])[] = [[A, B]], isPrivate = false) {
  const bench = new Bench();
  await bench.start();
  const { id } = await bench.add(tracked(trackers, isPrivate).torrentBytes);
  await bench.clock.advance(1_000);
  const tiers = () => bench.store.row(id)?.trackers;
  const told = () => bench.facts.get(id)!.trackers.split('\n');
  return { bench, id, tiers, told, engine: bench.engine };
}

void t.test('a tracker is added in a tier of its own and announced to at once', async (t) => {
  const { bench, id, tiers, told, engine } = await start();
  const before = bench.tracker.said.length;
  await engine.addTracker({ id, url: C, accountId: ADMIN_ACCOUNT_ID });
  t.same(tiers()?.slice(-1), [[C]]);
  t.equal(tiers()?.length, 2);
  t.ok(told().includes(C));
  await bench.clock.advance(1_000);
  t.same(bench.tracker.said.slice(before), ['started c.example:80']);
  await engine.addTracker({ id, url: C, accountId: ADMIN_ACCOUNT_ID });
  t.equal(tiers()?.length, 2, 'known');
  await Promise.all([
    engine.addTracker({ id, url: D, accountId: ADMIN_ACCOUNT_ID }),
    engine.addTracker({ id, url: `${D}?passkey=1`, accountId: ADMIN_ACCOUNT_ID }),
  ]);
  t.equal(tiers()?.length, 4, 'none is lost of two at once');
  await bench.stop();
});

void t.test('what cannot be announced to is refused, and nothing changes', async (t) => {
  const { bench, id, tiers, engine } = await start();
  const cases: readonly (readonly [url: string, message: string])[] = [
    ['ftp://a.example/', 'url: expected http, https or udp'],
    ['wss://a.example/', 'url: expected http, https or udp'],
    ['nonsense', 'url: not a URL'],
    ['', 'url: not a URL'],
    [`http://a.example/${'x'.repeat(2_048)}`, 'url: URL too long'],
    ['http://a.example/announce?info_hash=x', 'url: URL already holds announce parameters'],
    ['http://a exam.ple/announce', 'url: not a URL'],
    ['http://a.example/an\nnounce', 'url: not a URL'],
  ];
  for (const [url, message] of cases) {
    await t.rejects(
      async () => engine.addTracker({ id, url, accountId: ADMIN_ACCOUNT_ID }),
      { code: 'TRACKER_INVALID', message },
      message,
    );
  }
  t.equal(tiers()?.flat().length, 2);
  await engine.mergeTrackers({
    id,
    tiers: [Array.from({ length: 300 }, (_, i) => `http://${i}.example/a`)],
    accountId: ADMIN_ACCOUNT_ID,
  });
  t.equal(tiers()?.flat().length, MAX_TRACKERS);
  const full = 'url: the torrent has no room for it: at most 30 trackers, of 16384 characters in all';
  await t.rejects(async () => engine.addTracker({ id, url: C, accountId: ADMIN_ACCOUNT_ID }), {
    code: 'TRACKER_INVALID',
    message: full,
  });
  await engine.addTracker({ id, url: A, accountId: ADMIN_ACCOUNT_ID });
  await bench.stop();
});

void t.test('characters of trackers are counted, of those that a second add brings as well', async (t) => {
  const { bench, id, tiers, engine } = await start([[A]]);
  const long = (digit: number) => `http://l${digit}.example/`.padEnd(2_048, 'x');
  for (const digit of [1, 2, 3, 4]) await engine.addTracker({ id, url: long(digit), accountId: ADMIN_ACCOUNT_ID });
  await engine.mergeTrackers({ id, tiers: [[5, 6, 7, 8, 9].map(long), [B]], accountId: ADMIN_ACCOUNT_ID });
  t.same(tiers()?.flat(), [A, ...[1, 2, 3, 4, 5, 6, 7].map(long), B], 'what is shorter may still find room');
  await t.rejects(async () => engine.addTracker({ id, url: long(8), accountId: ADMIN_ACCOUNT_ID }), {
    code: 'TRACKER_INVALID',
  });
  await bench.stop();
});

void t.test('trackers are known by their addresses, however they are written', async (t) => {
  const { bench, id, tiers, engine } = await start([[A, 'udp://c.example/announce']]);
  for (const url of ['HTTP://A.example:80/announce', ' http://a.example/announce', 'udp://C.EXAMPLE:80/announce'])
    await engine.addTracker({ id, url, accountId: ADMIN_ACCOUNT_ID });
  t.equal(tiers()?.flat().length, 2, 'nothing new');
  await engine.addTracker({ id, url: 'http://a.example/an nounce', accountId: ADMIN_ACCOUNT_ID });
  t.same(tiers()?.at(-1), ['http://a.example/an%20nounce']);
  for (const url of ['http://A.EXAMPLE:80/announce', 'udp://c.example:80/announce', 'http://a.example/an%20nounce'])
    await engine.removeTracker({ id, url });
  t.same(tiers(), []);
  await bench.stop();
});

void t.test('a tracker of the torrent file is removed for good', async (t) => {
  const { bench, id, tiers, told, engine } = await start([[A], [B]]);
  await engine.removeTracker({ id, url: A });
  t.same(tiers(), [[B]]);
  t.same(told(), [B]);
  await bench.clock.advance(1_000);
  t.equal(bench.tracker.said.filter((said) => said === 'stopped a.example').length, 1, 'in good manners');
  await engine.removeTracker({ id, url: A });
  t.same(tiers(), [[B]]);
  const again = new Bench(bench.store, bench.disk);
  await again.start();
  await again.clock.advance(1_000);
  t.same(again.tracker.said, ['started b.example']);
  await again.stop();
  await bench.stop();
});

void t.test('a second add changes nothing by itself and says what it brings', async (t) => {
  const { bench, id, tiers, engine } = await start([[A]]);
  const second = await bench.add(tracked([[A], [B, C]]).torrentBytes);
  t.match(second, { id, existed: true });
  t.same(second.trackers.flat().sort(), [A, B, C].sort());
  t.same(tiers(), [[A]]);
  await bench.addMagnet(`magnet:?xt=urn:btih:${id}&x.pe=10.0.0.9%3A6881`);
  await engine.mergeTrackers({ id, tiers: second.trackers, accountId: ADMIN_ACCOUNT_ID });
  t.same(
    tiers()?.map((tier) => tier.length),
    [1, 1, 1],
  );
  await bench.stop();

  const secret = await start([[A]], true);
  await secret.engine.mergeTrackers({ id: secret.id, tiers: [[B]], accountId: ADMIN_ACCOUNT_ID });
  t.same(secret.tiers(), [[A]], 'a private torrent keeps to its own');
  await secret.bench.stop();
});

void t.test('tiers in place of those before, in the order given', async (t) => {
  const { bench, id, tiers, told, engine } = await start([[A], [B]]);
  const before = bench.tracker.said.length;
  await engine.setTrackers({ id, tiers: [[D], [], [B, C]], accountId: ADMIN_ACCOUNT_ID });
  t.same(tiers(), [[D], [B, C]]);
  t.same(told(), [D, B, C]);
  await bench.clock.advance(1_000);
  t.same(bench.tracker.said.slice(before).sort(), ['started d.example', 'stopped a.example']);
  const { trackers } = await engine.inspectTorrent({ id, parts: ['trackers'] });
  t.same(
    trackers?.map(({ url, tier }) => [url, tier]),
    [
      [D, 0],
      [B, 1],
      [C, 1],
    ],
  );
  for (const [refused, message] of [
    [[[A], ['ftp://a.example/']], 'tiers[1][0]: expected http, https or udp'],
    [[[A, `${A}#again`]], 'tiers[0][1]: it leads where another one does'],
    [
      [Array.from({ length: MAX_TRACKERS + 1 }, (_, i) => `http://${i}.example/a`)],
      /^tiers\[0\]\[30\]: the torrent has no room/,
    ],
  ] as const) {
    const call = async () => engine.setTrackers({ id, tiers: refused, accountId: ADMIN_ACCOUNT_ID });
    await t.rejects(call, { code: 'TRACKER_INVALID', message });
    t.same(tiers(), [[D], [B, C]], 'nothing of it');
  }
  await engine.setTrackers({ id, tiers: [], accountId: ADMIN_ACCOUNT_ID });
  t.same(tiers(), []);
  await bench.stop();
});

void t.test('addresses are replaced in many torrents, or only looked for', async (t) => {
  const { bench, id, tiers, engine } = await start([['http://old.example/1/announce'], [B]]);
  const trackers = [['http://old.example/2/announce', 'http://new.example/2/announce'], [B]];
  const made = makeTorrent({ name: 'other', pieceLength: PIECE, files: seededBytes(8, PIECE), trackers });
  const { id: other } = await bench.add(made.torrentBytes);
  const params = {
    shares: [{ id }, { id: other }],
    find: 'http://old.example/',
    replace: 'http://new.example/',
    accountId: ADMIN_ACCOUNT_ID,
  };
  const matches = [
    { id, addresses: 1 },
    { id: other, addresses: 1 },
  ];
  t.same(await engine.replaceTrackers({ ...params, isDryRun: true }), { matches, failures: [] });
  t.same(tiers(), [['http://old.example/1/announce'], [B]], 'a dry run changes nothing');
  const gone = 'f'.repeat(40) as TorrentId;
  const withGone = { ...params, shares: [...params.shares, { id: gone }] };
  const failures = [{ id: gone, error: { code: 'TORRENT_NOT_FOUND', message: 'torrent not found' } }];
  t.match(await engine.replaceTrackers({ ...withGone, isDryRun: false }), { matches, failures });
  t.same(tiers(), [['http://new.example/1/announce'], [B]]);
  t.same(bench.store.row(other)?.trackers, [['http://new.example/2/announce'], [B]], 'not twice');
  await t.rejects(async () => engine.replaceTrackers({ ...params, replace: 'nonsense', isDryRun: true }), {
    code: 'TRACKER_INVALID',
    message: 'replace: not a URL',
  });
  await bench.stop();
});

void t.test('a torrent that does not run announces nothing', async (t) => {
  const { bench, id, engine } = await start();
  t.match(await engine.announceNow({ id }), { announced: 0, waiting: 1 });
  await engine.pauseTorrent({ id });
  await t.rejects(async () => engine.announceNow({ id }), { code: 'TORRENT_NOT_RUNNING' });
  await bench.stop();
});

void t.test('a library record that was made of another than there is changes nothing', async (t) => {
  const { bench, id, engine } = await start();
  const before = bench.facts.get(id)!.library;
  // Two fronts at once, of which each has seen the same.
  const [first, second] = [
    { ...before, categoryId: 1 },
    { ...before, tagIds: [2] },
  ];
  const outcomes = await Promise.allSettled([
    engine.setLibraryRecord({ id, record: first, before }),
    engine.setLibraryRecord({ id, record: second, before }),
  ]);
  t.match(outcomes, [{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'RECORD_CHANGED' } }]);
  t.same(bench.facts.get(id)?.library, first);
  await engine.setLibraryRecord({ id, record: { ...first, tagIds: [2] }, before: { ...first } });
  t.match(bench.facts.get(id)?.library, { categoryId: 1, tagIds: [2] });
  await bench.stop();
});

void t.test('the library record is told before it is answered, and there after a restart', async (t) => {
  const { bench, id, engine } = await start();
  await engine.setLibraryRecord({ id, record: RECORD });
  t.same(bench.facts.get(id)?.library, RECORD);
  const source = { kind: 'metainfo', bytes: torrent(1).torrentBytes } as const;
  const added = await engine.addTorrent({
    source,
    savePath: '/save',
    ownerId: ADMIN_ACCOUNT_ID,
    library: RECORD,
    paused: true,
  });
  const again = new Bench(bench.store, bench.disk);
  await again.start();
  for (const one of [id, added.id]) t.same(again.facts.get(one)?.library, RECORD);
  await again.stop();
  await bench.stop();
});

void t.test('how long the metadata is, is known without reading it', async (t) => {
  const { bench, id } = await start();
  const { infoBytes } = tracked([[A, B]]);
  t.equal(bench.facts.get(id)?.metadataBytes, infoBytes.length);
  const { metadataBytes: _absent, ...summary } = bench.store.row(id)!.summary!;
  const again = new Bench(bench.store, bench.disk);
  await again.start();
  t.equal(again.facts.get(id)?.metadataBytes, infoBytes.length);
  await again.store.update(id, { summary });
  const older = new Bench(bench.store, bench.disk);
  await older.start();
  t.equal(older.facts.get(id)?.metadataBytes, 20 * summary.pieceCount, 'at least, where it was not kept');
  for (const one of [older, again, bench]) await one.stop();
});

void t.test('earliest first is kept', async (t) => {
  const { bench, id, engine } = await start();
  await engine.setSequential({ id, sequential: true });
  t.ok(bench.hasFlag(id, 'sequential'));
  const again = new Bench(bench.store, bench.disk);
  await again.start();
  t.ok(again.hasFlag(id, 'sequential'));
  await again.engine.setSequential({ id, sequential: false });
  t.notOk(again.hasFlag(id, 'sequential'));
  const source = { kind: 'metainfo', bytes: torrent(2).torrentBytes } as const;
  const begin = { source, savePath: '/save', ownerId: ADMIN_ACCOUNT_ID, paused: true, sequential: true };
  const added = await again.engine.addTorrent(begin);
  t.ok(again.hasFlag(added.id, 'sequential'), 'from the start on when it is added so');
  await again.stop();
  await bench.stop();
});

void t.test('facts are told when one of them has changed, and not of what the row of numbers says', async (t) => {
  const { bench, id, engine } = await start();
  const told = bench.facts.get(id);
  await engine.setSequential({ id, sequential: true });
  await engine.setForceStart({ id, forceStart: true });
  await engine.pauseTorrent({ id });
  await engine.resumeTorrent({ id });
  t.equal(bench.facts.get(id), told);
  await engine.removeTracker({ id, url: A });
  t.not(bench.facts.get(id), told);
  await bench.stop();
});

void t.test('an unknown torrent', async (t) => {
  const { bench, engine } = await start();
  const id = 'ab'.repeat(20) as TorrentId;
  const gone = { code: 'TORRENT_NOT_FOUND' };
  await t.rejects(async () => engine.setFilePriorities({ id, priorities: {} }), gone);
  await t.rejects(async () => engine.setQueuePosition({ id, position: 0 }), gone);
  await t.rejects(async () => engine.addTracker({ id, url: A, accountId: ADMIN_ACCOUNT_ID }), gone);
  await bench.stop();
});
