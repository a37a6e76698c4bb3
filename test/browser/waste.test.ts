// What a peer sent for nothing is told in the overview: a piece with a wrong hash, and a block that nobody asked for.
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { frame, fullBitfield, handshake, ID, pieceMessage, RawPeer } from '../support/peers/raw-peer.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

const PIECE = 16_384;
const PIECES = 4;
const TIMEOUT_MS = 30_000;

t.setTimeout(180_000);

void testInBrowser(t, 'what was downloaded for nothing', async (t, browser) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const bytes = seededBytes(1, PIECES * PIECE);
  const made = makeTorrent({ name: 'a.bin', pieceLength: PIECE, files: bytes });
  const id = await daemon.addTorrentFile(made.torrentBytes);
  const { page, complaints } = await openPage(browser);
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  await page.getByRole('row', { name: 'a.bin' }).first().dblclick();
  const fact = page.getByRole('tabpanel').getByTitle(/^Downloaded for nothing since the daemon started/);

  await t.test('nothing at first', async () => {
    await fact.getByText('0 B', { exact: true }).waitFor();
  });

  await t.test('a block that nobody asked for, and a piece with a wrong hash', async () => {
    const content = Buffer.from(bytes);
    const spoilt = content.map((byte) => byte ^ 1);
    const peer = await RawPeer.connect(daemon.peerPort, {
      localAddress: '127.0.0.2',
      onMessage({ id, payload }) {
        if (id !== ID.request) return;
        const [piece, begin, length] = [0, 4, 8].map((at) => payload.readUInt32BE(at)) as [number, number, number];
        const from = piece === 0 ? spoilt : content;
        peer.send(pieceMessage(piece, begin, from.subarray(piece * PIECE + begin, piece * PIECE + begin + length)));
      },
    });
    t.teardown(() => peer.destroy());
    const unasked = pieceMessage(1, 0, content.subarray(PIECE, 2 * PIECE));
    peer.send(handshake(made.infoHash), fullBitfield(PIECES), unasked, frame(ID.unchoke));
    await peer.closed;
    await fact.getByText('32.0 KiB, 1 piece failed', { exact: true }).waitFor();
  });

  await t.test('it is told after the download as well', async (t) => {
    const seed = await seedContent({ bytes, infoHash: made.infoHash, pieceLength: PIECE }, daemon.peerPort, Infinity);
    t.teardown(() => seed.destroy());
    await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
    await fact.getByText('32.0 KiB, 1 piece failed', { exact: true }).waitFor();
  });
  t.same(complaints, []);
});
