// A move that a person ends: it is over, whatever else is asked meanwhile, and does not begin by itself again.
import t from 'tap';
import { AppError } from '../../../../../shared-protocol/errors.js';
import { ADMIN_ACCOUNT_ID } from '../../../../../shared-protocol/ids.js';
import { createMemoryTorrentStore } from '../../../../support/memory-torrent-store.js';
import { seededBytes } from '../../../../support/make-torrent.js';
import { MemoryDisk } from '../../../../support/memory-disk.js';
import { PIECE_BYTES, TorrentBench } from '../torrent-bench.js';

const FILES = [{ path: ['a'], bytes: seededBytes(1, PIECE_BYTES + 5) }];
const LATE_MS = 60_000;

/** Work that waits until it is let. */
function gate() {
  let open = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  return { open, isOpen };
}

function wholeDisk(): MemoryDisk {
  const disk = new MemoryDisk();
  disk.put('/save/payload/a', 0, FILES[0]!.bytes);
  return disk;
}

/** A complete torrent that is to lie below `/home`. `wait`: before files are brought. */
async function atHomesDoor(wait: Promise<void>) {
  const [store, disk] = [createMemoryTorrentStore(), wholeDisk()];
  const first = await TorrentBench.start({ store, disk, files: FILES });
  await first.stop();
  await store.update(first.made.infoHash, { completePath: '/home' });
  const { relocation } = disk;
  disk.relocation = (params) => {
    const made = relocation.call(disk, params);
    const bring = made.bring.bind(made);
    made.bring = async (bringing) => {
      await wait;
      if (bringing.isStopped()) throw new AppError('MOVE_CONFLICT', 'move: ended');
      return bring(bringing);
    };
    return made;
  };
  const bench = await TorrentBench.start({ store, disk, files: FILES });
  await bench.clock.advance(1_000);
  return { store, disk, bench };
}

void t.test('one home, while it copies, is not begun anew', async (t) => {
  const { open, isOpen } = gate();
  const { store, disk, bench } = await atHomesDoor(isOpen);
  t.match(bench.torrent.moveStatus(), { state: 'copying', path: '/home' });
  const cancelled = bench.torrent.cancelMove(undefined);
  await bench.clock.settle();
  open();
  await cancelled;
  await bench.clock.advance(LATE_MS);
  t.match(bench.torrent.moveStatus(), { state: 'none', path: null, error: null });
  t.same(disk.paths, ['/save/payload/a']);
  t.equal(store.row(bench.torrent.id)?.completePath ?? null, null);
  await bench.stop();
});

/** A torrent that is being checked, and how often each save path has come into use since. */
async function whileChecked() {
  const disk = wholeDisk();
  const bench = await TorrentBench.start({ disk, files: FILES });
  const { open, isOpen } = gate();
  const { hashPieces } = disk.hasher;
  const hasher: Pick<typeof disk.hasher, 'hashPieces'> = {
    hashPieces: (pieces) => isOpen.then(() => hashPieces(pieces)),
  };
  Object.assign(disk.hasher, hasher);
  const uses = new Map<string, number>();
  const count = (path: string, change: number) => void uses.set(path, (uses.get(path) ?? 0) + change);
  const { use, leave } = disk.savePaths;
  Object.assign(disk.savePaths, {
    use: (path: string) => (count(path, 1), use.call(disk.savePaths, path)),
    leave: (path: string) => (count(path, -1), leave.call(disk.savePaths, path)),
  });
  void bench.torrent.recheck();
  await bench.clock.advance(100);
  return { disk, bench, uses, endCheck: open };
}

/** A move to `/one` that waits for a check. */
async function behindACheck() {
  const scene = await whileChecked();
  await scene.bench.torrent.moveTo({ path: '/one', accountId: ADMIN_ACCOUNT_ID }, undefined);
  return scene;
}

void t.test('one that waits is over before another begins', async (t) => {
  const { disk, bench, uses, endCheck } = await behindACheck();
  const { torrent } = bench;
  t.equal(torrent.moveStatus().state, 'waiting');
  const cancelled = torrent.cancelMove(undefined);
  await t.rejects(torrent.moveTo({ path: '/two', accountId: ADMIN_ACCOUNT_ID }, undefined), { code: 'MOVE_CONFLICT' });
  await cancelled;
  t.same([...uses], [['/one', 0]], 'it is let go of once: others may lie there');
  t.match(torrent.moveStatus(), { state: 'none', path: null, error: null });
  await torrent.moveTo({ path: '/two', accountId: ADMIN_ACCOUNT_ID }, undefined);
  endCheck();
  await bench.clock.advance(LATE_MS);
  t.same(disk.paths, ['/two/payload/a']);
  await bench.stop();
});

void t.test('ended twice, it is over once', async (t) => {
  const { disk, bench, uses, endCheck } = await behindACheck();
  await Promise.all([bench.torrent.cancelMove(undefined), bench.torrent.cancelMove(undefined)]);
  t.same([...uses], [['/one', 0]]);
  endCheck();
  await bench.clock.advance(LATE_MS);
  t.same(disk.paths, ['/save/payload/a']);
  t.match(bench.torrent.moveStatus(), { state: 'none', path: null, error: null });
  await bench.stop();
});

void t.test('what a failed one has left is put in order by one of those who ask at once', async (t) => {
  const disk = wholeDisk();
  const { relocation } = disk;
  let isFull = true;
  let tidied = 0;
  disk.relocation = (params) => {
    const made = relocation.call(disk, params);
    const [bring, undo] = [made.bring.bind(made), made.undo.bind(made)];
    made.bring = async (bringing) => {
      if (isFull) throw new AppError('DISK_FULL', 'disk full');
      return bring(bringing);
    };
    made.undo = async () => {
      if (isFull) throw new AppError('DISK_FAILED', 'disk failure');
      tidied++;
      return undo();
    };
    return made;
  };
  const bench = await TorrentBench.start({ disk, files: FILES });
  const { torrent } = bench;
  await torrent.moveTo({ path: '/one', accountId: ADMIN_ACCOUNT_ID }, undefined);
  await bench.clock.advance(LATE_MS);
  t.equal(torrent.moveStatus().state, 'failed');
  isFull = false;
  tidied = 0;
  const cancelled = t.rejects(torrent.cancelMove(undefined), { code: 'MOVE_CONFLICT', message: /begun meanwhile/ });
  await torrent.moveTo({ path: '/two', accountId: ADMIN_ACCOUNT_ID }, undefined);
  await cancelled;
  await bench.clock.advance(LATE_MS);
  t.same(disk.paths, ['/two/payload/a']);
  t.match(torrent.moveStatus(), { state: 'none', path: null, error: null });
  t.equal(tidied, 1);
  await bench.stop();
});

void t.test('a rename that is ended is not told as done', async (t) => {
  const { disk, bench, endCheck } = await whileChecked();
  const { torrent } = bench;
  const renaming = torrent.renamePath({ from: 'payload', to: 'other', accountId: ADMIN_ACCOUNT_ID }, undefined);
  await bench.clock.advance(100);
  t.equal(torrent.moveStatus().state, 'waiting');
  const refused = t.rejects(renaming, { code: 'MOVE_CONFLICT', message: /^rename: / });
  await torrent.cancelMove(undefined);
  await refused;
  endCheck();
  await bench.clock.advance(LATE_MS);
  t.same(disk.paths, ['/save/payload/a']);
  await bench.stop();
});
