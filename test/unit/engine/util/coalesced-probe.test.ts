// Nobody is told what was so before it asked, however many ask at once.
import t from 'tap';
import { CoalescedProbe } from '../../../../engine/util/coalesced-probe.js';

interface Look {
  readonly path: string;
  readonly end: (found: number | Error) => void;
}

/** Looks that the test ends. */
function scripted() {
  const begun: Look[] = [];
  const looks = new CoalescedProbe(
    (path) =>
      new Promise<number>((resolve, reject) => {
        begun.push({ path, end: (found) => (found instanceof Error ? reject(found) : resolve(found)) });
      }),
  );
  return { begun, looks };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

void t.test('who comes while one is under way shares the next', async (t) => {
  const { begun, looks } = scripted();
  const first = looks.at('/a');
  const late = [looks.at('/a'), looks.at('/a')];
  await settled();
  t.equal(begun.length, 1, 'one at a time');
  begun[0]!.end(1);
  t.equal(await first, 1);
  await settled();
  t.equal(begun.length, 2, 'for both');
  const later = looks.at('/a');
  begun[1]!.end(2);
  t.same(await Promise.all(late), [2, 2]);
  await settled();
  begun[2]!.end(3);
  t.equal(await later, 3);
});

void t.test('a look that fails fails for those who shared it alone', async (t) => {
  const { begun, looks } = scripted();
  const first = looks.at('/a');
  const next = looks.at('/a');
  begun[0]!.end(new Error('EIO'));
  await t.rejects(first, { message: 'EIO' });
  await settled();
  begun[1]!.end(2);
  t.equal(await next, 2);
  const last = looks.at('/a');
  begun[2]!.end(3);
  t.equal(await last, 3, 'nothing is left of it');
});

void t.test('paths do not wait for each other', async (t) => {
  const { begun, looks } = scripted();
  const ends = [looks.at('/a'), looks.at('/b')];
  t.same(
    begun.map(({ path }) => path),
    ['/a', '/b'],
  );
  begun.forEach(({ end }, index) => end(index));
  t.same(await Promise.all(ends), [0, 1]);
});
