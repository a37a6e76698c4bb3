// What an account can do by qBittorrent's interface to torrents that are not its own: of each route that changes something, one
// that is edited, one that is only viewed, and one that it must not even know of.
import t from 'tap';
import { CHANGES as ROUTES, CHANGE_SAMPLES as SAMPLES, TRACKER, type ChangePath as Path } from './change-samples.js';
import type { TorrentId } from '../../../../shared-protocol/ids.js';
import { shownTracker } from '../../../support/shown-details.js';
import {
  change,
  EDITED,
  HIDDEN,
  NONE,
  OWN,
  setCompatibleScene,
  stateOf,
  VIEWED,
  type CompatibleScene,
} from '../../../support/compatible-scene.js';

/** A tracker that can be edited, in each of them. */
async function setScene(t: Parameters<typeof setCompatibleScene>[0]): Promise<CompatibleScene> {
  const scene = await setCompatibleScene(t);
  await scene.admin.ask('PUT', '/api/settings/queue_limits', { max_active_downloads: 9, max_active_seeds: 9 });
  const trackers = [shownTracker({ url: TRACKER, status: 'working' })];
  for (const id of [OWN, EDITED, VIEWED, HIDDEN]) scene.harness.engine.setDetails(id, { trackers });
  return scene;
}

void t.test(
  'what may be edited is changed; what is viewed is refused with a sentence; the rest is not there',
  async (t) => {
    const ann = await setScene(t);
    const ask = (path: Path, id: string) => change(ann, ann.ann, path, SAMPLES[path].fields(id));
    for (const [path, { of, isRefused }] of ROUTES) {
      if (of === 'none') continue;
      const before = await Promise.all([VIEWED, HIDDEN].map((id) => stateOf(ann, id)));
      const viewed = await ask(path, VIEWED);
      t.equal(viewed.status, 409, `${path}: viewed`);
      t.ok(viewed.text.length > 10, `${path}: ${viewed.text}`);
      for (const id of [HIDDEN, NONE, 'no-hash']) {
        t.equal((await ask(path, id)).status, of === 'many' ? 200 : 404, `${path}: ${id}`);
      }
      const after = await Promise.all([VIEWED, HIDDEN].map((id) => stateOf(ann, id)));
      t.same(after, before, `${path}: nothing came of it`);
      if (path === 'torrents/delete') continue;
      for (const id of [OWN, EDITED]) t.equal((await ask(path, id)).status, isRefused ? 409 : 200, `${path}: ${id}`);
    }
    t.equal((await ask('torrents/delete', EDITED)).status, 409, 'an editor removes nothing');
    t.ok(await stateOf(ann, EDITED));
    t.equal((await ask('torrents/delete', OWN)).status, 200);
    t.equal(await stateOf(ann, OWN), null);
  },
);

void t.test('of several what may be is done, and what may not be is told', async (t) => {
  const ann = await setScene(t);
  const answer = await change(ann, ann.ann, 'torrents/stop', {
    hashes: [OWN, VIEWED, HIDDEN, EDITED.toUpperCase()].join('|'),
  });
  t.match(answer, { status: 409, text: new RegExp(`^not done for ${VIEWED}: `) });
  for (const [id, paused] of [
    [OWN, true],
    [EDITED, true],
    [VIEWED, false],
    [HIDDEN, false],
  ] as const)
    // prettier-ignore
    t.match(await stateOf(ann, id), { paused });
  t.equal((await change(ann, ann.ann, 'torrents/start', { hashes: 'all' })).status, 200, 'all that it may');
  for (const id of [OWN, EDITED]) t.match(await stateOf(ann, id), { paused: false });
  await change(ann, ann.ann, 'torrents/setUploadLimit', { hashes: 'ALL', limit: '2048' });
  t.match(await stateOf(ann, OWN), { limits: { upBytesPerSec: 2048 } });
  t.match(await stateOf(ann, HIDDEN), { limits: { upBytesPerSec: 0 } });
  t.equal((await change(ann, ann.ann, 'torrents/delete', { hashes: 'all', deleteFiles: 'true' })).status, 200);
  t.same([...ann.harness.engine.deletedData], [OWN], 'all that is its own');
});

void t.test('who may nothing is told so, and never that it should sign in', async (t) => {
  const scene = await setScene(t);
  for (const [path, { of, fields }] of ROUTES) {
    const answer = await change(scene, scene.plain, path, fields(OWN));
    // It may make no tags, whatever they are for.
    const isMaking = of === 'none' || path === 'torrents/addTags' || path === 'torrents/setTags';
    t.equal(answer.status, isMaking ? 409 : of === 'many' ? 200 : 404, path);
    const { headers } = scene.ann;
    t.equal((await scene.harness.call('GET', `/api/v2/${path}`, { headers })).status, 405, `${path}: by POST alone`);
    const stranger = await scene.harness.call('POST', `/api/v2/${path}`, { body: '' });
    t.match(stranger, { status: 403, text: 'Forbidden' });
  }
  for (const id of [OWN, EDITED, VIEWED, HIDDEN]) t.ok(await stateOf(scene, id as TorrentId));
});

void t.test('a field that is missing changes nothing', async (t) => {
  const scene = await setCompatibleScene(t);
  const before = await stateOf(scene, OWN);
  const isOptional = (path: Path, field: string) =>
    path === 'torrents/add' ||
    field === 'inactiveSeedingTimeLimit' ||
    (field === 'newUrl' && path === 'torrents/editTracker') ||
    (path === 'torrents/removeTags' && field === 'tags') ||
    path.endsWith('WebSeeds') ||
    path.endsWith('WebSeed');
  for (const [path, { fields }] of ROUTES) {
    const given = fields(OWN);
    for (const missing of Object.keys(given)) {
      if (isOptional(path, missing)) continue;
      const rest = Object.fromEntries(Object.entries(given).filter(([field]) => field !== missing));
      const answer = await change(scene, scene.ann, path, rest);
      t.match(answer, { status: 400, text: `${missing}: required` }, `${path} without ${missing}`);
    }
    t.same(await stateOf(scene, OWN), before, path);
  }
});
