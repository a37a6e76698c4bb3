// What each policy dials with and accepts, as libtorrent sees it, and what it refuses: without a word, and without a
// byte transferred.
import t, { type Test } from 'tap';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EncryptionPolicy } from '../../shared-protocol/encryption-policy.js';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { libtorrent, testWith, type PeerClient, type PeerEncryption } from '../support/peers/index.js';
import { KIB, MIB, writePayload, type Payload } from '../support/peers/payload.js';
import { handshake, RawPeer } from '../support/peers/raw-peer.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TOTAL_BYTES = 4 * MIB;
const TIMEOUT_MS = 20_000;
const CUT_OFF_MS = 5_000;
/** Long enough for whole transfers of the payload, and for a second attempt after a refused one. */
const REFUSAL_MS = 4_000;
/** Public key of a Diffie-Hellman exchange, 768 bits, with which MSE begins. */
const MSE_KEY_BYTES = 96;

interface Meeting {
  readonly ours: EncryptionPolicy;
  /** null: libtorrent's default, which takes what comes. */
  readonly theirs: PeerEncryption | null;
  readonly dials: 'Swarmd' | 'libtorrent';
  readonly isEncrypted: boolean;
}

const MEETINGS: readonly Meeting[] = [
  { ours: 'required', theirs: null, dials: 'Swarmd', isEncrypted: true },
  { ours: 'preferred', theirs: null, dials: 'Swarmd', isEncrypted: true },
  { ours: 'allowed', theirs: null, dials: 'Swarmd', isEncrypted: false },
  { ours: 'off', theirs: null, dials: 'Swarmd', isEncrypted: false },
  { ours: 'preferred', theirs: 'plain', dials: 'Swarmd', isEncrypted: false },
  { ours: 'preferred', theirs: 'plain', dials: 'libtorrent', isEncrypted: false },
  { ours: 'allowed', theirs: 'plain', dials: 'libtorrent', isEncrypted: false },
  { ours: 'allowed', theirs: 'required', dials: 'libtorrent', isEncrypted: true },
  // It dials encrypted first and in plain once that has been refused.
  { ours: 'off', theirs: null, dials: 'libtorrent', isEncrypted: false },
];

t.setTimeout(300_000);

void testWith(t, libtorrent, 'who meets how', async (t) => {
  t.jobs = 2;
  const payload = await makePayload(t);
  for (const meeting of MEETINGS) {
    const { ours, theirs, dials, isEncrypted } = meeting;
    const given = `Swarmd ${ours}, libtorrent ${theirs ?? 'by default'}, ${dials} dials`;
    void t.test(`${given}: ${isEncrypted ? 'encrypted' : 'plain'}`, (t) => meet(t, meeting, payload));
  }
});

void testWith(t, libtorrent, 'what is refused', async (t) => {
  t.jobs = 2;
  const payload = await makePayload(t);
  const refusals = [
    { ours: 'required', theirs: 'plain', name: 'a plain handshake', start: handshake(payload.infoHash) },
    { ours: 'off', theirs: 'required', name: 'the start of MSE', start: mseStart() },
  ] as const;
  for (const { ours, theirs, name, start } of refusals) {
    void t.test(`${ours}: ${name}`, (t) => refuse(t, { ours, theirs, start }, payload));
  }
});

async function makePayload(t: Test): Promise<Payload> {
  const source = await makeScratch('source', TOTAL_BYTES);
  t.teardown(() => source.remove());
  return writePayload(source.path, TOTAL_BYTES, 64 * KIB);
}

/** Neither has anything, so that they stay connected to be looked at. */
async function meet(t: Test, { ours, theirs, dials, isEncrypted }: Meeting, payload: Payload): Promise<void> {
  const { daemon, id } = await startLeech(t, ours, payload);
  const target = await makeScratch('target');
  t.teardown(() => target.remove());
  const other = await libtorrent.start(theirs ? { encryption: theirs } : {});
  t.teardown(() => other.close());
  await other.leech(payload.torrent(), target.path);

  if (dials === 'Swarmd') await daemon.addPeers(id, other.address);
  else await other.addPeer?.(daemon.peerPort);
  const met = await waitUntil('connected', TIMEOUT_MS, async () => {
    const progress = await other.progress();
    return progress.peers > 0 ? progress : undefined;
  });
  t.match(met, { peers: 1, encryptedPeers: isEncrypted ? 1 : 0 });
}

/** A raw peer that begins in the way that is refused, and libtorrent that knows no other, dialled and dialling. */
async function refuse(
  t: Test,
  {
    ours,
    theirs,
    start,
  }: { readonly ours: EncryptionPolicy; readonly theirs: PeerEncryption; readonly start: Uint8Array },
  payload: Payload,
): Promise<void> {
  const { daemon, id } = await startLeech(t, ours, payload);
  const raw = await RawPeer.connect(daemon.peerPort);
  t.teardown(() => raw.destroy());
  raw.send(start);
  await waitUntil('cut off', CUT_OFF_MS, () => raw.isClosed || undefined);
  t.equal(raw.receivedBytes, 0, 'without a word');

  const seed = await libtorrent.start({ encryption: theirs });
  t.teardown(() => seed.close());
  await seed.seed(payload.torrent(), payload.directory);
  await daemon.addPeers(id, seed.address);
  await seed.addPeer?.(daemon.peerPort);
  await staysAlone(t, seed, REFUSAL_MS);
  t.match(await daemon.torrent(id), { bytes_done: 0, completed: false }, 'nothing came of it');
  t.match(await daemon.api('GET', '/api/healthz'), { status: 200, json: { ok: true } });
}

async function startLeech(
  t: Test,
  encryption: EncryptionPolicy,
  payload: Payload,
): Promise<{ readonly daemon: DaemonUnderTest; readonly id: string }> {
  const daemon = await startDaemon({ encryption, bytes: TOTAL_BYTES });
  t.teardown(() => daemon.stop());
  return { daemon, id: await daemon.addTorrentFile(payload.torrent()) };
}

async function staysAlone(t: Test, peer: PeerClient, forMs: number): Promise<void> {
  const seen = new Set<number>();
  for (const end = performance.now() + forMs; performance.now() < end; await sleep(50)) {
    seen.add((await peer.progress()).peers);
  }
  t.same([...seen], [0], 'never connected');
}

/** Looks like any key; does not begin with a byte that a plain handshake begins with. */
function mseStart(): Uint8Array {
  const key = randomBytes(MSE_KEY_BYTES);
  key[0] = 0x42;
  return key;
}
