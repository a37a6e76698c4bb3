// What a front that is none of ours may ask of an engine on shared roots: nothing by which an engine's torrents go to another while
// that has them, or a path is reached that is none of the root's.
import t, { type Test } from 'tap';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandParams } from '../../../shared-protocol/commands.js';
import { ADMIN_ACCOUNT_ID, parseInfoHash, type TorrentId } from '../../../shared-protocol/ids.js';
import { EngineByHand } from '../../support/engine-by-hand.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const idOf = (n: number): TorrentId => parseInfoHash(n.toString(16).padStart(40, '0'));
/** Ids of engines that would lead elsewhere, or are none. */
const PATHS = [
  '',
  '.',
  '..',
  '../..',
  '../../../outside',
  '/tmp/outside',
  'A'.repeat(32),
  `${'a'.repeat(32)}/..`,
  7,
  null,
  {},
];

async function scene(t: Test) {
  const base = await temporaryDirectory();
  const shared = join(base, 'shared');
  await mkdir(shared);
  const [a, b] = await Promise.all(['a', 'b'].map((name) => EngineByHand.start(t, join(base, name), shared)));
  await a!.begin(5);
  await b!.begin(3);
  const add = ({ front }: EngineByHand, n: number) =>
    front.client.addTorrent({
      source: { kind: 'magnet', uri: `magnet:?xt=urn:btih:${idOf(n)}` },
      ...{ savePath: shared, ownerId: ADMIN_ACCOUNT_ID, paused: true },
    });
  const entries = async ({ id }: EngineByHand) => readdir(join(shared, '.swarmd', 'engines', id, 'torrents'));
  return { base, shared, a: a!, b: b!, add, entries };
}

void t.test('an engine that is alive is not taken from by what it began under, or by no number', async (t) => {
  const { a, b, add, entries } = await scene(t);
  await add(a, 1);
  const take = (from: unknown, limit: unknown = 50) =>
    b.front.client.takeTorrents({ from, limit } as CommandParams<'takeTorrents'>);
  for (const epoch of [5, 4, 0, -1, NaN, Infinity, 2 ** 60, '9', null, undefined]) {
    await t.rejects(
      take({ engineId: a.id, epoch }),
      { code: 'ENGINE_FENCED', message: /has begun again/ },
      String(epoch),
    );
  }
  for (const engineId of [...PATHS, b.id]) {
    await t.rejects(take({ engineId, epoch: 9 }), {
      code: 'ENGINE_FENCED',
      message: /expected that of another engine/,
    });
  }
  for (const limit of [0, -1, NaN, 'many']) t.equal((await take({ engineId: a.id, epoch: 9 }, limit)).taken, 0);
  t.same([await entries(a), await entries(b)], [[idOf(1)], []]);
  await b.logged(/takeTorrents.*their engine has begun again.*a front was refused/);
  // As by a front that holds it off.
  t.same(await take({ engineId: a.id, epoch: 9 }), { taken: 1, left: 0 });
  t.same([await entries(a), await entries(b)], [[], [idOf(1)]]);
});

void t.test('torrents are given to engines, and to no path', async (t) => {
  const { base, shared, a, b, add, entries } = await scene(t);
  await add(a, 1);
  const give = (ids: readonly string[], engineId: unknown) =>
    a.front.client.giveTorrents({ ids, engineId } as CommandParams<'giveTorrents'>);
  for (const engineId of [...PATHS, a.id]) {
    t.match(await give([idOf(1)], engineId), { given: 0, failures: [{ message: /expected that of another engine/ }] });
  }
  for (const id of ['../../outside', '..', '', idOf(2)]) {
    t.match(await give([id], b.id), { given: 0, failures: [{ message: /not found/ }] });
  }
  t.same(await entries(a), [idOf(1)]);
  t.same((await readdir(base)).toSorted(), ['a', 'b', 'shared']);
  t.same(await readdir(shared), ['.swarmd']);
  t.same((await readdir(join(shared, '.swarmd', 'engines'))).toSorted(), [a.id, b.id].toSorted());
  await a.front.client.pauseTorrent({ id: idOf(1) });
  t.same(await give([idOf(1)], b.id), { given: 1, failures: [] });
  t.same(await b.front.client.takeTorrents({ from: null, limit: 1 }), { taken: 1, left: 0 });
});
