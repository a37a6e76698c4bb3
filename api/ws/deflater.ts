// One raw DEFLATE stream that is used again and again: to set one up costs the thread more than to run a frame through
// it. Each message is deflated by itself, one after the other.
import { constants, createDeflateRaw } from 'node:zlib';

/** The fastest: names and keys repeat, so it already saves nine tenths. */
const LEVEL = 1;
const CHUNK_BYTES = 64 * 1024;
/** RFC 7692 section 7.2.1: what a flushed block ends with is left out. */
const FLUSH_TAIL_BYTES = 4;

export class Deflater {
  readonly #stream = createDeflateRaw({ level: LEVEL, chunkSize: CHUNK_BYTES });
  #last: Promise<void> = Promise.resolve();

  /** The payload of a deflated message (RFC 7692), in pieces. */
  deflate(payload: Buffer): Promise<Buffer[]> {
    const deflated = this.#last.then(() => this.#deflateNow(payload));
    this.#last = deflated.then(() => undefined);
    return deflated;
  }

  /** Raw DEFLATE fails for want of memory only, which nobody survives. */
  async #deflateNow(payload: Buffer): Promise<Buffer[]> {
    const stream = this.#stream;
    const pieces: Buffer[] = [];
    const take = (piece: Buffer) => void pieces.push(piece);
    stream.on('data', take);
    stream.write(payload);
    await new Promise<void>((resolve) => stream.flush(constants.Z_SYNC_FLUSH, () => resolve()));
    stream.off('data', take);
    stream.reset();
    return withoutTail(pieces);
  }
}

/** The tail may lie across two pieces. */
function withoutTail(pieces: Buffer[]): Buffer[] {
  let tail = FLUSH_TAIL_BYTES;
  while (tail > 0) {
    const last = pieces.pop();
    if (!last) break;
    if (last.length > tail) pieces.push(last.subarray(0, last.length - tail));
    tail -= Math.min(tail, last.length);
  }
  return pieces;
}
