// The state of another program comes as an archive, as its user packed it: torrents, settings and changed paths as from a folder of the
// server. What is sent is of the account that sent it, and nothing of it stays.
import { mkdir, readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { makeAccount } from '../support/daemon-account.js';
import { signIn, startDaemon, type DaemonUnderTest, type StartDaemonOptions } from '../support/daemon.js';
import { importAll } from '../support/import/import-scene.js';
import { writeOldFiles } from '../support/import/old-torrents.js';
import { packedState } from '../support/import/packed-state.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { tarBlocks, TAR_END } from '../support/tar-blocks.js';
import { volumesUnavailable, withVolumes } from '../support/volumes.js';

t.setTimeout(120_000);

const TIMEOUT_MS = 60_000;
const TORRENTS = [{ name: 'first.iso' }, { name: 'second.iso' }];

interface Sent {
  readonly id: number;
  readonly state: string;
}

for (const kind of ['tar', 'tar.gz', 'zip'] as const)
  void t.test(`torrents and settings of qBittorrent from a .${kind}`, async (t) => {
    const { daemon, folder } = await start(t);
    await writeOldFiles(daemon.savePath, TORRENTS);
    const bytes = await packedState(t, kind, TORRENTS);
    const { json: sent } = await daemon.api<Sent>('POST', '/api/import_archives', bytes);
    t.match(sent, { state: 'ready', received_bytes: bytes.length });
    const map = [{ from: '/downloads', to: daemon.savePath }];
    const body = { from: 'qbittorrent', archive: sent.id, map, settings: true };

    const dry = await importAll(daemon, { ...body, dry_run: true });
    t.match(dry, { state: 'done', imported: 2, skipped: 0, path: '' }, JSON.stringify(dry));
    t.same(await daemon.torrents(), []);
    t.not((await readdir(folder)).length, 0, 'it is kept for the import');

    const report = await importAll(daemon, body);
    t.match(report, { state: 'done', imported: 2, settings: [{ name: 'speed limit down', result: 'changed' }] });
    for (const { completed, save_path, verifying } of await daemon.torrents())
      t.same({ completed, save_path, verifying }, { completed: true, save_path: daemon.savePath, verifying: false });
    t.match((await daemon.api('GET', '/api/settings/limits')).json, { down_kbps: 500 });
    await emptied(folder);
    t.match(await daemon.api('POST', '/api/import', body), { status: 404, json: { error: 'archive not found' } });
  });

void t.test('in parts, as a page sends it behind a proxy', async (t) => {
  const { daemon } = await start(t);
  await writeOldFiles(daemon.savePath, TORRENTS);
  const bytes = await packedState(t, 'tar', TORRENTS);
  const half = Math.floor(bytes.length / 2);
  const { json } = await daemon.api<Sent>('POST', `/api/import_archives?size=${bytes.length}`, bytes.subarray(0, half));
  t.match(json, { state: 'receiving', received_bytes: half });
  const next = `/api/import_archives?id=${json.id}&offset=${half}`;
  t.match((await daemon.api<Sent>('POST', next, bytes.subarray(half))).json, { id: json.id, state: 'ready' });
  const map = [{ from: '/downloads', to: daemon.savePath }];
  t.match(await importAll(daemon, { from: 'qbittorrent', archive: json.id, map }), { state: 'done', imported: 2 });
});

void t.test('each account is a stranger to the others', async (t) => {
  const { daemon, folder } = await start(t);
  const bytes = await packedState(t, 'tar', TORRENTS);
  const all = { perm_change_settings: true, perm_manage_rss: true, perm_add_torrents: true };
  const { client: manager } = await makeAccount(daemon, 'manager', all);
  t.equal((await manager.api('POST', '/api/import_archives', bytes)).status, 403);
  t.same(await readdir(folder), [], 'nothing of it was written');
  const { json: mine } = await daemon.api<Sent>('POST', '/api/import_archives', bytes);
  t.equal((await manager.api('DELETE', `/api/import_archives/${mine.id}`)).status, 403);

  const { client: other } = await makeAccount(daemon, 'other', { role: 'admin' });
  const body = { from: 'qbittorrent', archive: mine.id };
  t.equal((await other.api('POST', '/api/import', body)).status, 404, 'it is not imported by another');
  t.equal((await other.api('DELETE', `/api/import_archives/${mine.id}`)).status, 404, 'nor deleted');
  t.equal(
    (await other.api('POST', `/api/import_archives?id=${mine.id}&offset=0`, bytes)).status,
    404,
    'nor gone on with',
  );
  const { json: theirs } = await other.api<Sent>('POST', '/api/import_archives', bytes);
  t.match(await importAll(daemon, { ...body, dry_run: true }), { state: 'done' }, 'nor lost to another');
  t.equal((await other.api('DELETE', `/api/import_archives/${theirs.id}`)).status, 200);
  t.equal((await daemon.api('DELETE', `/api/import_archives/${mine.id}`)).status, 200);
  await emptied(folder);
});

void t.test('one that is refused, or cut midway, leaves nothing', async (t) => {
  const { daemon, folder } = await start(t);
  const hostile = Buffer.concat([tarBlocks({ path: '../../escaped' }, 'x'), TAR_END]);
  t.match(await daemon.api('POST', '/api/import_archives', hostile), {
    status: 400,
    json: { error: 'archive: "../../escaped" leads out of the archive' },
  });
  t.same(await readdir(folder), []);
  await cutUpload(t, daemon, folder);
  await emptied(folder);
  const bytes = await packedState(t, 'tar', TORRENTS);
  t.match(await daemon.api('POST', '/api/import_archives', bytes), { status: 200 }, 'and the next one is taken');
});

void t.test('nothing stays of an import that was cancelled, or has failed', async (t) => {
  const { daemon, folder } = await start(t);
  const many = Array.from({ length: 400 }, (_, index) => ({ name: `${index}.iso` }));
  const bytes = await packedState(t, 'tar', many);
  const { client: sender, id: senderId } = await makeAccount(daemon, 'sender', { role: 'admin' });
  for (const [state, end] of [
    ['cancelled', (id: number) => daemon.api('DELETE', `/api/import/${id}`)],
    // Who imports is no administrator any more when the settings would come.
    ['failed', () => daemon.api('PUT', `/api/users/${senderId}`, { role: 'user' })],
  ] as const) {
    const { json: sent } = await sender.api<Sent>('POST', '/api/import_archives', bytes);
    const body = { from: 'qbittorrent', archive: sent.id, paused: true, settings: true };
    const { json: begun } = await sender.api<Sent>('POST', '/api/import', body);
    t.equal((await end(begun.id)).status, 200);
    await emptied(folder);
    t.match((await daemon.api('GET', `/api/import/${begun.id}`)).json, { state });
  }
});

void t.test('what is left behind by a restart goes at the start', async (t) => {
  const scratch = await makeScratch('import-archives-restart');
  t.teardown(() => scratch.remove());
  const dataDir = join(scratch.path, 'data');
  const { daemon, folder } = await start(t, { dataDir });
  const { json } = await daemon.api<Sent>('POST', '/api/import_archives', await packedState(t, 'tar', TORRENTS));
  await daemon.kill();
  t.not((await readdir(folder)).length, 0);
  const again = await start(t, { dataDir });
  t.same(await readdir(folder), []);
  const body = { from: 'qbittorrent', archive: json.id };
  t.equal((await again.daemon.api('POST', '/api/import', body)).status, 404);
});

void t.test('a full disk is told of', { skip: volumesUnavailable() }, async (t) => {
  const scratch = await makeScratch('import-archives-full');
  t.teardown(() => scratch.remove());
  const dataDir = join(scratch.path, 'data');
  await mkdir(dataDir);
  // Of which 64 MiB are left for the state of the service itself.
  const { daemon } = await start(t, { dataDir, launcher: withVolumes({ path: dataDir, sizeMib: 60 }) });
  t.match(await daemon.api('POST', '/api/import_archives', await packedState(t, 'tar', TORRENTS)), {
    status: 500,
    json: { error: 'storage failure: disk full' },
  });
});

async function start(t: Test, options: StartDaemonOptions = {}) {
  const daemon = await startDaemon(options);
  t.teardown(() => daemon.stop());
  return { daemon, folder: join(daemon.dataDir, 'import-archive') };
}

async function emptied(folder: string): Promise<void> {
  await waitUntil('no archive is left', TIMEOUT_MS, async () =>
    (await readdir(folder)).length === 0 ? true : undefined,
  );
}

/** Ends the connection when some of the archive is on disk. */
async function cutUpload(t: Test, daemon: DaemonUnderTest, folder: string): Promise<void> {
  const [username, password] = ['sender', 'password-of-sender'];
  await daemon.api('POST', '/api/users', { username, password, role: 'admin' });
  const key = await signIn(daemon.url, password, username);
  const headers = { authorization: `Bearer ${key}`, 'content-length': '1000000' };
  const sending = request(`${daemon.url}/api/import_archives`, { method: 'POST', headers });
  sending.on('error', () => undefined);
  sending.write(tarBlocks({ path: 'state/' }));
  await waitUntil('some of it is there', TIMEOUT_MS, async () =>
    (await readdir(folder)).length > 0 ? true : undefined,
  );
  sending.destroy();
  t.pass('cut');
}
