// docs/limits.md 2.27: what a restart believes, what it hashes again, and what it makes of what it finds.
import t from 'tap';
import { TORRENT_FLAGS, type TorrentFlag } from '../../../../../shared-protocol/stats-table.js';
import { createMemoryTorrentStore } from '../../../../support/memory-torrent-store.js';
import { frame, request } from '../../../../support/frames.js';
import { seededBytes, type MakeTorrentFile } from '../../../../support/make-torrent.js';
import { MemoryDisk } from '../../../../support/memory-disk.js';
import { BLOCK_BYTES, PIECE_BYTES, TorrentBench, type BenchOptions } from '../torrent-bench.js';

const INTERESTED = 2;

/** a: piece 0 and half of 1; b: the other half and 2; c: 3 to 6. */
const FILES: readonly MakeTorrentFile[] = [
  { path: ['a'], bytes: seededBytes(1, 1.5 * PIECE_BYTES) },
  { path: ['b'], bytes: seededBytes(2, 1.5 * PIECE_BYTES) },
  { path: ['c'], bytes: seededBytes(3, 4 * PIECE_BYTES) },
];
const PIECES = 7;
const [A, B, C] = ['/save/payload/a', '/save/payload/b', '/save/payload/c'] as const;

/** Counts the pieces that are hashed. */
class CountingDisk extends MemoryDisk {
  hashed = 0;

  constructor() {
    super();
    const hashPieces = this.hasher.hashPieces.bind(this.hasher);
    this.hasher.hashPieces = (pieces) => {
      this.hashed += pieces.length;
      return hashPieces(pieces);
    };
  }

  fill(): void {
    for (const { path, bytes } of FILES) this.put(`/save/payload/${path[0]}`, 0, bytes);
  }
}

const isOn = (bench: TorrentBench, flag: TorrentFlag): boolean => (bench.stats.flags & TORRENT_FLAGS[flag]) !== 0;
const whole = () => FILES.reduce((sum, { bytes }) => sum + bytes.length, 0);

/** A torrent that is complete, and recorded so. */
async function complete() {
  const kept = { disk: new CountingDisk(), store: createMemoryTorrentStore() };
  kept.disk.fill();
  const bench = await start(kept);
  t.equal(bench.stats.bytesDone, whole());
  await bench.clock.advance(31_000);
  kept.disk.hashed = 0;
  return { ...kept, bench };
}

const start = (options: BenchOptions) => TorrentBench.start({ files: FILES, ...options });

void t.test('a changed file: its pieces and those it shares are hashed, no others', async (t) => {
  const { bench, disk, store } = await complete();
  await bench.stop();
  disk.file(B)!.mtimeMs++;
  disk.put(B, PIECE_BYTES, Uint8Array.of(1, 2, 3));
  const again = await start({ disk, store });
  t.equal(disk.hashed, 2);
  t.equal(again.stats.bytesDone, whole() - PIECE_BYTES);
  t.notOk(isOn(again, 'completed'));
  await again.stop();

  disk.hashed = 0;
  const last = await start({ disk, store });
  t.equal(disk.hashed, 0, 'what was found is recorded');
  t.equal(last.stats.bytesDone, whole() - PIECE_BYTES);
  await last.stop();
});

void t.test(
  'after an orderly end nothing is hashed; after another, a sample is, and finds what is wrong',
  async (t) => {
    const { bench, disk, store } = await complete();
    await bench.stop();
    // A disk that lies: no size or time tells.
    disk.put(C, 0, Uint8Array.of(1, 2, 3));
    const clean = await start({ disk, store });
    t.equal(disk.hashed, 0);
    t.ok(isOn(clean, 'completed'));
    // Not stopped.
    const unclean = new TorrentBench({ files: FILES, disk, store });
    await unclean.session.start();
    t.ok(isOn(unclean, 'completed'), 'at once, as it was recorded');
    t.notOk(isOn(unclean, 'verifying'), 'what is most likely right is looked at quietly');
    await unclean.clock.advance(100);
    t.ok(disk.hashed >= 3, `one piece of each file at least: ${disk.hashed}`);
    t.equal(unclean.stats.bytesDone, whole() - PIECE_BYTES, 'the file concerned was checked');
    await unclean.stop();
  },
);

