// A blocklist and a whole daemon on loopback: 127.0.0.2 is on the list. Neither dialled nor let in, dropped on an update,
// let in after it is disabled; and after a restart it holds from the first moment, without its server.
import t from 'tap';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { KIB } from '../support/peers/payload.js';
import { handshake, RawPeer } from '../support/peers/raw-peer.js';
import { listenRaw } from '../support/peers/raw-listener.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { startUpstream } from '../support/upstream.js';

const TIMEOUT_MS = 20_000;
const BAD = '127.0.0.2';
const GOOD = '127.0.0.3';

t.setTimeout(90_000);

void t.test('who is on the list', async (t) => {
  const scratch = await makeScratch('blocklist');
  t.teardown(() => scratch.remove());
  let list = '# nobody yet\n';
  const upstream = await startUpstream((_request, response) => response.end(list));
  t.teardown(() => upstream.close());
  const state = { dataDir: `${scratch.path}/data`, savePath: `${scratch.path}/downloads` };
  const args = ['--fetch-allow', '127.0.0.1'];
  const url = `${upstream.origin}/list`;
  const made = makeTorrent({ name: 'a.bin', pieceLength: 16 * KIB, files: seededBytes(1, 64 * KIB) });
  const [bad, good] = [await listenRaw(undefined, BAD), await listenRaw(undefined, GOOD)];
  t.teardown(() => Promise.all([bad.close(), good.close()]));

  const connect = async (daemon: DaemonUnderTest, localAddress: string) => {
    const peer = await RawPeer.connect(daemon.peerPort, { localAddress });
    t.teardown(() => peer.destroy());
    peer.send(handshake(made.infoHash));
    return peer;
  };
  const isMet = (peer: RawPeer) => waitUntil('met', TIMEOUT_MS, () => peer.isGreeted || undefined);
  const set = (daemon: DaemonUnderTest, enabled: boolean) =>
    daemon.api('PUT', '/api/settings/blocklist', { url, enabled });
  const refresh = (daemon: DaemonUnderTest) => daemon.api('POST', '/api/settings/blocklist/refresh');

  const daemon = await startDaemon({ ...state, args });
  t.teardown(() => daemon.stop());
  await set(daemon, true);
  t.equal((await refresh(daemon)).status, 200);
  const id = await daemon.addTorrentFile(made.torrentBytes);
  const incoming = { bad: await connect(daemon, BAD), good: await connect(daemon, GOOD) };
  await daemon.addPeers(id, bad.address, good.address);
  await Promise.all([isMet(incoming.bad), isMet(incoming.good)]);
  await waitUntil('dialled', TIMEOUT_MS, () => (bad.callers.length > 0 && good.callers.length > 0) || undefined);

  list = `somebody:${BAD}-${BAD}\n`;
  t.equal((await refresh(daemon)).status, 200);
  await Promise.all([incoming.bad.closed, bad.callers[0]?.closed]);
  t.notOk(incoming.good.isClosed, 'others stay');
  const refused = await connect(daemon, BAD);
  await refused.closed;
  t.equal(refused.receivedBytes, 0, 'before a word is said');
  const { json } = await daemon.api<{ added: number }>('POST', `/api/torrents/${id}/peers`, { peers: [`${BAD}:7777`] });
  t.match(json, { added: 0 }, 'by hand neither');

  t.equal((await set(daemon, false)).status, 200);
  await isMet(await connect(daemon, BAD));

  await set(daemon, true);
  t.equal((await refresh(daemon)).status, 200);
  await daemon.stop();
  await upstream.close();
  const again = await startDaemon({ ...state, args });
  t.teardown(() => again.stop());
  const early = await connect(again, BAD);
  await early.closed;
  t.equal(early.receivedBytes, 0, 'after a restart, without the server');
  await isMet(await connect(again, GOOD));
});
