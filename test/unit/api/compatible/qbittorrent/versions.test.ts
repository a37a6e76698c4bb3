// Versions by their numbers: which are kept, and that numbers come again only when they have gone round.
import t from 'tap';
import { Versions } from '../../../../../api/compatible/qbittorrent/sync/versions.js';

void t.test('the ones that are used stay', (t) => {
  const versions = new Versions<string>(3);
  const [a, b, c] = ['a', 'b', 'c'].map((version) => versions.add(version));
  t.equal(versions.find(a!), 'a');
  const d = versions.add('d');
  t.strictSame(
    [a, b, c, d].map((rid) => versions.find(rid!)),
    ['a', undefined, 'c', 'd'],
    'b was not used the longest',
  );
  t.strictSame([versions.find(0), versions.find(-1), versions.find(NaN)], [undefined, undefined, undefined]);
  t.end();
});

void t.test('numbers go round', (t) => {
  const versions = new Versions<number>(2);
  const rids = Array.from({ length: 1_000_001 }, (_, index) => versions.add(index));
  t.ok(
    rids.every((rid) => rid >= 1 && rid <= 1_000_000),
    'never 0, which asks for everything',
  );
  t.equal(rids.at(-1), rids[0], 'after a million');
  t.equal(new Set(rids).size, 1_000_000);
  t.equal(versions.find(rids[0]!), 1_000_000, 'the later one');
  t.end();
});
