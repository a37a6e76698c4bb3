// The way out: what a peer asked for reaches the socket whole and in order, in few reads, and no faster than it is
// taken. The bytes sent are parsed again and compared with the torrent's.
import t from 'tap';
import fc from 'fast-check';
import { FrameBufferPool, type OutgoingBlock } from '../../../../engine/wire/frame-buffers.js';
import {
  MAX_QUEUED_REQUESTS,
  MIN_SEND_WATERMARK_BYTES,
  SEND_WATERMARK_BYTES,
} from '../../../../engine/wire/constants.js';
import { UploadQueue } from '../../../../engine/wire/upload-queue.js';
import { handshake } from '../../../support/frames.js';
import { RecordedFrames } from '../../../support/recorded-frames.js';
import { SeededRandom } from '../../../support/seeded-random.js';

const BLOCK = 16 * 1024;
const PIECE = 4 * BLOCK;
const PIECES = 64;
const TORRENT = new SeededRandom(7).bytes(PIECE * PIECES);
/** A buffer for 32 blocks, the largest class. */
const LARGE_BUFFER = 32 * (BLOCK + 13);

interface Read {
  readonly offset: number;
  readonly blocks: number;
  finish(): void;
  fail(error: Error): void;
}

/** A peer's socket and the disk, both of which act when the test says so. */
class Bench {
  readonly reads: Read[] = [];
  readonly failures: { readonly run: readonly OutgoingBlock[]; readonly error: unknown }[] = [];
  readonly sent: Buffer[] = [];
  readonly #unsent: { readonly bytes: Uint8Array; readonly done: () => void }[] = [];
  sentPayload = 0;
  readonly queue: UploadQueue;
  readsAtOnce = 0;
  /** Pieces that may not go out yet. */
  readonly held = new Set<number>();

  /** Bytes that the rate limit lets go; below zero it says no. */
  allowance = Infinity;
  refusals = 0;

  constructor(buffers = new FrameBufferPool(64 * LARGE_BUFFER)) {
    this.queue = new UploadQueue({
      socket: this,
      allowance: {
        mayGo: () => {
          if (this.allowance <= 0) this.refusals++;
          return this.allowance > 0;
        },
        quantum: () => this.allowance,
        charge: (bytes) => (this.allowance -= bytes),
      },
      buffers,
      pieceLength: PIECE,
      isReady: (piece) => !this.held.has(piece),
      read: (offset, views) => this.#read(offset, views),
      onSent: (bytes) => (this.sentPayload += bytes),
      onReadFailed: (run, error) => void this.failures.push({ run, error }),
    });
    // One that has been fast for long.
    this.queue.tick(2 * SEND_WATERMARK_BYTES, 0);
  }

  get bufferedBytes(): number {
    return this.#unsent.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  write(bytes: Uint8Array, done: () => void): void {
    this.#unsent.push({ bytes, done });
  }

  ask(...blocks: readonly (readonly [piece: number, begin: number, length?: number])[]): void {
    for (const [piece, begin, length = BLOCK] of blocks) this.queue.push(piece, begin, length);
    this.queue.pump();
  }

  askPieces(first: number, count: number): void {
    for (let piece = first; piece < first + count; piece++) {
      for (let begin = 0; begin < PIECE; begin += BLOCK) this.queue.push(piece, begin, BLOCK);
    }
    this.queue.pump();
  }

  /** The peer takes the oldest write. */
  take(): boolean {
    const write = this.#unsent.shift();
    if (!write) return false;
    this.sent.push(Buffer.from(write.bytes));
    write.done();
    return true;
  }

  /** Runs until nothing moves any more, with a peer that takes everything. */
  async drain(): Promise<void> {
    do {
      await settle();
      for (const read of this.reads.splice(0)) read.finish();
      await settle();
    } while (this.take() || this.reads.length > 0);
  }

  /** What the peer received, parsed by the splitter. */
  received(): readonly string[] {
    const sink = new RecordedFrames();
    sink.splitter.push(handshake({ infoHash: '00'.repeat(20), peerId: '11'.repeat(20) }));
    for (const bytes of this.sent) sink.splitter.push(bytes);
    for (const { piece, begin, bytes } of sink.blocks) {
      const at = piece * PIECE + begin;
      if (!Buffer.from(bytes).equals(TORRENT.subarray(at, at + bytes.length)))
        throw new Error(`bytes of ${piece}:${begin}`);
    }
    return sink.blocks.map(({ piece, begin, bytes }) => `${piece}:${begin}+${bytes.length}`);
  }

