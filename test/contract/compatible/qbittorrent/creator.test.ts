// torrentcreator/*: tasks are creations, which are their accounts'.
import { join } from 'node:path';
import t from 'tap';
import { AppError } from '../../../../shared-protocol/errors.js';
import { startToolScene, type Tool } from '../../../support/qbittorrent-scene.js';

interface Task extends Record<string, unknown> {
  readonly taskID: string;
  readonly status: string;
}

const begin = async (tool: Tool, fields: Record<string, string>): Promise<string> =>
  (await tool.post('torrentcreator/addTask', fields)).json<{ taskID: string }>().taskID;
const tasksOf = (tool: Tool) => tool.read<Task[]>('torrentcreator/status');
const SOURCE = { sourcePath: 'made', startSeeding: 'false' };

async function ended(tool: Tool, taskID: string): Promise<Task> {
  for (;;) {
    const [task] = await tool.read<Task[]>('torrentcreator/status', { taskID });
    if (task && 'timeFinished' in task) return task;
  }
}

void t.test('a task is begun, looked at, fetched and deleted', async (t) => {
  const { harness, ann } = await startToolScene(t);
  let finish = (): void => undefined;
  harness.engine.creationsHeldBy = new Promise((resolve) => (finish = resolve));
  const taskID = await begin(ann, {
    ...{ ...SOURCE, format: 'v1', pieceSize: '65536', private: 'true', comment: 'of ann', source: 'S' },
    ...{ trackers: 'http://a.example/|http://b.example/||http://c.example/', urlSeeds: 'http://seed.example/|' },
  });
  t.match(harness.engine.creationsAsked.at(-1), {
    ...{ path: join(harness.filesDir, 'made'), pieceLength: 65_536, isPrivate: true, comment: 'of ann', source: 'S' },
    ...{ trackers: [['http://a.example/', 'http://b.example/'], ['http://c.example/']], isToSeed: false },
    webSeeds: ['http://seed.example/'],
  });
  const sourcePath = join(harness.filesDir, 'made');
  t.match(await tasksOf(ann), [{ taskID, sourcePath, status: 'Running', progress: 33, format: 'v1' }]);
  t.match(await ann.get('torrentcreator/torrentFile', { taskID }), { status: 409, text: /^creation: / });
  finish();
  t.match(await ended(ann, taskID), { status: 'Finished', pieceSize: 16_384, timeAdded: /^\d{4}-\d\d-\d\dT/ });
  const file = await ann.get('torrentcreator/torrentFile', { taskID });
  t.match(file, { status: 200, headers: { 'content-type': 'application/x-bittorrent' }, text: /^d.*4:info/s });
  t.match(await ann.post('torrentcreator/deleteTask', { taskID }), { status: 200, text: '' });
  t.same(await tasksOf(ann), []);
  for (const path of ['status', 'torrentFile'])
    t.equal((await ann.get(`torrentcreator/${path}`, { taskID })).status, 404);
  t.equal((await ann.post('torrentcreator/deleteTask', { taskID })).status, 404);
});

void t.test('without a word of seeding it is seeded', async (t) => {
  const { harness, ann } = await startToolScene(t);
  await ended(ann, await begin(ann, { sourcePath: 'made' }));
  t.equal(harness.engine.creationsAsked.at(-1)?.isToSeed, true);
  t.match(await ann.own('GET', '/api/torrents'), [{ name: 'made' }]);
});

void t.test('what is not made is refused with a sentence', async (t) => {
  const { harness, ann } = await startToolScene(t);
  const refused = async (fields: Record<string, string>, text: RegExp, status = 400) =>
    t.match(
      await ann.post('torrentcreator/addTask', { ...SOURCE, ...fields }),
      { status, text },
      JSON.stringify(fields),
    );
  await refused({ format: 'v2' }, /^format: /, 409);
  await refused({ format: 'hybrid' }, /^format: /, 409);
  await refused({ torrentFilePath: '/tmp/a.torrent' }, /^torrentFilePath: /, 409);
  await refused({ sourcePath: '' }, /^sourcePath: required/);
  await refused({ sourcePath: 'a\0b' }, /NUL/);
  await refused({ pieceSize: '20000' }, /^piece_length: expected a power of two/);
  await refused({ pieceSize: 'big' }, /^pieceSize: /);
  await refused({ private: 'maybe' }, /^private: expected true or false/);
  await refused({ sourcePath: '/etc/passwd' }, /may not do that/, 409);
  await refused({ sourcePath: harness.dataDir }, /may not do that/, 409);
  harness.engine.refuseNextCreation = new AppError('CREATE_NOT_ALLOWED', 'path: not in the home of the account');
  await refused({}, /may not do that/, 409);
  t.same(await tasksOf(ann), []);
});

void t.test("tasks of one are not another's, and who may not add torrents makes none", async (t) => {
  const { ann, bob, admin, join: joinAs } = await startToolScene(t);
  const cleo = await joinAs('cleo', { perm_add_torrents: true });
  const taskID = await begin(ann, SOURCE);
  await ended(ann, taskID);
  t.same(await tasksOf(cleo), []);
  for (const path of ['status', 'torrentFile']) {
    t.equal((await cleo.get(`torrentcreator/${path}`, { taskID })).status, 404, path);
    t.equal((await bob.get(`torrentcreator/${path}`, { taskID })).status, 409, path);
  }
  t.equal((await cleo.post('torrentcreator/deleteTask', { taskID })).status, 404);
  for (const path of ['addTask', 'deleteTask']) {
    t.equal((await bob.post(`torrentcreator/${path}`, { ...SOURCE, taskID })).status, 409, path);
    t.equal((await ann.get(`torrentcreator/${path}`, { ...SOURCE, taskID })).status, 405, path);
  }
  for (const id of ['zz', '-1', '1e3', '__proto__'])
    t.equal((await ann.get('torrentcreator/torrentFile', { taskID: id })).status, 404, id);
  t.match(await tasksOf(admin), [{ taskID, status: 'Finished' }], 'an administrator is shown all');
  t.same(await tasksOf(ann), await tasksOf(admin));
});
