// The hasher on the calling thread, done before the call returns: for simulation, where threads would bring chance.
import { hash } from 'node:crypto';
import { readSync } from 'node:fs';
import { READ_BUFFER_BYTES } from './constants.js';
import { SpanHasher, type ReadSome } from './hash-spans.js';
import type { PieceHasher } from './types.js';

const readFromFile: ReadSome = (fd, into, position) => readSync(fd, into, 0, into.length, position);

/** `read` serves the descriptors of a disk in memory. @default the process's own descriptors */
export function createInlineHasher(read: ReadSome = readFromFile): PieceHasher {
  const spanHasher = new SpanHasher(read, READ_BUFFER_BYTES);
  return {
    hashRegion: async (region, length) => hash('sha1', region.bytes.subarray(0, length), 'buffer'),
    hashPieces: async (pieces) => pieces.map((spans) => spanHasher.hash(spans)),
    close: async () => undefined,
  };
}
