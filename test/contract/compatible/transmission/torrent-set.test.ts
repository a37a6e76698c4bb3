// torrent-set: each of its fields reaches the torrent, and a request of which anything is wrong changes nothing.
import t from 'tap';
import { shownTracker } from '../../../support/shown-details.js';
import { EDITED, OWN, PASSKEY, setTransmissionScene, torrentsOf, VIEWED } from '../../../support/transmission-scene.js';

const FILES = ['normal', 'normal', 'skip'] as const;

async function start(t: { teardown(handler: () => Promise<void>): void }, permissions: object = {}) {
  const scene = await setTransmissionScene(t, permissions);
  const { engine } = scene.harness;
  const files = FILES.map((priority, place) => ({
    index: place * 2,
    path: `x/${place}`,
    sizeBytes: 1,
    bytesDone: 0,
    priority,
  }));
  engine.setDetails(OWN, {
    files,
    trackers: [shownTracker({ url: PASSKEY }), shownTracker({ url: 'http://u.example/announce', tier: 1 })],
  });
  const shown = async (...fields: string[]) => (await torrentsOf(scene.ann, fields, OWN))[0];
  const set = async (args: object) => (await scene.ann.ask('torrent-set', { ids: [OWN], ...args })).result;
  return { ...scene, engine, shown, set };
}

void t.test('limits of speed: switched on and off, never 0 while they are on', async (t) => {
  const { set, shown, engine } = await start(t);
  const limits = () => shown('downloadLimit', 'downloadLimited', 'uploadLimit', 'uploadLimited');
  t.equal(await set({ downloadLimit: 100, downloadLimited: true, uploadLimit: 0.5, uploadLimited: true }), 'success');
  t.same(await limits(), { downloadLimit: 100, downloadLimited: true, uploadLimit: 1, uploadLimited: true });
  t.match(engine.limitsOf(OWN), { downBytesPerSec: 102_400, upBytesPerSec: 1024 });
  t.equal(await set({ uploadLimit: 7 }), 'success');
  t.match(await limits(), { uploadLimit: 7, downloadLimit: 100 });
  t.equal(await set({ downloadLimited: false }), 'success');
  t.match(await limits(), { downloadLimited: false, uploadLimited: true });
  t.equal(await set({ downloadLimit: 5 }), 'success', 'it holds for nothing while it is off');
  t.match(await limits(), { downloadLimited: false });
  t.match(await set({ downloadLimited: true }), /^download_limit: required/);
  for (const downloadLimit of [-1, 'x', 1e300])
    t.match(await set({ downloadLimit, downloadLimited: true }), /^download_limit: /);
  t.equal(await set({ 'peer-limit': 12 }), 'success');
  t.match(await shown('peer-limit', 'maxConnectedPeers'), { 'peer-limit': 12, maxConnectedPeers: 12 });
  t.match(await set({ 'peer-limit': -1 }), /^peer_limit: /);
});

void t.test('limits of seeding, each by itself', async (t) => {
  const { set, shown } = await start(t);
  const seeding = () => shown('seedRatioMode', 'seedRatioLimit', 'seedIdleMode', 'seedIdleLimit');
  t.match(await seeding(), { seedRatioMode: 0, seedIdleMode: 0 });
  t.equal(await set({ seedRatioLimit: 1.5, seedRatioMode: 1 }), 'success');
  t.match(await seeding(), { seedRatioMode: 1, seedRatioLimit: 1.5, seedIdleMode: 0 });
  t.equal(await set({ seedIdleLimit: 30, seedIdleMode: 1 }), 'success');
  t.equal(await set({ seedRatioLimit: 2 }), 'success');
  t.same(await seeding(), { seedRatioMode: 1, seedRatioLimit: 2, seedIdleMode: 1, seedIdleLimit: 30 });
  t.equal(await set({ seedRatioMode: 2, seedIdleMode: 0 }), 'success');
  t.match(await seeding(), { seedRatioMode: 2, seedIdleMode: 0 });
  t.equal(await set({ seedIdleLimit: 5 }), 'success', 'no mode says that it holds');
  t.match(await seeding(), { seedIdleMode: 0 });
  for (const args of [{ seedRatioMode: 3 }, { seedRatioLimit: -1 }, { seedIdleLimit: 1.5 }, { seedIdleMode: 'x' }]) {
    t.match(await set(args), /^seed_/);
  }
});

