// Limits of torrents by qBittorrent's interface: bytes a second that are never rounded to none, and when seeding ends, each limit
// by itself.
import t from 'tap';
import {
  change,
  EDITED,
  OWN,
  setCompatibleScene,
  stateOf,
  type FormFields,
} from '../../../support/compatible-scene.js';

void t.test('speeds are rounded up to KiB, one direction by itself', async (t) => {
  const scene = await setCompatibleScene(t);
  const set = (route: string, limit: string) =>
    change(scene, scene.ann, `torrents/${route}`, { hashes: `${OWN}|${EDITED}`, limit });
  const is = async (downBytesPerSec: number, upBytesPerSec: number) => {
    for (const id of [OWN, EDITED]) t.match(await stateOf(scene, id), { limits: { downBytesPerSec, upBytesPerSec } });
    const list = await change(scene, scene.ann, 'torrents/info', { hashes: `${OWN}|${EDITED}` });
    const shown = { dl_limit: downBytesPerSec, up_limit: upBytesPerSec };
    t.match(list.json(), [shown, shown], 'the list shows them as well');
  };
  t.equal((await set('setDownloadLimit', '1')).status, 200);
  await is(1024, 0);
  t.equal((await set('setUploadLimit', '10240')).status, 200);
  await is(1024, 10_240);
  t.equal((await set('setDownloadLimit', '1025')).status, 200);
  await is(2048, 10_240);
  for (const none of ['0', '-1', '-2']) t.equal((await set('setUploadLimit', none)).status, 200);
  await is(2048, 0);
  for (const bad of ['fast', '1.5', '1e300', '', 'NaN']) t.equal((await set('setDownloadLimit', bad)).status, 400, bad);
  await is(2048, 0);
});

void t.test('each limit of seeding by itself; what is not said stays', async (t) => {
  const scene = await setCompatibleScene(t);
  const set = (fields: FormFields, hashes: string = OWN) =>
    change(scene, scene.ann, 'torrents/setShareLimits', { hashes, ...fields });
  const own = async (id = OWN) =>
    (await scene.ann.ask<{ own: object | null }>('GET', `/api/torrents/${id}/seeding_rule`)).own;
  t.equal((await set({ ratioLimit: '1', seedingTimeLimit: '-2', inactiveSeedingTimeLimit: '-2' })).status, 200);
  t.same(await own(), { ratio_limit: 1 });
  await set({ ratioLimit: '-1', seedingTimeLimit: '90' });
  t.same(await own(), { ratio_limit: null, time_min_limit: 90 });
  await set({ ratioLimit: '0', seedingTimeLimit: '0', inactiveSeedingTimeLimit: '30', shareLimitAction: 'Remove' });
  const rule = { ratio_limit: 0, time_min_limit: 0, inactive_min_limit: 30, action: 'remove' };
  t.same(await own(), rule);
  await set({ ratioLimit: '0.5', seedingTimeLimit: '-2' });
  t.same(await own(), { ratio_limit: 0.5, inactive_min_limit: 30, action: 'remove' });
  const none = { ratioLimit: '-2', seedingTimeLimit: '-2', inactiveSeedingTimeLimit: '-2' };
  await set({ ...none, shareLimitAction: 'Default' });
  t.equal(await own(), null, 'all of it is what the levels above say');
  for (const wrong of [
    { ratioLimit: '-5' },
    { ratioLimit: 'x' },
    { seedingTimeLimit: '1.5' },
    { shareLimitAction: 'x' },
  ]) {
    t.equal((await set({ ratioLimit: '1', seedingTimeLimit: '1', ...wrong })).status, 400);
  }
  t.equal(await own(), null);
});

void t.test('an editor has no torrent removed, and leaves a tag that a rule puts on it', async (t) => {
  const scene = await setCompatibleScene(t);
  const { admin, ann } = scene;
  const limits = { hashes: EDITED, ratioLimit: '1', seedingTimeLimit: '-2' };
  const removing = await change(scene, ann, 'torrents/setShareLimits', { ...limits, shareLimitAction: 'Remove' });
  t.equal(removing.status, 409);
  t.match(await stateOf(scene, EDITED), { rule: { own: null } });
  const { id } = await admin.ask<{ id: number }>('POST', '/api/tags', { name: 'done', color: '' });
  await admin.ask('PUT', `/api/torrents/${EDITED}/seeding_rule`, { rule: { action: 'tag', tag_id: id } });
  t.equal((await change(scene, ann, 'torrents/setShareLimits', limits)).status, 200);
  t.match(await stateOf(scene, EDITED), { rule: { own: { ratio_limit: 1, action: 'tag', tag_id: id } } });
  await change(scene, ann, 'torrents/setShareLimits', { ...limits, shareLimitAction: 'Stop' });
  t.match(await stateOf(scene, EDITED), { rule: { own: { ratio_limit: 1, action: 'pause', tag_id: undefined } } });
});