  #read(offset: number, views: readonly Uint8Array[]): Promise<void> {
    this.readsAtOnce = Math.max(this.readsAtOnce, this.reads.length + 1);
    const fill = (): void => {
      let at = offset;
      for (const view of views) {
        view.set(TORRENT.subarray(at, at + view.length));
        at += view.length;
      }
    };
    return new Promise((resolve, reject) => {
      const finish = (): void => {
        fill();
        resolve();
      };
      this.reads.push({ offset, blocks: views.length, finish, fail: reject });
    });
  }
}

async function settle(): Promise<void> {
  await new Promise<void>((resolve) => void setImmediate(resolve));
}

void t.test('contiguous requests become one read, also over piece borders', async (t) => {
  const bench = new Bench();
  bench.ask([0, 2 * BLOCK], [0, 3 * BLOCK], [1, 0], [1, BLOCK], [5, 0]);
  t.same(
    bench.reads.map(({ offset, blocks }) => [offset, blocks]),
    [
      [2 * BLOCK, 4],
      [5 * PIECE, 1],
    ],
  );
  await bench.drain();
  t.same(bench.received(), ['0:32768+16384', '0:49152+16384', '1:0+16384', '1:16384+16384', '5:0+16384']);
  t.equal(bench.sentPayload, 5 * BLOCK);
});

void t.test('a run ends at 32 blocks, at a gap, and behind a short block', async (t) => {
  const long = new Bench();
  long.askPieces(0, 10);
  t.same(
    long.reads.map(({ blocks }) => blocks),
    [32, 8],
  );
  const backwards = new Bench();
  backwards.ask([1, BLOCK], [1, 0]);
  t.same(
    backwards.reads.map(({ blocks }) => blocks),
    [1, 1],
    'order of arrival is kept',
  );
  const short = new Bench();
  short.ask([2, 0], [2, BLOCK, 100], [2, BLOCK + 100, 50]);
  t.same(
    short.reads.map(({ blocks }) => blocks),
    [2, 1],
  );
  await short.drain();
  t.same(short.received(), ['2:0+16384', '2:16384+100', '2:16484+50']);
});

void t.test('duplicates are dropped, cancels and a full queue answered as such', async (t) => {
  const { queue } = new Bench();
  t.equal(queue.push(1, 0, BLOCK), 'queued');
  t.equal(queue.push(1, 0, BLOCK), 'duplicate');
  t.equal(queue.cancel(1, 0), true);
  t.equal(queue.cancel(1, 0), false);
  for (let i = 0; i < MAX_QUEUED_REQUESTS; i++) queue.push(Math.floor(i / 4), (i % 4) * BLOCK, BLOCK);
  t.equal(queue.length, MAX_QUEUED_REQUESTS);
  t.equal(queue.push(600, 0, BLOCK), 'full');
  t.equal(queue.push(0, 0, BLOCK), 'duplicate', 'what is queued already is no excess');
  const dropped = queue.clear();
  t.equal(dropped.length, MAX_QUEUED_REQUESTS);
  t.same(dropped[1], { piece: 0, begin: BLOCK, length: BLOCK });
  t.equal(queue.length, 0);
});

void t.test('a block that is being read cannot be cancelled and is sent', async (t) => {
  const bench = new Bench();
  bench.ask([3, 0]);
  t.equal(bench.queue.cancel(3, 0), false);
  await bench.drain();
  t.same(bench.received(), ['3:0+16384']);
});

void t.test('a peer that does not read stops the disk at the watermark', async (t) => {
  const bench = new Bench();
  bench.askPieces(0, PIECES);
  let reads = 0;
  for (let i = 0; i < 50; i++) {
    reads += bench.reads.length;
    for (const read of bench.reads.splice(0)) read.finish();
    await settle();
  }
  t.equal(bench.reads.length, 0, 'nothing is being read');
  t.ok(bench.bufferedBytes <= SEND_WATERMARK_BYTES + LARGE_BUFFER, `${bench.bufferedBytes} bytes unsent`);
  t.equal(bench.readsAtOnce <= 2, true);
  t.ok(reads <= 8, `${reads} reads`);
  await bench.drain();
  t.equal(bench.received().length, 4 * PIECES, 'everything is sent once it does');
});

