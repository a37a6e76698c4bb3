// Parts that come again: deflated once for as long as they are the same bytes, and again after a failure.
import t from 'tap';
import { deflatedPart, type Deflate } from '../../../../api/torrent-list/deflate/deflated-part.js';
import { DeflatedParts } from '../../../../api/ws/deflated-parts.js';

const [A, B, C] = [Buffer.from('a'), Buffer.from('b'), Buffer.from('c')];

function start() {
  const asked: string[] = [];
  const state = { isBroken: false };
  const thread: Deflate = {
    deflate: async (parts) => {
      const texts = parts.map((part) => {
        const plain = Buffer.alloc(part.byteLength);
        part.copyTo(plain, 0);
        return plain.toString();
      });
      asked.push(...texts);
      if (state.isBroken) throw new Error('ended');
      return texts.map(deflatedPart);
    },
  };
  return { asked, state, parts: new DeflatedParts(thread) };
}

void t.test('a part is deflated once, also when it is asked for twice at the same time', async (t) => {
  const { asked, parts } = start();
  const [first, second] = await Promise.all([parts.of([A, B]), parts.of([A, C])]);
  t.equal(first[0], second[0]);
  t.same([...first, second[1]], ['a', 'b', 'c'].map(deflatedPart));
  t.same(asked.toSorted(), ['a', 'b', 'c']);
  t.same(await parts.of([C, A, B]), [second[1], ...first]);
  t.equal(asked.length, 3);
  await parts.of([Buffer.from('a')]);
  t.equal(asked.length, 4, 'others with the same text are not the same bytes');
});

void t.test('what could not be deflated is tried again', async (t) => {
  const { asked, state, parts } = start();
  state.isBroken = true;
  await t.rejects(parts.of([A, B]), { message: 'ended' });
  state.isBroken = false;
  t.equal((await parts.of([A, B])).length, 2);
  t.same(asked, ['a', 'a', 'b']);
});
