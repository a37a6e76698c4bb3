// Whole daemons that find each other by peer exchange only (BEP 11): what a peer says of another leads to a connection.
import t, { type Test } from 'tap';
import bencode from 'bencode';
import type { EncryptionPolicy } from '../../../shared-protocol/encryption-policy.js';
import { startDaemon, type DaemonUnderTest } from '../../support/daemon.js';
import { libtorrent, testWith } from '../../support/peers/index.js';
import { digestsOf, KIB, MIB, writePayload, type Payload } from '../../support/peers/payload.js';
import { listenRaw } from '../../support/peers/raw-listener.js';
import { BLOCK_BYTES, extended, handshake, ID, RawPeer } from '../../support/peers/raw-peer.js';
import { makeScratch } from '../../support/peers/scratch.js';
import { connectSeed } from '../../support/peers/scripted-seed.js';
import { waitUntil } from '../../support/peers/wait-until.js';

const TOTAL_BYTES = 4 * MIB + 9;
const PIECE_LENGTH = 64 * KIB;
/** Blocks that nobody gets before the test says so: while they are missing, everybody stays connected. */
const HELD_BACK = 8;
const TIMEOUT_MS = 25_000;

t.setTimeout(120_000);
t.jobs = 3;

void t.test('a swarm of three whose ends know only the middle', async (t) => {
  await chain(t, async (payload, first) => {
    const middle = await startDaemon({ bytes: TOTAL_BYTES });
    t.teardown(() => middle.stop());
    const id = await middle.addTorrentFile(payload.torrent());
    await middle.addPeers(id, first.peerAddress);
    return { address: middle.peerAddress, leave: async () => void (await middle.stop()) };
  });
});

void testWith(t, libtorrent, 'libtorrent is the middle', async (t) => {
  await chain(t, async (payload, first) => {
    const target = await makeScratch('middle', TOTAL_BYTES);
    t.teardown(() => target.remove());
    const middle = await libtorrent.start({ pex: true });
    t.teardown(() => middle.close());
    await middle.leech(payload.torrent(), target.path);
    await middle.addPeer?.(first.peerPort);
    return { address: middle.address, leave: () => middle.close() };
  });
});

void t.test('a peer that came to the middle is dialled where it says that it listens', async (t) => {
  const payload = await makePayload(t);
  const callers: RawPeer[] = [];
  const third = await listenRaw((caller) => {
    callers.push(caller);
    caller.send(handshake(payload.infoHash, { extended: true }), extended('d1:mdee'));
  });
  t.teardown(() => third.close());
  // Bare sockets do not speak MSE.
  const [middle, last] = await Promise.all([leech(t, payload, 'allowed'), leech(t, payload, 'allowed')]);
  const silent = await RawPeer.connect(middle.peerPort);
  t.teardown(() => silent.destroy());
  silent.send(handshake(payload.infoHash, { extended: true }), extended(`d1:mde1:pi${third.port}ee`));
  await middle.waitFor(payload.infoHash, ({ peers }) => peers === 1, TIMEOUT_MS);
  await last.addPeers(payload.infoHash, middle.peerAddress);

  const told = await waitUntil('the third is called', TIMEOUT_MS, () => callers[0] && listensAt(callers[0]));
  t.equal(told, last.peerPort, 'by the one that was told');
  t.equal(callers.length, 1, 'and nobody else');
});

interface Middle {
  readonly address: string;
  leave(): Promise<void>;
}

/**
 * One gets most of the torrent from a seed that lets nobody have the rest yet, a middle connects to it, and the last to
 * the middle. When the two ends have met and the middle has left, the rest can only go from one end to the other.
 */
async function chain(
  t: Test,
  startMiddle: (payload: Payload, first: DaemonUnderTest) => Promise<Middle>,
): Promise<void> {
  const payload = await makePayload(t);
  const { infoHash } = payload;
  const first = await leech(t, payload);
  const blocks = Math.ceil(TOTAL_BYTES / BLOCK_BYTES);
  const seed = await connectSeed(payload, first.peerPort, blocks - HELD_BACK);
  t.teardown(() => seed.destroy());
  await first.waitFor(infoHash, ({ bytes_done }) => bytes_done > TOTAL_BYTES / 2, TIMEOUT_MS);
  const middle = await startMiddle(payload, first);
  await first.waitFor(infoHash, ({ peers }) => peers === 2, TIMEOUT_MS);

  const last = await leech(t, payload);
  await last.addPeers(infoHash, middle.address);
  await last.waitFor(infoHash, ({ peers }) => peers === 2, TIMEOUT_MS);
  await first.waitFor(infoHash, ({ peers }) => peers === 3, TIMEOUT_MS);
  t.match(await last.torrent(infoHash), { completed: false });

  await middle.leave();
  await first.waitFor(infoHash, ({ peers }) => peers === 2, TIMEOUT_MS);
  await last.waitFor(infoHash, ({ peers }) => peers === 1, TIMEOUT_MS);
  seed.allow(Infinity);
  await last.waitFor(infoHash, ({ completed }) => completed, TIMEOUT_MS);
  t.same(await digestsOf(payload, last.savePath), payload.digests, 'the same files');
}

async function makePayload(t: Test): Promise<Payload> {
  const source = await makeScratch('source', TOTAL_BYTES);
  t.teardown(() => source.remove());
  return writePayload(source.path, TOTAL_BYTES, PIECE_LENGTH);
}

async function leech(t: Test, payload: Payload, encryption?: EncryptionPolicy): Promise<DaemonUnderTest> {
  const daemon = await startDaemon({ bytes: TOTAL_BYTES, ...(encryption ? { encryption } : {}) });
  t.teardown(() => daemon.stop());
  await daemon.addTorrentFile(payload.torrent());
  return daemon;
}

/** `p` of its extended handshake (BEP 10), once that has come. */
function listensAt({ messages }: RawPeer): number | undefined {
  const message = messages.find(({ id, payload }) => id === ID.extended && payload[0] === 0);
  if (!message) return undefined;
  const { p } = bencode.decode(message.payload.subarray(1)) as { readonly p?: unknown };
  return typeof p === 'number' ? p : undefined;
}
