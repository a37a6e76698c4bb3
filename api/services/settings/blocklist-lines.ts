// How many entries a list of addresses has: the line ends of what is in it (semantics.md section 13), whether it comes as
// text or gzipped. As it comes: the whole of a list never is in memory.
import { createGunzip } from 'node:zlib';
import { capped, decompressed, peek, type Chunks } from '../../egress/body.js';

/** Of the list as text: no spec value. The largest public lists have some 20 MiB; past this it is a bomb. */
const MAX_LIST_BYTES = 512 * 1024 * 1024;

const NEWLINE = 0x0a;

/** @throws RequestError `FETCH_FAILED`; what zlib throws */
export async function countLines(body: Chunks): Promise<number> {
  const [first, chunks] = await peek(body);
  const isGzip = first?.[0] === 0x1f && first[1] === 0x8b;
  const text = isGzip ? capped(decompressed(chunks, createGunzip()), MAX_LIST_BYTES) : chunks;
  let lines = 0;
  for await (const chunk of text) {
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
  }
  return lines;
}
