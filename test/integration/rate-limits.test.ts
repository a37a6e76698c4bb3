// Rate limits of whole daemons, in real time: what passes over the wires in ten seconds, counted by proxies between
// the daemons, is what the limit says within 5 %; torrents share the limit over all; and limits change during
// transfers. Rates are compared, not latencies, so that a busy machine does not matter.
import { mkdir, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { makeTorrent, seededBytes, type MadeTorrent } from '../support/make-torrent.js';
import { KIB, MIB } from '../support/peers/payload.js';
import {
  BLOCK_BYTES,
  frame,
  fullBitfield,
  handshake,
  ID,
  pieceMessage,
  RawPeer,
  request,
} from '../support/peers/raw-peer.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { startWebSeedServer } from '../support/web-seed-server.js';

const PIECE_LENGTH = 128 * KIB;
const SETTLE_MS = 2_000;
const WINDOW_MS = 10_000;
const TIMEOUT_MS = 30_000;
const TORRENTS = 4;
/** The raw peer serves some 6 MB/s. */
const TURN_MS = 20;
const BLOCKS_PER_TURN = 8;
/** BEP 3. */
const CANCEL = 8;
/** Part of what is expected. */
const RATE_TOLERANCE = 0.05;
const SHARE_TOLERANCE = 0.15;
/** Far above every limit here, far below what even a busy machine moves. */
const FULL_SPEED_KBPS = 8 * KIB;

t.setTimeout(120_000);

void t.test('rate limits', async (t) => {
  const bytes = seededBytes(1, 128 * MIB);
  const scratch = await makeScratch('limits', 5 * 128 * MIB);
  t.teardown(() => scratch.remove());
  const [source, sink] = await Promise.all([
    startDaemon({ savePath: join(scratch.path, 'source') }),
    startDaemon({ savePath: join(scratch.path, 'sink') }),
  ]);
  const scene: Scene = { scratch: scratch.path, bytes, source, sink };
  t.teardown(() => Promise.all([source.stop(), sink.stop()]));
  t.jobs = 4;
  await Promise.all([
    t.test('of one torrent, both ways', { buffered: true }, (t) => oneTorrent(t, scene)),
    t.test('over four torrents, both ways', { buffered: true }, (t) => fourTorrents(t, scene)),
    t.test('a slow download does not hold up requests', { buffered: true }, (t) => promptAnswers(t, scene)),
    t.test('of a web seed', { buffered: true }, (t) => webSeed(t, scene)),
  ]);
});

interface Scene {
  readonly scratch: string;
  readonly bytes: Uint8Array;
  /** Seeds, without limits. */
  readonly source: DaemonUnderTest;
  /** Downloads, without limits. */
  readonly sink: DaemonUnderTest;
}

/** It downloads from the source and uploads to the sink, which do not know each other. */
async function oneTorrent(t: Test, { scratch, bytes, source, sink }: Scene): Promise<void> {
  const daemon = await startDaemon({ savePath: join(scratch, 'one') });
  t.teardown(() => daemon.stop());
  const made = torrentOf('one', bytes);
  await seed(source, made);
  const id = await daemon.addTorrentFile(made.torrentBytes);
  const limit = (down_kbps: number, up_kbps: number) =>
    put(daemon, `/api/torrents/${id}/rate_limits`, { down_kbps, up_kbps });
  await limit(2 * KIB, KIB);
  const down = await startProxy(t, source.peerPort);
  const up = await startProxy(t, daemon.peerPort);
  await daemon.addPeers(id, down.address);
  await sink.addTorrentFile(made.torrentBytes);
  await sink.addPeers(id, up.address);
  const measure = async (name: string, downKbps: number, upKbps: number): Promise<void> => {
    const [downSpeed = 0, upSpeed = 0] = await speedsOf([down, up]);
    isNear(t, downSpeed, downKbps, RATE_TOLERANCE, `${name}: down`);
    isNear(t, upSpeed, upKbps, RATE_TOLERANCE, `${name}: up`);
  };
  await waitUntil('both ways', TIMEOUT_MS, () => (down.bytes > 0 && up.bytes > MIB) || undefined);
  await measure('2 MB/s down, 1 MB/s up', 2 * KIB, KIB);
  await limit(3 * KIB, 512);
  await measure('3 MB/s down, 0.5 MB/s up', 3 * KIB, 512);
  await limit(0, 0);
  const [downSpeed, upSpeed] = await Promise.all([
    speedUntil(down, () => daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS)),
    speedUntil(up, () => sink.waitFor(id, ({ completed }) => completed, TIMEOUT_MS)),
  ]);
  t.ok(downSpeed > FULL_SPEED_KBPS, `unlimited again: down, ${downSpeed} KiB/s`);
  t.ok(upSpeed > FULL_SPEED_KBPS, `unlimited again: up, ${upSpeed} KiB/s`);
}