void t.test('a slow peer has little read ahead for it', async (t) => {
  const bench = new Bench();
  bench.queue.tick(10_000, 1_000);
  bench.ask([0, 0], [2, 0], [4, 0], [6, 0], [8, 0]);
  for (const read of bench.reads.splice(0)) read.finish();
  await settle();
  t.equal(bench.bufferedBytes, 2 * (BLOCK + 13), '32 KiB, the least that is read ahead');
  t.equal(bench.queue.length, 3);
  bench.take();
  t.equal(bench.reads.length, 1, 'taking one lets one be read');
});

void t.test('who has not shown yet that it reads has as little read ahead', async (t) => {
  const { read, write } = { read: () => Promise.resolve(), write: (_bytes: Uint8Array, done: () => void) => done() };
  let asked = 0;
  const queue = new UploadQueue({
    socket: { bufferedBytes: 0, write },
    allowance: { mayGo: () => true, quantum: () => Infinity, charge: (bytes) => (asked += bytes) },
    buffers: new FrameBufferPool(LARGE_BUFFER),
    pieceLength: PIECE,
    isReady: () => true,
    read,
    onSent: () => undefined,
    onReadFailed: () => undefined,
  });
  for (let block = 0; block < 4; block++) queue.push(0, block * BLOCK, BLOCK);
  queue.pump();
  t.equal(asked, MIN_SEND_WATERMARK_BYTES);
});

void t.test('who takes nothing stalls after five minutes, and while others wait after half a minute', async (t) => {
  const buffers = new FrameBufferPool(LARGE_BUFFER);
  const stuck = new Bench(buffers);
  const pass = (seconds: number): boolean => {
    for (let i = 0; i < seconds; i++) stuck.queue.tick(2 * SEND_WATERMARK_BYTES, 1_000);
    return stuck.queue.isStalled;
  };
  t.notOk(pass(1_000), 'nothing was written');
  stuck.askPieces(0, 8);
  t.notOk(pass(1_000), 'the disk is slow');
  for (const read of stuck.reads.splice(0)) read.finish();
  await settle();
  t.notOk(pass(19));
  t.notOk(stuck.queue.wastesSlot);
  t.notOk(pass(1));
  t.ok(stuck.queue.wastesSlot, 'a slot after twenty seconds');
  t.notOk(pass(280));
  t.ok(pass(1));
  stuck.take();
  t.notOk(stuck.queue.isStalled, 'taken at last');
  t.notOk(stuck.queue.wastesSlot);
  stuck.askPieces(8, 8);
  for (const read of stuck.reads.splice(0)) read.finish();
  await settle();
  new Bench(buffers).askPieces(0, 8);
  t.ok(buffers.isShort);
  t.notOk(pass(30));
  t.ok(pass(1));
});

void t.test('peers share the buffers in turn', async (t) => {
  const buffers = new FrameBufferPool(LARGE_BUFFER);
  const benches = Array.from({ length: 4 }, () => new Bench(buffers));
  for (const bench of benches) bench.askPieces(0, 16);
  t.equal(buffers.isShort, true);
  const order: number[] = [];
  for (let round = 0; round < 20; round++) {
    await settle();
    benches.forEach((bench, i) => {
      if (bench.reads.length > 0) order.push(i);
      for (const read of bench.reads.splice(0)) read.finish();
    });
    t.ok(buffers.usedBytes <= LARGE_BUFFER, 'never above the limit');
    await settle();
    for (const bench of benches) bench.take();
  }
  // The first had asked for its second buffer before the others came.
  t.same(order, [0, 0, 1, 2, 3, 1, 2, 3]);
  for (const bench of benches) t.equal(bench.received().length, 64);
  t.same([buffers.usedBytes, buffers.isShort], [0, false]);
});

void t.test('a waiting peer that has nothing to send any more passes its turn on', async (t) => {
  const buffers = new FrameBufferPool(LARGE_BUFFER);
  const [first, choked, last] = [new Bench(buffers), new Bench(buffers), new Bench(buffers)];
  first.askPieces(0, 8);
  choked.askPieces(0, 8);
  last.askPieces(0, 8);
  choked.queue.clear();
  await first.drain();
  await last.drain();
  t.equal(last.received().length, 32);
});

