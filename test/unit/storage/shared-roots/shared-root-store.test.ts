// Torrents on a root that engines share are one engine's at a time, and no end at any moment loses one or gives it to two.
import t from 'tap';
import { createHash } from 'node:crypto';
import { readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ADMIN_ACCOUNT_ID, parseInfoHash } from '../../../../shared-protocol/ids.js';
import { createMemoryTorrentStore } from '../../../support/memory-torrent-store.js';
import { RootFolder } from '../../../../storage/shared-roots/root-folder.js';
import { SharedRootStore } from '../../../../storage/shared-roots/shared-root-store.js';
import type { ResumeRow, TorrentRow, TorrentStore } from '../../../../storage/types.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';

const INFO = Uint8Array.of(1, 2, 3);
/** Torrent 1 has this info dictionary, and comes before all others. */
const FIRST = createHash('sha1').update(INFO).digest('hex');
const idOf = (n: number) => parseInfoHash(n === 1 ? FIRST : `f${n.toString(16).padStart(39, '0')}`);
const [A, B] = ['a'.repeat(32), 'b'.repeat(32)];

async function scene() {
  const root = await realpath(await temporaryDirectory());
  const stores = new Map<string, TorrentStore>();
  const warnings: string[] = [];
  const epochs = new Map<string, number>();
  const log = { info: () => undefined, warn: (message: string) => void warnings.push(message) };
  const rowOf = (n: number, change: Partial<TorrentRow> = {}): TorrentRow => ({
    ...{ id: idOf(n), ownerId: ADMIN_ACCOUNT_ID, savePath: root, addedAt: n, completedAt: null, paused: false },
    ...{ sequential: false, name: `torrent ${n}`, trackers: [], webSeeds: [], filePriorities: null, summary: null },
    ...{ selectOnly: null, ...change },
  });
  /** Begins an engine, or begins it again, on the store that it has. */
  const begin = async (engineId: string) => {
    const store = stores.get(engineId) ?? createMemoryTorrentStore();
    stores.set(engineId, store);
    const epoch = (epochs.get(engineId) ?? 0) + 1;
    epochs.set(engineId, epoch);
    return SharedRootStore.open(store, { engineId, roots: [root], epoch, log });
  };
  const own = async (engineId: string) => (await (await RootFolder.open(root, engineId)).torrents()).toSorted();
  const ids = (store: TorrentStore) => [...store.rows()].map(({ id }) => id).toSorted();
  const take = (store: SharedRootStore, from: string, limit = 50) =>
    store.take({ from: { engineId: from, epoch: 100 }, limit });
  return { root, rowOf, begin, own, ids, take, warnings, epochs };
}

void t.test('all of a torrent goes to the engine that takes it', async (t) => {
  const { root, rowOf, begin, own, ids, take } = await scene();
  const a = await begin(A);
  const resume: ResumeRow = {
    ...{ have: Uint8Array.of(0x80), bytesDone: 1, wantedDone: 1, wantedBytes: 1, uploadedBytes: 5, downloadedBytes: 1 },
    ...{ files: [{ sizeBytes: 1, mtimeMs: 2 }], savedAt: 3, activeSeconds: 9, counting: { what: 'active', since: 7 } },
  };
  await a.insert(rowOf(1), INFO, null);
  await a.update(idOf(1), { paused: true });
  await a.putClaims(idOf(1), 0, Uint8Array.of(4));
  await a.putResume(new Map([[idOf(1), resume]]));
  await a.insert(rowOf(2, { filePriorities: ['skip', 'normal'] }), null, null);
  await a.insert(rowOf(3, { savePath: '/elsewhere' }), null, null);
  t.same(await own(A), [1, 2].map(idOf), 'what is elsewhere is nobody else’s');
  await a.close();
  const b = await begin(B);
  t.same(await take(b, A, 1), { ids: [idOf(1)], left: 1 });
  t.same(await take(b, A, 1), { ids: [idOf(2)], left: 0 });
  t.same(await take(b, A, 1), { ids: [], left: 0 });
  t.same(
    [b.row(idOf(1)), b.infoBytes(idOf(1)), b.claims(idOf(1), 0)],
    [rowOf(1, { paused: true }), INFO, Uint8Array.of(4)],
  );
  const { counting: _, ...kept } = resume;
  t.same(b.resume(idOf(1)), kept, 'how long an engine has run is its own');
  t.equal(b.row(idOf(2))?.pendingCheck, 'all', 'pieces of skipped files lay beside them');
  const again = await begin(A);
  t.same(ids(again), [idOf(3)], 'the engine before does without them');
  t.same(await (await RootFolder.open(root, A)).gone(), []);
  t.same([await own(A), await own(B)], [[], [1, 2].map(idOf)]);
  await b.remove(idOf(1));
  t.same(await readdir(join(root, '.swarmd', 'metainfo')), []);
});

