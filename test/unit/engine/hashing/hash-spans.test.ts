import { createHash } from 'node:crypto';
import t from 'tap';
import { SpanHasher } from '../../../../engine/hashing/hash-spans.js';
import type { PieceSpan } from '../../../../engine/hashing/types.js';
import { SeededRandom } from '../../../support/seeded-random.js';

const content = new SeededRandom(3).bytes(1_000);

/** A reader that gives at most seven bytes at a time; descriptor 9 fails. */
const stingyRead = (fd: number, into: Uint8Array, position: number): number => {
  if (fd === 9) throw new Error('EIO');
  const bytes = content.subarray(position, position + Math.min(into.length, 7));
  into.set(bytes);
  return bytes.length;
};

const file = (position: number, length: number, fd = 1): PieceSpan => ({ kind: 'file', fd, position, length });
const sha1 = (...parts: Uint8Array[]): string => createHash('sha1').update(Buffer.concat(parts)).digest('hex');

for (const bufferBytes of [16, 4_096]) {
  void t.test(`spans are hashed in order through a buffer of ${bufferBytes} bytes`, async (t) => {
    const hasher = new SpanHasher(stingyRead, bufferBytes);
    const hex = (...spans: PieceSpan[]): string | null => {
      const digest = hasher.hash(spans);
      return digest && Buffer.from(digest).toString('hex');
    };
    t.equal(hex(file(0, 1_000)), sha1(content));
    t.equal(hex(), sha1());
    const zeroes: PieceSpan = { kind: 'zeroes', length: 100 };
    const expected = sha1(content.subarray(500, 520), new Uint8Array(100), content.subarray(0, 33));
    t.equal(hex(file(500, 20), zeroes, file(0, 33)), expected);
    t.equal(hex(file(990, 11)), null, 'short');
    t.equal(hex(file(0, 100), { kind: 'missing', length: 5 }), null);
    t.equal(hex(file(0, 100), file(0, 10, 9)), null, 'failed read');
    t.equal(hex(file(1, 999)), sha1(content.subarray(1)), 'a failure leaves nothing behind');
  });
}

void t.test('holes and pads are not read: the digest of zeroes is worked out once for each length', async (t) => {
  const reads: number[] = [];
  const read = (_fd: number, into: Uint8Array, position: number): number => {
    if (position + into.length > 1_000) return 0;
    reads.push(into.length);
    into.forEach((_, i) => (into[i] = position + i >= 600 && position + i < 700 ? 7 : 0));
    return into.length;
  };
  // 1,000 bytes of which only those from 600 to 699 are on disk.
  const nextData = (_fd: number, position: number): number =>
    position >= 700 ? Number.POSITIVE_INFINITY : Math.max(position, 600);
  const hasher = new SpanHasher(read, 64, nextData);
  const hex = (...spans: PieceSpan[]): string | null => {
    const digest = hasher.hash(spans);
    return digest && Buffer.from(digest).toString('hex');
  };
  const sparse = (position: number, length: number): PieceSpan => {
    return { kind: 'file', fd: 1, position, length, isSparse: true };
  };
  const pad: PieceSpan = { kind: 'zeroes', length: 100 };
  t.equal(hex(sparse(0, 600)), sha1(new Uint8Array(600)));
  t.equal(hex(pad, sparse(0, 500)), sha1(new Uint8Array(600)));
  t.same(reads, []);
  t.equal(hex(sparse(700, 300)), sha1(new Uint8Array(300)));
  t.same(reads.splice(0), [1], 'whether the file reaches as far');
  t.equal(hex(sparse(900, 200)), null, 'it does not');
  const mixed = new Uint8Array(600);
  mixed.fill(7, 100, 200);
  t.equal(hex(sparse(500, 600 - 100), pad), sha1(mixed), 'holes beside data');
  t.same(reads.splice(0).filter((count) => count > 1).length, 3, 'three buffers have data');
  t.equal(hex(file(0, 64)), sha1(new Uint8Array(64)));
  t.same(reads, [64], 'a file that is not sparse is not asked for holes');
});