void t.test('a closed peer waits for no buffer', async (t) => {
  const buffers = new FrameBufferPool(LARGE_BUFFER);
  const [first, gone, last] = [new Bench(buffers), new Bench(buffers), new Bench(buffers)];
  for (const bench of [first, gone, last]) bench.askPieces(0, 8);
  gone.queue.close();
  await first.drain();
  await last.drain();
  t.equal(last.received().length, 32);
  t.equal(gone.reads.length, 0);
});

void t.test(
  'a failed read is reported with its requests, gives its buffer back, and the others are served',
  async (t) => {
    const buffers = new FrameBufferPool(64 * LARGE_BUFFER);
    const bench = new Bench(buffers);
    bench.ask([0, 0], [2, 0], [4, 0], [6, 0]);
    const error = new Error('short read');
    bench.reads.shift()?.fail(error);
    await settle();
    t.same(bench.failures, [{ run: [{ piece: 0, begin: 0, length: BLOCK }], error }]);
    await bench.drain();
    t.same(bench.received(), ['2:0+16384', '4:0+16384', '6:0+16384']);
    t.equal(buffers.usedBytes, 0);
  },
);

void t.test('after close during a read nothing is sent or reported, and the buffer is back', async (t) => {
  for (const end of ['finish', 'fail'] as const) {
    const buffers = new FrameBufferPool(64 * LARGE_BUFFER);
    const bench = new Bench(buffers);
    bench.askPieces(0, 2);
    bench.queue.close();
    bench.reads[0]?.[end](new Error('closed'));
    await settle();
    t.equal(bench.bufferedBytes, 0);
    t.same(bench.failures, []);
    t.equal(bench.sentPayload, 0);
    t.equal(buffers.usedBytes, 0, `after ${end}`);
  }
});

void t.test('whatever is asked in whatever order is answered exactly once, byte for byte', async () => {
  const request = fc.tuple(fc.nat(PIECES - 1), fc.nat(3), fc.constantFrom(BLOCK, BLOCK, BLOCK, 1, 5000));
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 80 }), fc.nat(3), async (requests, largeBuffers) => {
      const buffers = new FrameBufferPool((1 + largeBuffers) * LARGE_BUFFER);
      const bench = new Bench(buffers);
      const asked: string[] = [];
      for (const [piece, index, length] of requests) {
        if (bench.queue.push(piece, index * BLOCK, length) === 'queued')
          asked.push(`${piece}:${index * BLOCK}+${length}`);
      }
      bench.queue.pump();
      await bench.drain();
      return bench.received().toSorted().join() === asked.toSorted().join() && buffers.usedBytes === 0;
    }),
    { numRuns: 60 },
  );
});

void t.test('under a rate limit a run is no longer than what may go, and the rest waits to be called', async (t) => {
  const bench = new Bench();
  bench.allowance = 3 * BLOCK;
  bench.askPieces(0, 2);
  t.same(
    bench.reads.map(({ blocks }) => blocks),
    [3],
  );
  t.equal(bench.refusals, 1);
  await bench.drain();
  t.equal(bench.sentPayload, 3 * BLOCK);
  bench.allowance = 1;
  bench.queue.pump();
  t.equal(bench.reads.at(-1)?.blocks, 1, 'a block is the least that moves');
  bench.allowance = Infinity;
  bench.queue.pump();
  await bench.drain();
  t.equal(bench.sentPayload, 8 * BLOCK);
});

void t.test('what may not go out yet waits, and takes no memory meanwhile', async (t) => {
  const bench = new Bench();
  bench.held.add(1);
  const last = PIECE - BLOCK;
  bench.ask([0, last], [1, 0], [1, BLOCK]);
  t.same(bench.reads.map(({ blocks }) => blocks), [1], 'a run ends where it may not go on'); // prettier-ignore
  bench.ask([2, 0]);
  t.equal(bench.reads.length, 1, 'in order');
  t.ok(bench.queue.cancel(1, BLOCK));
  bench.held.clear();
  bench.reads[0]!.finish();
  await settle();
  t.equal(bench.reads.length, 3, 'each of the two that are left');
});
