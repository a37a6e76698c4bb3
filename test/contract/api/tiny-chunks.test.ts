// Bodies whose chunks have a byte each: they take little more memory than they have bytes.
import { connect, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { signIn, startDaemon, type DaemonUnderTest } from '../../support/daemon.js';
import { residentBytes } from '../../support/resident-bytes.js';

const MIB = 1024 * 1024;
/** What is kept of a chunk that is kept by itself: more than 100 bytes. Ten bodies would take a gigabyte. */
const MAX_GROWTH_BYTES = 200 * MIB;
const CHUNKS = Buffer.from('1\r\n \r\n'.repeat(8_192));

t.setTimeout(180_000);

const FORM = 'application/x-www-form-urlencoded';
const FILE = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';

/** Without an end: few are read at a time, and are there as long as their senders are. */
const BODIES = [
  { what: 'of strangers', path: '/api/login', type: 'application/json', isSignedIn: false, begins: '' },
  { what: 'of tools', path: '/api/v2/torrents/pause', type: FORM, isSignedIn: true, begins: '' },
  {
    what: 'torrent files',
    path: '/api/torrents/file',
    type: 'multipart/form-data; boundary=b',
    isSignedIn: true,
    begins: `${FILE.length.toString(16)}\r\n${FILE}\r\n`,
  },
];

for (const { what, path, type, isSignedIn, begins } of BODIES) {
  void t.test(`bodies: ${what}`, async (t) => {
    const daemon = await startDaemon();
    t.teardown(() => daemon.stop());
    const key = isSignedIn ? await keyOfEve(daemon) : null;
    const before = residentBytes(daemon);
    const peak = watched(t, daemon);
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${new URL(daemon.url).host}`,
      ...(key === null ? [] : [`Authorization: Bearer ${key}`]),
      `Content-Type: ${type}`,
      'Transfer-Encoding: chunked',
    ].join('\r\n');
    const sockets = await Promise.all(
      Array.from({ length: 10 }, () => said(daemon, `${head}\r\n\r\n${begins}`, MIB - 1)),
    );
    t.teardown(() => sockets.forEach((socket) => socket.destroy()));
    t.ok(peak() - before < MAX_GROWTH_BYTES, `${Math.round((peak() - before) / MIB)} MiB more`);
    t.equal((await daemon.api('GET', '/api/status')).status, 200);
  });
}

/** A new account that may add torrents, and nothing else. */
async function keyOfEve(daemon: DaemonUnderTest): Promise<string> {
  const password = 'eight or more';
  await daemon.api('POST', '/api/users', { username: 'eve', password, perm_add_torrents: true });
  return signIn(daemon.url, password, 'eve');
}

/** Resolves when the system has taken it, or takes no more of it. */
async function said(daemon: DaemonUnderTest, head: string, length: number): Promise<Socket> {
  const socket = connect(Number(new URL(daemon.url).port), '127.0.0.1');
  socket.on('error', () => undefined).resume();
  socket.write(head);
  // Who has to stand in line is not read from, and the last of it is not taken.
  await Promise.race([filled(socket, length), new Promise((resolve) => setTimeout(resolve, 8_000).unref())]);
  return socket;
}

async function filled(socket: Socket, length: number): Promise<void> {
  const perWrite = CHUNKS.length / 6;
  for (let sent = 0; sent + perWrite <= length && !socket.destroyed; sent += perWrite) {
    await new Promise<void>((resolve) => socket.write(CHUNKS, () => resolve()));
  }
}

/** The most that it has had since. */
function watched(t: Test, daemon: DaemonUnderTest): () => number {
  let most = 0;
  const look = (): void => void (most = Math.max(most, residentBytes(daemon)));
  const timer = setInterval(look, 20);
  t.teardown(() => clearInterval(timer));
  return () => {
    look();
    return most;
  };
}
