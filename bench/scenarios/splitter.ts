// The frame splitter over a stream as a leecher receives it: blocks of 16 KiB, now and then a have, a request or a
// choke between them; pushed in reads of the sizes that sockets deliver.
import { FrameSplitter, type FrameSink } from '../../engine/wire/frame-splitter.js';
import { BLOCK_BYTES, handshake, ID, message } from '../load/wire.js';
import { SeededRandom } from '../support/seeded-random.js';
import type { Scenario } from './scenario.js';
import { perSecond } from './micro.js';

const KIB = 1024;
const BLOCKS = 1_024;
const BLOCKS_PER_PIECE = 64;
/** Of the slab that blocks are copied to. */
const TARGET_BYTES = BLOCKS * BLOCK_BYTES;
const READS: readonly { readonly name: string; readonly least: number; readonly most: number }[] = [
  { name: 'reads of 64 KiB', least: 64 * KIB, most: 64 * KIB },
  { name: 'reads of 1 KiB to 256 KiB', least: KIB, most: 256 * KIB },
  { name: 'reads of 1448 bytes (one TCP segment)', least: 1_448, most: 1_448 },
];

export const splitter: Scenario = {
  kind: 'micro',
  what: 'cutting the stream of a fast peer into frames, blocks copied to the slab',
  async measure() {
    const stream = makeStream();
    const slab = new Uint8Array(new SharedArrayBuffer(TARGET_BYTES));
    const figures = [];
    for (const { name, least, most } of READS) {
      const reads = cut(stream, least, most);
      const run = () => {
        const sink = new CountingSink(slab);
        const frames = new FrameSplitter(sink);
        frames.push(handshake('00'.repeat(20), '-SB0001-splitter----'));
        for (const read of reads) frames.push(read);
        if (sink.blocks !== BLOCKS) throw new Error(`bug: ${sink.blocks} of ${BLOCKS} blocks came out`);
        return stream.length / 1e6;
      };
      figures.push({ name, value: await perSecond(run), unit: 'MB/s' });
    }
    return figures;
  },
};

class CountingSink implements FrameSink {
  blocks = 0;

  constructor(private readonly slab: Uint8Array) {}

  onHandshake(): void {}
  onControl(): void {}
  onRequest(): void {}
  onCancel(): void {}
  onReject(): void {}

  onBlockStart(piece: number, begin: number, length: number): Uint8Array {
    const at = piece * BLOCKS_PER_PIECE * BLOCK_BYTES + begin;
    return this.slab.subarray(at, at + length);
  }

  onBlockEnd(): void {
    this.blocks++;
  }

  onViolation(reason: string): void {
    throw new Error(`bug: the stream was refused: ${reason}`);
  }
}

function makeStream(): Buffer {
  const random = new SeededRandom(3);
  const frames: Buffer[] = [];
  for (let block = 0; block < BLOCKS; block++) {
    const piece = Math.floor(block / BLOCKS_PER_PIECE);
    const payload = Buffer.alloc(8 + BLOCK_BYTES, block);
    payload.writeUInt32BE(piece, 0);
    payload.writeUInt32BE((block % BLOCKS_PER_PIECE) * BLOCK_BYTES, 4);
    frames.push(message(ID.piece, payload));
    if (random.below(8) === 0) frames.push(message(ID.have, uint32(block)));
    if (random.below(16) === 0)
      frames.push(message(ID.request, Buffer.concat([uint32(0), uint32(0), uint32(BLOCK_BYTES)])));
    if (random.below(64) === 0) frames.push(message(ID.choke), message(ID.unchoke));
  }
  return Buffer.concat(frames);
}

function cut(stream: Buffer, least: number, most: number): Buffer[] {
  const random = new SeededRandom(4);
  const reads: Buffer[] = [];
  for (let at = 0; at < stream.length; at += reads.at(-1)?.length ?? 0) {
    reads.push(stream.subarray(at, at + least + random.below(most - least + 1)));
  }
  return reads;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
