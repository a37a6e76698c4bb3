// torrents/add: what reaches the engine of its fields, and the sources that a request may name.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { change, setCompatibleScene, upload } from '../../../support/compatible-scene.js';
import { makeTorrent, seededBytes } from '../../../support/make-torrent.js';

const ADD = 'torrents/add';
const made = (seed: number) =>
  makeTorrent({ name: `added-${seed}`, pieceLength: 16_384, files: seededBytes(seed, 40_000) });
const hash = (digit: string) => digit.repeat(40);
const magnet = (digit: string) => `magnet:?xt=urn:btih:${hash(digit)}`;

/** All fields that decide something, as tools send them. */
const FIELDS = {
  category: 'films',
  tags: 'one, two,One',
  rename: 'of mine',
  stopped: 'true',
  ratioLimit: '1.5',
  seedingTimeLimit: '-2',
  inactiveSeedingTimeLimit: '-1',
  shareLimitAction: 'EnableSuperSeeding',
  upLimit: '1',
  dlLimit: '10241',
  skip_checking: 'true',
  contentLayout: 'NoSubfolder',
  sequentialDownload: 'true',
  firstLastPiecePrio: 'true',
  autoTMM: 'false',
  addToTopOfQueue: 'true',
  forced: 'true',
  stopCondition: 'FilesChecked',
  filePriorities: '7',
  cookie: 'ignored',
  foo: 'bar',
};
const ASKED = {
  paused: true,
  sequential: true,
  layout: 'no_subfolder',
  firstLastFirst: true,
  forceStart: true,
  isFirstInQueue: true,
  stopAfter: 'check',
  skipCheck: true,
  filePriorities: { 0: 'max' },
  rateLimits: { downBytesPerSec: 11 * 1024, upBytesPerSec: 1024 },
  library: {
    name: 'of mine',
    seedPolicy: { ratioLimit: 1.5, minutesLimit: 'inherited', inactiveMinutesLimit: null, action: 'super_seed' },
  },
};

interface LabelRow {
  readonly id: number;
  readonly name: string;
}

void t.test('all fields, with a file, a magnet and a bare info hash', async (t) => {
  const scene = await setCompatibleScene(t);
  const { engine, filesDir } = scene.harness;
  const savepath = join(filesDir, 'not', 'there');
  const urls = [` ${magnet('1')} `, '', hash('2'), magnet('1')].join('\r\n');
  // Whatever the parts are called.
  const parts = { ...FIELDS, savepath, urls, torrent__0: made(1).torrentBytes, b: made(2).torrentBytes };
  const before = engine.added.length;
  t.match(await upload(scene, scene.ann, parts), { status: 200, text: 'Ok.' });
  const added = engine.added.slice(before);
  t.equal(added.length, 4);
  const categories = await scene.ann.ask<LabelRow[]>('GET', '/api/categories');
  const tags = await scene.ann.ask<LabelRow[]>('GET', '/api/tags');
  t.match(categories, [{ name: 'films' }]);
  t.same(
    tags.map(({ name }) => name),
    ['one', 'two'],
  );
  const library = { ...ASKED.library, categoryId: categories[0]?.id, tagIds: tags.map(({ id }) => id) };
  for (const asked of added) t.match(asked, { ...ASKED, savePath: savepath, library });
  const listed = (await scene.ann.ask<{ id: string }[]>('GET', '/api/torrents')).map(({ id }) => id);
  for (const id of [made(1).infoHash, made(2).infoHash, hash('1'), hash('2')]) t.ok(listed.includes(id), 'at once');
});

void t.test('what is not said is not wanted; older names of fields', async (t) => {
  const scene = await setCompatibleScene(t);
  const { engine } = scene.harness;
  const last = () => engine.added.at(-1);
  const empty = Object.fromEntries(Object.keys(FIELDS).map((field) => [field, '']));
  t.equal((await change(scene, scene.ann, ADD, { urls: magnet('1'), ...empty })).text, 'Ok.');
  t.match(last(), { paused: false, layout: 'original', skipCheck: false, firstLastFirst: false, forceStart: false });
  t.match(last()?.library, { seedPolicy: null, categoryId: null, tagIds: [] });
  t.notOk(last()?.rateLimits ?? last()?.filePriorities ?? last()?.stopAfter);
  const older = { paused: 'true', root_folder: 'false', seedMode: '1', ratioLimit: '-2' };
  await change(scene, scene.ann, ADD, { urls: magnet('2'), ...older });
  t.match(last(), { paused: true, layout: 'no_subfolder', skipCheck: true, library: { seedPolicy: null } });
  const asIs = { root_folder: 'unset', contentLayout: 'Original' };
  t.equal((await change(scene, scene.ann, ADD, { urls: magnet('5'), ...asIs })).text, 'Ok.');
  t.match(last(), { layout: 'original' });
  await change(scene, scene.ann, ADD, { urls: magnet('3'), root_folder: 'true', downloadPath: 'half', upLimit: '-1' });
  const { filesDir } = scene.harness;
  t.match(last(), { layout: 'original', savePath: join(filesDir, 'half'), completePath: filesDir });
  await change(scene, scene.ann, ADD, { urls: magnet('4'), downloadPath: 'half', useDownloadPath: 'false' });
  t.match(last(), { savePath: filesDir, completePath: undefined });
});

void t.test('the path of the category, where none is said or it is to manage itself', async (t) => {
  const scene = await setCompatibleScene(t);
  const { engine, filesDir } = scene.harness;
  await change(scene, scene.ann, 'torrents/createCategory', { category: 'Films', savePath: 'films' });
  const pathOf = async (digit: string, fields: Record<string, string>) => {
    t.equal((await change(scene, scene.ann, ADD, { urls: magnet(digit), category: 'FILMS', ...fields })).text, 'Ok.');
    return engine.added.at(-1)?.savePath;
  };
  t.equal(await pathOf('1', {}), join(filesDir, 'films'));
  t.equal(await pathOf('2', { savepath: 'other', autoTMM: 'true' }), join(filesDir, 'films'));
  t.equal(await pathOf('3', { savepath: 'other', autoTMM: 'false' }), join(filesDir, 'other'));
  t.equal((await scene.ann.ask<LabelRow[]>('GET', '/api/categories')).length, 1, 'whatever its case');
});

void t.test(
  'URLs are fetched for the account: refused inside, and what is there is added or said to be none',
  async (t) => {
    const served = new Map<string, Uint8Array | string>([
      ['/a.torrent', made(7).torrentBytes],
      ['/page', '<html>'],
    ]);
    const server = createServer((request, response) => {
      const body = served.get(request.url ?? '');
      response.writeHead(body === undefined ? 404 : 200).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => void server.close());
    const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    const closed = await setCompatibleScene(t);
    t.match(await change(closed, closed.ann, ADD, { urls: at('/a.torrent') }), {
      status: 409,
      text: /private address/,
    });
    const scene = await setCompatibleScene(t, {}, ['--fetch-allow', '127.0.0.1/32']);
    t.match(await change(scene, scene.ann, ADD, { urls: at('/gone') }), { status: 409 });
    t.match(await change(scene, scene.ann, ADD, { urls: at('/page') }), { status: 415 });
    t.match(await change(scene, scene.ann, ADD, { urls: [at('/gone'), at('/a.torrent')].join('\n') }), { text: 'Ok.' });
    t.ok(scene.harness.engine.ids.includes(made(7).infoHash));
    t.match(await change(scene, scene.ann, ADD, { urls: at('/a.torrent') }), { status: 200, text: 'Fails.' });
  },
);