/** Four torrents that it downloads from the source, and four others that the sink downloads from it. */
async function fourTorrents(t: Test, { scratch, bytes, source, sink }: Scene): Promise<void> {
  const daemon = await startDaemon({ savePath: join(scratch, 'four') });
  t.teardown(() => daemon.stop());
  const limits = { down_kbps: 5 * KIB, up_kbps: 5 * KIB, alt_down_kbps: 2.5 * KIB, alt_up_kbps: 7.5 * KIB };
  await put(daemon, '/api/settings/limits', { ...limits, alt_active: false });
  const down: Proxy[] = [];
  const up: Proxy[] = [];
  for (let i = 0; i < TORRENTS; i++) {
    const wanted = bytes.subarray(i * MIB, (i + 40) * MIB);
    const offered = bytes.subarray(i * MIB, (i + 56) * MIB);
    down.push(await pairUp(t, source, daemon, torrentOf(`down-${i}`, wanted)));
    up.push(await pairUp(t, daemon, sink, torrentOf(`up-${i}`, offered)));
  }
  const measure = async (name: string, downKbps: number, upKbps: number): Promise<void> => {
    const speeds = await speedsOf([...down, ...up]);
    const ways = [
      { way: 'down', speeds: speeds.slice(0, TORRENTS), kbps: downKbps },
      { way: 'up', speeds: speeds.slice(TORRENTS), kbps: upKbps },
    ];
    for (const { way, speeds, kbps } of ways) {
      isNear(t, sum(speeds), kbps, RATE_TOLERANCE, `${name}: ${way}`);
      for (const speed of speeds) isNear(t, speed, kbps / TORRENTS, SHARE_TOLERANCE, `${name}: a quarter ${way}`);
    }
  };
  await waitUntil(
    'all transfers',
    TIMEOUT_MS,
    () => [...down, ...up].every(({ bytes }) => bytes > 64 * KIB) || undefined,
  );
  await measure('5 MB/s both ways', 5 * KIB, 5 * KIB);
  t.same((await daemon.api('POST', '/api/settings/alt_speed/toggle')).json, { alt_active: true });
  await measure('2.5 MB/s down, 7.5 MB/s up', 2.5 * KIB, 7.5 * KIB);
}

/** One connection carries a download that is slowed down to 20 KB/s, and requests of its other end. */
async function promptAnswers(t: Test, { bytes, source }: Scene): Promise<void> {
  const content = bytes.subarray(0, 64 * MIB);
  const made = torrentOf('prompt', content);
  const half = new Uint8Array(content.length);
  half.set(content.subarray(0, content.length / 2));
  await mkdir(source.savePath, { recursive: true });
  await writeFile(join(source.savePath, 'prompt'), half);
  const id = await source.addTorrentFile(made.torrentBytes);
  await source.waitFor(id, ({ verifying, bytes_done }) => !verifying && bytes_done > 0, TIMEOUT_MS);
  let sentBytes = 0;
  let answeredAtMs = 0;
  let isUnchoked = false;
  /** Requests as they came, without the frame's header. */
  const queue: Buffer[] = [];
  const peer = await RawPeer.connect(source.peerPort, {
    onMessage({ id, payload }) {
      if (id === ID.unchoke) isUnchoked = true;
      if (id === ID.piece) answeredAtMs = performance.now();
      if (id === ID.request) queue.push(payload);
      if (id !== CANCEL) return;
      const at = queue.findIndex((waiting) => waiting.equals(payload));
      if (at >= 0) peer.send(...queue.splice(at, 1).map((taken) => frame(ID.reject, taken)));
    },
  });
  const serving = setInterval(() => {
    for (const payload of queue.splice(0, BLOCKS_PER_TURN)) {
      const [piece, begin, length] = [payload.readUInt32BE(0), payload.readUInt32BE(4), payload.readUInt32BE(8)];
      const start = piece * PIECE_LENGTH + begin;
      sentBytes += length;
      peer.send(pieceMessage(piece, begin, content.subarray(start, start + length)));
    }
  }, TURN_MS);
  t.teardown(() => {
    clearInterval(serving);
    peer.destroy();
  });
  peer.send(handshake(made.infoHash, { fast: true }), fullBitfield(content.length / PIECE_LENGTH), frame(ID.unchoke));
  peer.send(frame(ID.interested));
  await waitUntil('a fast download', TIMEOUT_MS, () => (isUnchoked && sentBytes > 8 * MIB) || undefined);
  await put(source, `/api/torrents/${id}/rate_limits`, { down_kbps: 20, up_kbps: 0 });
  await sleep(SETTLE_MS);
  const before = { sentBytes, atMs: performance.now() };
  const waits: number[] = [];
  for (let i = 0; i < 20; i++) {
    await sleep(300);
    const askedAtMs = performance.now();
    answeredAtMs = 0;
    peer.send(request(i % 8, 0, BLOCK_BYTES));
    await waitUntil('an answer', TIMEOUT_MS, () => answeredAtMs > 0 || undefined);
    waits.push(Math.round(answeredAtMs - askedAtMs));
  }
  const late = waits.filter((ms) => ms > 1_000);
  t.ok(late.length <= 1, `answered within a second, one may be the machine's fault: ${waits.join()} ms`);
  const seconds = (performance.now() - before.atMs) / 1_000;
  const downKbps = (sentBytes - before.sentBytes) / KIB / seconds;
  t.ok(downKbps > 10 && downKbps < 30, `and the download goes on meanwhile: ${downKbps} KiB/s`);
}

