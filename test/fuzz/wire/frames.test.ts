// Frames (docs/limits.md 2.10): any bytes, cut anywhere, are the same calls as uncut, end in one violation at most and
// never make the splitter keep more than came. And what the guard lets through the wire's own decoder can be read.
import t from 'tap';
import bencode from 'bencode';
import fc from 'fast-check';
import { isAcceptableExtended } from '../../../engine/wire/extended-guard.js';
import { block, extended, frame, handshake, KEEP_ALIVE, request } from '../../support/frames.js';
import { fuzzRuns } from '../../support/fuzzing.js';
import { RecordedFrames } from '../../support/recorded-frames.js';

const HANDSHAKE = handshake({ infoHash: 'ab'.repeat(20), peerId: 'cd'.repeat(20) });

/** Any id with any length, the length prefix true or not. */
const anyFrame = fc
  .tuple(fc.nat(255), fc.uint8Array({ maxLength: 40 }), fc.constantFrom(0, 0, 0, 0, -1, 1, 2 ** 20, 2 ** 31))
  .map(([id, payload, lie]) => {
    const bytes = frame(id, [], payload);
    bytes.writeUInt32BE((bytes.readUInt32BE(0) + lie) >>> 0, 0);
    return bytes;
  });
const good = fc.constantFrom(KEEP_ALIVE, frame(1), request(1, 0, 16_384), block(1, 0, Buffer.alloc(50)), frame(4, [1]));
const stream = fc
  .tuple(
    fc.constantFrom(HANDSHAKE, HANDSHAKE, HANDSHAKE, Buffer.alloc(68)),
    fc.array(fc.oneof(good, anyFrame), { maxLength: 12 }),
  )
  .map(([start, frames]) => Buffer.concat([start, ...frames]));

function feed(bytes: Uint8Array, cuts: readonly number[]): string[] {
  const sink = new RecordedFrames({ refuse: () => false });
  const bounds = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (let i = 1; i < bounds.length; i++) sink.splitter.push(new Uint8Array(bytes.subarray(bounds[i - 1], bounds[i])));
  return sink.calls;
}

void t.test('any stream, cut anywhere', async (t) => {
  let violations = 0;
  fc.assert(
    fc.property(stream, fc.array(fc.nat(), { maxLength: 20 }), (bytes, cuts) => {
      const whole = feed(bytes, []);
      const broken = whole.filter((call) => call.startsWith('onViolation')).length;
      violations += broken;
      if (broken > 1 || (broken === 1 && !whole.at(-1)?.startsWith('onViolation'))) return false;
      return feed(bytes, cuts).join('\n') === whole.join('\n');
    }),
    { numRuns: fuzzRuns(5_000) },
  );
  t.ok(violations > 100, `${violations} violations`);
});

const NASTY = [
  'd',
  'l',
  'e',
  'i1e',
  '1:m',
  '9:__proto__',
  '0:',
  'le',
  'de',
  '11:ut_metadata',
  'i-1e',
  '99:',
  '8:toString',
];
const body = fc.oneof(
  fc.array(fc.constantFrom(...NASTY), { maxLength: 14 }).map((parts) => Buffer.from(parts.join(''))),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.object({ maxDepth: 2 }).map(() => Buffer.from('d1:md6:ut_pexi1eee')),
);

void t.test('extended handshakes: what is let through can be decoded by others', async (t) => {
  let accepted = 0;
  fc.assert(
    fc.property(body, (bytes) => {
      if (!isAcceptableExtended(extended(0, bytes))) return true;
      accepted++;
      const decoded: unknown = bencode.decode(bytes);
      return typeof decoded === 'object' && decoded !== null && Object.getPrototypeOf(decoded) === Object.prototype;
    }),
    { numRuns: fuzzRuns(10_000) },
  );
  t.ok(accepted > 50, `${accepted} accepted`);
});
