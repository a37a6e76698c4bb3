// Which engine saves what an account adds, and who gets the torrents of another.
import t from 'tap';
import { engineForPath, fewestTorrents, hasPath, sharedRootsIn } from '../../../../api/engines/nodes.js';

const node = (
  torrents: number,
  change: { awaySinceMs?: number; isDraining?: boolean; sharedRoots?: string[] } = {},
) => ({
  ...{ torrents, awaySinceMs: null, isDraining: false, sharedRoots: ['/mnt/tank'] },
  ...change,
});

void t.test('the own engine, as long as it is there and not to be left', async (t) => {
  const [b, c] = [node(9), node(3)];
  t.equal(engineForPath(0, '/mnt/tank/x', [node(100), b, c]), 0);
  t.equal(engineForPath(0, '/mnt/tank/x', [node(0, { isDraining: true }), b, c]), 2);
  t.equal(engineForPath(0, '/mnt/tank', [node(0, { awaySinceMs: 1 }), b, node(3, { awaySinceMs: 1 })]), 1);
  t.equal(engineForPath(0, '/srv/own', [node(0, { awaySinceMs: 1 }), b, c]), 0, 'on no root of others');
  t.equal(engineForPath(0, '/mnt/tanker', [node(0, { awaySinceMs: 1 }), b, c]), 0, 'another folder');
});

void t.test('the one with the fewest of those that take any', async (t) => {
  const [few, many] = [node(1), node(5)];
  t.equal(fewestTorrents([many, few]), few);
  t.equal(fewestTorrents([node(0, { isDraining: true }), many]), many);
  t.equal(fewestTorrents([node(0, { awaySinceMs: 5 })]), null);
  t.equal(fewestTorrents([]), null);
});

void t.test('roots that are shared', async (t) => {
  const roots = [
    { name: 'own', path: '/srv' },
    { name: 'tank', path: '/mnt/tank', isShared: true },
  ];
  t.same(sharedRootsIn({ roots }), ['/mnt/tank']);
  t.same(sharedRootsIn(null), []);
  t.ok(hasPath(node(0), '/mnt/tank'));
  t.notOk(hasPath(node(0), '/mnt'));
});
