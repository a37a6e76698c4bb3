// The watch folder of an account that is no administrator, over a real daemon and real files: what is dropped there is added with
// the rights of who set it, and files of others are harmed by nothing that lies there.
import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { downloaded, PIECE_LENGTH, setBobsScene, FILE_BYTES } from '../support/bobs-scene.js';
import { makeAccount, setPermissions } from '../support/daemon-account.js';
import { makeTorrent, seededBytes, type MadeTorrent } from '../support/make-torrent.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TIMEOUT_MS = 60_000;

t.setTimeout(300_000);

const single = (name: string, seed: number) =>
  makeTorrent({ name, pieceLength: PIECE_LENGTH, files: seededBytes(seed, FILE_BYTES) });

/** A name is taken and set aside once it has been dealt with. */
async function dealtWith(folder: string, name: string): Promise<void> {
  await waitUntil(`${name} to be taken`, TIMEOUT_MS, async () =>
    (await readdir(folder)).includes(`${name}.added`) ? true : undefined,
  );
}

void t.test(
  'what an account has dropped into its watch folder is its own, and is laid over nothing of others',
  async (t) => {
    const { daemon, bob, at } = await setBobsScene(t);
    await setPermissions(daemon, bob, { perm_add_torrents: true, perm_change_settings: true });
    const alice = await makeAccount(daemon, 'alice');
    const film = single('film', 1);
    const theirs = await downloaded(daemon, alice.client, film);
    const nobodys = seededBytes(9, FILE_BYTES);
    await writeFile(at('letter'), nobodys);

    const folder = at('watch');
    await mkdir(folder);
    const over = single('film', 2);
    const letter = makeTorrent({ name: 'letter', pieceLength: PIECE_LENGTH, files: nobodys });
    await writeFile(join(folder, 'over.torrent'), over.torrentBytes);
    await writeFile(join(folder, 'letter.torrent'), letter.torrentBytes);
    const setting = { path: folder, delete_after_add: false, enabled: true };
    t.equal((await bob.client.api('PUT', '/api/settings/watch_folder', setting)).status, 200);
    await dealtWith(folder, 'over.torrent');
    await dealtWith(folder, 'letter.torrent');

    for (const [name, { infoHash }] of Object.entries({ film: over, letter })) {
      const seen = await bob.client.waitFor(infoHash, ({ verifying }) => !verifying, TIMEOUT_MS);
      t.match(seen, { access: 'owner', bytes_done: 0 }, 'it is his own, and what lies there is not');
      t.equal(seen.content_path, at(`${name}.${infoHash.slice(0, 8)}`), 'it lies beside');
    }
    t.same(await readFile(at('film')), Buffer.from(film.payload), 'not written over');
    t.same(await readFile(at('letter')), Buffer.from(nobodys));
    t.match(await alice.client.torrent(theirs), { completed: true });
  },
);

void t.test('a watch folder that is swapped for a link leads nowhere', async (t) => {
  const { daemon, bob, at } = await setBobsScene(t);
  await setPermissions(daemon, bob, { perm_add_torrents: true, perm_change_settings: true });
  const folder = at('watch');
  await mkdir(folder);
  const setting = { path: folder, delete_after_add: true, enabled: true };
  t.equal((await bob.client.api('PUT', '/api/settings/watch_folder', setting)).status, 200);
  const outside = `${daemon.savePath}-outside`;
  await mkdir(outside);
  await writeFile(join(outside, 'secret.torrent'), single('secret', 3).torrentBytes);
  await rename(folder, `${folder}-before`);
  await symlink(outside, folder);
  await waitUntil('the folder to be refused', TIMEOUT_MS, async () => {
    const { json } = await daemon.api('GET', '/api/log');
    return JSON.stringify(json).includes('watch folder cannot be read') ? true : undefined;
  });
  t.same(await readdir(outside), ['secret.torrent'], 'neither taken nor removed');
});

void t.test('what others download into a watch folder is added for nobody', async (t) => {
  const { daemon, bob, at } = await setBobsScene(t);
  const folder = at('watch');
  await mkdir(folder);
  const setting = { path: folder, delete_after_add: false, enabled: true };
  t.equal((await daemon.api('PUT', '/api/settings/watch_folder', setting)).status, 200);
  await writeFile(join(folder, 'first.torrent'), single('first', 4).torrentBytes);
  await dealtWith(folder, 'first.torrent');

  const evil = single('evil', 5);
  const loose = makeTorrent({ name: 'evil.torrent', pieceLength: PIECE_LENGTH, files: evil.torrentBytes });
  const around = makeTorrent({
    name: 'watch',
    pieceLength: PIECE_LENGTH,
    files: [{ path: ['inside.torrent'], bytes: evil.torrentBytes }],
  });
  const saved = async (made: MadeTorrent, savePath: string) => {
    const id = await bob.client.addTorrentFile(made.torrentBytes, savePath);
    const content = { bytes: made.payload, infoHash: made.infoHash, pieceLength: PIECE_LENGTH };
    const seed = await seedContent(content, daemon.peerPort, Infinity);
    const { content_path } = await bob.client.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
    seed.destroy();
    return content_path;
  };
  t.equal(await saved(loose, folder), join(folder, `evil.torrent.${loose.infoHash.slice(0, 8)}`), 'by another name');
  t.equal(await saved(around, at()), at(`watch.${around.infoHash.slice(0, 8)}`), 'beside');
  const plain = single('plain', 6);
  const plainAt = await saved(plain, folder);
  t.equal(plainAt, join(folder, 'plain'), 'other files may lie there');
  const plainId = plain.infoHash;
  const renamed = await bob.client.api('POST', `/api/torrents/${plainId}/rename`, {
    from: 'plain',
    to: 'plain.torrent',
  });
  t.equal(renamed.status, 409, 'and are not renamed to what is added');

  await writeFile(join(folder, 'last.torrent'), single('last', 7).torrentBytes);
  await dealtWith(folder, 'last.torrent');
  t.notOk((await daemon.torrents()).some(({ id }) => id === evil.infoHash));
  t.ok((await daemon.torrents()).length >= 2, 'what an administrator has put there is added');
});
