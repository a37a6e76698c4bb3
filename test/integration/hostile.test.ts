// Peers that break the protocol in every way while an honest download goes on (docs/limits.md 2.1 to 2.12): each is cut
// off or borne with, and nothing else notices: the honest peer stays, its blocks come in, the daemon answers.
import t, { type Test } from 'tap';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { attacksOn, NOISE, type Attack } from '../support/peers/attacks.js';
import { KIB, MIB, writePayload, digestsOf } from '../support/peers/payload.js';
import {
  BLOCK_BYTES,
  extended,
  frame,
  fullBitfield,
  handshake,
  ID,
  pieceMessage,
  RawPeer,
  request,
} from '../support/peers/raw-peer.js';
import { connectSeed, type ScriptedSeed } from '../support/peers/scripted-seed.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TOTAL_BYTES = 32 * MIB;
const PIECE_LENGTH = 256 * KIB;
const PIECES = TOTAL_BYTES / PIECE_LENGTH;
const CUT_OFF_MS = 5_000;
/** Longer than the 10 s that a handshake may take. */
const HANDSHAKE_MS = 15_000;
const TIMEOUT_MS = 30_000;
/** What the honest seed may send during each attack. */
const BLOCKS_PER_ATTACK = 32;

/** Two pieces of metadata (BEP 9). */
const LIE_BYTES = 20_000;
/** The extension's number in messages to us (BEP 10). */
const UT_METADATA_ID = 7;

t.setTimeout(180_000);

void t.test('attacks on a download', async (t) => {
  const scratch = await makeScratch('hostile', 2 * TOTAL_BYTES);
  t.teardown(() => scratch.remove());
  const payload = await writePayload(scratch.path, TOTAL_BYTES, PIECE_LENGTH);
  const daemon = await startDaemon({ bytes: TOTAL_BYTES });
  t.teardown(() => daemon.stop());
  const id = await daemon.addTorrentFile(payload.torrent());
  const seed = await connectSeed(payload, daemon.peerPort, 4 * BLOCKS_PER_ATTACK);
  t.teardown(() => seed.destroy());
  await daemon.waitFor(id, ({ bytes_done }) => bytes_done > 0, TIMEOUT_MS);
  const scene: Scene = { t, daemon, seed, infoHash: payload.infoHash, attackers: 0 };
  // Time runs for these two meanwhile.
  const silent = await RawPeer.connect(daemon.peerPort);
  const halfWay = await RawPeer.connect(daemon.peerPort);
  halfWay.send(handshake(payload.infoHash).subarray(0, 40));

  for (const attack of attacksOn(PIECES)) await launch(scene, attack);
  await floodAfterUnchoke(scene);
  await readNothing(scene);
  await connectAndLeave(scene);
  await sendGarbage(scene);

  await waitUntil(
    'peers without a handshake cut off',
    HANDSHAKE_MS,
    () => (silent.isClosed && halfWay.isClosed) || undefined,
  );
  const { completed } = await daemon.torrent(id);
  t.notOk(completed, 'the download was going on all the time');
  seed.allow(Infinity);
  const done = await daemon.waitFor(id, (torrent) => torrent.completed, TIMEOUT_MS);
  t.match(done, { progress: 1, paused: false, files_missing: false });
  t.same(await digestsOf(payload, daemon.savePath), payload.digests, 'nothing of the attackers got into the files');
  t.notMatch(daemon.stderr, /"level":"(error|fatal)"/, 'no failure of ours was logged');
  t.match(await daemon.stop(), { code: 0 }, 'ends in order');
});

