// Copies of a torrent among peers that have parts of it, as the list and qBittorrent's clients are told.
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { frame, fullBitfield, handshake, ID, RawPeer, uint32 } from '../support/peers/raw-peer.js';

const PIECE = 16_384;
const PIECES = 8;
const TIMEOUT_MS = 30_000;

t.setTimeout(120_000);

void t.test('availability', async (t) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const made = makeTorrent({ name: 'a.bin', pieceLength: PIECE, files: seededBytes(1, PIECES * PIECE) });
  const id = await daemon.addTorrentFile(made.torrentBytes);
  const isTold = (copies: number | null) =>
    daemon.waitFor(id, ({ availability }) => availability === copies, TIMEOUT_MS);
  const ofTools = async () => {
    const { json } = await daemon.api<{ availability: number }[]>('GET', '/api/v2/torrents/info');
    return json[0]?.availability;
  };
  // They choke, so that nothing is downloaded of them.
  const peerWith = async (localAddress: string, bitfield: Buffer) => {
    const peer = await RawPeer.connect(daemon.peerPort, { localAddress });
    t.teardown(() => peer.destroy());
    peer.send(handshake(made.infoHash), bitfield);
    return peer;
  };

  await isTold(null);
  t.equal(await ofTools(), -1, 'nobody is connected');
  const half = await peerWith('127.0.0.2', frame(ID.bitfield, Buffer.of(0b1111_0000)));
  await isTold(0.5);
  half.send(frame(ID.have, uint32(7)));
  await isTold(0.625);
  t.equal(await ofTools(), 0.625);
  const seed = await peerWith('127.0.0.3', fullBitfield(PIECES));
  await isTold(1.625);
  seed.destroy();
  await isTold(0.625);

  await daemon.api('POST', `/api/torrents/${id}/pause`);
  await isTold(null);
  t.equal(await ofTools(), -1, 'paused');
});
