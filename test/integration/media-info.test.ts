// What is in media files, from a whole daemon: of a file as it is on disk, to who may see its torrent, whatever is in it.
import { rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { makeAccount } from '../support/daemon-account.js';
import { makeTorrent } from '../support/make-torrent.js';
import { hostileMedia, makeWav } from '../support/media.js';

const PIECE = 16_384;
const TIMEOUT_MS = 60_000;

t.setTimeout(300_000);

const infoOf = (id: string, index = 0) => `/api/torrents/${id}/files/${index}/media_info`;

void t.test('a file that is all there, to whom it may be told', async (t) => {
  const daemon = await startDaemon({ bytes: 200 * PIECE });
  t.teardown(() => daemon.stop());
  const path = join(daemon.savePath, 'sound.wav');
  await writeFile(path, makeWav(3));
  const made = makeTorrent({ name: 'sound.wav', pieceLength: PIECE, files: makeWav(3) });
  const id = await daemon.addTorrentFile(made.torrentBytes);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  const bob = await makeAccount(daemon, 'bob');

  t.equal((await bob.client.api('GET', infoOf(id))).status, 403, 'nothing for a stranger');
  await daemon.api('POST', `/api/torrents/${id}/shares`, { user_id: bob.id, access: 'viewer' });
  const { status, json } = await bob.client.api<{ readonly text: string }>('GET', infoOf(id));
  t.equal(status, 200);
  t.match(json.text, /^General\nComplete name +: sound\.wav\nFormat +: Wave\n[^]*\nDuration +: 3 s/);
  t.equal((await bob.client.api('GET', infoOf(id, 1))).status, 404);
  t.equal((await bob.client.api('GET', `/api/torrents/${id}/files/x/media_info`)).status, 400);

  const twice = await Promise.all([0, 0].map(() => bob.client.api('GET', infoOf(id))));
  t.ok(
    twice.every(({ status: each }) => each === 200 || each === 429),
    'one at a time, or one after the other',
  );
});

void t.test('neither what is not there, nor what lies elsewhere', async (t) => {
  const daemon = await startDaemon({ bytes: 200 * PIECE });
  t.teardown(() => daemon.stop());
  const sound = makeWav(4);
  const part = makeTorrent({ name: 'part.wav', pieceLength: PIECE, files: sound });
  const id = await daemon.addTorrentFile(part.torrentBytes);
  const refused = await daemon.api<{ readonly error: string }>('GET', infoOf(id));
  t.match([refused.status, refused.json.error], [409, 'file: not all of it is downloaded yet']);

  const secret = join(daemon.dataDir, 'secret.wav');
  await writeFile(secret, makeWav(9));
  const path = join(daemon.savePath, 'whole.wav');
  await writeFile(path, sound);
  const whole = makeTorrent({ name: 'whole.wav', pieceLength: PIECE, files: sound });
  const second = await daemon.addTorrentFile(whole.torrentBytes);
  await daemon.waitFor(second, ({ completed }) => completed, TIMEOUT_MS);
  await rename(path, `${path}.old`);
  await symlink(secret, path);
  const { status, json } = await daemon.api('GET', infoOf(second));
  t.notMatch(JSON.stringify(json), /9 s/, `${status}: never what a link leads to`);
});

void t.test('hostile files cost the request alone', async (t) => {
  const daemon = await startDaemon({ bytes: 200 * PIECE });
  t.teardown(() => daemon.stop());
  const files = [...hostileMedia()].map(([name, bytes]) => ({ path: [`${name}.mkv`], bytes }));
  for (const { path, bytes } of files) await writeFile(join(daemon.savePath, ...path), bytes);
  for (const { path, bytes } of files.filter(({ bytes: { length } }) => length > 0)) {
    const made = makeTorrent({ name: path[0]!, pieceLength: PIECE, files: bytes });
    const id = await daemon.addTorrentFile(made.torrentBytes);
    await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
    const { status, json } = await daemon.api<{ readonly code?: string }>('GET', infoOf(id));
    t.ok(status === 200 || (status === 400 && json.code === 'MEDIA_UNREADABLE'), `${path[0]}: ${status}`);
  }
  t.equal((await daemon.api('GET', '/api/healthz')).status, 200);
});
