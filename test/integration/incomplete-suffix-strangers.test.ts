// What an account can do to others by the suffix of its incomplete files: it makes names that are nobody's or another's, asks for
// what lies there, and deletes it. First two accounts, then two torrents of one.
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import t from 'tap';
import { setBobsScene } from '../support/bobs-scene.js';
import { makeAccount } from '../support/daemon-account.js';
import {
  addShow,
  complete,
  fetchPieces,
  isFile,
  madeFile,
  madeShow,
  namesIn,
  untilThere,
} from '../support/incomplete-files.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { askRename, TIMEOUT_MS } from '../support/moves.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { waitUntil } from '../support/peers/wait-until.js';

t.setTimeout(300_000);

void t.test('a name with the suffix opens no file of another account or of nobody', async (t) => {
  const { daemon, bob, at } = await setBobsScene(t);
  const alice = await makeAccount(daemon, 'alice');
  const hers = madeFile('letter.txt', 1);
  await addShow(alice.client, hers, { incomplete_suffix: '' });
  await complete(daemon, alice.client, hers);
  await writeFile(at('notes.txt'), 'of nobody');
  const [his, notes] = [madeFile('letter', 3), madeFile('notes', 5)];
  for (const made of [his, notes]) {
    await addShow(bob.client, made, { incomplete_suffix: '.txt' });
    const { content_path: path } = await bob.client.torrent(made.infoHash);
    t.not(path, at(made.name), 'it is laid beside');
    await fetchPieces(daemon, bob.client, made, 1);
    await bob.client.api('POST', `/api/torrents/${made.infoHash}/recheck`);
    await bob.client.waitFor(made.infoHash, ({ verifying }) => !verifying, TIMEOUT_MS);
    await complete(daemon, bob.client, made);
    // It has its own name soon after it is complete.
    const isThere = (place: string) => isFile(made, 0, place).catch(() => false);
    await waitUntil('its own name', TIMEOUT_MS, async () => {
      return (await isThere(`${path}/${made.name}`)) || (await isThere(path)) || undefined;
    });
    t.equal((await bob.client.api('DELETE', `/api/torrents/${made.infoHash}?delete=1`)).status, 200);
  }
  await untilThere(daemon.savePath, 'letter.txt', 'notes.txt');
  t.ok(await isFile(hers, 0, at('letter.txt')));
  t.equal(await readFile(at('notes.txt'), 'utf8'), 'of nobody');
});

void t.test('nor does a torrent reach another’s incomplete file by its name', async (t) => {
  const { daemon, bob, at } = await setBobsScene(t);
  const alice = await makeAccount(daemon, 'alice');
  const hers = madeFile('letter', 11);
  await addShow(alice.client, hers);
  await fetchPieces(daemon, alice.client, hers, 2);
  await untilThere(daemon.savePath, 'letter.part');
  const his = madeFile('letter.part', 13);
  for (const client of [bob.client, daemon]) {
    await addShow(client, his, { incomplete_suffix: '' });
    t.not((await client.waitFor(his.infoHash, () => true, TIMEOUT_MS)).content_path, at('letter.part'));
    await complete(daemon, client, his);
    t.equal((await client.api('DELETE', `/api/torrents/${his.infoHash}?delete=1`)).status, 200);
    await untilThere(daemon.savePath, 'letter.part');
  }
  await complete(daemon, alice.client, hers);
  await untilThere(daemon.savePath, 'letter');
  t.ok(await isFile(hers, 0, at('letter')));
});

void t.test('what others put in the way of a name is neither followed nor written over', async (t) => {
  const { daemon, bob, at } = await setBobsScene(t);
  const outside = at('..', 'outside');
  await mkdir(outside);
  const made = madeShow('show', 21);
  await addShow(bob.client, made);
  await fetchPieces(daemon, bob.client, made, 1);
  await untilThere(daemon.savePath, 'show', 'show/empty', 'show/film.part');
  await symlink(outside, at('show', 'film'));
  await symlink(`${outside}/file`, at('show', 'sound.part'));
  await complete(daemon, bob.client, made);
  await untilThere(at('show'), 'empty', 'film', 'film.part', 'sound', 'sound.part');
  t.same(await namesIn(outside), []);
  t.ok(await isFile(made, 0, at('show', 'film.part')));
  t.ok(await isFile(made, 1, at('show', 'sound')), 'where its name is taken it gets its own at once');
});

