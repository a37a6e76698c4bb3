// Mutated archives of releases: each is unpacked or refused, never with another error, and what is unpacked are files and
// folders below the target.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Pax } from 'tar';
import t from 'tap';
import { unpackRelease } from '../../../api/services/updater/archive.js';
import { RequestError } from '../../../api/errors.js';
import { FUZZ_SEED, fuzzRuns, keepFailingInput } from '../../support/fuzzing.js';
import { contentOf } from '../../support/releases.js';
import { SeededRandom } from '../../support/seeded-random.js';
import { setChecksum, TAR_BLOCK_BYTES, TAR_END, tarBlocks } from '../../support/tar-blocks.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const RUNS = fuzzRuns(300);
/** Against hangs. */
const DEADLINE_MS = 60_000;
const ARCHIVE = Buffer.concat([
  tarBlocks({ path: 'r/', type: 'Directory', mode: 0o755 }),
  ...[new Pax({ path: 'r/p', mtime: new Date(0) }).encode(), tarBlocks({ path: 'x' }, 'two')],
  ...[tarBlocks({ path: 'x', type: 'NextFileHasLongPath' }, 'r/long\0'), tarBlocks({ path: 'y' }, 'three')],
  tarBlocks({ path: 'r/b/c' }, 'four'.repeat(300)),
  TAR_END,
]);
/** Entries of the folder: the archive, the target, and what is in it. */
const HARMLESS = /^(?:a\.tar\.gz:|target\/)/;
/** Offsets in a header: name, mode, size, type, linkname, magic, prefix. */
const FIELDS = [0, 1, 2, 100, 106, 124, 130, 135, 156, 157, 257, 345, 475];
const BYTES = Buffer.from('xgLKNSD0123567/.\0\x80\xff', 'latin1');

function mutate(random: SeededRandom): Buffer {
  const bytes = Buffer.from(ARCHIVE);
  for (let change = random.below(6); change >= 0; change--) {
    const header = random.below(bytes.length / TAR_BLOCK_BYTES) * TAR_BLOCK_BYTES;
    const field = FIELDS[random.below(2 * FIELDS.length)] ?? random.below(TAR_BLOCK_BYTES);
    bytes[header + field] = BYTES[random.below(BYTES.length)]!;
    setChecksum(bytes, header);
  }
  return bytes;
}

void t.test(`mutated archives, FUZZ_SEED=${FUZZ_SEED}`, async (t) => {
  const random = new SeededRandom(FUZZ_SEED);
  const folder = await temporaryDirectory();
  const [archive, target] = [join(folder, 'a.tar.gz'), join(folder, 'target')];
  let unpacked = 0;
  for (let run = 0; run < RUNS; run++) {
    const bytes = mutate(random);
    await mkdir(target);
    await writeFile(archive, gzipSync(bytes));
    try {
      await unpackRelease(archive, target, AbortSignal.timeout(DEADLINE_MS));
      unpacked++;
      const odd = (await contentOf(folder)).filter((entry) => !HARMLESS.test(entry) || entry.includes(' -> '));
      if (odd.length > 0) throw new Error(`there are ${odd.join()}`);
    } catch (error) {
      const isRefusal = error instanceof RequestError && error.code === 'UPDATE_FAILED';
      if (!isRefusal || error.message === 'given up') {
        throw new Error(keepFailingInput('archive', bytes), { cause: error });
      }
    }
    await rm(target, { recursive: true });
  }
  t.ok(unpacked > 0 && unpacked < RUNS);
});
