// Memory that frames share: nobody ever reads what another frame has been put into.
import fc from 'fast-check';
import t from 'tap';
import { FrameMemory, SharedBytes, type HeldBytes } from '../../../../api/ws/frame-memory.js';

const LARGE = 100_000;

function filled(memory: FrameMemory, length: number, value: number): Uint8Array {
  return memory.take(length).fill(value);
}

void t.test('what was given back is taken again, where it fits', async (t) => {
  const memory = new FrameMemory();
  const first = memory.take(LARGE);
  t.equal(first.length, LARGE);
  t.not(memory.take(LARGE).buffer, first.buffer, 'it is in use');
  memory.give(first.subarray(0, 10));
  t.not(memory.take(LARGE * 2).buffer, first.buffer, 'too short');
  t.not(memory.take(LARGE / 3).buffer, first.buffer, 'most of it would be left over');
  const again = memory.take(LARGE + 100);
  t.equal(again.buffer, first.buffer);
  t.equal(again.length, LARGE + 100);
  memory.give(again);
  memory.clear();
  t.not(memory.take(LARGE).buffer, first.buffer, 'forgotten');
});

void t.test('small ones are memory of their own; of what nobody uses not all is kept', async (t) => {
  const memory = new FrameMemory();
  const small = memory.take(100);
  memory.give(small);
  t.not(memory.take(100).buffer, small.buffer);
  const huge = Array.from({ length: 4 }, () => memory.take(10 * 1024 * 1024));
  for (const bytes of huge) memory.give(bytes);
  const kept = new Set(huge.map(({ buffer }) => buffer));
  const taken = huge.map(() => memory.take(10 * 1024 * 1024));
  t.equal(taken.filter(({ buffer }) => kept.has(buffer)).length, 3);
});

void t.test('shared bytes are made for the first holder and given back by the last', async (t) => {
  const memory = new FrameMemory();
  let made = 0;
  const shared = new SharedBytes(memory, async () => filled(memory, LARGE, ++made));
  const [a, b] = await Promise.all([shared.hold(), shared.hold()]);
  t.equal(a.bytes, b.bytes);
  a.release();
  t.not(memory.take(LARGE).buffer, b.bytes.buffer);
  const c = await shared.hold();
  t.equal(made, 1, 'somebody still holds them');
  b.release();
  c.release();
  t.equal((await shared.hold()).bytes[0], 2, 'made again');
  t.equal(made, 2);
});

void t.test('what cannot be made is tried again for the next one', async (t) => {
  let isBroken = true;
  const memory = new FrameMemory();
  const shared = new SharedBytes(memory, async () => {
    if (isBroken) throw new Error('ended');
    return filled(memory, LARGE, 7);
  });
  await Promise.all([t.rejects(shared.hold(), { message: 'ended' }), t.rejects(shared.hold(), { message: 'ended' })]);
  isBroken = false;
  t.equal((await shared.hold()).bytes.at(-1), 7);
});

void t.test('in whatever order frames are held and released, each holds what was put into it', async (t) => {
  const step = fc.record({
    frame: fc.nat(4),
    what: fc.constantFrom('hold', 'hold', 'release'),
    length: fc.nat(90_000),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const memory = new FrameMemory();
      const lengths = [0, 0, 0, 0, 0];
      const frames = lengths.map(
        (_, frame) => new SharedBytes(memory, async () => filled(memory, 30_000 + lengths[frame]!, frame)),
      );
      const held: { readonly frame: number; readonly hold: HeldBytes }[] = [];
      for (const { frame, what, length } of steps) {
        lengths[frame] = length;
        if (what === 'hold') held.push({ frame, hold: await frames[frame]!.hold() });
        else held.splice(length % Math.max(1, held.length), 1)[0]?.hold.release();
        for (const each of held) if (each.hold.bytes.some((byte) => byte !== each.frame)) t.fail('overwritten');
      }
    }),
    { numRuns: 30 },
  );
});
