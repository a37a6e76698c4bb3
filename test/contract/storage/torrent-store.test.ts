// One suite over every TorrentStore; what is particular to LMDB (it outlives its process) comes after it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { open } from 'lmdb';
import t from 'tap';
import { ADMIN_ACCOUNT_ID, parseInfoHash, type TorrentId } from '../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../../shared-protocol/library-record.js';
import { openTorrentStore } from '../../../storage/lmdb-torrent-store.js';
import { createMemoryTorrentStore } from '../../support/memory-torrent-store.js';
import { SHARED_FOLDER } from '../../../storage/shared-roots/shared-folder.js';
import { SharedRootStore } from '../../../storage/shared-roots/shared-root-store.js';
import type { ResumeRow, TorrentRow, TorrentStore } from '../../../storage/types.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

/** A folder that is there: for one of the stores it is on a root that engines share. */
const SAVE_PATH = await temporaryDirectory();

const idOf = (n: number): TorrentId => parseInfoHash(n.toString(16).padStart(40, '0'));

function rowOf(n: number, change: Partial<TorrentRow> = {}): TorrentRow {
  return {
    id: idOf(n),
    ownerId: ADMIN_ACCOUNT_ID,
    savePath: SAVE_PATH,
    addedAt: 1_700_000_000 + n,
    completedAt: null,
    paused: false,
    sequential: false,
    name: `torrent ${n}`,
    trackers: [['http://a/announce', 'http://b/announce'], ['udp://c:1']],
    webSeeds: [],
    filePriorities: ['normal', 'skip', 'max'],
    summary: { totalBytes: 12, pieceLength: 16_384, pieceCount: 1, isPrivate: false },
    selectOnly: [{ first: 0, last: 2 }],
    ...change,
  };
}

function openRaw(dir: string) {
  return open({ path: join(dir, 'data.mdb'), noSubdir: true, overlappingSync: false });
}

const RESUME: ResumeRow = {
  have: Uint8Array.of(0xff, 0x80),
  trusted: Uint8Array.of(0x81, 0x80),
  bytesDone: 12,
  wantedDone: 5,
  wantedBytes: 7,
  uploadedBytes: 2 ** 40,
  downloadedBytes: 3,
  files: [
    { sizeBytes: 12, mtimeMs: 1.5 },
    { sizeBytes: null, mtimeMs: 0 },
  ],
  savedAt: 1_700_000_001,
};

const INFO = Uint8Array.from({ length: 100_000 }, (_, i) => i * 7);

const stores: { name: string; create: () => Promise<TorrentStore> }[] = [
  { name: 'memory', create: async () => createMemoryTorrentStore() },
  { name: 'lmdb', create: async () => openTorrentStore(await temporaryDirectory()) },
  {
    name: 'shared root',
    async create() {
      const root = await realpath(SAVE_PATH);
      // What the engine of the test before has there is not to be this one's.
      await rm(join(root, SHARED_FOLDER), { recursive: true, force: true });
      const engineId = randomBytes(16).toString('hex');
      const log = { info: () => undefined, warn: () => undefined };
      return SharedRootStore.open(createMemoryTorrentStore(), { engineId, roots: [root], epoch: 1, log });
    },
  },
];

