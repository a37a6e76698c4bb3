// An engine that is to be left hands its torrents on shared roots over, and nothing is left between two of them.
import t from 'tap';
import { Draining } from '../../../../../api/services/fleet/draining.js';
import type { EngineNode } from '../../../../../api/engines/nodes.js';
import { AppError } from '../../../../../shared-protocol/errors.js';
import { parseInfoHash, type TorrentId } from '../../../../../shared-protocol/ids.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

const idOf = (n: number) => parseInfoHash(n.toString(16).padStart(40, '0'));

/** Torrents of engine a, by number and save path; those that it does not give. */
function scene(savePaths: Readonly<Record<number, string>>, stubborn: readonly number[] = []) {
  const clock = new VirtualClock();
  const places = new Map<TorrentId, string>(Object.keys(savePaths).map((n) => [idOf(Number(n)), 'a']));
  /** Torrents that were handed over and not taken. */
  const between = new Map<TorrentId, string>();
  const state = { isDraining: true, refusesTake: false };
  const logged: string[] = [];
  const nodeOf = (name: string, change: Partial<EngineNode> = {}): EngineNode => ({
    ...{ name, engineId: name, awaySinceMs: null, isDraining: false, roots: null, sharedRoots: ['/mnt/tank'] },
    torrents: [...places.values()].filter((place) => place === name).length,
    async give({ ids, engineId }) {
      const failures = ids.filter((id) => stubborn.some((n) => idOf(n) === id)).map((id) => ({ id, message: 'moves' }));
      for (const id of ids) {
        if (failures.some((failure) => failure.id === id)) continue;
        places.delete(id);
        between.set(id, engineId);
      }
      return { given: ids.length - failures.length, failures };
    },
    async take({ from }) {
      if (state.refusesTake) throw new AppError('ENGINE_AWAY', 'away');
      t.equal(from, null);
      const own = [...between].filter(([, to]) => to === name).map(([id]) => id);
      for (const id of own) {
        between.delete(id);
        places.set(id, name);
      }
      return { taken: own.length, left: 0 };
    },
    ...change,
  });
  const library = {
    get all() {
      return Object.entries(savePaths).map(([n, savePath]) => ({ id: idOf(Number(n)), savePath }));
    },
  };
  const engines = {
    get nodes() {
      return [
        nodeOf('a', { isDraining: state.isDraining }),
        nodeOf('b'),
        nodeOf('c'),
        nodeOf('d', { sharedRoots: [] }),
      ];
    },
    nameOf: (id: TorrentId) => places.get(id) ?? between.get(id) ?? '',
  };
  const log = { info: () => undefined, warn: (message: string) => void logged.push(message) };
  const service = new Draining({ engines, library, clock, log });
  service.start();
  const at = (name: string) => [...places.values()].filter((place) => place === name).length;
  return { clock, service, state, at, between, logged };
}

const on = (path: string, count: number, first = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [first + n, path]));

void t.test('all that others may have goes, in parts; the rest stays', async (t) => {
  const { clock, at, between } = scene({ ...on('/mnt/tank/x', 70), ...on('/srv/own', 3, 100) });
  await clock.advance(10_000);
  t.same([at('a'), at('d'), between.size], [3, 0, 0]);
  t.equal(at('b') + at('c'), 70);
  t.ok(Math.min(at('b'), at('c')) >= 20, 'to both');
});

void t.test('one that is being moved is asked again later', async (t) => {
  const stubborn = [2];
  const { clock, at, logged } = scene(on('/mnt/tank', 3), stubborn);
  await clock.advance(10_000);
  t.same([at('a'), logged.length], [1, 1]);
  stubborn.length = 0;
  await clock.advance(60_000);
  t.equal(at('a'), 0);
});

void t.test('one that could not go is asked again at once by a front that leads again', async (t) => {
  const stubborn = [2];
  const { clock, service, at } = scene(on('/mnt/tank', 3), stubborn);
  await clock.advance(10_000);
  t.equal(at('a'), 1);
  await service.stop();
  stubborn.length = 0;
  service.start();
  await clock.advance(3_000);
  t.equal(at('a'), 0);
});

void t.test('one that takes none just then takes them later, also under another front', async (t) => {
  const { clock, service, state, at, between } = scene(on('/mnt/tank', 3));
  state.refusesTake = true;
  await clock.advance(10_000);
  t.equal(between.size, 3);
  await service.stop();
  state.refusesTake = false;
  state.isDraining = false;
  service.start();
  await clock.advance(3_000);
  t.same([between.size, at('b') + at('c')], [0, 3]);
});

void t.test('nothing goes of one that is not to be left', async (t) => {
  const { clock, state, at } = scene(on('/mnt/tank', 3));
  state.isDraining = false;
  await clock.advance(10_000);
  t.equal(at('a'), 3);
});
