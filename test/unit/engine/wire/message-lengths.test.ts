// docs/limits.md 2.10: every id with every interesting length, before and after the handshake. The expectations are
// derived from BEP 3, 6 and 10 here, apart from the table that the engine uses.
import t from 'tap';
import { handshake } from '../../../support/frames.js';
import { RecordedFrames } from '../../../support/recorded-frames.js';

const HANDSHAKE = handshake({ infoHash: 'ab'.repeat(20), peerId: 'cd'.repeat(20) });
const MIB = 2 ** 20;
const BLOCK = 16 * 1024;

/** Length prefix by id, where the specification fixes it. */
const FIXED: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 1,
  3: 1,
  4: 5,
  6: 13,
  8: 13,
  9: 3,
  13: 5,
  14: 1,
  15: 1,
  16: 13,
  17: 5,
};

type Outcome = 'pending' | 'delivered' | 'WIRE_MESSAGE_LENGTH' | 'WIRE_FRAME_TOO_LARGE' | 'WIRE_BLOCK_SIZE';

/** What a header of this id and length leads to when at most 64 bytes of the frame have come. */
function expected(id: number, length: number): Outcome {
  if (length === 0) return 'delivered';
  if (length > MIB) return 'WIRE_FRAME_TOO_LARGE';
  const fixed = FIXED[id];
  if (fixed !== undefined && length !== fixed) return 'WIRE_MESSAGE_LENGTH';
  if (id === 7 && length < 9) return 'WIRE_MESSAGE_LENGTH';
  if (id === 7 && length > 9 + BLOCK) return 'WIRE_BLOCK_SIZE';
  if (id === 20 && length < 2) return 'WIRE_MESSAGE_LENGTH';
  if (id === 20 && length > MIB / 2) return 'WIRE_FRAME_TOO_LARGE';
  return length + 4 <= 64 ? 'delivered' : 'pending';
}

function start(id: number, length: number): Buffer {
  const bytes = Buffer.alloc(Math.max(5, Math.min(64, 4 + length)));
  bytes.writeUInt32BE(length, 0);
  if (length > 0) bytes[4] = id;
  return length === 0 ? bytes.subarray(0, 4) : bytes;
}

function outcome(calls: readonly string[]): string {
  const last = calls.filter((call) => !call.startsWith('onBlockStart')).at(-1);
  if (last === undefined) return 'pending';
  return last.startsWith('onViolation ') ? last.slice('onViolation '.length) : 'delivered';
}

void t.test('after the handshake', async (t) => {
  let cases = 0;
  for (let id = 0; id <= 255; id++) {
    const exact = FIXED[id] ?? (id === 7 ? 9 : id === 20 ? 2 : 1);
    const lengths = new Set([0, exact - 1, exact, exact + 1, MIB, MIB + 1, 2 ** 32 - 1]);
    if (id === 7) for (const length of [9 + BLOCK, 10 + BLOCK]) lengths.add(length);
    if (id === 20) for (const length of [MIB / 2, MIB / 2 + 1]) lengths.add(length);
    for (const length of lengths) {
      for (const dribble of [false, true]) {
        const sink = new RecordedFrames();
        sink.splitter.push(HANDSHAKE);
        sink.calls.length = 0;
        const bytes = start(id, length);
        if (dribble) for (const byte of bytes) sink.splitter.push(Uint8Array.of(byte));
        else sink.splitter.push(bytes);
        const got = outcome(sink.calls);
        // One assertion for each would drown the report.
        if (got !== expected(id, length)) t.fail(`id ${id} length ${length}: ${got}, not ${expected(id, length)}`);
        cases++;
      }
    }
  }
  t.ok(cases >= 256 * 5 * 2, `${cases} cases`);
});

void t.test('instead of a handshake they are no BitTorrent, whatever they are', async (t) => {
  for (let id = 0; id <= 255; id++) {
    for (const length of [0, 1, 5, 13, MIB, 2 ** 32 - 1]) {
      const sink = new RecordedFrames();
      sink.splitter.push(start(id, length));
      if (outcome(sink.calls) !== 'WIRE_NOT_BITTORRENT') t.fail(`id ${id} length ${length}: ${sink.calls.join()}`);
    }
  }
  t.pass('all refused');
});

void t.test('a frame of the wrong length is refused as soon as its id is known', async (t) => {
  const sink = new RecordedFrames();
  sink.splitter.push(HANDSHAKE);
  sink.splitter.push(Uint8Array.of(0, 0, 0, 14, 6));
  t.equal(sink.calls.at(-1), 'onViolation WIRE_MESSAGE_LENGTH');
});

void t.test('half a legal request is waited for', async (t) => {
  const sink = new RecordedFrames();
  sink.splitter.push(HANDSHAKE);
  sink.splitter.push(Uint8Array.of(0, 0, 0, 13, 6, 0, 0, 0));
  t.equal(sink.calls.length, 1);
  sink.splitter.push(Uint8Array.of(1, 0, 0, 0, 2, 0, 0, 0, 3));
  t.equal(sink.calls.at(-1), 'onRequest 1 2 3');
});
