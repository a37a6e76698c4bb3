// What a hashing thread runs: the entry of the piscina pool. Descriptors are valid in every thread of a process, so
// it reads files itself; it never opens or closes one.
import { hash } from 'node:crypto';
import { readSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { READ_BUFFER_BYTES } from './constants.js';
import { loadFileHoles, type NextData } from './file-holes.js';
import { decodePieces, DigestRecords, type HashTask } from './hash-task.js';
import { SpanHasher } from './hash-spans.js';

/** The data that every thread of a pool is given. */
export interface HashWorkerData {
  readonly slab: SharedArrayBuffer;
}

const { slab } = workerData as HashWorkerData; // set by createHasher alone
let fileHoles: NextData | null = null;
const spanHasher = new SpanHasher(
  (fd, into, position) => readSync(fd, into, 0, into.length, position),
  READ_BUFFER_BYTES,
  (fd, position) => (fileHoles ??= loadFileHoles())(fd, position),
);

export default function runHashTask(task: HashTask): Uint8Array {
  return task.kind === 'regions' ? hashRegions(task.numbers) : hashPieces(task.numbers);
}

function hashRegions(numbers: Float64Array): Uint8Array {
  const records = DigestRecords.forCount(numbers.length / 2);
  for (let i = 0; i < numbers.length; i += 2) {
    const bytes = new Uint8Array(slab, numbers[i], numbers[i + 1]);
    records.set(i / 2, hash('sha1', bytes, 'buffer'));
  }
  return records.bytes;
}

function hashPieces(numbers: Float64Array): Uint8Array {
  const pieces = decodePieces(numbers);
  const records = DigestRecords.forCount(pieces.length);
  for (const [index, spans] of pieces.entries()) records.set(index, spanHasher.hash(spans));
  return records.bytes;
}
