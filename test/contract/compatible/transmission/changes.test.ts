// What tools do to torrents: to those that the account may change, and to no others, whoever asks.
import t from 'tap';
import { AppError } from '../../../../shared-protocol/errors.js';
import { METHOD_TABLE } from '../../../../api/compatible/transmission/methods.js';
import {
  EDITED,
  hashesOf,
  HIDDEN,
  OWN,
  setTransmissionScene,
  torrentsOf,
  VIEWED,
} from '../../../support/transmission-scene.js';
import type { TransmissionTool } from '../../../support/transmission-rpc.js';

const PAUSED = 0;
const NOT_ALLOWED = /may not|may look at it/;

async function statuses(tool: TransmissionTool): Promise<Record<string, unknown>> {
  const torrents = await torrentsOf<{ hashString: string; status: number }>(tool, ['hashString', 'status']);
  return Object.fromEntries(torrents.map(({ hashString, status }) => [hashString[0], status === PAUSED]));
}

void t.test('without ids all that the account may change, with an empty list none', async (t) => {
  const { admin, ann } = await setTransmissionScene(t);
  for (const [method, args] of [
    ['torrent-stop', { ids: [] }],
    ['torrent-remove', { ids: [] }],
    ['torrent-remove', { ids: [HIDDEN, 4, 'nothing'] }],
    ['torrent-set', { ids: [], seedRatioMode: 2, 'files-wanted': [] }],
    ['torrent-set-location', { ids: [], location: '/tmp/elsewhere' }],
  ] as const) {
    const number = await torrentsOf<{ id: number }>(admin, ['id'], HIDDEN);
    const hidden = 'ids' in args && args.ids.length > 0 ? { ids: [HIDDEN, number[0]?.id, 'nothing'] } : {};
    t.match(await ann.ask(method, { ...args, ...hidden }), { result: 'success' }, method);
  }
  t.same(await hashesOf(admin), [OWN, EDITED, VIEWED, HIDDEN]);
  await ann.get('torrent-stop');
  t.same(await statuses(admin), { a: true, b: true, c: false, d: false });
  await ann.get('torrent-start', { ids: [OWN] });
  t.same(await statuses(admin), { a: false, b: true, c: false, d: false });
  await ann.get('torrent-remove');
  t.same(await hashesOf(admin), [EDITED, VIEWED, HIDDEN], 'of those that it may edit it owns one');
});

void t.test('what may only be looked at is refused by a sentence, and nothing is done', async (t) => {
  const { admin, ann } = await setTransmissionScene(t, { perm_add_torrents: true });
  const before = JSON.stringify(
    await torrentsOf(admin, ['id', 'status', 'labels', 'queuePosition', 'downloadDir', 'name']),
  );
  const args = { ids: [VIEWED], location: '/tmp/elsewhere', path: 'c', name: 'other', labels: [], filename: 'x' };
  for (const [method, { kind }] of Object.entries(METHOD_TABLE)) {
    if (kind === 'read' || method === 'torrent-add') continue;
    const answer = await ann.post({ method, arguments: args });
    t.equal(answer.status, 200, method);
    const { result } = answer.json<{ result: string }>();
    if (!method.startsWith('session') && !method.startsWith('group')) t.match(result, NOT_ALLOWED, method);
    t.not(result, 'success', method);
  }
  const after = JSON.stringify(
    await torrentsOf(admin, ['id', 'status', 'labels', 'queuePosition', 'downloadDir', 'name']),
  );
  t.equal(after, before);
  t.match((await ann.ask('torrent-remove', { ids: [EDITED] })).result, NOT_ALLOWED, 'an editor is no owner');
});

void t.test('start now, verify, announce, the queue', async (t) => {
  const { harness, admin, adminScript } = await setTransmissionScene(t);
  type Listed = { id: string; force_start: boolean; verifying: boolean; queue_position: number; paused: boolean };
  const listed = async (id: string) =>
    (await adminScript.ask<Listed[]>('GET', '/api/torrents')).find((torrent) => torrent.id === id);
  await admin.get('torrent-stop', { ids: [OWN] });
  t.match(await admin.ask('torrent-reannounce', { ids: [OWN, EDITED] }), { result: 'success' }, 'one is stopped');
  await admin.get('torrent-start-now', { ids: [OWN] });
  t.match(await listed(OWN), { force_start: true, paused: false });
  await admin.get('torrent-start', { ids: [OWN] });
  t.match(await listed(OWN), { force_start: false, paused: false });
  await admin.get('torrent-verify', { ids: [OWN] });
  const order = async () => {
    const torrents = await torrentsOf<{ queuePosition: number; hashString: string }>(admin, [
      'queuePosition',
      'hashString',
    ]);
    return torrents
      .sort((a, b) => a.queuePosition - b.queuePosition)
      .map(({ hashString }) => hashString[0])
      .join('');
  };
  t.equal(await order(), 'abcd');
  await admin.get('queue-move-bottom', { ids: [OWN, EDITED] });
  t.equal(await order(), 'cdab');
  await admin.get('queue-move-up', { ids: [OWN] });
  t.equal(await order(), 'cadb');
  await admin.get('queue-move-down', { ids: [VIEWED] });
  t.equal(await order(), 'acdb');
  await admin.get('queue-move-top', { ids: [EDITED] });
  t.equal(await order(), 'bacd');
  await admin.get('torrent-set', { ids: [HIDDEN], queuePosition: 1 });
  t.equal(await order(), 'bdac');
  t.ok(harness.engine.ids.length === 4);
});

void t.test('where torrents lie and what they are called', async (t) => {
  const { harness, admin, ann } = await setTransmissionScene(t);
  t.match(await admin.ask('torrent-set-location', { ids: [OWN], location: 'x' }), {
    result: 'new location path is not absolute',
  });
  t.match(await admin.ask('torrent-set-location', { ids: [OWN] }), { result: 'no location' });
  t.match((await ann.ask('torrent-set-location', { ids: [OWN], location: '/etc', move: true })).result, NOT_ALLOWED);
  const location = `${harness.filesDir}/sub`;
  await ann.get('torrent-set-location', { ids: [OWN], location, move: true });
  t.match(await torrentsOf(ann, ['downloadDir'], OWN), [{ downloadDir: location }]);
  t.match(await ann.ask('torrent-rename-path', { path: 'a', name: 'b' }), {
    result: 'torrent-rename-path requires 1 torrent',
  });
  for (const name of ['', 'x/y']) {
    t.match(await ann.ask('torrent-rename-path', { ids: [OWN], path: 'a', name }), { result: /^name: / });
  }
  harness.engine.setFacts(OWN, { hasMetadata: true, contentName: 'a.folder' });
  harness.engine.refuseNextRename = new AppError('FILE_NOT_FOUND', 'from: no such file or folder', { path: 'none' });
  t.match(
    await ann.ask('torrent-rename-path', { ids: [OWN], path: 'none', name: 'other' }),
    { result: 'file not found' },
    'what is not there is the path, not the torrent',
  );
  t.match(await torrentsOf(ann, ['name'], OWN), [{ name: 'a' }]);
  const renamed = await ann.ask('torrent-rename-path', { ids: [OWN], path: 'a', name: 'other' });
  t.match(renamed, { result: 'success', arguments: { path: 'a', name: 'other', id: Number } });
  t.match(await torrentsOf(ann, ['name'], OWN), [{ name: 'other' }]);
});
