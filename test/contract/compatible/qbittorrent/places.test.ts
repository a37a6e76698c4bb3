// Files of torrents by qBittorrent's interface: which are wanted, where they lie, what they are called.
import { join } from 'node:path';
import t from 'tap';
import {
  change,
  EDITED,
  OWN,
  setCompatibleScene,
  stateOf,
  upload,
  type FormFields,
} from '../../../support/compatible-scene.js';
import { makeTorrent } from '../../../support/make-torrent.js';

const FILES = makeTorrent({
  name: 'multi',
  pieceLength: 16_384,
  files: ['a', 'b'].map((name) => ({ path: [name], bytes: Buffer.from(name) })),
});

void t.test('priorities of files, all of them or none', async (t) => {
  const scene = await setCompatibleScene(t);
  await upload(scene, scene.ann, { a: FILES.torrentBytes });
  const set = (id: string, priority: string, hash: string = FILES.infoHash) =>
    change(scene, scene.ann, 'torrents/filePrio', { hash, id, priority });
  const is = (expected: object) => t.same(scene.harness.engine.prioritiesOf(FILES.infoHash), expected);
  t.equal((await set('0|1', '0')).status, 200);
  is({ 0: 'skip', 1: 'skip' });
  for (const [number, name] of [
    ['1', 'normal'],
    ['6', 'high'],
    ['7', 'max'],
  ] as const) {
    // prettier-ignore
    t.equal((await set('1', number)).status, 200);
    is({ 0: 'skip', 1: name });
  }
  for (const [id, priority] of [
    ['0', '2'],
    ['0', '4'],
    ['0', '-1'],
    ['0', 'x'],
    ['x', '1'],
    ['-1', '1'],
    ['0|', '1'],
  ] as const)
    // prettier-ignore
    t.equal((await set(id, priority)).status, 400, `${id} ${priority}`);
  t.equal((await set('0|2', '1')).status, 409, 'no such file');
  t.equal((await set('0', '1', 'f'.repeat(40))).status, 404);
  is({ 0: 'skip', 1: 'max' });
});

void t.test('moved to where the account may save, all of them or none', async (t) => {
  const scene = await setCompatibleScene(t);
  const { filesDir } = scene.harness;
  const placeOf = async (id: typeof OWN) => ((await stateOf(scene, id)) as { save_path: string }).save_path;
  const hashes = `${OWN}|${EDITED}`;
  const move = (location: string) => change(scene, scene.ann, 'torrents/setLocation', { hashes, location });
  for (const location of ['/etc', `${filesDir}/..`, scene.harness.dataDir]) {
    const { status, text } = await move(location);
    t.equal(status, 409);
    t.notMatch(text, /\/etc|data/, 'it tells nothing of what is there');
  }
  t.equal((await move('')).status, 400);
  t.equal((await move('a\0b')).status, 409);
  for (const id of [OWN, EDITED]) t.equal(await placeOf(id), filesDir);
  t.equal((await move('new/place')).status, 200);
  for (const id of [OWN, EDITED]) t.equal(await placeOf(id), join(filesDir, 'new/place'));
  const other = join(filesDir, 'other');
  t.equal((await change(scene, scene.ann, 'torrents/setSavePath', { id: OWN, path: other })).status, 200);
  t.equal(await placeOf(OWN), other);
});

void t.test('names that are shown, and paths of files and folders', async (t) => {
  const scene = await setCompatibleScene(t);
  const ask = (route: string, fields: FormFields) =>
    change(scene, scene.ann, `torrents/${route}`, { hash: EDITED, ...fields });
  t.equal((await ask('rename', { name: ' shown ' })).status, 200);
  t.match(await stateOf(scene, EDITED), { name: 'shown' });
  for (const name of ['', '  ', 'x'.repeat(241), 'a\u0000']) t.equal((await ask('rename', { name })).status, 409);
  t.match(await stateOf(scene, EDITED), { name: 'shown' });
  t.equal((await ask('renameFile', { oldPath: 'd/a', newPath: 'd/b' })).status, 200);
  t.equal((await ask('renameFolder', { oldPath: 'd', newPath: 'e' })).status, 200);
  for (const newPath of ['', 'x'.repeat(4097), 'a\0'])
    t.equal((await ask('renameFile', { oldPath: 'd/b', newPath })).status, 409);
  const renames = [
    { from: 'd/a', to: 'd/b', accountId: scene.annId },
    { from: 'd', to: 'e', accountId: scene.annId },
  ];
  t.match(await stateOf(scene, EDITED), { renames });
  t.equal(scene.harness.engine.renames.length, 2);
});
