// Messages in frames: whole ones, parts that are mixed with others, and what is none.
import t from 'tap';
import { randomBytes } from 'node:crypto';
import { FrameJoiner, PART_BYTES, partFrames, wholeFrame } from '../../../../shared-protocol/stream/frames.js';
import { Outbox } from '../../../../shared-protocol/stream/outbox.js';

void t.test('a message in one frame', async (t) => {
  const message = randomBytes(1_000);
  t.ok(message.equals(new FrameJoiner().take(wholeFrame(message)) as Uint8Array));
  t.equal((new FrameJoiner().take(wholeFrame(new Uint8Array(0))) as Uint8Array).length, 0);
});

void t.test('parts of several messages, mixed', async (t) => {
  const [one, two] = [randomBytes(3 * PART_BYTES + 1), randomBytes(2 * PART_BYTES)];
  const [ofOne, ofTwo] = [[...partFrames(one, 1)], [...partFrames(two, 0xffff_ffff)]];
  t.same([ofOne.length, ofTwo.length], [4, 2]);
  const joiner = new FrameJoiner();
  const joined = [ofOne[0], ofTwo[0], ofOne[1], ofTwo[1], wholeFrame(Buffer.from('between')), ofOne[2], ofOne[3]]
    .map((frame) => joiner.take(frame!))
    .filter((message) => message !== null);
  t.same(
    joined.map((message) => Buffer.from(message as Uint8Array).length),
    [two.length, 7, one.length],
  );
  t.ok(one.equals(joined[2] as Uint8Array));
});

void t.test('what is no frame ends the stream', async (t) => {
  for (const frame of [[], [3, 1, 2, 3, 4, 5], [1], [1, 0, 0, 0, 1], [2, 0, 0, 0, 1]]) {
    t.equal(new FrameJoiner().take(new Uint8Array(frame)), 'invalid', String(frame));
  }
});

void t.test('neither too much nor too many are held', async (t) => {
  const part = (messageNumber: number) => [...partFrames(new Uint8Array(PART_BYTES + 1), messageNumber)][0]!;
  const many = new FrameJoiner();
  const taken = Array.from({ length: 65 }, (_, messageNumber) => many.take(part(messageNumber)));
  t.same(taken.slice(0, 64), Array<null>(64).fill(null));
  t.equal(taken[64], 'invalid');
  const much = new FrameJoiner();
  const parts = Array.from({ length: 257 }, () => much.take(part(1)));
  t.equal(parts[255], null);
  t.equal(parts[256], 'invalid', '64 MiB of one message');
});

void t.test('small parts, of which each would take far more memory than it has bytes', async (t) => {
  const [whole, last] = [...partFrames(new Uint8Array(PART_BYTES + 1), 1)] as [Uint8Array, Uint8Array];
  t.equal(new FrameJoiner().take(whole.subarray(0, -1)), 'invalid');
  const joiner = new FrameJoiner();
  t.equal(joiner.take(whole), null);
  t.equal((joiner.take(last) as Uint8Array).length, PART_BYTES + 1, 'the last is as small as it has to be');
});

void t.test('the outbox sends small messages between the parts of large ones', async (t) => {
  const sent: { readonly frame: Uint8Array; readonly onTaken: (() => void) | undefined }[] = [];
  const outbox = new Outbox({ send: (frame, onTaken) => void sent.push({ frame, onTaken }) });
  outbox.send(randomBytes(2 * PART_BYTES));
  outbox.send(randomBytes(2 * PART_BYTES));
  t.equal(sent.length, 1, 'one part is under way');
  outbox.send(Buffer.from('small'));
  outbox.sendInOrder(randomBytes(3 * PART_BYTES));
  t.same(
    sent.slice(1).map(({ frame }) => frame[0]),
    [0, 0],
  );
  for (let next = 0; next < sent.length; next++) sent[next]?.onTaken?.();
  const numbers = sent.filter(({ frame }) => frame[0] !== 0).map(({ frame }) => frame[4]);
  t.same(numbers, [1, 1, 2, 2], 'one that came while a part was under way has its turn after it');
  const joiner = new FrameJoiner();
  const joined = sent.map(({ frame }) => joiner.take(frame)).filter((message) => message instanceof Uint8Array);
  t.equal(joined.length, 4);
});