void t.test('lies about the metadata of a magnet', async (t) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const infoHash = '5a'.repeat(20);
  const id = await daemon.addMagnet(`magnet:?xt=urn:btih:${infoHash}&dn=wanted`);
  const isWaiting = async (): Promise<void> => {
    t.match(await daemon.api('GET', '/api/healthz'), { status: 200, json: { ok: true } });
    t.match(await daemon.torrent(id), { total_bytes: 0, name: 'wanted', completed: false });
  };
  for (const size of ['i0e', 'i-1e', 'i2147483648e', 'i99999999999999999999e', '1:x', 'le']) {
    const liar = await metadataLiar(daemon, infoHash, size);
    await waitUntil('answered or cut off', CUT_OFF_MS, () => liar.isIntroduced() || liar.peer.isClosed || undefined);
    t.equal(liar.requests(), 0, `metadata_size ${size}: nothing is asked of it`);
    await isWaiting();
    liar.peer.destroy();
  }
  const plausible = await metadataLiar(daemon, infoHash, `i${LIE_BYTES}e`);
  await waitUntil('all of it asked for', CUT_OFF_MS, () => plausible.requests() >= 2 || undefined);
  await isWaiting();
  t.match(await daemon.stop(), { code: 0 }, 'ends in order');
});

interface Scene {
  readonly t: Test;
  readonly daemon: DaemonUnderTest;
  readonly seed: ScriptedSeed;
  readonly infoHash: string;
  attackers: number;
}

async function launch(scene: Scene, { name, hello, bytes, fate }: Attack): Promise<void> {
  const peer = hello === null ? await attacker(scene) : await greetedAttacker(scene, hello);
  peer.send(bytes);
  // Without a plain handshake the bytes may be a key of MSE: the rest of the handshake is waited for.
  const patienceMs = hello === null ? HANDSHAKE_MS : CUT_OFF_MS;
  if (fate === 'cut off') await waitUntil(`${name}: cut off`, patienceMs, () => peer.isClosed || undefined);
  await othersAreWell(scene, name);
  scene.t.equal(peer.isClosed, fate === 'cut off', `${name}: ${fate}`);
  peer.destroy();
}

async function greetedAttacker(scene: Scene, hello: 'plain' | 'fast' | 'extended'): Promise<RawPeer> {
  const peer = await attacker(scene);
  peer.send(handshake(scene.infoHash, { fast: hello === 'fast', extended: hello === 'extended' }));
  await waitUntil('greeted', TIMEOUT_MS, () => peer.isGreeted || undefined);
  return peer;
}

/** Each from a host of its own, as far as anyone can tell. */
async function attacker(
  scene: Scene,
  onMessage?: (message: { readonly id: number; readonly payload: Buffer }) => void,
) {
  scene.attackers++;
  const localAddress = `127.0.1.${scene.attackers}`;
  return RawPeer.connect(scene.daemon.peerPort, { localAddress, ...(onMessage ? { onMessage } : {}) });
}

/** The honest blocks come in, the honest peer is there, the daemon answers. */
async function othersAreWell({ t, daemon, seed }: Scene, name: string): Promise<void> {
  const wanted = seed.sent + BLOCKS_PER_ATTACK;
  seed.allow(BLOCKS_PER_ATTACK);
  await waitUntil(`${name}: the download going on`, TIMEOUT_MS, () => seed.sent >= wanted || undefined);
  const { status, json } = await daemon.api('GET', '/api/healthz');
  const isWell = status === 200 && json['ok'] === true && !seed.isClosed;
  if (!isWell) t.fail(`${name}: healthz ${status}, honest peer ${seed.isClosed ? 'gone' : 'there'}`);
}

async function unchokedAttacker(scene: Scene): Promise<RawPeer> {
  const peer = await greetedAttacker(scene, 'plain');
  peer.send(frame(ID.interested));
  await waitUntil('unchoked', TIMEOUT_MS, () => peer.messages.some(({ id }) => id === ID.unchoke) || undefined);
  return peer;
}

async function floodAfterUnchoke(scene: Scene): Promise<void> {
  const peer = await unchokedAttacker(scene);
  const piece = await servablePiece(peer);
  // Far more at once than the queue that is advertised (reqq), and all different.
  peer.send(Buffer.concat(Array.from({ length: 50_000 }, (_, begin) => request(piece, begin))));
  await waitUntil('flood of requests: cut off', TIMEOUT_MS, () => peer.isClosed || undefined);
  await othersAreWell(scene, 'flood of requests');
  scene.t.ok(peer.isClosed, 'flood of requests: cut off');
}

