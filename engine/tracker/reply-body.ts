// The body of a reply by HTTP, as it comes. A tracker chooses how long its chunks are (RFC 9112, section 7.1): of a megabyte in chunks of
// a byte, what is kept of every one would take a hundred times as much, and the thread is held up by all of them.
import type { Readable } from 'node:stream';

/** More than there are peers in any reply, should each come in one of its own. */
const MANY_CHUNKS = 10_000;
const SHORT_BYTES = 64;

/** The reply has more chunks than anybody needs. */
export class TinyChunks extends Error {}

/** All of it. Rejects with TinyChunks, and whatever ends the body. */
export function readReply(body: Readable): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const parts: Uint8Array[] = [];
    let length = 0;
    body.on('error', reject);
    body.on('end', () => resolve(new Uint8Array(Buffer.concat(parts))));
    body.on('data', (chunk: Uint8Array) => {
      parts.push(chunk);
      length += chunk.length;
      if (parts.length <= MANY_CHUNKS || length >= parts.length * SHORT_BYTES) return;
      parts.length = 0;
      reject(new TinyChunks(`reply in more than ${MANY_CHUNKS} chunks, of less than ${SHORT_BYTES} bytes each`));
      // Closes the connection: what is left of it would have to be read.
      body.destroy();
    });
  });
}