void t.test('another ctime alone: hashed quietly, once; what it hides is found', async (t) => {
  const { bench, disk, store } = await complete();
  await bench.stop();
  disk.file(C)!.ctimeMs++;
  const touched = await start({ disk, store });
  t.equal(disk.hashed, 4);
  t.ok(isOn(touched, 'completed'));
  await touched.stop();
  disk.hashed = 0;
  const trusted = await start({ disk, store });
  t.equal(disk.hashed, 0, 'it was right, and is trusted as it is now');
  await trusted.stop();

  disk.flip(C, 5);
  const flipped = await start({ disk, store });
  t.equal(flipped.stats.bytesDone, whole() - PIECE_BYTES);
  await flipped.stop();
});

void t.test('a check that somebody asked for is taken up again by the next run', async (t) => {
  const { bench, disk, store } = await complete();
  disk.put(A, 0, Uint8Array.of(1, 2, 3));
  const { id } = bench.torrent;
  await bench.torrent.recheck();
  t.equal(store.row(id)?.pendingCheck, 'all', 'durable before it is answered');
  // Killed before it could begin.
  const next = await start({ disk, store });
  t.equal(next.stats.bytesDone, whole() - PIECE_BYTES);
  t.equal(store.row(id)?.pendingCheck, 'all', 'until its result is recorded');
  await next.clock.advance(31_000);
  t.equal(store.row(id)?.pendingCheck, null);
  await next.stop();
});

void t.test('metainfo that cannot be read: a check ends, with an error', async (t) => {
  const { bench, store } = await complete();
  const infoBytes = store.infoBytes.bind(store);
  store.infoBytes = () => {
    throw new Error('damaged');
  };
  await bench.clock.advance(61_000);
  await bench.torrent.recheck();
  await bench.clock.advance(100);
  t.notOk(isOn(bench, 'verifying'));
  t.match(bench.facts?.error, { code: /.+/ });
  store.infoBytes = infoBytes;
  await bench.torrent.recheck();
  await bench.clock.advance(100);
  t.notOk(isOn(bench, 'verifying'));
  t.equal(bench.facts?.error, null);
  t.ok(isOn(bench, 'completed'));
  await bench.stop();
});

void t.test('files that cannot be looked at are missing, not a torrent that never starts', async (t) => {
  const { bench, disk, store } = await complete();
  await bench.stop();
  const seen = disk.savePaths.isHere.bind(disk.savePaths);
  disk.savePaths.isHere = async () => {
    throw Object.assign(new Error('stale'), { code: 'ENODEV' });
  };
  const blind = await start({ disk, store });
  t.ok(isOn(blind, 'filesMissing'));
  disk.savePaths.isHere = seen;
  await blind.clock.advance(31_000);
  t.ok(isOn(blind, 'completed'));
  const peer = await blind.meet('10.0.0.7');
  t.equal(peer.closed, null, 'it runs');
  await blind.stop();
});

void t.test('counters are recorded while nothing else happens, and go on from there', async (t) => {
  const { bench, disk, store } = await complete();
  const peer = await bench.meet('10.0.0.7');
  peer.send(frame(INTERESTED));
  await bench.clock.advance(1_000);
  peer.send(request(0, 0, BLOCK_BYTES), request(3, 0, BLOCK_BYTES));
  await bench.clock.advance(1_000);
  const { totalUp } = bench.stats;
  t.equal(totalUp, 2 * BLOCK_BYTES);
  await bench.clock.advance(31_000);
  // Killed.
  const next = await start({ disk, store });
  t.equal(next.stats.totalUp, totalUp);
  await next.stop();
});

void t.test('a volume that is not mounted: nothing is created, and it heals', async (t) => {
  const { bench, disk, store } = await complete();
  await bench.stop();
  const mounted = disk.sighting;
  for (const path of [A, B, C]) disk.remove(path);
  disk.sighting = { exists: true, device: 2, inode: 7, birthMs: 7 };
  const without = await start({ disk, store });
  t.ok(isOn(without, 'filesMissing'));
  t.match(without.facts?.error, { code: 'FILES_MISSING', message: /not mounted/ });
  await without.torrent.setPaused(false);
  t.ok(isOn(without, 'filesMissing'));
  // What is there is what was verified: a copy on another disk.
  disk.fill();
  await without.clock.advance(31_000);
  t.notOk(isOn(without, 'filesMissing'));
  t.equal(disk.hashed, 0);
  await without.stop();
  disk.sighting = mounted;
});