for (const { name, create } of stores) {
  void t.test(`${name}: a torrent goes in and comes out whole`, async (t) => {
    const store = await create();
    await store.insert(rowOf(1), INFO, RESUME);
    await store.insert(rowOf(2, { filePriorities: null, selectOnly: null }), null, null);
    t.same(store.row(idOf(1)), rowOf(1));
    t.same(
      [...store.rows()].map(({ id }) => id),
      [idOf(1), idOf(2)],
    );
    t.same(store.infoBytes(idOf(1)), INFO);
    t.same(store.resume(idOf(1)), RESUME);
    t.equal(store.infoBytes(idOf(2)), undefined);
    t.equal(store.resume(idOf(2)), undefined);
    t.equal(store.row(idOf(3)), undefined);
    await store.close();
  });

  void t.test(`${name}: all that is stored goes into another store as it is`, async (t) => {
    const store = await create();
    t.equal(store.whole(idOf(1)), undefined);
    await store.insert(rowOf(1), INFO, RESUME, new Map([[1, Uint8Array.of(1)]]));
    await store.putClaims(idOf(1), 7, Uint8Array.of(7));
    const whole = store.whole(idOf(1))!;
    t.same(whole, {
      ...{ row: rowOf(1), infoBytes: INFO, resume: RESUME },
      claims: new Map([[7, Uint8Array.of(7)]]),
      pathLists: new Map([[1, Uint8Array.of(1)]]),
    });
    await store.remove(idOf(1));
    await store.insertWhole(whole);
    t.same(store.whole(idOf(1)), whole);
    t.same(
      [store.row(idOf(1)), store.claims(idOf(1), 7), store.pathList(idOf(1), 1)],
      [rowOf(1), Uint8Array.of(7), Uint8Array.of(1)],
    );
    await store.close();
  });

  void t.test(`${name}: what is added in place of another has nothing of that`, async (t) => {
    const store = await create();
    await store.insert(rowOf(1), INFO, RESUME, new Map([[1, Uint8Array.of(1)]]));
    await store.putClaims(idOf(1), 7, Uint8Array.of(7));
    await store.insert(rowOf(1), null, null);
    const nothing = { infoBytes: null, resume: null, claims: new Map(), pathLists: new Map() };
    t.same(store.whole(idOf(1)), { row: rowOf(1), ...nothing });
    await store.close();
  });

  void t.test(`${name}: row, claims and progress change together`, async (t) => {
    const store = await create();
    await store.insert(rowOf(1), INFO, RESUME);
    await store.putClaims(idOf(1), 7, Uint8Array.of(7));
    const move = { from: SAVE_PATH, to: '/srv/new', phase: 'cleaning' } as const;
    const claims = new Map([
      [0, Uint8Array.of(1, 2)],
      [7, null],
    ]);
    await store.change(idOf(1), { row: { savePath: '/srv/new', move }, claims, resume: { ...RESUME, files: [] } });
    t.same(store.row(idOf(1)), rowOf(1, { savePath: '/srv/new', move }));
    t.same([store.claims(idOf(1), 0), store.claims(idOf(1), 7)], [Uint8Array.of(1, 2), undefined]);
    t.same(store.resume(idOf(1)), { ...RESUME, files: [] });
    await store.change(idOf(1), { row: { move: null }, claims: new Map() });
    t.same(store.row(idOf(1)), rowOf(1, { savePath: '/srv/new', move: null }));
    t.same(store.resume(idOf(1)), { ...RESUME, files: [] }, 'as it was');
    await t.rejects(store.change(idOf(2), { row: {}, claims }), { code: 'TORRENT_NOT_FOUND' });
    t.same(store.allClaims(idOf(2)), []);
    await store.close();
  });

  void t.test(`${name}: lists of paths change with the row and go with their torrent`, async (t) => {
    const store = await create();
    await store.insert(rowOf(1), null, null);
    const change = (pathLists: ReadonlyMap<number, Uint8Array | null>) =>
      store.change(idOf(1), { row: {}, claims: new Map(), pathLists });
    await change(new Map([[1, Uint8Array.of(1)]]));
    await change(new Map([[2, Uint8Array.of(2)]]));
    await store.change(idOf(1), { row: {}, claims: new Map() });
    t.same([store.pathList(idOf(1), 1), store.pathList(idOf(1), 2)], [Uint8Array.of(1), Uint8Array.of(2)]);
    await change(new Map([[1, null]]));
    t.same([store.pathList(idOf(1), 1), store.pathList(idOf(1), 2)], [undefined, Uint8Array.of(2)]);
    t.same(store.allClaims(idOf(1)), []);
    await store.remove(idOf(1));
    t.equal(store.pathList(idOf(1), 2), undefined);
    await store.close();
  });

  void t.test(`${name}: claims come in parts and go with their torrent`, async (t) => {
    const store = await create();
    await t.rejects(store.putClaims(idOf(1), 0, INFO), { code: 'TORRENT_NOT_FOUND' });
    await Promise.all([store.insert(rowOf(1), null, null), store.insert(rowOf(2), null, null)]);
    const parts = [0, 7, 12].map((part) => Uint8Array.of(part, 1, 2));
    await Promise.all([
      ...parts.map((bytes) => store.putClaims(idOf(1), bytes[0]!, bytes)),
      store.putClaims(idOf(2), 0, Uint8Array.of(9)),
    ]);
    t.same(store.claims(idOf(1), 7), parts[1]);
    t.equal(store.claims(idOf(1), 1), undefined);
    t.same(new Set(store.allClaims(idOf(1)).map(([part]) => part)), new Set([0, 7, 12]));
    const pending = store.putClaims(idOf(1), 13, Uint8Array.of(13));
    t.equal(store.allClaims(idOf(1)).length, 4, 'also what is on its way');
    await pending;
    await store.remove(idOf(1));
    t.same(store.allClaims(idOf(1)), []);
    t.equal(store.claims(idOf(1), 7), undefined);
    t.same(store.allClaims(idOf(2)), [Uint8Array.of(9)]);
    await store.close();
  });

  void t.test(`${name}: reads see writes that are still on their way`, async (t) => {
    const store = await create();
    await store.insert(rowOf(1), INFO, RESUME);
    const writes = [
      store.insert(rowOf(2), INFO, null),
      store.update(idOf(2), { paused: true }),
      store.update(idOf(2), { name: 'renamed' }),
      store.remove(idOf(1)),
      store.putMeta('seed', Uint8Array.of(1)),
    ];
    t.match(store.row(idOf(2)), { paused: true, name: 'renamed' });
    t.same(store.infoBytes(idOf(2)), INFO);
    t.equal(store.row(idOf(1)), undefined);
    t.equal(store.infoBytes(idOf(1)), undefined);
    t.equal([...store.rows()].length, 1);
    t.same(store.meta('seed'), Uint8Array.of(1));
    await Promise.all(writes);
    t.match(store.row(idOf(2)), { paused: true, name: 'renamed', savePath: SAVE_PATH });
    t.equal([...store.rows()].length, 1);
    await store.close();
  });

  void t.test(`${name}: what goes with a torrent goes with it`, async (t) => {
    const store = await create();
    await store.insert(rowOf(1), INFO, RESUME);
    await store.remove(idOf(1));
    await store.putResume(new Map([[idOf(1), RESUME]]));
    t.equal(store.resume(idOf(1)), undefined, 'a resume row that comes late is left out');
    await t.rejects(store.update(idOf(1), { paused: true }), { code: 'TORRENT_NOT_FOUND' });
    await t.rejects(store.putInfoBytes(idOf(1), INFO), { code: 'TORRENT_NOT_FOUND' });
    await store.insert(rowOf(1), null, null);
    t.equal(store.infoBytes(idOf(1)), undefined, 'nothing of the removed one is left for its successor');
    await store.close();
  });

  void t.test(`${name}: what rows did not have from the first is optional`, async (t) => {
    const store = await create();
    await store.insert(rowOf(1), null, null);
    t.notOk('queueKey' in (store.row(idOf(1)) ?? {}), 'an old row comes out as it went in');
    const library = { shares: [], categoryId: 2, tagIds: [1], seedPolicy: null, seedingSince: null };
    const change = { queueKey: -2.5, forceStart: true, pendingPriorities: { 0: 'skip', 70: 'max' }, library } as const;
    await store.update(idOf(1), change);
    t.same(store.row(idOf(1)), { ...rowOf(1), ...change });
    await store.update(idOf(1), { pendingPriorities: null });
    t.equal(store.row(idOf(1))?.pendingPriorities, null);
    await store.close();
  });

  void t.test(`${name}: many resume rows at once`, async (t) => {
    const store = await create();
    const numbers = Array.from({ length: 500 }, (_, i) => i + 1);
    await Promise.all(numbers.map((n) => store.insert(rowOf(n), null, null)));
    await store.putResume(new Map(numbers.map((n) => [idOf(n), { ...RESUME, uploadedBytes: n }])));
    t.ok(numbers.every((n) => store.resume(idOf(n))?.uploadedBytes === n));
    await store.close();
  });

  void t.test(`${name}: bytes are copied on the way in and out`, async (t) => {
    const store = await create();
    const info = Uint8Array.of(1, 2, 3);
    const have = Uint8Array.of(0xf0);
    const written = store.insert(rowOf(1), info, { ...RESUME, have });
    info[0] = 9;
    have[0] = 9;
    await written;
    const out = store.infoBytes(idOf(1));
    t.same(out, Uint8Array.of(1, 2, 3));
    t.equal(out?.buffer.byteLength, 3, 'not a view of a pool');
    t.notOk(Buffer.isBuffer(out));
    const resume = store.resume(idOf(1));
    t.same(resume?.have, Uint8Array.of(0xf0));
    t.equal(resume?.have.buffer.byteLength, 1);
    out?.fill(0);
    t.same(store.infoBytes(idOf(1)), Uint8Array.of(1, 2, 3));
    await store.close();
  });
}