/** Nothing counts what it sends, so the limit shows in how long it takes. */
async function webSeed(t: Test, { bytes, source }: Scene): Promise<void> {
  const content = bytes.subarray(0, 10 * MIB);
  const server = await startWebSeedServer({ files: { '/web.bin': content } });
  t.teardown(() => server.close());
  const webSeeds = [`${server.origin}/web.bin`];
  const made = makeTorrent({ name: 'web.bin', pieceLength: PIECE_LENGTH, files: content, webSeeds });
  const id = await source.addTorrentFile(made.torrentBytes, join(source.savePath, made.infoHash));
  await put(source, `/api/torrents/${id}/rate_limits`, { down_kbps: KIB, up_kbps: 0 });
  const { bytes_done } = await source.torrent(id);
  const startMs = performance.now();
  await source.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  const kbps = (content.length - bytes_done) / KIB / ((performance.now() - startMs) / 1_000);
  // Progress shows once a second.
  isNear(t, Math.round(kbps), KIB, 0.2, '1 MB/s of a web seed');
}

/** Connects the two for one torrent, through a proxy that counts. */
async function pairUp(t: Test, from: DaemonUnderTest, to: DaemonUnderTest, made: NamedTorrent): Promise<Proxy> {
  const id = await seed(from, made);
  const proxy = await startProxy(t, from.peerPort);
  await to.addTorrentFile(made.torrentBytes);
  await to.addPeers(id, proxy.address);
  return proxy;
}

interface NamedTorrent extends MadeTorrent {
  readonly name: string;
}

/** Of one file. Private (BEP 27): nobody is told of other peers. */
function torrentOf(name: string, bytes: Uint8Array): NamedTorrent {
  return { name, ...makeTorrent({ name, pieceLength: PIECE_LENGTH, files: bytes, private: true }) };
}

/** Its id, once it is complete. */
async function seed(daemon: DaemonUnderTest, made: NamedTorrent): Promise<string> {
  const folder = join(daemon.savePath, made.infoHash);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, made.name), made.payload);
  const id = await daemon.addTorrentFile(made.torrentBytes, folder);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  return id;
}

async function put(daemon: DaemonUnderTest, path: string, body: unknown): Promise<void> {
  const { status, json } = await daemon.api('PUT', path, body);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(json)}`);
}

/** KiB/s of each over a window, after the time to settle. */
async function speedsOf(proxies: readonly Proxy[]): Promise<number[]> {
  await sleep(SETTLE_MS);
  return Promise.all(proxies.map((proxy) => speedUntil(proxy, () => sleep(WINDOW_MS))));
}

async function speedUntil(proxy: Proxy, done: () => Promise<unknown>): Promise<number> {
  const { bytes } = proxy;
  const startMs = performance.now();
  await done();
  return Math.round((proxy.bytes - bytes) / KIB / ((performance.now() - startMs) / 1_000));
}

function isNear(t: Test, kbps: number, expected: number, tolerance: number, name: string): void {
  const off = kbps / expected - 1;
  t.ok(Math.abs(off) <= tolerance, `${name}: ${kbps} KiB/s, ${(100 * off).toFixed(1)} % off ${expected}`);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

interface Proxy {
  readonly address: string;
  /** From the peer behind it to the one that connects. */
  readonly bytes: number;
}

/** Passes connections on to a port of 127.0.0.1. */
async function startProxy(t: Test, port: number): Promise<Proxy> {
  let bytes = 0;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    far.on('data', (data) => (bytes += data.length));
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => other.destroy());
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return {
    address: `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    get bytes() {
      return bytes;
    },
  };
}
