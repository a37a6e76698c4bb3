// Whether torrents run, and by qBittorrent's interface: both names of everything, forced ones, quotas, and torrents that go.
import t from 'tap';
import { TORRENT_FLAGS } from '../../../../shared-protocol/stats-table.js';
import { change, EDITED, OWN, setCompatibleScene, stateOf, VIEWED } from '../../../support/compatible-scene.js';

for (const [stop, start] of [
  ['stop', 'start'],
  ['pause', 'resume'],
] as const)
  // prettier-ignore
  void t.test(`${stop} and ${start}, twice alike`, async (t) => {
    const scene = await setCompatibleScene(t);
    for (const [route, paused] of [[stop, true], [start, false]] as const) // prettier-ignore
      for (let count = 0; count < 2; count++) {
        t.match(await change(scene, scene.ann, `torrents/${route}`, { hashes: OWN }), { status: 200, text: '' });
        t.match(await stateOf(scene, OWN), { paused });
      }
  });

void t.test('one that is forced runs, and no more once it is started as usual', async (t) => {
  const scene = await setCompatibleScene(t);
  const force = (value: string) => change(scene, scene.ann, 'torrents/setForceStart', { hashes: OWN, value });
  await change(scene, scene.ann, 'torrents/stop', { hashes: OWN });
  t.equal((await force('true')).status, 200);
  t.match(await stateOf(scene, OWN), { force_start: true, paused: false });
  await change(scene, scene.ann, 'torrents/start', { hashes: OWN });
  t.match(await stateOf(scene, OWN), { force_start: false, paused: false });
  await force('1');
  await force('false');
  t.match(await stateOf(scene, OWN), { force_start: false, paused: false });
  t.match(await force('perhaps'), { status: 400, text: 'value: expected true or false' });
});

void t.test('a torrent for which there is no room stays as it is, and the quota is told', async (t) => {
  const scene = await setCompatibleScene(t);
  await change(scene, scene.ann, 'torrents/stop', { hashes: OWN });
  const other = '1'.repeat(40);
  await change(scene, scene.ann, 'torrents/add', { urls: other });
  await scene.admin.ask('PUT', `/api/users/${scene.annId}`, { quota: { torrents: 0, bytes: 0, active: 1 } });
  const answer = await change(scene, scene.ann, 'torrents/setForceStart', { hashes: OWN, value: 'true' });
  t.equal(answer.status, 409);
  t.match(answer.text, /^not done for a{40}: /);
  t.match(await stateOf(scene, OWN), { paused: true, force_start: false });
});

void t.test('announcing, also one that does not run; rechecking', async (t) => {
  const scene = await setCompatibleScene(t);
  await change(scene, scene.ann, 'torrents/stop', { hashes: OWN });
  t.equal((await change(scene, scene.ann, 'torrents/reannounce', { hashes: `${OWN}|${EDITED}` })).status, 200);
  t.equal((await change(scene, scene.ann, 'torrents/recheck', { hashes: OWN })).status, 200);
  t.match(await stateOf(scene, OWN), { verifying: true });
});

void t.test('removed with their data or without, once', async (t) => {
  const scene = await setCompatibleScene(t);
  const { engine } = scene.harness;
  const remove = (hashes: string, deleteFiles: string) =>
    change(scene, scene.admin, 'torrents/delete', { hashes, deleteFiles });
  t.equal((await remove(`${OWN}|${OWN}`, 'true')).status, 200);
  t.equal((await remove(OWN, 'true')).status, 200, 'it is gone');
  t.equal((await remove(EDITED, 'false')).status, 200);
  t.same([...engine.deletedData], [OWN]);
  t.match(await remove(VIEWED, 'maybe'), { status: 400, text: 'deleteFiles: expected true or false' });
  t.ok(engine.ids.includes(VIEWED));
});

void t.test('what is toggled is so for the share of the caller', async (t) => {
  const scene = await setCompatibleScene(t);
  const shown = () => stateOf(scene, OWN);
  for (const sequential of [false, true]) {
    await change(scene, scene.ann, 'torrents/toggleSequentialDownload', { hashes: OWN });
    t.match(await shown(), { sequential });
  }
  const { engine } = scene.harness;
  for (const isFirst of [true, false]) {
    await change(scene, scene.ann, 'torrents/toggleFirstLastPiecePrio', { hashes: OWN });
    t.equal((engine.flagsOf(OWN) & TORRENT_FLAGS.firstLastFirst) !== 0, isFirst);
  }
  for (const value of ['true', 'false']) {
    await change(scene, scene.ann, 'torrents/setSuperSeeding', { hashes: OWN, value });
    t.match(await stateOf(scene, OWN), { superSeeding: { enabled: value === 'true' } });
  }
});

void t.test("whether a torrent follows its category is the category's to say", async (t) => {
  const scene = await setCompatibleScene(t);
  const follow = (enable: string) => change(scene, scene.ann, 'torrents/setAutoManagement', { hashes: OWN, enable });
  t.equal((await follow('false')).status, 200);
  t.match(await follow('true'), { status: 409, text: /set in the category/ });
  const category = { name: 'tv', default_save_path: '', color: '', auto_move: true };
  await scene.admin.ask('POST', '/api/categories', category);
  await change(scene, scene.ann, 'torrents/setCategory', { hashes: OWN, category: 'tv' });
  t.equal((await follow('true')).status, 200);
  t.equal((await follow('false')).status, 409);
});
