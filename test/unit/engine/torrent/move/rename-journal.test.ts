// A rename that ends at each step of its journal, and what the next run makes of it: the files lie at one of the two places,
// whole and once, and the row names it. Then what is asked meanwhile.
import t, { type Test } from 'tap';
import { ADMIN_ACCOUNT_ID } from '../../../../../shared-protocol/ids.js';
import { createMemoryTorrentStore } from '../../../../support/memory-torrent-store.js';
import type { TorrentStore } from '../../../../../storage/types.js';
import { seededBytes } from '../../../../support/make-torrent.js';
import { MemoryDisk } from '../../../../support/memory-disk.js';
import { TORRENT_FLAGS } from '../../../../../shared-protocol/stats-table.js';
import { PIECE_BYTES, TorrentBench } from '../torrent-bench.js';

const FILES = [
  { path: ['a'], bytes: seededBytes(1, PIECE_BYTES + 5) },
  { path: ['sub', 'b'], bytes: seededBytes(2, PIECE_BYTES) },
  { path: ['sub', 'c'], bytes: seededBytes(3, 100) },
];
const OLD = ['/save/payload/a', '/save/payload/sub/b', '/save/payload/sub/c'];
const NEW = ['/save/payload/a', '/save/payload/new/b', '/save/payload/new/c'];
const RENAME = { from: 'payload/sub', to: 'payload/new', accountId: ADMIN_ACCOUNT_ID };

async function setScene(store: TorrentStore, disk: MemoryDisk): Promise<TorrentBench> {
  return TorrentBench.start({ store, disk, files: FILES });
}

/** The store of a process that ends when it commits for the so many-th time: before that is done, or behind it. */
function endingAt(store: TorrentStore, commit: number, when: 'before' | 'after'): TorrentStore {
  let commits = 0;
  const ending: Pick<TorrentStore, 'change'> = {
    async change(id, change) {
      const isLast = ++commits === commit;
      if (!isLast || when === 'after') await store.change(id, change);
      if (isLast) await new Promise(() => undefined);
    },
  };
  return Object.assign(Object.create(store) as TorrentStore, ending);
}

function isWhole(t: Test, disk: MemoryDisk, paths: readonly string[]): void {
  t.same(disk.paths, [...paths].sort(), 'and nowhere else');
  for (const [n, path] of paths.entries()) t.same(disk.content(path), FILES[n]!.bytes, path);
}

const pathsOf = (bench: TorrentBench): string[] =>
  (bench.torrent.details(['files']).files ?? []).map(({ path }) => `/save/${path}`);

const ENDS = [
  { commit: 1, when: 'before', expected: OLD },
  { commit: 1, when: 'after', expected: NEW },
  { commit: 2, when: 'before', expected: NEW },
  { commit: 2, when: 'after', expected: NEW },
  { commit: 3, when: 'before', expected: NEW },
  { commit: 3, when: 'after', expected: NEW },
] as const;

for (const { commit, when, expected } of ENDS) {
  void t.test(`an end ${when} commit ${commit}`, async (t) => {
    const [store, disk] = [createMemoryTorrentStore(), new MemoryDisk()];
    for (const [n, path] of OLD.entries()) disk.put(path, 0, FILES[n]!.bytes);
    const first = await setScene(store, disk);
    t.ok(first.isComplete);
    await first.stop();
    const ended = await setScene(endingAt(store, commit, when), disk);
    void ended.torrent.renamePath(RENAME, undefined);
    await ended.clock.advance(100);
    t.equal((ended.stats.flags & TORRENT_FLAGS.moving) !== 0, commit === 2, 'moving');

    const next = await setScene(store, disk);
    await next.clock.advance(1_000);
    t.match(next.torrent.moveStatus(), { state: 'none', error: null });
    t.same(pathsOf(next), expected);
    isWhole(t, disk, expected);
    t.ok(next.isComplete);
    t.equal(store.row(next.made.infoHash)?.move ?? null, null);
    // What the journal had is not kept: one list at most.
    const { pathList } = store.row(next.made.infoHash)!;
    const lists = [1, 2, 3].filter((number) => store.pathList(next.made.infoHash, number));
    t.same(lists, pathList === undefined ? [] : [pathList]);
    await next.stop();
  });
}

void t.test('one after another, there and back; a move takes the names along', async (t) => {
  const [store, disk] = [createMemoryTorrentStore(), new MemoryDisk()];
  for (const [n, path] of OLD.entries()) disk.put(path, 0, FILES[n]!.bytes);
  const bench = await setScene(store, disk);
  const { torrent } = bench;
  const rename = async (from: string, to: string): Promise<unknown> => {
    const renaming = torrent
      .renamePath({ from, to, accountId: ADMIN_ACCOUNT_ID }, undefined)
      .catch((error: unknown) => error);
    await bench.clock.advance(100);
    return renaming;
  };
  t.match(await rename('payload/sub', 'payload/new'), { state: 'none' });
  t.match(await rename('payload', 'Other'), { state: 'none' });
  isWhole(t, disk, ['/save/Other/a', '/save/Other/new/b', '/save/Other/new/c']);
  t.match(bench.facts, { name: 'payload', contentName: 'Other' });
  await torrent.moveTo({ path: '/there', accountId: ADMIN_ACCOUNT_ID }, undefined);
  await bench.clock.advance(1_000);
  isWhole(t, disk, ['/there/Other/a', '/there/Other/new/b', '/there/Other/new/c']);
  t.match(await rename('Other/new', 'Other/sub'), { state: 'none' });
  t.match(await rename('Other', 'payload'), { state: 'none' });
  t.equal(store.row(torrent.id)?.pathList, undefined, 'nothing is stored of names that are its own');
  t.equal(bench.facts?.contentName ?? 'payload', 'payload');
  disk.put('/there/payload/taken', 0, Uint8Array.of(1));
  t.match(await rename('payload/a', 'payload/taken'), { code: 'MOVE_TARGET_TAKEN', message: /^to: payload\/taken/ });
  t.match(torrent.moveStatus(), { state: 'none', error: null });
  t.match(await rename('payload/x', 'payload/y'), { code: 'FILE_NOT_FOUND' });
  disk.remove('/there/payload/sub/b');
  t.match(await rename('payload', 'Other'), { code: 'FILES_MISSING', message: /^payload\/sub\/b: / });
  t.same(pathsOf(bench), OLD);
  await bench.stop();
});

void t.test('while it is checked it waits, and says so', async (t) => {
  const [store, disk] = [createMemoryTorrentStore(), new MemoryDisk()];
  for (const [n, path] of OLD.entries()) disk.put(path, 0, FILES[n]!.bytes);
  const bench = await setScene(store, disk);
  // The check is not given its turn before the clock goes on.
  void bench.torrent.recheck();
  const renaming = bench.torrent.renamePath(RENAME, undefined);
  await bench.clock.advance(30_000);
  t.match(await renaming, { state: /none|waiting/ });
  await bench.clock.advance(30_000);
  t.match(bench.torrent.moveStatus(), { state: 'none', error: null });
  isWhole(t, disk, NEW);
  t.ok(bench.isComplete);
  await bench.stop();
});
