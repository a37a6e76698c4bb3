// BEP 3 framing: however a stream is cut, the same calls come out of it; nothing comes after a close.
import t from 'tap';
import fc from 'fast-check';
import { FrameSplitter, type FrameSink } from '../../../../engine/wire/frame-splitter.js';
import { block, cancel, frame, handshake, KEEP_ALIVE, reject, request } from '../../../support/frames.js';
import { RecordedFrames, type SinkCall } from '../../../support/recorded-frames.js';

const HANDSHAKE = handshake({ infoHash: 'ab'.repeat(20), peerId: 'cd'.repeat(20) });
const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const payload = (maxLength: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: 0, maxLength });

const message = fc.oneof(
  fc.constant(KEEP_ALIVE),
  fc.constantFrom(0, 1, 2, 3, 14, 15).map((id) => frame(id)),
  fc.tuple(fc.constantFrom(4, 13, 17), uint32).map(([id, piece]) => frame(id, [piece])),
  fc.tuple(uint32, uint32, uint32).map((fields) => request(...fields)),
  fc.tuple(uint32, uint32, uint32).map((fields) => cancel(...fields)),
  fc.tuple(uint32, uint32, uint32).map((fields) => reject(...fields)),
  fc.tuple(uint32, uint32, payload(300)).map((fields) => block(...fields)),
  fc.constant(block(3, 16_384, Buffer.alloc(16_384, 0x5a))),
  payload(40).map((bits) => frame(5, [], bits)),
  fc.constant(frame(5, [], Buffer.alloc(9_000, 0xf0))),
  fc.tuple(fc.constantFrom(10, 19, 21, 200, 255), payload(60)).map(([id, bytes]) => frame(id, [], bytes)),
  payload(80).map((bytes) => frame(20, [], Buffer.concat([Buffer.of(1), bytes]))),
);

function feed(stream: Uint8Array, cuts: readonly number[], sink: RecordedFrames): string[] {
  const bounds = [0, ...cuts.map((cut) => cut % (stream.length + 1)).sort((a, b) => a - b), stream.length];
  for (let i = 1; i < bounds.length; i++) {
    // As of a read buffer that is used again: what the splitter keeps a view of is overwritten.
    const read = new Uint8Array(stream.subarray(bounds[i - 1], bounds[i]));
    sink.splitter.push(read);
    read.fill(0xdd);
  }
  return sink.calls;
}

void t.test('a stream cut anywhere gives the calls of the uncut stream', async () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 30 }), (messages, cuts) => {
      const stream = Buffer.concat([HANDSHAKE, ...messages]);
      const refuse = (piece: number): boolean => piece % 3 === 1;
      const whole = feed(stream, [], new RecordedFrames({ refuse }));
      const cut = feed(stream, cuts, new RecordedFrames({ refuse }));
      return whole.join('\n') === cut.join('\n') && !whole.some((call) => call.startsWith('onViolation'));
    }),
    { numRuns: 1500 },
  );
});

void t.test('a stream dribbled byte by byte gives them too', async (t) => {
  const stream = Buffer.concat([
    HANDSHAKE,
    frame(5, [], Buffer.alloc(6_000, 0xaa)),
    KEEP_ALIVE,
    request(1, 2, 3),
    block(7, 0, Buffer.alloc(16_384, 1)),
    block(7, 16_384, Buffer.alloc(0)),
    reject(4, 5, 6),
    frame(0),
    cancel(1, 2, 3),
  ]);
  const bytewise = Array.from({ length: stream.length - 1 }, (_, i) => i + 1);
  const dribbled = feed(stream, bytewise, new RecordedFrames());
  t.same(dribbled, feed(stream, [], new RecordedFrames()));
  t.equal(dribbled.length, 11);
});

void t.test('handshake and control frames are copies that outlive the read buffer', async (t) => {
  const sink = new RecordedFrames();
  feed(Buffer.concat([HANDSHAKE, KEEP_ALIVE, frame(4, [77]), frame(5, [], Buffer.alloc(40, 3))]), [80, 90], sink);
  t.same(
    Buffer.concat(sink.kept),
    Buffer.concat([HANDSHAKE, KEEP_ALIVE, frame(4, [77]), frame(5, [], Buffer.alloc(40, 3))]),
  );
});