void t.test('files by their places in the list', async (t) => {
  const { set, engine } = await start(t);
  const priorities = () => engine.prioritiesOf(OWN);
  t.equal(await set({ 'files-unwanted': [0], 'files-wanted': [2], 'priority-high': [1] }), 'success');
  t.same(priorities(), { 0: 'skip', 2: 'high', 4: 'normal' }, 'the third is the fourth in the torrent');
  t.equal(await set({ 'files-wanted': [], 'priority-high': [] }), 'success');
  t.match(priorities(), { 0: 'high', 2: 'high', 4: 'high' });
  for (const places of [[3], [-1], [0, 99]]) {
    t.equal(await set({ 'files-wanted': places, seedRatioMode: 2 }), 'file index out of range');
  }
  t.match(await set({ 'files-wanted': [0.5] }), /^files_wanted: expected/);
});

void t.test('trackers: all of them, or some by their ids', async (t) => {
  const { set, engine } = await start(t);
  const trackers = () => engine.trackersOf(OWN).join(' ');
  t.equal(await set({ trackerList: 'http://a.example/1\nhttp://a.example/2\n\n\nhttp://b.example/\n' }), 'success');
  t.equal(trackers(), 'http://a.example/1 http://a.example/2 http://b.example/');
  t.equal(await set({ trackerAdd: ['nonsense'] }), 'trackers: "nonsense" is no address of a tracker');
  t.equal(await set({ trackerAdd: ['http://c.example/', 'http://u.example/announce'] }), 'success');
  t.equal(trackers(), `${PASSKEY} http://u.example/announce http://c.example/`);
  t.equal(await set({ trackerReplace: [1, 'http://d.example/'], trackerRemove: [0] }), 'success');
  t.equal(trackers(), 'http://d.example/');
  for (const args of [{ trackerRemove: [9] }, { trackerReplace: [9, 'http://d.example/'] }]) {
    t.match(await set(args), /there is none with the id 9/);
  }
  for (const trackerReplace of [[1], ['x', 1], 5]) t.match(await set({ trackerReplace }), /^tracker_replace: expected/);
});

void t.test('labels are tags: made by those who may make some', async (t) => {
  const one = await start(t);
  t.match(await one.set({ labels: ['tv'] }), /there is no tag "tv", and this account may not make one/);
  const { set, shown, adminScript } = await start(t, { perm_manage_cat_tags: true });
  t.equal(await set({ labels: ['TV', 'new', 'tv'] }), 'success');
  t.match(await shown('labels'), { labels: ['TV', 'new'] });
  t.equal(await set({ labels: ['NEW'] }), 'success');
  t.match(await shown('labels'), { labels: ['new'] });
  t.equal((await adminScript.ask<unknown[]>('GET', '/api/tags')).length, 2);
  t.equal(await set({ labels: [] }), 'success');
  t.match(await shown('labels'), { labels: [] });
});

void t.test(
  'nothing is done where one of the torrents may not be changed, or one of the fields is wrong',
  async (t) => {
    const { ann, shown, set, engine } = await start(t, { perm_manage_cat_tags: true });
    const refused = await ann.ask('torrent-set', { ids: [OWN, EDITED, VIEWED], seedRatioMode: 2, labels: ['x'] });
    t.match(refused.result, `not done for ${VIEWED}: this account may look at it`);
    const good = {
      seedRatioMode: 2,
      labels: ['x'],
      downloadLimit: 5,
      downloadLimited: true,
      trackerList: 'http://e.example/',
    };
    for (const bad of [
      { 'files-wanted': [9] },
      { queuePosition: -1 },
      { location: 'x' },
      { sequential_download: 'x' },
    ]) {
      t.not(await set({ ...good, ...bad }), 'success', JSON.stringify(bad));
    }
    t.match(await shown('seedRatioMode', 'labels', 'downloadLimited'), {
      seedRatioMode: 0,
      labels: [],
      downloadLimited: false,
    });
    t.same(engine.trackersOf(OWN), [PASSKEY]);
    t.equal(await set({ bandwidthPriority: 1, honorsSessionLimits: false, group: 'x', unknown: {} }), 'success');
    t.equal(await set({ sequential_download: true }), 'success');
    t.match(await shown('sequentialDownload'), { sequentialDownload: true });
  },
);