void t.test('one is handed over, and back', async (t) => {
  const { rowOf, begin, ids, own } = await scene();
  const [a, b] = [await begin(A), await begin(B)];
  await a.insert(rowOf(1), INFO, null);
  await a.give(idOf(1), B);
  t.same([ids(a), await own(B)], [[], [idOf(1)]]);
  t.same(await b.take({ from: null, limit: 1 }), { ids: [idOf(1)], left: 0 });
  await b.update(idOf(1), { name: 'renamed' });
  await b.give(idOf(1), A);
  t.same(ids(await begin(A)), [idOf(1)], 'also by a start');
  t.equal((await begin(A)).row(idOf(1))?.name, 'renamed');
  await t.rejects(a.give(idOf(9), B), { code: 'TORRENT_NOT_FOUND' });
  await a.insert(rowOf(2, { savePath: '/elsewhere' }), null, null);
  await t.rejects(a.give(idOf(2), B), { code: 'SAVE_PATH_INVALID' });
});

void t.test('ends in the middle', async (t) => {
  const { root, rowOf, begin, ids, own } = await scene();
  const a = await begin(A);
  await a.insert(rowOf(1), null, null);
  const folder = (engine: string, kind: string, n: number) => join(root, '.swarmd', 'engines', engine, kind, idOf(n));
  await writeFile(folder(A, 'gone', 1), '');
  t.same(ids(await begin(A)), [idOf(1)], 'about to be taken, and not taken: it is still its own');
  t.same(await readdir(join(root, '.swarmd', 'engines', A, 'gone')), []);
  // The entry was written, and the store not.
  const c = await begin(A);
  await c.insert(rowOf(2), null, null);
  await rm(folder(A, 'torrents', 2));
  t.same(ids(await begin(A)), [1, 2].map(idOf), 'nobody has it: it is its own');
  await c.close();
  await (await begin(A)).close();
  t.same(await own(A), [1, 2].map(idOf), 'and its entry is there again');
  await writeFile(folder(A, 'torrents', 3), 'no entry');
  t.same(ids(await begin(A)), [1, 2].map(idOf));
});

void t.test('one that is held off in the middle of a write does not have what another has taken', async (t) => {
  const { root, rowOf, begin, ids, own, take } = await scene();
  const a = await begin(A);
  await a.insert(rowOf(1), null, null);
  const file = join(root, '.swarmd', 'engines', A, 'torrents', idOf(1));
  const entry = await readFile(file);
  const b = await begin(B);
  await take(b, A);
  await writeFile(file, entry);
  t.same(ids(await begin(A)), []);
  t.same([await own(A), await own(B)], [[], [idOf(1)]]);
});

void t.test('who has begun again since is not taken from', async (t) => {
  const { rowOf, begin, epochs } = await scene();
  const a = await begin(A);
  await a.insert(rowOf(1), null, null);
  const b = await begin(B);
  epochs.set(A, 6);
  await begin(A);
  await t.rejects(b.take({ from: { engineId: A, epoch: 7 }, limit: 1 }), { code: 'ENGINE_FENCED' });
  t.same(await b.take({ from: { engineId: A, epoch: 8 }, limit: 1 }), { ids: [idOf(1)], left: 0 });
});

void t.test('two that take at once have each of them once; nobody adds what another has there', async (t) => {
  const { rowOf, begin, ids, take, own } = await scene();
  const a = await begin(A);
  for (let n = 1; n <= 20; n++) await a.insert(rowOf(n), null, null);
  const [b, c] = [await begin(B), await begin('c'.repeat(32))];
  await t.rejects(b.insert(rowOf(5), null, null), { code: 'ENGINE_AWAY' });
  t.same([ids(b), await own(B)], [[], []], 'nothing of it is left');
  await b.insert(rowOf(6, { savePath: '/elsewhere' }), null, null);
  await a.close();
  await Promise.all([take(b, A), take(c, A)]);
  const shared = [...ids(b).filter((id) => id !== idOf(6)), ...ids(c).filter((id) => id !== idOf(6))];
  t.equal(shared.length, 19);
  t.equal(new Set(shared).size, 19);
  t.equal(b.row(idOf(6))?.savePath, '/elsewhere', 'one that has it already does not take another');
});

void t.test('changes are written in their order, whatever comes at once', async (t) => {
  const { rowOf, begin, take } = await scene();
  const a = await begin(A);
  await a.insert(rowOf(1), null, null);
  await Promise.all(Array.from({ length: 50 }, (_, n) => a.update(idOf(1), { name: `name ${n}` })));
  const b = await begin(B);
  await take(b, A);
  t.equal(b.row(idOf(1))?.name, 'name 49');
});

void t.test('a folder that leads elsewhere is refused', async (t) => {
  const [root, other] = [await temporaryDirectory(), await temporaryDirectory()];
  await symlink(other, join(root, '.swarmd'));
  await t.rejects(RootFolder.open(root, A), { code: 'STORAGE_FAILED', message: /\.swarmd cannot be used/ });
});