void t.test('two torrents of one account do not take one’s incomplete file for the other’s whole one', async (t) => {
  const { daemon, at } = await setBobsScene(t);
  const [part, whole] = [boxOf('film', 31), boxOf('film.part', 33)];
  await addShow(daemon, part);
  await fetchPieces(daemon, daemon, part, 1);
  await untilThere(at('box'), 'film.part');
  await addShow(daemon, whole, { incomplete_suffix: '' });
  const seed = await seedContent(contentOf(whole), daemon.peerPort, Infinity);
  await waitUntil('its file to be refused', TIMEOUT_MS, async () => {
    const { json } = await daemon.api<{ error: string | null }>('GET', `/api/torrents/${whole.infoHash}/diagnosis`);
    return json.error === null ? undefined : true;
  });
  seed.destroy();
  await complete(daemon, daemon, part);
  await waitUntil('its own name', TIMEOUT_MS, async () =>
    (await namesIn(at('box'))).includes('film') ? true : undefined,
  );
  t.ok(await isFile(part, 0, at('box', 'film')));
});

void t.test('nor the other way round', async (t) => {
  const { daemon, at } = await setBobsScene(t);
  const [whole, part] = [boxOf('film.part', 41), boxOf('film', 43)];
  await addShow(daemon, whole, { incomplete_suffix: '' });
  await complete(daemon, daemon, whole);
  await addShow(daemon, part);
  await complete(daemon, daemon, part);
  await untilThere(at('box'), 'film', 'film.part');
  t.ok(await isFile(whole, 0, at('box', 'film.part')));
  t.ok(await isFile(part, 0, at('box', 'film')));
  t.equal((await daemon.api('DELETE', `/api/torrents/${part.infoHash}?delete=1`)).status, 200);
  await untilThere(at('box'), 'film.part');
});

void t.test('two torrents of one account that list the same each download their own', async (t) => {
  const { daemon, at } = await setBobsScene(t);
  const [one, other] = [boxOf('film', 61), boxOf('film', 63)];
  await addShow(daemon, one);
  await fetchPieces(daemon, daemon, one, 2);
  await addShow(daemon, other);
  await complete(daemon, daemon, other);
  await untilThere(at('box'), 'film', 'film.part');
  await complete(daemon, daemon, one);
  t.ok(await isFile(other, 0, at('box', 'film')));
  t.ok(await isFile(one, 0, at('box', 'film.part')));
  t.equal((await daemon.api('DELETE', `/api/torrents/${one.infoHash}?delete=1`)).status, 200);
  await untilThere(at('box'), 'film', 'film.part');
  t.equal((await daemon.api('DELETE', `/api/torrents/${other.infoHash}?delete=1`)).status, 200);
});

void t.test('a rename takes no name that a file has while it is incomplete', async (t) => {
  const { daemon, bob, at } = await setBobsScene(t);
  const made = madeShow('show', 51);
  await addShow(bob.client, made);
  await complete(daemon, bob.client, made);
  const alices = madeFile('other', 53);
  const alice = await makeAccount(daemon, 'alice');
  await addShow(alice.client, alices);
  const before = await namesIn(daemon.savePath);
  for (const [from, to] of [
    ['show/film', 'show/sound.part'],
    ['show/film', 'show/film.part'],
    ['show/film', 'show/sound.part/film'],
    ['show/film', 'other.part'],
    ['show', 'other.part'],
  ] as const) {
    t.match(await askRename(bob.client, made.infoHash, from, to), { status: 409 }, `${from} to ${to}`);
    t.same(await namesIn(daemon.savePath), before);
  }
  t.ok(await isFile(made, 0, at('show', 'film')));
});

const contentOf = ({ payload, infoHash }: ReturnType<typeof boxOf>) => ({
  ...{ bytes: payload, infoHash },
  pieceLength: 16_384,
});

/** One file in the folder `box`. */
function boxOf(file: string, seed: number) {
  const files = [{ path: [file], bytes: seededBytes(seed, 60_000) }];
  return { name: 'box', ...makeTorrent({ name: 'box', pieceLength: 16_384, files }) };
}
