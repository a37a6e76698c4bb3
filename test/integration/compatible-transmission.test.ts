// Transmission's interface over a real daemon: places of files beside pad files, names, what lies there already, and what
// comes of a torrent whose tracker refuses it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { httpCall } from '../support/api-harness.js';
import { startDaemon } from '../support/daemon.js';
import { refusing, startHttpTracker } from '../support/http-tracker.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { TransmissionTool } from '../support/transmission-rpc.js';
import { torrentsOf } from '../support/transmission-scene.js';

const TIMEOUT_MS = 30_000;
const FILE_BYTES = 40_000;
const SEEDING = 6;

t.setTimeout(180_000);

async function start(t: { teardown(handler: () => Promise<unknown>): void }) {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const call = (method: string, path: string, options = {}) => httpCall(`${daemon.url}${path}`, method, options);
  return { daemon, tool: new TransmissionTool({ call }, 'admin', daemon.adminPassword) };
}

function madeShow(...trackers: readonly string[]) {
  const files = ['a', 'b', 'c'].map((name, seed) => ({ path: [name], bytes: seededBytes(seed, FILE_BYTES) }));
  const made = makeTorrent({ name: 'show', pieceLength: 16_384, padFiles: true, files, trackers });
  return { files, made, metainfo: Buffer.from(made.torrentBytes).toString('base64') };
}

void t.test('files are named by their places in the list, in which pad files are not', async (t) => {
  const { tool } = await start(t);
  const { metainfo } = madeShow();
  await tool.get('torrent-add', { metainfo, paused: true, 'files-unwanted': [1], 'priority-high': [2] });
  const shown = async () => (await torrentsOf(tool, ['files', 'wanted', 'priorities', 'file-count'], 1))[0];
  t.match(await shown(), {
    files: [{ name: 'show/a' }, { name: 'show/b' }, { name: 'show/c', length: FILE_BYTES }],
    ...{ wanted: [1, 0, 1], priorities: [0, 0, 1], 'file-count': 3 },
  });
  await tool.get('torrent-set', { ids: 1, 'files-wanted': [1], 'files-unwanted': [0, 2], 'priority-high': [1] });
  t.match(await shown(), { wanted: [0, 1, 0], priorities: [0, 1, 0] });
  t.match(await tool.ask('torrent-set', { ids: 1, 'files-wanted': [3] }), { result: 'file index out of range' });
});

void t.test('what lies elsewhere is pointed at, checked, renamed and seeded', async (t) => {
  const { daemon, tool } = await start(t);
  const { files, metainfo } = madeShow();
  const folder = join(daemon.savePath, 'elsewhere');
  await mkdir(join(folder, 'show'), { recursive: true });
  for (const { path, bytes } of files) await writeFile(join(folder, 'show', ...path), bytes);
  await tool.get('torrent-add', { metainfo, paused: true });
  await tool.get('torrent-set-location', { ids: [1], location: folder, move: false });
  await tool.get('torrent-start', { ids: [1] });
  const fields = ['status', 'percentDone', 'downloadDir', 'isFinished', 'pieces', 'pieceCount', 'files', 'name'];
  const seeding = await waitUntil('seeding what lies there', TIMEOUT_MS, async () => {
    const [torrent] = await torrentsOf<{ status: number }>(tool, fields, 1);
    return torrent?.status === SEEDING ? torrent : undefined;
  });
  t.match(seeding, { percentDone: 1, downloadDir: folder, isFinished: false, pieceCount: 9, name: 'show' });
  t.match(await tool.get('torrent-rename-path', { ids: [1], path: 'show/a', name: 'first' }), { name: 'first', id: 1 });
  await tool.get('torrent-rename-path', { ids: [1], path: 'show', name: 'other' });
  const [renamed] = await torrentsOf(tool, ['name', 'files'], 1);
  t.match(renamed, { name: 'other', files: [{ name: 'other/first' }, { name: 'other/b' }, { name: 'other/c' }] });
});

void t.test('a tracker that refuses is told of where no other answers', async (t) => {
  const tracker = await startHttpTracker({ respond: refusing('unregistered') });
  t.teardown(() => tracker.close());
  const { tool } = await start(t);
  const { metainfo } = madeShow(tracker.announceUrl);
  await tool.get('torrent-add', { metainfo });
  const told = await waitUntil('told of the refusal', TIMEOUT_MS, async () => {
    const [torrent] = await torrentsOf<{ error: number }>(tool, ['error', 'errorString', 'trackerStats'], 1);
    return torrent && torrent.error !== 0 ? torrent : undefined;
  });
  t.match(told, { error: 2, errorString: /unregistered/, trackerStats: [{ lastAnnounceSucceeded: false }] });
  t.match(told, { trackerStats: [{ lastAnnounceResult: /unregistered/, hasAnnounced: true, seederCount: -1 }] });
});