void t.test('close() inside any callback stops delivery there and then', async (t) => {
  const stream = Buffer.concat([
    HANDSHAKE,
    KEEP_ALIVE,
    request(1, 2, 3),
    cancel(1, 2, 3),
    reject(1, 2, 3),
    block(1, 0, Buffer.alloc(100)),
    frame(6, [1]),
    request(9, 9, 9),
  ]);
  const calls: SinkCall[] = [
    'onHandshake',
    'onControl',
    'onRequest',
    'onCancel',
    'onReject',
    'onBlockStart',
    'onBlockEnd',
    'onViolation',
  ];
  for (const closeIn of calls) {
    for (const cuts of [[], [70, 75, 90, 120, 130, 140, 150, 180, 240]]) {
      const sink = new RecordedFrames({ closeIn });
      const heard = feed(stream, cuts, sink);
      t.match(heard.at(-1), new RegExp(`^${closeIn} `), `nothing after ${closeIn}`);
      t.equal(sink.splitter.closed, true);
    }
  }
});

void t.test('an abandoned block is read over: its end is not reported, what follows is', async (t) => {
  const sink = new RecordedFrames();
  const stream = Buffer.concat([HANDSHAKE, block(2, 0, Buffer.alloc(1000, 7)), request(5, 0, 16_384)]);
  sink.splitter.push(stream.subarray(0, HANDSHAKE.length + 13 + 400));
  sink.splitter.abandonBlock();
  sink.splitter.push(stream.subarray(HANDSHAKE.length + 13 + 400));
  t.same(sink.calls.slice(1), ['onBlockStart 2 0 1000', 'onRequest 5 0 16384']);
});

void t.test('bytes that arrive after abandonBlock() do not reach the place any more', async (t) => {
  const place = new Uint8Array(8);
  const ended: number[] = [];
  const sink: FrameSink = {
    onHandshake: () => undefined,
    onControl: () => undefined,
    onRequest: () => undefined,
    onCancel: () => undefined,
    onReject: () => undefined,
    onBlockStart: () => place,
    onBlockEnd: (piece) => void ended.push(piece),
    onViolation: () => undefined,
  };
  const splitter = new FrameSplitter(sink);
  splitter.push(HANDSHAKE);
  const bytes = block(0, 0, Buffer.alloc(8, 0xff));
  splitter.push(bytes.subarray(0, 13 + 3));
  splitter.abandonBlock();
  splitter.push(bytes.subarray(13 + 3));
  t.same([...place], [255, 255, 255, 0, 0, 0, 0, 0]);
  t.same(ended, []);
});

void t.test('the first bytes that are not a BitTorrent handshake end it', async (t) => {
  const other = Buffer.from(HANDSHAKE);
  other[19] = 'K'.charCodeAt(0);
  for (const [name, stream] of Object.entries({
    'HTTP request': Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    'length 18': Buffer.of(18),
    'another protocol of the same length': other.subarray(0, 20),
  })) {
    for (const cuts of [[], [1, 2, 3, 18, 19]]) {
      t.same(feed(stream, cuts, new RecordedFrames()), ['onViolation WIRE_NOT_BITTORRENT'], name);
    }
  }
});

void t.test('memory follows the bytes received, not the length that a peer claims', async (t) => {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(2 ** 20, 0);
  header[4] = 5;
  const splitters = Array.from({ length: 500 }, () => new RecordedFrames().splitter);
  for (const splitter of splitters) splitter.push(HANDSHAKE);
  const before = process.memoryUsage().arrayBuffers;
  for (const splitter of splitters) splitter.push(header);
  const after = process.memoryUsage().arrayBuffers;
  // 500 claims of 1 MiB; docs/limits.md 2.10 allows 4 KiB for each connection that dribbles.
  t.ok(after - before <= 500 * 4 * 1024 + 1024 * 1024, `grew by ${after - before} bytes`);
  t.equal(
    splitters.every((splitter) => !splitter.closed),
    true,
  );
});
