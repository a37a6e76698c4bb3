// Pointing a torrent at data that lie elsewhere: nothing of what is there is served before it has been checked, and nobody
// gets at files of others by it (docs/decisions/0012-editors-do-not-adopt.md).
import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { makeAccount } from '../support/daemon-account.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { askMove, moveOf, TIMEOUT_MS, type Caller } from '../support/moves.js';

const BYTES = 40_000;
const made = makeTorrent({
  name: 'show',
  pieceLength: 16_384,
  files: [{ path: ['film'], bytes: seededBytes(1, BYTES) }],
});
const id = made.infoHash;

t.setTimeout(120_000);

async function setScene(t: Test): Promise<{ daemon: DaemonUnderTest; at: (...names: readonly string[]) => string }> {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  return { daemon, at: (...names) => join(daemon.savePath, ...names) };
}

async function put(folder: string, bytes: Uint8Array): Promise<void> {
  await mkdir(join(folder, 'show'), { recursive: true });
  await writeFile(join(folder, 'show', 'film'), bytes);
}

const pointAt = (caller: Caller, path: string) => askMove(caller, id, { path, existing: true });

void t.test("an editor gets at nobody's files, by whosever torrent", async (t) => {
  const { daemon, at } = await setScene(t);
  await put(daemon.savePath, seededBytes(1, BYTES));
  await put(at('victim'), seededBytes(1, BYTES));
  await daemon.addTorrentFile(made.torrentBytes);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  const eve = await makeAccount(daemon, 'eve');
  await daemon.api('POST', `/api/torrents/${id}/shares`, { user_id: eve.id, access: 'editor' });
  t.match(await pointAt(eve.client, at('victim')), { status: 409, json: { error: /^path: show lies there already/ } });
  t.match(await pointAt(eve.client, at('nowhere')), { status: 409 }, 'nor does she learn what is there');
  t.match(await daemon.torrent(id), { save_path: daemon.savePath, completed: true, verifying: false });
  const home = at('homes', 'eve');
  await put(home, seededBytes(1, BYTES));
  await daemon.api('PUT', `/api/users/${eve.id}`, { home });
  t.match(await pointAt(eve.client, home), { status: 200 }, 'what she may take over herself');
  await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  t.match(await daemon.torrent(id), { save_path: home });
});

void t.test('what lies there is checked, what lay elsewhere stays', async (t) => {
  const { daemon, at } = await setScene(t);
  await put(daemon.savePath, seededBytes(1, BYTES));
  await daemon.addTorrentFile(made.torrentBytes);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  const half = seededBytes(1, BYTES).fill(0, 20_000);
  await put(at('half'), half);
  t.match(await pointAt(daemon, at('empty')), { status: 400, json: { error: /^path: none of the files/ } });
  t.match(await pointAt(daemon, at('half')), { status: 200 });
  await daemon.waitFor(id, ({ verifying }) => !verifying, TIMEOUT_MS);
  t.match(await daemon.torrent(id), { save_path: at('half'), completed: false, bytes_done: 16_384 });
  t.match(await moveOf(daemon, id), { state: 'none', error: null });
  t.equal((await stat(at('show', 'film'))).size, BYTES, 'nothing is moved');
  await cp(at('show'), at('copy', 'show'), { recursive: true });
  t.match(await pointAt(daemon, at('copy')), { status: 200 });
  await daemon.waitFor(id, ({ verifying, completed }) => completed && !verifying, TIMEOUT_MS);
  t.same(await readFile(at('half', 'show', 'film')), Buffer.from(half));
  await daemon.api('DELETE', `/api/torrents/${id}?delete=1`);
  t.equal((await stat(at('show', 'film'))).size, BYTES, 'what it was pointed away from is not its own any more');
});
