// Bans by hand and a whole daemon on loopback: 127.0.0.2 is banned. Cut off at once in all torrents, dialled and let in no
// more, also after a restart and whatever becomes of the blocklist, and let in again when it is unbanned.
import t from 'tap';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { KIB } from '../support/peers/payload.js';
import { handshake, RawPeer } from '../support/peers/raw-peer.js';
import { listenRaw } from '../support/peers/raw-listener.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TIMEOUT_MS = 20_000;
const BAD = '127.0.0.2';
const GOOD = '127.0.0.3';

t.setTimeout(90_000);

void t.test('who is banned', async (t) => {
  const scratch = await makeScratch('bans');
  t.teardown(() => scratch.remove());
  const state = { dataDir: `${scratch.path}/data`, savePath: `${scratch.path}/downloads` };
  const made = [1, 2].map((seed) =>
    makeTorrent({ name: `${seed}.bin`, pieceLength: 16 * KIB, files: seededBytes(seed, 64 * KIB) }),
  );
  const [bad, good] = [await listenRaw(undefined, BAD), await listenRaw(undefined, GOOD)];
  t.teardown(() => Promise.all([bad.close(), good.close()]));

  const connect = async (daemon: DaemonUnderTest, localAddress: string, torrent = made[0]!) => {
    const peer = await RawPeer.connect(daemon.peerPort, { localAddress });
    t.teardown(() => peer.destroy());
    peer.send(handshake(torrent.infoHash));
    return peer;
  };
  const isMet = (peer: RawPeer) => waitUntil('met', TIMEOUT_MS, () => peer.isGreeted || undefined);
  const bans = async (daemon: DaemonUnderTest) =>
    (await daemon.api<readonly { address: string }[]>('GET', '/api/bans')).json.map(({ address }) => address);

  const daemon = await startDaemon(state);
  t.teardown(() => daemon.stop());
  const [first = ''] = await Promise.all(made.map(({ torrentBytes }) => daemon.addTorrentFile(torrentBytes)));
  const inBoth = await Promise.all(made.map((torrent) => connect(daemon, BAD, torrent)));
  const other = await connect(daemon, GOOD);
  await daemon.addPeers(first, bad.address, good.address);
  await Promise.all([...inBoth, other].map(isMet));
  await waitUntil('dialled', TIMEOUT_MS, () => (bad.callers.length > 0 && good.callers.length > 0) || undefined);

  const banned = await daemon.api('POST', '/api/bans', { addresses: [`::ffff:${BAD}`] });
  t.match(banned, { status: 200, json: { ok: true, added: 1 } });
  await Promise.all([...inBoth.map((peer) => peer.closed), bad.callers[0]?.closed]);
  t.notOk(other.isClosed, 'others stay');
  const refused = await connect(daemon, BAD);
  await refused.closed;
  t.equal(refused.receivedBytes, 0, 'before a word is said');
  const { json } = await daemon.api('POST', `/api/torrents/${first}/peers`, { peers: [`${BAD}:7777`] });
  t.match(json, { added: 0 }, 'by hand neither');

  await daemon.api('PUT', '/api/settings/blocklist', { url: '', enabled: false });
  const still = await connect(daemon, BAD);
  await still.closed;
  t.equal(still.receivedBytes, 0, 'also without a blocklist');

  await daemon.stop();
  const again = await startDaemon(state);
  t.teardown(() => again.stop());
  t.same(await bans(again), [BAD]);
  const early = await connect(again, BAD);
  await early.closed;
  t.equal(early.receivedBytes, 0, 'after a restart, from the first moment');
  await isMet(await connect(again, GOOD));

  t.equal((await again.api('DELETE', '/api/bans', { addresses: [BAD] })).status, 200);
  t.same(await bans(again), []);
  await isMet(await connect(again, BAD));
});
