// Where torrents of an engine with roots may be saved, and what its front is told of the rest: nothing.
import t, { type Test } from 'tap';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { confinedFolders } from '../../../engine-process/confined-folders.js';
import { Roots } from '../../../engine-process/roots.js';
import type { AddTorrentParams } from '../../../shared-protocol/commands/adding.js';
import { COMMAND_SAMPLES } from '../../support/samples.js';

async function scene(t: Test) {
  const base = await realpath(t.testdir({ root: { inside: {} }, outside: { secret: {} }, data: { torrents: {} } }));
  await symlink(join(base, 'outside'), join(base, 'root', 'link'));
  await symlink(join(base, 'root', 'inside'), join(base, 'outside', 'back'));
  const roots = new Roots({ roots: [{ name: 'a', path: join(base, 'root') }], dataDir: join(base, 'data') });
  return { base, roots, at: (...names: string[]) => join(base, ...names) };
}

const ADD = COMMAND_SAMPLES.addTorrent[0]!.params;

void t.test('commands that name paths', async (t) => {
  const { roots, at } = await scene(t);
  const add = (fields: Partial<AddTorrentParams>) => roots.check('addTorrent', { ...ADD, ...fields });
  await add({ savePath: at('root') });
  await add({ savePath: at('root', 'new', 'folder'), completePath: at('root', 'inside') });
  await add({ savePath: at('outside', 'back') });
  const refused = { code: 'SAVE_PATH_INVALID', message: /outside the roots of the engine/ };
  await t.rejects(add({ savePath: at('outside') }), refused);
  await t.rejects(add({ savePath: at('root', 'link') }), refused, 'a link that leaves');
  await t.rejects(add({ savePath: at('root', 'link', 'new') }), refused);
  await t.rejects(add({ savePath: `${at('root')}/../outside` }), refused);
  await t.rejects(add({ savePath: at('root-of-another') }), refused);
  await t.rejects(add({ savePath: at('root'), completePath: at('outside') }), refused);
  const [{ params: move }] = COMMAND_SAMPLES.moveTorrent;
  await t.rejects(roots.check('moveTorrent', { ...move, path: at('outside') }), refused);
  const [{ params: create }] = COMMAND_SAMPLES.createTorrent;
  await t.rejects(roots.check('createTorrent', { ...create, path: at('outside', 'secret') }), refused);
  await roots.check('health', {});
});

void t.test('without roots anywhere but near the data directory', async (t) => {
  const { base, at } = await scene(t);
  const roots = new Roots({ roots: [], dataDir: at('data') });
  t.equal(await roots.refusalOf(at('outside')), null);
  for (const path of [at('data'), at('data', 'torrents'), base]) {
    t.match(await roots.refusalOf(path), /data directory of the engine/, path);
  }
});

void t.test('a front is told nothing of what is outside', async (t) => {
  const { roots, at } = await scene(t);
  const folders = confinedFolders(roots);
  t.same(await folders.locate(at('root', 'inside')), { kind: 'place', path: at('root', 'inside') });
  t.match(await folders.locate(at('outside', 'secret')), { kind: 'unusable', reason: /outside the roots/ });
  t.match(await folders.locate(at('root', 'link', 'secret')), { kind: 'unusable' });
  t.equal(await folders.isFolder(at('root')), true);
  t.equal(await folders.isFolder(at('outside')), false);
  t.same(await folders.tryOut(at('root')), { kind: 'usable' });
  t.match(await folders.tryOut(at('outside')), { kind: 'refused', exists: false });
  const [inside, outside, other] = await folders.volumes([at('root'), at('outside'), at('root', 'inside')]);
  t.match(inside, { freeBytes: Number });
  t.equal(outside, null);
  t.match(other, { freeBytes: Number });
  t.same(await folders.list({ folder: at('outside') }), { entries: null, isComplete: false });
  const { entries } = await folders.list({ folder: at('root') });
  t.same(
    entries?.map(({ name }) => name),
    ['inside'],
    'a link that leads out is not there',
  );
  await mkdir(at('root', '.hidden'));
  const listed = await folders.list({ folder: at('root'), beginning: 'IN' });
  t.same(
    listed.entries?.map(({ name }) => name),
    ['inside'],
  );
});
