// Uploads that never end, of one account: memory stays flat, and others upload and sign in as if nobody were there.
import { connect, type Socket } from 'node:net';
import t from 'tap';
import { multipart } from '../../support/api-harness.js';
import { signIn, startDaemon, type DaemonUnderTest } from '../../support/daemon.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { residentBytes } from '../../support/resident-bytes.js';

const UPLOADS = 150;
const MIB = 1024 * 1024;
/** Of each upload all but the last bytes. */
const BODY_BYTES = 10 * MIB - 1024;
/** All of them in memory would be 1.5 GiB. */
const MAX_GROWTH_BYTES = 150 * MIB;
/** So often in a row that it is no pause. */
const LOOKS = 20;
const TIMEOUT_MS = 30_000;

t.setTimeout(120_000);

void t.test('150 uploads that stop before their end', async (t) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const keys = await Promise.all(['eve', 'bob'].map((name) => keyOf(daemon, name)));
  const before = residentBytes(daemon);
  const body = Buffer.alloc(BODY_BYTES, 'x');
  const form = Buffer.from(multipart({ file: new Uint8Array(0) }).body as Uint8Array);
  const head = form.subarray(0, form.indexOf('\r\n\r\n') + 4);
  const sockets = await Promise.all(
    Array.from({ length: UPLOADS }, () => beginUpload(daemon, keys[0]!, Buffer.concat([head, body]))),
  );
  t.teardown(() => sockets.forEach((socket) => socket.destroy()));

  // What is let in has come, as far as it ever does, when the figure stands still.
  let [last, still] = [0, 0];
  const grown = await waitUntil('the uploads stand still', TIMEOUT_MS, () => {
    const now = residentBytes(daemon);
    still = Math.abs(now - last) < MIB ? still + 1 : 0;
    last = now;
    return still === LOOKS ? now - before : undefined;
  });
  t.ok(grown < MAX_GROWTH_BYTES, `${Math.round(grown / MIB)} MiB more`);

  const made = makeTorrent({ name: 'bobs.bin', pieceLength: 16_384, files: seededBytes(1, 100_000) });
  const upload = new FormData();
  upload.set('file', new Blob([made.torrentBytes]), 'bobs.torrent');
  const headers = { authorization: `Bearer ${keys[1]}` };
  const added = await fetch(`${daemon.url}/api/torrents/file`, { method: 'POST', headers, body: upload });
  t.same([added.status, await added.json()], [200, { id: made.infoHash }], 'another account uploads');
  const crowded = await fetch(`${daemon.url}/api/me`, { headers: { authorization: `Bearer ${keys[0]}` } });
  t.equal(crowded.status, 200, 'and the same one goes on with everything else');
  t.equal((await daemon.api('POST', '/api/me/api_key/rotate')).status, 200);
});

/** A new account that may add torrents, and nothing else. */
async function keyOf(daemon: DaemonUnderTest, username: string): Promise<string> {
  const password = 'eight or more';
  await daemon.api('POST', '/api/users', { username, password, perm_add_torrents: true });
  return signIn(daemon.url, password, username);
}

/** Everything but the last hundred bytes, as fast as it is taken. */
function beginUpload({ url }: DaemonUnderTest, key: string, bytes: Uint8Array): Promise<Socket> {
  const { 'content-type': type } = multipart({}).headers ?? {};
  const head =
    `POST /api/torrents/file HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: ${String(type)}\r\nContent-Length: ${bytes.length + 100}\r\n\r\n`;
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write(head);
      socket.write(bytes);
      resolve(socket);
    });
    socket.on('error', () => undefined).resume();
  });
}
