// What a daemon tells of itself, with and without anonymous mode; and which of several ports it takes.
import t, { type Test } from 'tap';
import bencode from 'bencode';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { runDaemon, startDaemon } from '../../support/daemon.js';
import { startHttpTracker } from '../../support/http-tracker.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { extended, handshake, ID, RawPeer } from '../../support/peers/raw-peer.js';
import { makeScratch } from '../../support/peers/scratch.js';
import { waitUntil } from '../../support/peers/wait-until.js';

const TIMEOUT_MS = 30_000;

t.setTimeout(90_000);
t.jobs = 2;

interface Told {
  readonly peerId: string;
  readonly userAgent: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly port: number;
}

/** What a tracker and a peer hear of it. */
async function toldBy(t: Test, args: readonly string[]): Promise<Told & { readonly peerPort: number }> {
  let userAgent = '';
  const tracker = await startHttpTracker({
    respond: ({ headers }) => {
      userAgent = headers['user-agent'] ?? '';
      return false;
    },
  });
  t.teardown(() => tracker.close());
  const daemon = await startDaemon({ args, encryption: 'allowed' });
  t.teardown(() => daemon.stop());
  const files = seededBytes(3, 100_000);
  const torrent = makeTorrent({ name: 'film.bin', pieceLength: 65_536, files, trackers: [[tracker.announceUrl]] });
  const id = await daemon.addTorrentFile(torrent.torrentBytes);
  const announce = await waitUntil('announced', TIMEOUT_MS, () => tracker.announces[0]);
  const peer = await RawPeer.connect(daemon.peerPort);
  t.teardown(() => peer.destroy());
  peer.send(handshake(id, { extended: true }));
  peer.send(extended('d1:mdee'));
  const greeting = await waitUntil('greeted', TIMEOUT_MS, () =>
    peer.messages.find((message) => message.id === ID.extended && message.payload[0] === 0),
  );
  const fields = bencode.decode(greeting.payload.subarray(1)) as Record<string, unknown>; // a dictionary by BEP 10
  const peerId = Buffer.from(announce.peerId, 'hex').toString('latin1');
  t.equal(peer.greeting?.subarray(48).toString('latin1'), peerId, 'the same to peers and trackers');
  return { peerId, userAgent, fields, port: announce.port, peerPort: daemon.peerPort };
}

void t.test('anonymous', async (t) => {
  const { peerId, userAgent, fields, port, peerPort } = await toldBy(t, [
    '--anonymous',
    'on',
    '--lsd',
    'on',
    '--upnp',
    'on',
  ]);
  t.notMatch(peerId, /^-SW/);
  t.equal(userAgent, 'curl/7.81.0', 'that of a program which many have');
  t.notOk('v' in fields, 'no version');
  t.notOk('p' in fields, 'no port');
  t.equal(port, peerPort, 'trackers have to know it');
});

void t.test('not anonymous: the same is told', async (t) => {
  const { peerId, userAgent, fields, port, peerPort } = await toldBy(t, []);
  t.match(peerId, /^-SW0100-/);
  t.match(userAgent, /^swarmd\//);
  t.match(Buffer.from(fields['v'] as Uint8Array).toString(), /^swarmd\//);
  t.equal(fields['p'], peerPort);
  t.equal(port, peerPort);
});

void t.test('of several ports the first that is free is taken', async (t) => {
  const scratch = await makeScratch('ports');
  t.teardown(() => scratch.remove());
  const [taken, free] = [await listen(t), await listen(t)];
  await free.close();
  const home = { dataDir: `${scratch.path}/data`, savePath: `${scratch.path}/downloads` };
  const flagged = await startDaemon({ ...home, args: ['--peer-port', `${taken.port},${free.port}`] });
  t.equal(flagged.peerPort, free.port);
  const { json } = await flagged.api('GET', '/api/settings/network');
  t.match(json, { pinned: ['listen_ports'], state: { peer_port: free.port } });
  await flagged.stop();
  const { code, stderr } = await runDaemon([
    ...[
      '--data-dir',
      home.dataDir,
      '--save-path',
      home.savePath,
      '--port',
      '0',
      '--peer-port',
      `${taken.port}-${taken.port}`,
    ],
  ]);
  t.not(code, 0, 'a flag is not gone around');
  t.match(stderr, new RegExp(`${taken.port}`));
});

async function listen(t: Test): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer().listen(0, '0.0.0.0');
  await once(server, 'listening');
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  t.teardown(() => close());
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0, close };
}
