// torrents/add: what is answered where nothing is added, and that nothing is made of it then.
import t from 'tap';
import { change, EDITED, HIDDEN, OWN, setCompatibleScene, upload, VIEWED } from '../../../support/compatible-scene.js';
import { makeTorrent, seededBytes } from '../../../support/make-torrent.js';

const ADD = 'torrents/add';
const TORRENT = makeTorrent({ name: 'refused', pieceLength: 16_384, files: seededBytes(1, 40_000) });
const hash = (digit: string) => digit.repeat(40);
const magnet = (digit: string) => `magnet:?xt=urn:btih:${hash(digit)}`;

void t.test('Fails. for what the account has, and for what names no torrent', async (t) => {
  const scene = await setCompatibleScene(t);
  for (const id of [OWN, EDITED]) {
    t.match(await change(scene, scene.ann, ADD, { urls: id }), { status: 200, text: 'Fails.' });
  }
  for (const urls of ['', 'nonsense', 'magnet:?xt=urn:btih:zz', 'ftp://a.example/b.torrent', '/etc/passwd']) {
    t.match(await change(scene, scene.ann, ADD, { urls, category: 'x' }), { status: 200, text: 'Fails.' }, urls);
  }
  t.match(await change(scene, scene.ann, ADD, { urls: `${OWN}\n${hash('1')}` }), { text: 'Ok.' }, 'one of them is new');
  t.equal(scene.harness.engine.joined.length, 0);
  // As if nobody else had them: each account has a share of its own.
  for (const id of [HIDDEN, VIEWED]) t.match(await change(scene, scene.ann, ADD, { urls: id }), { text: 'Ok.' });
  t.equal(scene.harness.engine.joined.length, 2);
});

void t.test('what is no torrent file is 415, and then no other one is added either', async (t) => {
  const scene = await setCompatibleScene(t);
  const before = scene.harness.engine.ids;
  const bad = Buffer.from('<html>');
  for (const parts of [{ a: bad }, { a: TORRENT.torrentBytes, b: bad }]) {
    t.match(await upload(scene, scene.ann, { ...parts, category: 'new', tags: 'new' }), {
      status: 415,
      text: /^Error: not a valid torrent file/,
    });
  }
  t.same(scene.harness.engine.ids, before);
  t.same(await scene.ann.ask('GET', '/api/categories'), []);
  t.same(await scene.ann.ask('GET', '/api/tags'), []);
});

void t.test('a layout and a stop that are none count for nothing, as in qBittorrent', async (t) => {
  const scene = await setCompatibleScene(t);
  const odd = { contentLayout: 'undefined', stopCondition: 'toString', root_folder: 'undefined' };
  t.match(await change(scene, scene.ann, ADD, { urls: magnet('7'), ...odd }), { status: 200, text: 'Ok.' });
  t.ok(scene.harness.engine.ids.some((id) => id === hash('7')));
});

void t.test('a field that is wrong is named, and nothing is made or added', async (t) => {
  const scene = await setCompatibleScene(t);
  const before = scene.harness.engine.ids;
  const wrong: readonly (readonly [Record<string, string>, status: number, text: string | RegExp])[] = [
    [{ stopped: 'maybe' }, 400, 'stopped: expected true or false'],
    [{ upLimit: 'fast' }, 400, 'upLimit: expected a number'],
    [{ dlLimit: '1e300' }, 400, 'dlLimit: expected a whole number'],
    [{ ratioLimit: '-3' }, 400, /^ratioLimit: expected/],
    [{ seedingTimeLimit: '1.5' }, 400, 'seedingTimeLimit: expected a whole number'],
    [{ shareLimitAction: 'Explode' }, 400, /^shareLimitAction: expected/],
    [{ filePriorities: '0,2' }, 400, /^filePriorities: expected/],
    [{ rename: 'x'.repeat(241) }, 400, 'rename: at most 240 characters'],
    [{ rename: 'a\u0007b' }, 400, 'rename: must not contain control characters'],
    [{ savepath: 'x'.repeat(4097) }, 400, 'savepath: at most 4096 characters'],
    [{ savepath: 'a\0b' }, 400, 'savepath: contains a NUL character'],
    [{ savepath: '/etc' }, 409, 'this account may not save there'],
    [{ savepath: scene.harness.dataDir }, 409, 'this account may not save there'],
    [{ downloadPath: '../..' }, 409, 'this account may not save there'],
    [{ category: 'a//b' }, 409, /^category: must not/],
    [{ tags: 'x'.repeat(101) }, 400, /^tags: /],
    [{ tags: Array.from({ length: 101 }, (_, i) => `t${i}`).join(',') }, 400, 'tags: at most 100'],
    [{ tags: Array.from({ length: 60 }, (_, i) => `${i}`.padEnd(100, 'x')).join(',') }, 400, /^tags: .* no room/],
    [{ urls: Array.from({ length: 201 }, (_, i) => `http://a.example/${i}`).join('\n') }, 400, 'urls: at most 200'],
  ];
  for (const [fields, status, text] of wrong) {
    const answer = await change(scene, scene.ann, ADD, { urls: magnet('1'), category: 'new', tags: 'new', ...fields });
    t.match(answer, { status, text }, JSON.stringify(fields).slice(0, 100));
  }
  t.same(scene.harness.engine.ids, before);
  t.same(await scene.ann.ask('GET', '/api/categories'), []);
  t.same(await scene.ann.ask('GET', '/api/tags'), []);
});

void t.test('a quota is told', async (t) => {
  const scene = await setCompatibleScene(t);
  await scene.admin.ask('PUT', `/api/users/${scene.annId}`, { quota: { torrents: 2, bytes: 0, active: 0 } });
  t.equal((await change(scene, scene.ann, ADD, { urls: magnet('1') })).text, 'Ok.');
  const full = await change(scene, scene.ann, ADD, { urls: magnet('2') });
  t.equal(full.status, 409);
  t.match(full.text, /2/);
});

void t.test('who may make no labels uses those that there are', async (t) => {
  const scene = await setCompatibleScene(t, { perm_manage_cat_tags: false });
  await change(scene, scene.admin, 'torrents/createCategory', { category: 'tv' });
  const refused = await change(scene, scene.ann, ADD, { urls: magnet('1'), category: 'films' });
  t.match(refused, { status: 409, text: 'there is no category "films", and this account may not make one' });
  const untagged = await change(scene, scene.ann, ADD, { urls: magnet('1'), category: 'tv', tags: 'new' });
  t.match(untagged, { status: 409, text: 'there is no tag "new", and this account may not make one' });
  t.notOk(scene.harness.engine.ids.includes(hash('1') as typeof OWN));
  t.equal((await change(scene, scene.ann, ADD, { urls: magnet('1'), category: 'TV' })).text, 'Ok.');
});
