// The name that each account is shown, what a rename asks of the engine, and the layout that each way to add asks for.
import t, { type Test } from 'tap';
import type { TorrentDto } from '../../../shared-protocol/dto/torrents.js';
import { parseInfoHash } from '../../../shared-protocol/ids.js';
import { World } from './runner/world.js';

const EDITOR = { name: 'editor', isAdmin: false, permissions: [] };
const VIEWER = { name: 'viewer', isAdmin: false, permissions: [] };

async function start(t: Test) {
  const world = await World.start();
  t.teardown(() => world.close());
  const editor = await world.caller(EDITOR);
  const { torrentId } = await world.scene(editor, 'editor');
  const as = (
    who: { readonly bearer: Readonly<Record<string, string>> },
    method: string,
    path: string,
    body?: unknown,
  ) => world.harness.call(method, path, { headers: who.bearer, ...(body === undefined ? {} : { body }) });
  return { world, editor, torrentId, engine: world.harness.engine, as };
}

void t.test('a name is for those who see the share; viewers do not give one', async (t) => {
  const { world, editor, torrentId, as } = await start(t);
  const viewer = await world.caller(VIEWER);
  await world.asAdmin('POST', `/api/torrents/${torrentId}/shares`, { user_id: viewer.id, access: 'viewer' });
  const path = `/api/torrents/${torrentId}/name`;
  const shown = async (who = viewer) => {
    const listed = (await as(who, 'GET', '/api/torrents')).json<TorrentDto[]>();
    return listed.find(({ id }) => id === torrentId)?.name;
  };
  const own = await shown();
  t.equal((await as(viewer, 'PUT', path, { name: 'mine' })).status, 403);
  t.equal((await as(editor, 'PUT', path, { name: '  Une se\u0301rie ' })).status, 200);
  t.same([await shown(), await shown(editor)], ['Une s\u00e9rie', 'Une s\u00e9rie'], 'composed and trimmed');
  t.equal((await as(editor, 'PUT', path, { name: '' })).status, 200);
  t.equal(await shown(), own);
});

void t.test('a rename is asked for by the account that calls', async (t) => {
  const { editor, torrentId, engine, as } = await start(t);
  const body = { from: 'show/a', to: 'show/b' };
  t.equal((await as(editor, 'POST', `/api/torrents/${torrentId}/rename`, body)).status, 200);
  t.same(engine.renames, [{ id: torrentId, ...body, accountId: editor.id }]);
});

void t.test('what an add says of its layout holds, else the setting', async (t) => {
  const { world, engine } = await start(t);
  let seed = 0;
  const add = async (fields: object) => {
    const magnet = `magnet:?xt=urn:btih:${parseInfoHash((++seed).toString(16).padStart(40, '0'))}`;
    await world.asAdmin('POST', '/api/torrents/magnet', { magnet, ...fields });
    await world.asAdmin('POST', '/api/torrents/url', { url: magnet, ...fields });
    return engine.layouts.slice(-2);
  };
  t.same(await add({}), ['original', 'original']);
  t.same(await add({ content_layout: 'subfolder' }), ['subfolder', 'subfolder']);
  await world.asAdmin('PUT', '/api/settings/adding', { content_layout: 'no_subfolder' });
  t.same(await add({ content_layout: null }), ['no_subfolder', 'no_subfolder']);
  t.same(await add({ content_layout: 'original' }), ['original', 'original']);
});

void t.test('what an add says of its pause holds, else the setting', async (t) => {
  const { world, engine } = await start(t);
  let seed = 0;
  const add = async (fields: object) => {
    const magnet = `magnet:?xt=urn:btih:${parseInfoHash((++seed).toString(16).padStart(40, '0'))}`;
    await world.asAdmin('POST', '/api/torrents/magnet', { magnet, ...fields });
    return engine.added.at(-1)?.paused;
  };
  t.equal(await add({}), false);
  await world.asAdmin('PUT', '/api/settings/adding', { paused: true });
  t.same([await add({}), await add({ paused: null }), await add({ paused: false })], [true, true, false]);
  await world.asAdmin('PUT', '/api/settings/adding', { content_layout: 'original' });
  t.equal(await add({}), true, 'a change of another one leaves it');
});
