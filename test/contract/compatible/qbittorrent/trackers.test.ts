// Trackers and peers of a torrent by qBittorrent's interface.
import t from 'tap';
import {
  change,
  EDITED,
  HIDDEN,
  NONE,
  OWN,
  setCompatibleScene,
  VIEWED,
  type FormFields,
} from '../../../support/compatible-scene.js';
import { shownTracker } from '../../../support/shown-details.js';

const ONE = 'http://one.example/announce';
const TWO = 'udp://two.example:80/announce';
const THREE = 'https://three.example/announce?passkey=x';
const detail = (url: string, tier: number) => shownTracker({ url, tier, status: 'working' });

async function scene(t: Parameters<typeof setCompatibleScene>[0]) {
  const scene = await setCompatibleScene(t);
  const { engine } = scene.harness;
  const ask = (route: string, fields: FormFields) =>
    change(scene, scene.ann, `torrents/${route}`, { hash: OWN, ...fields });
  return { ...scene, engine, ask };
}

void t.test('added once each, all of them or none', async (t) => {
  const { engine, ask } = await scene(t);
  for (const urls of ['nonsense', `${ONE}\nftp://a/b`, `${ONE}\nhttp://`, 'javascript:alert(1)', ''])
    t.equal((await ask('addTrackers', { urls })).status, 400, urls);
  const many = Array.from({ length: 300 }, (_, i) => `http://${i}.example/`).join('\n');
  t.match(await ask('addTrackers', { urls: many }), { status: 400, text: /^urls: at most/ });
  t.same(engine.trackersOf(OWN), []);
  for (let count = 0; count < 2; count++)
    t.equal((await ask('addTrackers', { urls: `${ONE}\r\n\n ${TWO}\n${ONE}` })).status, 200);
  t.same(engine.trackersOf(OWN), [ONE, TWO]);
});

void t.test('one in place of another, in its tier', async (t) => {
  const { engine, ask } = await scene(t);
  engine.setDetails(OWN, { trackers: [detail(ONE, 0), detail(TWO, 1)] });
  const edit = (fields: FormFields) => ask('editTracker', fields);
  t.equal((await edit({ origUrl: ONE, newUrl: 'nonsense' })).status, 400);
  t.equal((await edit({ origUrl: THREE, newUrl: ONE })).status, 409, 'there is none to edit');
  t.equal((await edit({ origUrl: ONE, newUrl: TWO })).status, 409, 'it is there already');
  t.same(engine.trackersOf(OWN), []);
  t.equal((await edit({ origUrl: ONE, newUrl: ONE })).status, 200);
  t.same(engine.trackersOf(OWN), [], 'nothing to do');
  t.equal((await edit({ origUrl: ONE, newUrl: THREE })).status, 200);
  t.same(engine.trackersOf(OWN), [THREE, TWO]);
  t.equal((await edit({ url: TWO, newUrl: THREE, tier: '0' })).status, 200, 'the names of later versions');
  t.same(engine.trackersOf(OWN), [ONE, THREE]);
});

void t.test('removed, where there is any of them', async (t) => {
  const { engine, ask } = await scene(t);
  await ask('addTrackers', { urls: [ONE, TWO, THREE].join('\n') });
  engine.setDetails(OWN, { trackers: [ONE, TWO, THREE].map(detail) });
  t.equal((await ask('removeTrackers', { urls: 'http://none.example/' })).status, 409);
  t.same(engine.trackersOf(OWN), [ONE, TWO, THREE]);
  t.equal((await ask('removeTrackers', { urls: `${ONE}|http://none.example/|${THREE}` })).status, 200);
  t.same(engine.trackersOf(OWN), [TWO]);
});

void t.test('removed from every torrent that the caller may edit', async (t) => {
  const scene = await setCompatibleScene(t);
  const { engine } = scene.harness;
  const ids = [OWN, EDITED, VIEWED, HIDDEN];
  for (const id of ids) {
    await change(scene, scene.admin, 'torrents/addTrackers', { hash: id, urls: `${ONE}\n${TWO}` });
    engine.setFacts(id, { trackers: [ONE, TWO].join('\n') });
  }
  const remove = (urls: string) => change(scene, scene.ann, 'torrents/removeTrackers', { hash: '*', urls });
  t.equal((await remove(`${ONE}|${THREE}`)).status, 200);
  for (const id of [OWN, EDITED]) t.same(engine.trackersOf(id), [TWO]);
  for (const id of [VIEWED, HIDDEN]) t.same(engine.trackersOf(id), [ONE, TWO]);
  t.equal((await remove(THREE)).status, 200, 'none has it');
});

void t.test('peers, of which those that are no addresses are told', async (t) => {
  const scene = await setCompatibleScene(t);
  const { engine } = scene.harness;
  const add = (peers: string, hashes = `${OWN}|${EDITED}|${NONE}`) =>
    change(scene, scene.ann, 'torrents/addPeers', { hashes, peers });
  const answer = await add('203.0.113.1:6881|[2001:db8::1]:6881|host:1|203.0.113.1:99999|203.0.113.1:0|203.0.113:1|');
  t.equal(answer.status, 200);
  t.same(answer.json(), { [OWN]: { added: 2, failed: 4 }, [EDITED]: { added: 2, failed: 4 } });
  for (const id of [OWN, EDITED]) t.same(engine.peersOf(id), ['203.0.113.1:6881', '[2001:db8::1]:6881']);
  t.match(await add('nonsense|::1:80'), { status: 400, text: 'peers: none is an address with a port' });
  const many = Array.from({ length: 1_001 }, (_, i) => `203.0.113.1:${i + 1}`).join('|');
  t.match(await add(many), { status: 400, text: 'peers: at most 1000' });
  t.same((await add('203.0.113.2:1', NONE)).json(), {});
});
