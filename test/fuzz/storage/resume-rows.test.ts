// Resume rows of any content under a torrent whose data is on disk: the engine starts, checks or trusts, goes on to record
// a row that makes sense, and a check brings out what is really there. Whatever wrote such a row, it harms nobody.
import t from 'tap';
import fc from 'fast-check';
import { createMemoryTorrentStore } from '../../support/memory-torrent-store.js';
import type { ResumeRow } from '../../../storage/types.js';
import { fuzzRuns } from '../../support/fuzzing.js';
import { MemoryDisk } from '../../support/memory-disk.js';
import { PIECE_BYTES, TorrentBench } from '../../unit/engine/torrent/torrent-bench.js';

const PIECES = 8;
const TOTAL_BYTES = PIECES * PIECE_BYTES;

const anyNumber = fc.oneof(fc.nat(2 * TOTAL_BYTES), fc.constantFrom(-1, NaN, Infinity, 2 ** 53, 0.5));
const anyRow: fc.Arbitrary<ResumeRow> = fc.record({
  have: fc.uint8Array({ maxLength: 3 }),
  bytesDone: anyNumber,
  wantedDone: anyNumber,
  wantedBytes: anyNumber,
  uploadedBytes: anyNumber,
  downloadedBytes: anyNumber,
  files: fc.array(
    fc.record({ sizeBytes: fc.oneof(anyNumber, fc.constant(null)), mtimeMs: anyNumber, ctimeMs: anyNumber }),
    { maxLength: 3 },
  ),
  recent: fc.array(fc.integer({ min: -3, max: PIECES + 3 }), { maxLength: 5 }),
  partial: fc.array(
    fc.record({ piece: fc.integer({ min: -3, max: PIECES + 3 }), blocks: fc.uint8Array({ maxLength: 3 }) }),
    { maxLength: 4 },
  ),
  savedAt: anyNumber,
});

void t.test('any row', async (t) => {
  let trusted = 0;
  let checked = 0;
  await fc.assert(
    fc.asyncProperty(anyRow, async (row) => {
      const store = createMemoryTorrentStore();
      const disk = new MemoryDisk();
      const first = await TorrentBench.start({ store, disk, has: 'all' });
      const id = first.made.infoHash;
      await first.stop();
      await store.putResume(new Map([[id, row]]));
      const bench = await TorrentBench.start({ store, disk });
      await bench.clock.advance(40_000);
      if (bench.isComplete) checked++;
      else trusted++;
      await bench.torrent.recheck();
      await bench.clock.advance(40_000);
      bench.session.checkInvariant();
      const { bytesDone, wantedDone, wantedBytes, totalUp, totalDown } = bench.stats;
      await bench.stop();
      const recorded = store.resume(id);
      return (
        [bytesDone, wantedDone, wantedBytes, recorded?.bytesDone].every((bytes) => bytes === TOTAL_BYTES) &&
        [totalUp, totalDown].every((bytes) => Number.isSafeInteger(bytes) && bytes >= 0)
      );
    }),
    { numRuns: fuzzRuns(60) },
  );
  t.ok(checked > 10, `${checked} were found complete by themselves, ${trusted} after the check only`);
});
