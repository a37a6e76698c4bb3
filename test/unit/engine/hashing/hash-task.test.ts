import t from 'tap';
import { decodePieces, DigestRecords, encodePieces } from '../../../../engine/hashing/hash-task.js';
import type { PieceSpan } from '../../../../engine/hashing/types.js';

void t.test('pieces survive the journey to a thread', async (t) => {
  const pieces: PieceSpan[][] = [
    [{ kind: 'file', fd: 17, position: 2 ** 45 + 3, length: 5 }],
    [],
    [
      { kind: 'zeroes', length: 9 },
      { kind: 'missing', length: 1 },
      { kind: 'file', fd: 0, position: 0, length: 2 ** 28 },
    ],
  ];
  t.same(decodePieces(structuredClone(encodePieces(pieces))), pieces);
});

void t.test('digests are kept apart, and their absence is told from zeroes', async (t) => {
  const records = DigestRecords.forCount(3);
  records.set(0, new Uint8Array(20));
  records.set(2, new Uint8Array(20).fill(7));
  t.same(records.get(0), new Uint8Array(20));
  t.equal(records.get(1), null);
  t.same(records.get(2), new Uint8Array(20).fill(7));
});