/** Below the mount point there is an empty folder. Returns what mounts it again. */
function unmount(disk: CountingDisk): () => void {
  const mounted = disk.sighting;
  for (const path of [A, B, C]) disk.remove(path);
  disk.sighting = { exists: true, device: 2, inode: 7, birthMs: 7 };
  return () => {
    disk.sighting = mounted;
    disk.fill();
  };
}

/** Complete and recorded, then without its volume. */
async function unmounted() {
  const { bench, disk, store } = await complete();
  return { bench, disk, store, mount: unmount(disk) };
}

void t.test('a volume that goes while the torrent runs: nothing is recorded of what is left', async (t) => {
  const { bench, disk, store, mount } = await unmounted();
  const { id } = bench.torrent;
  const before = store.resume(id)?.files;
  await bench.torrent.edits.setFilePriorities({ 2: 'high' });
  await bench.clock.advance(31_000);
  t.same(store.resume(id)?.files, before);
  t.ok(isOn(bench, 'filesMissing'));
  t.match(bench.facts?.error, { code: 'FILES_MISSING', message: /not mounted/ });
  t.ok(isOn(bench, 'completed'), 'it is not taken for a torrent that has nothing');
  t.equal(disk.hashed, 0);

  await bench.stop();
  const without = await start({ disk, store });
  t.ok(isOn(without, 'filesMissing'), 'the folder has not become the right volume');
  mount();
  await without.clock.advance(31_000);
  t.notOk(isOn(without, 'filesMissing'));
  t.ok(isOn(without, 'completed'));
  await without.stop();
});

void t.test('data that could not be synced before its volume went is hashed once it is back', async (t) => {
  const { bench, disk, mount } = await unmounted();
  await bench.torrent.edits.setFilePriorities({ 2: 'high' });
  await bench.clock.advance(31_000);
  t.ok(isOn(bench, 'filesMissing'));
  mount();
  disk.put(C, 0, Uint8Array.of(1, 2, 3));
  await bench.torrent.setPaused(false);
  await bench.clock.advance(100);
  t.equal(disk.hashed, PIECES);
  t.notOk(isOn(bench, 'filesMissing'));
  t.equal(bench.stats.bytesDone, whole() - PIECE_BYTES);
  await bench.stop();
});

void t.test('a volume that goes while its files are checked: what cannot be read is not lost', async (t) => {
  const { bench, disk } = await complete();
  let mount: (() => void) | null = null;
  const hashPieces = disk.hasher.hashPieces.bind(disk.hasher);
  disk.hasher.hashPieces = async () => {
    mount ??= unmount(disk);
    return [];
  };
  await bench.torrent.recheck();
  await bench.clock.advance(100);
  t.ok(mount);
  t.ok(isOn(bench, 'filesMissing'));
  t.equal(bench.stats.bytesDone, whole());
  disk.hasher.hashPieces = hashPieces;
  mount!();
  await bench.torrent.setPaused(false);
  await bench.clock.advance(100);
  t.notOk(isOn(bench, 'filesMissing'));
  t.equal(disk.hashed, PIECES, 'once it is back');
  t.ok(isOn(bench, 'completed'));
  await bench.stop();
});

void t.test('other files being wanted does not make another volume the right one; a person does', async (t) => {
  const { bench, disk, store } = await unmounted();
  await bench.torrent.edits.setFilePriorities({ 0: 'skip' });
  await bench.torrent.edits.setFilePriorities({ 0: 'normal' });
  await bench.clock.advance(100);
  t.ok(isOn(bench, 'filesMissing'));
  t.equal(disk.hashed, 0);
  t.equal(bench.stats.bytesDone, whole());

  await bench.torrent.recheck();
  await bench.clock.advance(100);
  t.notOk(isOn(bench, 'filesMissing'), 'whoever asks for a check takes what is there for what is meant');
  t.equal(bench.stats.bytesDone, 0);
  await bench.stop();
  const again = await start({ disk, store });
  t.notOk(isOn(again, 'filesMissing'));
  await again.stop();
});

t.equal(PIECES, whole() / PIECE_BYTES);
