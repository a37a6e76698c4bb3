// Web seeds (BEP 19) and a whole daemon: alone, after a magnet's metadata, and beside others when they serve wrong
// bytes or nothing. `--fetch-allow` is what lets them be on loopback.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { makeTorrent, seededBytes, type MadeTorrent } from '../support/make-torrent.js';
import { KIB, MIB } from '../support/peers/payload.js';
import { extended, frame, fullBitfield, handshake, ID, pieceMessage, RawPeer } from '../support/peers/raw-peer.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { answer, startWebSeedServer, status, type Respond, type WebSeedServer } from '../support/web-seed-server.js';

const TIMEOUT_MS = 30_000;
const PIECE_LENGTH = 64 * KIB;
const TOTAL_BYTES = 4 * MIB;
/** An honest server that is slow enough for others to be asked as well. */
const DELAY_MS = 20;
const NAME = 'film.bin';
/** The extension's number in messages to us (BEP 10). */
const UT_METADATA_ID = 7;
const METADATA_PIECE_BYTES = 16 * KIB;

t.setTimeout(120_000);

void t.test('a daemon and web seeds', async (t) => {
  const daemon = await startDaemon({ bytes: 8 * TOTAL_BYTES, args: ['--portable-names', 'on'] });
  t.teardown(() => daemon.stop());
  await t.test('a web seed alone: one file', (t) => singleFile(t, daemon));
  await t.test('a web seed alone: files, some of other names than on disk', (t) => multiFile(t, daemon));
  await t.test('a magnet with ws= and a peer that has the metadata only', (t) => magnet(t, daemon));
  await t.test('wrong bytes beside an honest web seed', (t) => poisonedBesideWebSeed(t, daemon));
  await t.test('wrong bytes beside an honest peer', (t) => poisonedBesidePeer(t, daemon));
  await t.test('no such file, beside a peer', (t) => failingBesidePeer(t, daemon, 12, status(404)));
  const later = status(503, { 'retry-after': '120' });
  await t.test('503 with Retry-After, beside a peer', (t) => failingBesidePeer(t, daemon, 13, later));
  t.notMatch(daemon.stderr, /"level":"(error|fatal)"/, 'no failure of ours was logged');
  t.match(await daemon.stop(), { code: 0 }, 'ends in order');
});

async function singleFile(t: Test, daemon: DaemonUnderTest): Promise<void> {
  const bytes = seededBytes(1, TOTAL_BYTES + 5);
  const seed = await serve(t, { '/pub/renamed.bin': bytes });
  const made = film(1, [`${seed.origin}/pub/renamed.bin`], bytes);
  await completes(t, daemon, made, { [NAME]: bytes });
  const asked = seed.requests.reduce((sum, { range }) => sum + (range ? range.last - range.first + 1 : Infinity), 0);
  t.equal(asked, bytes.length, 'every byte once');
}

async function multiFile(t: Test, daemon: DaemonUnderTest): Promise<void> {
  const files = [
    { path: ['Act 1: Who?.bin'], onDisk: 'Act 1_ Who_.bin', url: 'Act%201%3A%20Who%3F.bin' },
    { path: ['empty.txt'], onDisk: 'empty.txt', url: 'empty.txt', length: 0 },
    { path: ['CON', 'größe #2.txt'], onDisk: '_CON/größe #2.txt', url: 'CON/gr%C3%B6%C3%9Fe%20%232.txt' },
    { path: ['last.bin'], onDisk: 'last.bin', url: 'last.bin', length: 10 },
  ].map((file, i) => ({ ...file, bytes: seededBytes(30 + i, file.length ?? MIB + 7) }));
  const served = files.map(({ url, bytes }) => [`/pub/The%20Show/${url}`, bytes] as const);
  const seed = await serve(t, Object.fromEntries(served));
  const made = makeTorrent({ name: 'The Show', pieceLength: PIECE_LENGTH, files, webSeeds: [`${seed.origin}/pub`] });
  const expected = files.map(({ onDisk, bytes }) => [join('The Show', onDisk), bytes] as const);
  await completes(t, daemon, made, Object.fromEntries(expected));
}