async function readNothing(scene: Scene): Promise<void> {
  const peer = await unchokedAttacker(scene);
  const piece = await servablePiece(peer);
  peer.deafen();
  for (let i = 0; i < 1_000; i++) peer.send(request(piece, (i % (PIECE_LENGTH / BLOCK_BYTES)) * BLOCK_BYTES));
  await othersAreWell(scene, 'asks and reads nothing');
  scene.t.notOk(peer.isClosed, 'asks and reads nothing: borne');
  peer.destroy();
}

async function connectAndLeave(scene: Scene): Promise<void> {
  for (let i = 0; i < 100; i++) {
    const peer = await attacker({ ...scene, attackers: 100 });
    if (i % 2 === 0) peer.send(handshake(scene.infoHash));
    peer.destroy();
  }
  await othersAreWell(scene, 'a hundred that connect and leave');
  scene.t.pass('a hundred that connect and leave');
}

/** Says it has everything and answers every request with noise. */
async function sendGarbage(scene: Scene): Promise<void> {
  const peer: RawPeer = await attacker(scene, ({ id, payload }) => {
    if (id === ID.request) peer.send(pieceMessage(payload.readUInt32BE(0), payload.readUInt32BE(4), NOISE));
  });
  peer.send(handshake(scene.infoHash), fullBitfield(PIECES), frame(ID.unchoke));
  await waitUntil('data that is not the torrent’s: cut off', TIMEOUT_MS, () => peer.isClosed || undefined);
  scene.t.ok(
    peer.messages.some(({ id }) => id === ID.request),
    'it was trusted first',
  );
  await othersAreWell(scene, 'data that is not the torrent’s');
}

/** A piece that the daemon said it has. */
function servablePiece(peer: RawPeer): Promise<number> {
  return waitUntil('a piece to ask for', TIMEOUT_MS, () => {
    const bits = peer.messages.find(({ id }) => id === ID.bitfield)?.payload;
    const byte = bits?.findIndex((value) => value !== 0) ?? -1;
    return bits && byte >= 0 ? byte * 8 + Math.clz32(bits[byte]!) - 24 : undefined;
  });
}

/** Promises metadata of a size (bencoded) and answers whatever is asked for with noise, and more than that. */
async function metadataLiar(daemon: DaemonUnderTest, infoHash: string, size: string) {
  let theirId = 0;
  const extensionIds = (): number[] =>
    peer.messages.filter(({ id }) => id === ID.extended).map(({ payload }) => payload[0] ?? -1);
  const peer: RawPeer = await RawPeer.connect(daemon.peerPort, {
    onMessage({ id, payload }) {
      if (id !== ID.extended) return;
      if (payload[0] === 0) theirId = metadataIdIn(payload.subarray(1));
      if (payload[0] !== UT_METADATA_ID) return;
      peer.send(metadataPiece(theirId, 0, BLOCK_BYTES), metadataPiece(theirId, 1, LIE_BYTES - BLOCK_BYTES));
      peer.send(metadataPiece(theirId, 1e6, 1));
    },
  });
  peer.send(
    handshake(infoHash, { extended: true, fast: true }),
    extended(`d1:md11:ut_metadatai${UT_METADATA_ID}ee13:metadata_size${size}e`),
    frame(ID.haveAll),
  );
  return {
    peer,
    isIntroduced: () => extensionIds().includes(0),
    requests: () => extensionIds().filter((extensionId) => extensionId === UT_METADATA_ID).length,
  };
}

/** The number that the other gave `ut_metadata` in its extended handshake. */
function metadataIdIn(handshakeBody: Uint8Array): number {
  const match = /11:ut_metadatai(\d+)e/.exec(Buffer.from(handshakeBody).toString('latin1'));
  if (!match) throw new Error('ut_metadata is not offered');
  return Number(match[1]);
}

function metadataPiece(extensionId: number, piece: number, length: number): Buffer {
  const head = `d8:msg_typei1e5:piecei${piece}e10:total_sizei${LIE_BYTES}ee`;
  return frame(ID.extended, Buffer.concat([Buffer.from([extensionId]), Buffer.from(head), NOISE.subarray(0, length)]));
}
