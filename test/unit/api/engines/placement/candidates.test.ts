// The engines that may have a new torrent, by rules, path and whether they are there.
import fc from 'fast-check';
import t from 'tap';
import {
  candidatesFor,
  engineHaving,
  enginesSharing,
  hasPlace,
  rootOf,
  type PlacementNode,
  type PlacementWish,
} from '../../../../../api/engines/placement/candidates.js';
import type { PlacementRule } from '../../../../../api/engines/placement/rules.js';

const own = (path: string) => ({ name: 'own', path });
const tank = { name: 'tank', path: '/mnt/tank', isShared: true };
const node = (name: string, change: Partial<PlacementNode> = {}): PlacementNode => ({
  ...{ name, torrents: 0, awaySinceMs: null, isDraining: false, roots: [own(`/srv/${name}`), tank] },
  ...change,
});
const wish = (change: Partial<PlacementWish> = {}): PlacementWish => ({
  ...{ torrent: { account: 'alice', category: null, tags: [] }, path: '', inherited: '' },
  ...change,
});
const only = (...engines: string[]): PlacementRule[] => [{ account: null, category: null, tags: [], engines }];
const names = (nodes: readonly PlacementNode[]) => nodes.map(({ name }) => name).join('');

const [a, b, c] = [node('a'), node('b'), node('c', { roots: [own('/srv/c')] })];

void t.test('the path decides among those of the rule', async (t) => {
  const there = (path: string, rules: PlacementRule[] = []) =>
    names(candidatesFor([a, b, c], rules, wish({ path })).there);
  t.equal(there(''), 'abc', 'where nobody says a path, all');
  t.equal(there('/srv/b/x'), 'b', 'one that a single engine has');
  t.equal(there('/mnt/tank/x'), 'ab', 'one that several share');
  t.equal(there('/mnt/tank/x', only('b', 'c')), 'b');
  t.equal(there('/srv/a', only('b', 'c')), 'bc', 'on another engine than the rule says: these judge it');
  t.equal(there('/home/x'), 'abc', 'on none: they judge it');
  t.equal(there('/srv/bb'), 'abc', 'another folder');
});

void t.test('the path of a category gives way to the rules', async (t) => {
  const found = (inherited: string, rules: PlacementRule[] = [], path = '') => {
    const { there, hasInherited } = candidatesFor([a, b, c], rules, wish({ inherited, path }));
    return [names(there), hasInherited];
  };
  t.same(found('/srv/b/films'), ['b', true]);
  t.same(found('/mnt/tank/films'), ['ab', true]);
  t.same(found('/srv/b/films', only('a', 'c')), ['ac', false]);
  t.same(found('/home/films'), ['abc', false]);
  t.same(found('/srv/b/films', [], '/mnt/tank/alice'), ['b', true], 'of those that have the home');
});

void t.test('those that are away or to be left are none', async (t) => {
  const nodes = [node('a', { awaySinceMs: 1 }), node('b', { isDraining: true }), c];
  t.equal(names(candidatesFor(nodes, [], wish()).there), 'c');
  const { there, wanted } = candidatesFor(nodes, [], wish({ path: '/mnt/tank/x' }));
  t.same([names(there), names(wanted)], ['', 'ab'], 'and nobody else will do');
  const never = node('d', { roots: null, awaySinceMs: 1 });
  t.equal(names(candidatesFor([...nodes, never], [], wish({ path: '/srv/d' })).wanted), 'd', 'it may have it');
  t.equal(names(candidatesFor([c, never], [], wish({ inherited: '/srv/d' })).there), 'c');
});

void t.test('roots', async (t) => {
  const deep = node('x', { roots: [own('/srv'), { ...tank, path: '/srv/tank' }] });
  t.equal(rootOf(deep, '/srv/tank/y')?.path, '/srv/tank', 'the innermost');
  t.equal(rootOf(deep, '/mnt'), null);
  t.ok(hasPlace(node('x', { roots: [] }), '/anywhere'));
  t.notOk(hasPlace(node('x', { roots: null }), '/anywhere'), 'never reached');
});

void t.test('an engine for what is asked of a path', async (t) => {
  t.equal(engineHaving([a, b, c], '/srv/b').name, 'b');
  t.equal(engineHaving([node('a', { awaySinceMs: 1 }), b, c], '/mnt/tank').name, 'b');
  t.equal(engineHaving([node('a', { isDraining: true }), c], '/mnt/tank').name, 'a', 'none but one to be left');
  t.equal(engineHaving([node('a', { awaySinceMs: 1 }), c], '/srv/a').name, 'a', 'away');
  t.equal(engineHaving([a, b], undefined).name, 'a');
});

void t.test('a home is one folder, or it is not taken for one', async (t) => {
  t.equal(names(enginesSharing([a, b, c], '/mnt/tank/alice')), 'ab');
  t.equal(names(enginesSharing([a, b, c], '/srv/c/alice')), 'c');
  const alike = [node('a', { roots: [own('/srv')] }), node('b', { roots: [own('/srv')] })];
  t.same(enginesSharing(alike, '/srv/alice'), [], 'the same path on two machines');
  t.same(
    enginesSharing([a, node('d', { roots: [own('/mnt')] })], '/mnt/tank/alice'),
    [],
    'one of them does not share it',
  );
});

void t.test('whatever is wished for, candidates are of the rule, there, and have the path if any has', async () => {
  const roots = fc.constantFrom(null, [], [own('/srv/x')], [tank], [own('/srv/y'), tank]);
  const anyNode = fc.record({
    torrents: fc.nat(9),
    awaySinceMs: fc.constantFrom(null, 1),
    isDraining: fc.boolean(),
    roots,
  });
  const anyNodes = fc
    .array(anyNode, { minLength: 1, maxLength: 5 })
    .map((given) => given.map((one, place) => ({ name: String(place), ...one })));
  const path = fc.constantFrom('', '/srv/x/1', '/srv/y', '/mnt/tank/z', '/else');
  const rules = fc.array(fc.constantFrom(...only('0'), ...only('1', '2')), { maxLength: 1 });
  fc.assert(
    fc.property(anyNodes, path, path, rules, (nodes, wanted, inherited, given) => {
      const found = candidatesFor(nodes, given, wish({ path: wanted, inherited }));
      const allowed = nodes.filter(({ name }) => given[0]?.engines.includes(name) ?? true);
      const having = allowed.filter((each) => wanted === '' || hasPlace(each, wanted));
      return (
        found.there.every((each) => found.wanted.includes(each) && each.awaySinceMs === null && !each.isDraining) &&
        found.wanted.every((each) => allowed.includes(each) && (having.length === 0 || having.includes(each))) &&
        (!found.hasInherited || found.wanted.every((each) => hasPlace(each, inherited)))
      );
    }),
  );
});