async function magnet(t: Test, daemon: DaemonUnderTest): Promise<void> {
  const bytes = seededBytes(3, TOTAL_BYTES);
  const seed = await serve(t, { [`/${NAME}`]: bytes });
  const made = film(3, [], bytes);
  const savePath = join(daemon.savePath, made.infoHash);
  const uri = `magnet:?xt=urn:btih:${made.infoHash}&ws=${encodeURIComponent(`${seed.origin}/`)}`;
  const id = await daemon.addMagnet(uri, savePath);
  t.equal(seed.requests.length, 0, 'there is nothing to ask for without metadata');
  const peer = await connectMetadataPeer(t, daemon, made);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  t.same(await readFile(join(savePath, NAME)), Buffer.from(bytes));
  t.ok(peer.messages.every(({ id }) => id !== ID.request));
}

async function poisonedBesideWebSeed(t: Test, daemon: DaemonUnderTest): Promise<void> {
  const bytes = seededBytes(4, TOTAL_BYTES);
  const poisoned = await serve(t, { [`/${NAME}`]: bytes }, poison);
  const honest = await serve(t, { [`/${NAME}`]: bytes }, delayed);
  const made = film(4, [`${poisoned.origin}/`, `${honest.origin}/`], bytes);
  let askedHalfWay = 0;
  await completes(t, daemon, made, { [NAME]: bytes }, async (id) => {
    await daemon.waitFor(id, ({ progress }) => progress > 0.5, TIMEOUT_MS);
    askedHalfWay = poisoned.requests.length;
  });
  t.ok(askedHalfWay > 0, 'it was trusted first');
  t.equal(poisoned.requests.length, askedHalfWay, 'and not asked again');
}

async function poisonedBesidePeer(t: Test, daemon: DaemonUnderTest): Promise<void> {
  const bytes = seededBytes(5, TOTAL_BYTES);
  const poisoned = await serve(t, { [`/${NAME}`]: bytes }, poison);
  const made = film(5, [`${poisoned.origin}/`], bytes);
  let askedHalfWay = 0;
  await completes(t, daemon, made, { [NAME]: bytes }, async (id) => {
    await waitUntil('the web seed asked', TIMEOUT_MS, () => poisoned.requests.length > 0 || undefined);
    const peer = await connectHonestPeer(t, daemon, made);
    peer.allow(TOTAL_BYTES / 2);
    await daemon.waitFor(id, ({ bytes_done }) => bytes_done > TOTAL_BYTES / 4, TIMEOUT_MS);
    askedHalfWay = poisoned.requests.length;
    peer.allow(Infinity);
    t.notOk(peer.isClosed(), 'the honest peer is not blamed');
  });
  t.equal(poisoned.requests.length, askedHalfWay, 'not asked again');
}

async function failingBesidePeer(t: Test, daemon: DaemonUnderTest, seedNumber: number, respond: Respond) {
  const bytes = seededBytes(seedNumber, TOTAL_BYTES);
  const failing = await serve(t, { [`/${NAME}`]: bytes }, respond);
  const made = film(seedNumber, [`${failing.origin}/`], bytes);
  await completes(t, daemon, made, { [NAME]: bytes }, async () => {
    await waitUntil('the web seed asked', TIMEOUT_MS, () => failing.requests.length > 0 || undefined);
    (await connectHonestPeer(t, daemon, made)).allow(Infinity);
  });
  t.equal(failing.requests.length, 1, 'left alone for a while');
}

function film(seed: number, webSeeds: readonly string[], files = seededBytes(seed, TOTAL_BYTES)): MadeTorrent {
  return makeTorrent({ name: NAME, pieceLength: PIECE_LENGTH, files, webSeeds });
}

