// A library of before there were claims: at its first start what each torrent has becomes its own, and what torrents of
// different accounts have in common is reported to administrators and left as it is.
import { mkdir, readFile, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { openTorrentStore } from '../../storage/lmdb-torrent-store.js';
import type { TorrentRow } from '../../storage/types.js';
import { startDaemon } from '../support/daemon.js';
import { makeAccount, sameAccount } from '../support/daemon-account.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { makeScratch } from '../support/peers/scratch.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { storeOf } from '../support/own-engine.js';

const PIECE_LENGTH = 16_384;
const TIMEOUT_MS = 60_000;

t.setTimeout(300_000);

/** Rows as an earlier release wrote them, and no record of files. */
async function forgetClaims(dataDir: string, change: (row: TorrentRow) => Partial<TorrentRow>): Promise<void> {
  const store = openTorrentStore(storeOf(dataDir));
  for (const stored of [...store.rows()]) {
    const { isClaimed, folder, ...row } = stored;
    const [infoBytes, resume] = [store.infoBytes(row.id) ?? null, store.resume(row.id) ?? null];
    await store.remove(row.id);
    await store.insert({ ...row, ...change(row) }, infoBytes, resume);
  }
  await store.close();
}

void t.test('the first start claims what is there', async (t) => {
  const scratch = await makeScratch('upgrade');
  t.teardown(() => scratch.remove());
  const home = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'downloads') };
  const first = await startDaemon(home);
  const bob = await makeAccount(first, 'bob');
  const mine = makeTorrent({ name: 'mine', pieceLength: PIECE_LENGTH, files: seededBytes(1, 50_000) });
  const both = makeTorrent({ name: 'both', pieceLength: PIECE_LENGTH, files: seededBytes(2, 50_000) });
  const over = makeTorrent({ name: 'both', pieceLength: PIECE_LENGTH, files: seededBytes(3, 50_000) });
  await bob.client.addTorrentFile(mine.torrentBytes);
  await first.addTorrentFile(both.torrentBytes);
  for (const { payload, infoHash } of [mine, both]) {
    const seed = await seedContent({ bytes: payload, infoHash, pieceLength: PIECE_LENGTH }, first.peerPort, Infinity);
    await first.waitFor(infoHash, ({ completed }) => completed, TIMEOUT_MS);
    seed.destroy();
  }
  // An administrator may lay one over another; that it is bob's is the earlier release's doing.
  await first.addTorrentFile(over.torrentBytes);
  await first.api('POST', `/api/torrents/${over.infoHash}/pause`);
  t.match(await first.api('GET', '/api/torrents/overlaps'), { status: 200, json: [] });
  await first.stop();
  await forgetClaims(home.dataDir, ({ id }) =>
    id === over.infoHash ? { ownerId: bob.id as TorrentRow['ownerId'] } : {},
  );

  const second = await startDaemon(home);
  const again = await sameAccount(second, 'bob', bob.id);
  t.match(await again.client.waitFor(mine.infoHash, ({ completed }) => completed, TIMEOUT_MS), { name: 'mine' });
  const { json } = await second.api<readonly { readonly torrents: readonly string[] }[]>(
    'GET',
    '/api/torrents/overlaps',
  );
  t.match(json, [{ path: join(home.savePath, 'both') }]);
  t.same(new Set(json[0]?.torrents), new Set([both.infoHash, over.infoHash]));
  t.match(second.stderr, /claim the same files/);
  t.equal((await again.client.api('GET', '/api/torrents/overlaps')).status, 403);
  await second.kill();

  // From then on it is like any other: known by its record.
  const third = await startDaemon(home);
  t.teardown(() => third.stop());
  const still = await sameAccount(third, 'bob', bob.id);
  await still.client.api('POST', `/api/torrents/${mine.infoHash}/recheck`);
  await still.client.waitFor(mine.infoHash, ({ verifying }) => !verifying, TIMEOUT_MS);
  t.match(await still.client.torrent(mine.infoHash), { completed: true, name: 'mine' });
  t.same(await readFile(join(home.savePath, 'both')), Buffer.from(both.payload), 'left as it was');
});

void t.test('a save path that leads nowhere at a start keeps nobody from starting', async (t) => {
  const scratch = await makeScratch('nowhere');
  t.teardown(() => scratch.remove());
  const home = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'downloads') };
  const [volume, link] = [join(scratch.path, 'volume'), join(scratch.path, 'link')];
  await mkdir(volume);
  await symlink(volume, link);
  const first = await startDaemon(home);
  const made = makeTorrent({ name: 'far', pieceLength: PIECE_LENGTH, files: seededBytes(4, 50_000) });
  await first.addTorrentFile(made.torrentBytes, link);
  await first.stop();
  await rename(volume, `${volume}-away`);
  const second = await startDaemon(home);
  t.teardown(() => second.stop());
  t.match(await second.torrent(made.infoHash), { name: 'far', save_path: link });
});
