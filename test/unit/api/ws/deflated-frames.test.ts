// Deflated frames as RFC 6455 and RFC 7692 want them, each by itself.
import { constants, inflateRawSync } from 'node:zlib';
import t from 'tap';
import { DeflatedFrames } from '../../../../api/ws/deflated-frames.js';
import { SeededRandom } from '../../../support/seeded-random.js';

const TAIL = Buffer.from([0x00, 0x00, 0xff, 0xff]);

function read(frame: Buffer): Buffer {
  const [first, short = 0] = frame;
  if (first !== 0b1100_0001) throw new Error(`first byte ${first}`);
  const [length, at] =
    short === 127 ? [Number(frame.readBigUInt64BE(2)), 10] : short === 126 ? [frame.readUInt16BE(2), 4] : [short, 2];
  if (frame.length !== at + length) throw new Error(`${frame.length} bytes, not ${at + length}`);
  if (frame.subarray(-TAIL.length).equals(TAIL)) throw new Error('the tail is to be left out');
  const deflated = Buffer.concat([frame.subarray(at), TAIL]);
  return inflateRawSync(deflated, { finishFlush: constants.Z_SYNC_FLUSH });
}

void t.test('payloads of every size come back, also when they are asked for at once', async (t) => {
  const frames = new DeflatedFrames();
  const random = new SeededRandom(3);
  // What cannot be deflated makes frames of about their own size: each kind of length is among them.
  const payloads = [0, 1, 60, 118, 119, 120, 121, 125, 126, 1_000, 65_530, 65_535, 70_000, 1_000_000].flatMap(
    (size) => [Buffer.from(random.bytes(size)), Buffer.alloc(size, 'json')],
  );
  const made = await Promise.all(payloads.map((payload) => frames.of(payload)));
  made.forEach((frame, i) => t.ok(read(frame).equals(payloads[i]!), `${payloads[i]!.length} bytes`));
  t.equal(await frames.of(payloads[9]!), made[9], 'not again');
});

void t.test('what is small is not worth it', async (t) => {
  const frames = new DeflatedFrames();
  t.notOk(frames.isWorthwhile(Buffer.alloc(1_023)));
  t.ok(frames.isWorthwhile(Buffer.alloc(1_024)));
});
