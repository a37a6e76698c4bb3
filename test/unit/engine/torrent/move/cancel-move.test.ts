// A move that a person ends: it is over, and does not begin by itself again.
import t from 'tap';
import { AppError } from '../../../../../shared-protocol/errors.js';
import { createMemoryTorrentStore } from '../../../../../storage/memory-torrent-store.js';
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