void t.test('lmdb: what was acknowledged outlives kill -9', async (t) => {
  const dir = await temporaryDirectory();
  const module = new URL('../../../storage/lmdb-torrent-store.js', import.meta.url).href;
  const script = `const { openTorrentStore } = await import(${JSON.stringify(module)});
    const store = openTorrentStore(${JSON.stringify(dir)});
    await store.insert(${JSON.stringify(rowOf(1))}, Uint8Array.of(1), null);
    console.log('acknowledged'); setInterval(() => {}, 1000);`;
  const writer = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(writer.stdout, 'data');
  writer.kill('SIGKILL');
  await once(writer, 'exit');
  const store = openTorrentStore(dir);
  t.same(store.row(idOf(1)), rowOf(1));
  t.same(store.infoBytes(idOf(1)), Uint8Array.of(1));
  await store.close();
});

void t.test('lmdb: a store of a newer program is refused', async (t) => {
  const dir = await temporaryDirectory();
  await openTorrentStore(dir).close();
  const root = openRaw(dir);
  root.openDB<number, number>({ name: 'schema' }).putSync(0, 3);
  await root.close();
  t.throws(() => openTorrentStore(dir), { code: 'STORAGE_TOO_NEW' });
});

void t.test('lmdb: rows of version 1 are MessagePack; they become JSON one by one, as they change', async (t) => {
  const dir = await temporaryDirectory();
  const old = openRaw(dir);
  const library = { ...NEW_LIBRARY_RECORD, tagIds: [1, 2] };
  await old.openDB<TorrentRow, string>({ name: 'torrents' }).put(idOf(1), rowOf(1, { name: 'ünï 🎬', library }));
  await old
    .openDB<TorrentRow, string>({ name: 'torrents' })
    .put(idOf(2), rowOf(2, { pendingPriorities: { 3: 'high' } }));
  await old.openDB<number, number>({ name: 'schema' }).put(0, 1);
  await old.close();
  const store = openTorrentStore(dir);
  const rows = [rowOf(1, { name: 'ünï 🎬', library }), rowOf(2, { pendingPriorities: { 3: 'high' } })];
  t.same([...store.rows()], rows);
  t.same(store.row(idOf(2)), rows[1]);
  await store.update(idOf(1), { paused: true });
  t.same([...store.rows()], [{ ...rows[0], paused: true }, rows[1]]);
  await store.close();
  const now = openRaw(dir);
  t.equal(now.openDB<number, number>({ name: 'schema' }).get(0), 2, 'a program that knows version 1 refuses it');
  const bytes = now.openDB<Buffer, string>({ name: 'torrents', encoding: 'binary' });
  t.same(JSON.parse(bytes.get(idOf(1))!.toString()), { ...rows[0], paused: true });
  t.equal(bytes.get(idOf(2))![0], 0xd4, 'as it was');
  await now.close();
});

void t.test('lmdb: a directory that cannot be is one clear error', async (t) => {
  t.throws(() => openTorrentStore('/dev/null/store'), { code: 'STORAGE_FAILED', message: /cannot open/ });
});

void t.test('lmdb: a first start that was cut off is begun anew', async (t) => {
  const dir = await temporaryDirectory();
  // What a power cut may leave of LMDB's first two pages: opened, it kills the process.
  const half = Buffer.alloc(4096);
  half.writeUInt32LE(0xbeefc0de, 24);
  await writeFile(join(dir, 'new.mdb'), half);
  const store = openTorrentStore(dir);
  await store.insert(rowOf(1), INFO, null);
  await store.close();
  t.same((await readdir(dir)).sort(), ['data.mdb', 'data.mdb-lock'], 'nothing half-made is left');
  const again = openTorrentStore(dir);
  t.same(again.row(idOf(1)), rowOf(1), 'and what is there is not made again');
  await again.close();
});
