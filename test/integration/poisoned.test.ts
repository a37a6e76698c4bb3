// Peers that send what is not the torrent's, over real sockets and through the real hashing threads (docs/limits.md
// 2.13): cut off and told of in the log, while the download goes on and others at the same address stay.
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { KIB, MIB, writePayload, digestsOf, type Payload } from '../support/peers/payload.js';
import {
  BLOCK_BYTES,
  frame,
  fullBitfield,
  handshake,
  ID,
  pieceMessage,
  RawPeer,
  type Received,
} from '../support/peers/raw-peer.js';
import { contentOf, connectSeed } from '../support/peers/scripted-seed.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TOTAL_BYTES = 16 * MIB;
const PIECE_LENGTH = 256 * KIB;
const PIECES = TOTAL_BYTES / PIECE_LENGTH;
const TIMEOUT_MS = 30_000;
const SPOILERS = 3;

t.setTimeout(120_000);

void t.test('three poisoners and an honest peer', async (t) => {
  const scratch = await makeScratch('poisoned', 2 * TOTAL_BYTES);
  t.teardown(() => scratch.remove());
  const payload = await writePayload(scratch.path, TOTAL_BYTES, PIECE_LENGTH);
  const content = await contentOf(payload);
  const daemon = await startDaemon({ bytes: TOTAL_BYTES });
  t.teardown(() => daemon.stop());
  const id = await daemon.addTorrentFile(payload.torrent());
  const seed = await connectSeed(payload, daemon.peerPort, 8);
  t.teardown(() => seed.destroy());
  const spoilers = await Promise.all(
    Array.from({ length: SPOILERS }, async (_, n) => {
      const hello = handshake(payload.infoHash, { fast: true });
      const localAddress = `127.0.2.${n + 1}`;
      return { hello, localAddress, peer: await spoil(daemon.peerPort, payload, content, { hello, localAddress }) };
    }),
  );
  const isThere = (): boolean => spoilers.some(({ peer }) => !peer.isClosed);
  await waitUntil('each cut off', TIMEOUT_MS, () => {
    seed.allow(4);
    return !isThere() || undefined;
  });
  t.notOk(seed.isClosed, 'the honest peer stays');
  for (const { hello, localAddress } of spoilers) {
    const again = await RawPeer.connect(daemon.peerPort, { localAddress });
    again.send(hello, fullBitfield(PIECES), frame(ID.unchoke));
    await waitUntil('banned', TIMEOUT_MS, () => again.isClosed || undefined);
    const neighbour = await RawPeer.connect(daemon.peerPort, { localAddress });
    neighbour.send(handshake(payload.infoHash), frame(ID.interested));
    await waitUntil('greeted', TIMEOUT_MS, () => neighbour.isGreeted || undefined);
    t.notOk(neighbour.isClosed, `somebody else at ${localAddress} is welcome`);
    neighbour.destroy();
  }
  seed.allow(Infinity);
  await daemon.waitFor(id, (torrent) => torrent.completed, TIMEOUT_MS);
  t.same(await digestsOf(payload, daemon.savePath), payload.digests, 'nothing of theirs got into the files');
  const bans = daemon.stderr.split('\n').filter((line) => line.includes('peer banned'));
  t.equal(bans.length, SPOILERS);
  for (const line of bans) t.match(line, /"ground":"(sole-source|wrong-block|two-versions)"/);
  t.match(bans.at(-1), new RegExp(`"bans":${SPOILERS},"failedPieces":[1-9]`), 'with what it has cost so far');
  t.match(await daemon.stop(), { code: 0 }, 'ends in order');
});

/** Answers every request, and one in twenty wrongly. */
async function spoil(
  port: number,
  { pieceLength }: Payload,
  content: Buffer,
  { hello, localAddress }: { readonly hello: Buffer; readonly localAddress: string },
): Promise<RawPeer> {
  let asked = 0;
  const onMessage = ({ id, payload }: Received): void => {
    if (id !== ID.request) return;
    const [piece, begin, length] = [payload.readUInt32BE(0), payload.readUInt32BE(4), payload.readUInt32BE(8)];
    const block = Buffer.from(content.subarray(piece * pieceLength + begin, piece * pieceLength + begin + length));
    if (++asked % 20 === 11) block[begin % BLOCK_BYTES]! ^= 0x5a;
    peer.send(pieceMessage(piece, begin, block));
  };
  const peer = await RawPeer.connect(port, { localAddress, onMessage });
  peer.send(hello, frame(ID.haveAll), frame(ID.unchoke));
  return peer;
}
