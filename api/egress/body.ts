// A response's body as it is meant: decompressed, and never more than the cap of it, before or after. A bomb is cut off as
// soon as it has grown to the cap.
import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { CollectedBytes } from '../../shared-protocol/collected-bytes.js';
import { fetchFailed } from './failure.js';

export type Chunks = AsyncIterable<Uint8Array>;

/** The encodings that the request says it takes. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/** @throws RequestError `FETCH_FAILED` for an unknown encoding, and while it is read, when it is larger than the cap */
export async function* decodedBody(raw: Chunks, encoding: string, maxBytes: number): AsyncGenerator<Uint8Array> {
  const [first, chunks] = await peek(capped(raw, maxBytes));
  if (!first) return;
  const decoder = decoderFor(encoding, first);
  yield* decoder ? capped(decompressed(chunks, decoder), maxBytes) : chunks;
}

/** The body in memory of its own. */
export async function collect(chunks: Chunks): Promise<Uint8Array> {
  const body = new CollectedBytes();
  for await (const chunk of chunks) body.add(chunk);
  return body.take();
}

/** Through a zlib stream; ends both sides when the reader stops early. */
export async function* decompressed(chunks: Chunks, decoder: Transform): AsyncGenerator<Uint8Array> {
  // What goes wrong on either side comes out of the decoder.
  pipeline(Readable.from(chunks, { objectMode: false }), decoder, () => undefined);
  yield* decoder as Chunks;
}

/** @throws RequestError `FETCH_FAILED` at the first byte too many */
export async function* capped(chunks: Chunks, maxBytes: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxBytes) throw fetchFailed(`larger than ${maxBytes} bytes`);
    yield chunk;
  }
}

/** The first chunk that is not empty, and all of them again. */
export async function peek(chunks: Chunks): Promise<[Uint8Array | null, Chunks]> {
  const iterator = chunks[Symbol.asyncIterator]();
  let next = await iterator.next();
  while (!next.done && next.value.length === 0) next = await iterator.next();
  if (next.done) return [null, chunks];
  const first = next.value;
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      yield first;
      for (let more = await iterator.next(); !more.done; more = await iterator.next()) yield more.value;
    } finally {
      await iterator.return?.();
    }
  }
  return [first, all()];
}

function decoderFor(encoding: string, first: Uint8Array): Transform | null {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      // Some servers leave out the zlib header (RFC 1950) that the name stands for.
      return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    case 'br':
      return createBrotliDecompress();
    default:
      throw fetchFailed('unknown content encoding');
  }
}