/** Adds it to a folder of its own, waits until it is complete and compares its files. */
async function completes(
  t: Test,
  daemon: DaemonUnderTest,
  made: MadeTorrent,
  expected: Readonly<Record<string, Uint8Array>>,
  meanwhile: (id: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const savePath = join(daemon.savePath, made.infoHash);
  const id = await daemon.addTorrentFile(made.torrentBytes, savePath);
  await meanwhile(id);
  const done = await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  t.match(done, { progress: 1, bytes_done: made.payload.length, files_missing: false });
  for (const [path, bytes] of Object.entries(expected)) {
    t.ok(Buffer.from(bytes).equals(await readFile(join(savePath, path))), `${path} is as it was made`);
  }
}

async function serve(t: Test, files: Readonly<Record<string, Uint8Array>>, respond?: Respond): Promise<WebSeedServer> {
  const server = await startWebSeedServer({ files, ...(respond ? { respond } : {}) });
  t.teardown(() => server.close());
  return server;
}

/** What was asked for, but wrong in every block. */
const poison: Respond = (exchange) => {
  answer({ ...exchange, part: exchange.part.map((byte) => byte ^ 0xff) });
  return true;
};

const delayed: Respond = (exchange) => {
  setTimeout(() => answer(exchange), DELAY_MS);
  return true;
};

/** Has everything, and serves as many bytes as it is allowed to. */
async function connectHonestPeer(t: Test, daemon: DaemonUnderTest, made: MadeTorrent) {
  const waiting: (readonly [piece: number, begin: number, length: number])[] = [];
  let left = 0;
  const go = (): void => {
    for (let next = waiting[0]; next && left > 0; next = waiting[0]) {
      waiting.shift();
      const [piece, begin, length] = next;
      const start = piece * PIECE_LENGTH + begin;
      peer.send(pieceMessage(piece, begin, made.payload.subarray(start, start + length)));
      left -= length;
    }
  };
  const peer = await RawPeer.connect(daemon.peerPort, {
    onMessage({ id, payload }) {
      if (id !== ID.request) return;
      waiting.push([payload.readUInt32BE(0), payload.readUInt32BE(4), payload.readUInt32BE(8)]);
      go();
    },
  });
  t.teardown(() => peer.destroy());
  peer.send(handshake(made.infoHash), fullBitfield(Math.ceil(made.payload.length / PIECE_LENGTH)), frame(ID.unchoke));
  return {
    isClosed: () => peer.isClosed,
    allow(bytes: number): void {
      left += bytes;
      go();
    },
  };
}

/** Knows the info dictionary (BEP 9) and has no piece. */
async function connectMetadataPeer(t: Test, daemon: DaemonUnderTest, made: MadeTorrent): Promise<RawPeer> {
  const size = made.infoBytes.length;
  let theirId = 0;
  const peer: RawPeer = await RawPeer.connect(daemon.peerPort, {
    onMessage({ id, payload }) {
      if (id !== ID.extended) return;
      const text = payload.toString('latin1', 1);
      if (payload[0] === 0) theirId = Number(/11:ut_metadatai(\d+)e/.exec(text)?.[1]);
      const [, piece] = /^d8:msg_typei0e5:piecei(\d+)ee/.exec(text) ?? [];
      if (payload[0] !== UT_METADATA_ID || piece === undefined) return;
      const start = Number(piece) * METADATA_PIECE_BYTES;
      const head = `d8:msg_typei1e5:piecei${piece}e10:total_sizei${size}ee`;
      const part = made.infoBytes.subarray(start, start + METADATA_PIECE_BYTES);
      peer.send(frame(ID.extended, Buffer.concat([Buffer.from([theirId]), Buffer.from(head), part])));
    },
  });
  t.teardown(() => peer.destroy());
  const hello = extended(`d1:md11:ut_metadatai${UT_METADATA_ID}ee13:metadata_sizei${size}ee`);
  peer.send(handshake(made.infoHash, { extended: true, fast: true }), hello, frame(ID.haveNone));
  return peer;
}
