// Digests from real threads against node:crypto, over both paths.
import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { createHasher } from '../../../../engine/hashing/hasher.js';
import { createSlab } from '../../../../engine/hashing/slab.js';
import type { PieceSpan, SlabRegion } from '../../../../engine/hashing/types.js';
import { QUIET, temporaryFolder } from '../../../support/disk-fixtures.js';
import { seededBytes } from '../../../support/make-torrent.js';

const MIB = 2 ** 20;
const SIZES = [1, 63, 16_383, 16_384, 16_385, 256 * 1024, MIB, MIB + 1, 4 * MIB];
const DYING = new URL('../../../support/dying-hash-worker.js', import.meta.url);

const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');
const hex = (digest: Uint8Array | null): string | null => digest && Buffer.from(digest).toString('hex');
const file = (fd: number, position: number, length: number): PieceSpan => ({ kind: 'file', fd, position, length });

function allocate(slab: ReturnType<typeof createSlab>, length: number): SlabRegion {
  const region = slab.allocate(length);
  if (!region) throw new Error(`no room for ${length}`);
  return region;
}

void t.test('regions of every size, all at once', async (t) => {
  const slab = createSlab(16 * MIB);
  const hasher = createHasher({ slab: slab.buffer, log: QUIET });
  const regions = SIZES.map((size, i) => {
    const region = allocate(slab, size);
    region.bytes.set(seededBytes(i, size));
    return region;
  });
  const digests = await Promise.all(regions.map((region) => hasher.hashRegion(region, region.length)));
  t.same(
    digests.map(hex),
    regions.map((region) => sha1(region.bytes)),
  );
  const [, , region] = regions;
  t.equal(hex(await hasher.hashRegion(region!, 100)), sha1(region!.bytes.subarray(0, 100)), 'a short last piece');
  t.equal(hex(await hasher.hashRegion(region!, 0)), sha1(new Uint8Array(0)));
  await t.rejects(hasher.hashRegion(region!, region!.length + 1), { code: 'BUG' });
  await hasher.close();
});

void t.test('pieces of every size from files, with zeroes, borders and gaps', async (t) => {
  const folder = await temporaryFolder(t);
  const content = seededBytes(5, 5 * MIB);
  await writeFile(join(folder, 'a'), content);
  const fd = openSync(join(folder, 'a'), 'r');
  t.teardown(() => closeSync(fd));
  const hasher = createHasher({ slab: createSlab(MIB).buffer, log: QUIET }, { threads: 2 });
  const whole = await hasher.hashPieces(SIZES.map((size, i) => [file(fd, i, size)]));
  t.same(
    whole.map(hex),
    SIZES.map((size, i) => sha1(content.subarray(i, i + size))),
  );
  const zeroes: PieceSpan = { kind: 'zeroes', length: 2 * MIB };
  const mixed = await hasher.hashPieces([
    [file(fd, 10, 20), zeroes, file(fd, 0, MIB)],
    [file(fd, 0, 5), { kind: 'missing', length: 5 }],
    [file(fd, 5 * MIB - 3, 4)],
    [file(9_999, 0, 4)],
    [file(fd, 7, 1)],
  ]);
  const joined = Buffer.concat([content.subarray(10, 30), new Uint8Array(2 * MIB), content.subarray(0, MIB)]);
  t.same(mixed.map(hex), [sha1(joined), null, null, null, sha1(content.subarray(7, 8))]);
  t.same(await hasher.hashPieces([]), []);
  await hasher.close();
});

void t.test('10,000 small regions at once', async (t) => {
  const slab = createSlab(64 * 16_384);
  const hasher = createHasher({ slab: slab.buffer, log: QUIET });
  const regions = Array.from({ length: 64 }, (_, i) => {
    const region = allocate(slab, 16_384);
    region.bytes.set(seededBytes(i, 16_384));
    return region;
  });
  const expected = regions.map((region) => sha1(region.bytes));
  const digests = await Promise.all(
    Array.from({ length: 10_000 }, (_, i) => hasher.hashRegion(regions[i % 64]!, 16_384)),
  );
  const wrong = digests.filter((digest, i) => hex(digest) !== expected[i % 64]);
  t.equal(wrong.length, 0);
  await hasher.close();
});

void t.test('closing while busy: each request gets its digest or is told so', async (t) => {
  const slab = createSlab(2 * MIB);
  const hasher = createHasher({ slab: slab.buffer, log: QUIET }, { threads: 1 });
  const region = allocate(slab, 2 * MIB);
  const requests = Array.from({ length: 20 }, () => hasher.hashRegion(region, 2 * MIB));
  const settled = Promise.allSettled(requests);
  await Promise.resolve();
  await hasher.close();
  const outcomes = (await settled).map((result) =>
    result.status === 'fulfilled' ? hex(result.value) : result.reason.code,
  );
  t.same([...new Set(outcomes)].sort(), [sha1(region.bytes), 'ENGINE_NOT_RUNNING'].sort());
  await t.rejects(hasher.hashRegion(region, 1), { code: 'ENGINE_NOT_RUNNING' });
  await t.rejects(hasher.hashPieces([[{ kind: 'zeroes', length: 1 }]]), { code: 'ENGINE_NOT_RUNNING' });
  await hasher.close();
});

for (const [name, order] of [
  ['exits', 1],
  ['runs out of memory', 2],
  ['cannot start', 3],
] as const) {
  void t.test(`a thread that ${name} fails its own tasks, and hashing goes on`, async (t) => {
    const slab = createSlab(MIB);
    const hasher = createHasher({ slab: slab.buffer, log: QUIET }, { threads: 1, workerUrl: DYING });
    const region = allocate(slab, 1_000);
    region.bytes[0] = order;
    await t.rejects(hasher.hashRegion(region, 1_000), { code: 'BUG' });
    await t.rejects(hasher.hashPieces([[{ kind: 'zeroes', length: 1 }]]), { code: 'BUG' });
    region.bytes[0] = 0;
    t.equal(hex(await hasher.hashRegion(region, 1_000)), sha1(region.bytes));
    await hasher.close();
  });
}
