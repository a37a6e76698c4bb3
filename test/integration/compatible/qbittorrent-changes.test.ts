// A tool of qBittorrent's interface and real files: data that lie there already are added, checked, moved, renamed and
// removed, by an account that owns them, while another one can do nothing of it.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import t from 'tap';
import { startDaemon, type DaemonUnderTest, type TorrentView } from '../../support/daemon.js';
import { makeAccount } from '../../support/daemon-account.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { moveEnded, TIMEOUT_MS } from '../../support/moves.js';
import { waitUntil } from '../../support/peers/wait-until.js';

const PIECE_LENGTH = 16_384;
const FILM = seededBytes(1, 70_000);
const SOUND = seededBytes(2, 30_000);
const FILES = [
  { path: ['film'], bytes: FILM },
  { path: ['extras', 'sound'], bytes: SOUND },
];
const made = makeTorrent({ name: 'show', pieceLength: PIECE_LENGTH, files: FILES });
const ID = made.infoHash;

type Fields = Readonly<Record<string, string>>;
interface Tool {
  change(route: string, fields: Fields): Promise<{ readonly status: number; readonly text: string }>;
  add(fields: Fields): Promise<{ readonly status: number; readonly text: string }>;
}

function toolOf({ url }: DaemonUnderTest, username: string, password: string): Tool {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const send = async (route: string, body: FormData | URLSearchParams) => {
    const answer = await fetch(`${url}/api/v2/torrents/${route}`, { method: 'POST', headers: { authorization }, body });
    return { status: answer.status, text: await answer.text() };
  };
  return {
    change: (route, fields) => send(route, new URLSearchParams(fields)),
    add: (fields) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set('torrents', new Blob([made.torrentBytes]), 'show.torrent');
      return send('add', form);
    },
  };
}

async function layFiles(folder: string): Promise<void> {
  for (const { path, bytes } of FILES) {
    const at = join(folder, 'show', ...path);
    await mkdir(dirname(at), { recursive: true });
    await writeFile(at, bytes);
  }
}

const isWhole = ({ completed, verifying }: TorrentView) => completed && !verifying;
const OK = { status: 200, text: 'Ok.' };
const DONE = { status: 200, text: '' };

void t.test('added where it lies, moved, renamed and removed, checked at once or not', async (t) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const admin = toolOf(daemon, 'admin', daemon.adminPassword);
  await makeAccount(daemon, 'bob');
  const bob = toolOf(daemon, 'bob', 'eight or more');
  const at = (...names: readonly string[]) => join(daemon.savePath, ...names);
  t.match(await admin.change('createCategory', { category: 'tv', savePath: 'tv' }), DONE);
  for (const skip_checking of ['true', 'false']) {
    await layFiles(at('tv'));
    t.match(await admin.add({ category: 'tv', autoTMM: 'true', skip_checking }), OK);
    t.match(await daemon.torrent(ID), { name: 'show', save_path: at('tv') }, 'there with the answer');
    await daemon.waitFor(ID, isWhole, TIMEOUT_MS);
    t.match(await admin.add({ category: 'tv' }), { status: 200, text: 'Fails.' });
    t.match(await admin.change('recheck', { hashes: ID }), DONE);
    await daemon.waitFor(ID, isWhole, TIMEOUT_MS);

    for (const [route, fields] of [
      ['setLocation', { hashes: ID, location: 'else' }],
      ['recheck', { hashes: ID }],
      ['delete', { hashes: ID, deleteFiles: 'true' }],
    ] as const)
      t.match(await bob.change(route, fields), DONE, 'as if it were not there');
    t.match(await bob.change('renameFile', { hash: ID, oldPath: 'show/film', newPath: 'show/x' }), { status: 404 });

    t.match(await admin.change('setLocation', { hashes: ID, location: at('new', 'place') }), DONE);
    t.match(await moveEnded(daemon, ID), { state: 'none', error: null });
    t.match(await daemon.torrent(ID), { save_path: at('new', 'place'), files_missing: false });
    t.ok((await readFile(at('new', 'place', 'show', 'film'))).equals(Buffer.from(FILM)));

    const inShow = { hash: ID, oldPath: 'show/extras/sound', newPath: 'show/extras/noise' };
    t.match(await admin.change('renameFile', inShow), DONE);
    t.match(await admin.change('renameFile', inShow), { status: 409 }, 'there is none of that name');
    t.match(await admin.change('renameFile', { ...inShow, oldPath: 'show/film' }), { status: 409 }, 'it is taken');
    t.match(await admin.change('renameFolder', { hash: ID, oldPath: 'show/extras', newPath: 'show/more' }), DONE);
    t.match(await admin.change('rename', { hash: ID, name: 'A Show' }), DONE);
    t.same((await readdir(at('new', 'place', 'show'), { recursive: true })).sort(), ['film', 'more', 'more/noise']);
    t.match(await daemon.torrent(ID), { name: 'A Show', content_path: at('new', 'place', 'show') });

    t.match(await admin.change('delete', { hashes: ID, deleteFiles: 'true' }), DONE);
    t.same(await daemon.torrents(), []);
    await waitUntil('its files to be gone', TIMEOUT_MS, async () => {
      const left = await readdir(at('new', 'place'));
      return left.length === 0 || undefined;
    });
  }
});
