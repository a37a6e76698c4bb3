// A front and an engine of its own process, whose stream is cut: what was told meanwhile is told after it, or all is told
// anew, and commands that nobody can answer are refused at once.
import t, { type Test } from 'tap';
import { createInProcessTransport } from '../../support/in-process-transport.js';
import { parseInfoHash, ADMIN_ACCOUNT_ID, type TorrentId } from '../../../shared-protocol/ids.js';
import { TEST_ENGINE_OPTIONS } from '../../support/engine-options.js';
import { Hosted, type HostedOptions } from '../../support/hosted-engine.js';
import { KnownTorrents } from '../../support/known-torrents.js';
import { MemoryEngine } from '../../support/memory-engine.js';
import { waitUntil } from '../../support/peers/wait-until.js';

const TIMEOUT_MS = 30_000;
const idOf = (n: number): TorrentId => parseInfoHash(n.toString(16).padStart(40, '0'));

async function scene(t: Test, options: HostedOptions = {}) {
  const engine = new MemoryEngine();
  const hosted = await Hosted.start(() => createInProcessTransport(engine.handlers), options);
  t.teardown(() => hosted.close());
  const front = hosted.front();
  const known = new KnownTorrents(front);
  await front.reached();
  await front.client.start(TEST_ENGINE_OPTIONS);
  const add = (n: number) =>
    front.client.addTorrent({
      source: { kind: 'magnet', uri: `magnet:?xt=urn:btih:${idOf(n)}` },
      ...{ savePath: '/srv', ownerId: ADMIN_ACCOUNT_ID, paused: false },
    });
  const isBack = (times: number) =>
    waitUntil('the front is back', TIMEOUT_MS, () => known.returns.length === times || undefined);
  return { engine, hosted, front, known, add, isBack };
}

void t.test('what was told while the stream was cut is told after it', async (t) => {
  const { engine, hosted, front, known, add, isBack } = await scene(t);
  for (let n = 1; n <= 3; n++) await add(n);
  t.equal(known.torrents.size, 3);
  for (let round = 1; round <= 5; round++) {
    hosted.cut();
    // Happens at the engine whoever listens.
    engine.setFacts(idOf(1), { name: `round ${round}` });
    engine.setStats(idOf(2), { peers: round });
    await isBack(round);
    t.equal(known.returns.at(-1), 'resumed');
    await front.client.health({});
    t.equal(known.peersOf(idOf(2)), round);
  }
  t.equal(known.added, 3, 'nothing was told twice');
  t.equal(front.awaySinceMs, null);
});

void t.test('commands are refused while it is away, and what it told stays', async (t) => {
  const { engine, hosted, front, known, add } = await scene(t);
  await add(1);
  engine.setStats(idOf(1), { peers: 7 });
  await front.client.health({});
  await hosted.end();
  await waitUntil('it is away', TIMEOUT_MS, () => front.state === 'away' || undefined);
  t.ok(Date.now() - (front.awaySinceMs ?? 0) < TIMEOUT_MS);
  const beganMs = performance.now();
  await t.rejects(front.client.pauseTorrent({ id: idOf(1) }), { code: 'ENGINE_AWAY', message: /^engine unix: / });
  t.ok(performance.now() - beganMs < 2_000);
  t.equal(known.peersOf(idOf(1)), 0, 'nobody is connected as far as is known');
  t.equal(known.torrents.size, 1);
});

void t.test('another run of the engine tells everything anew', async (t) => {
  const { hosted, front, known, add, isBack } = await scene(t);
  for (let n = 1; n <= 3; n++) await add(n);
  await hosted.end();
  await hosted.begin();
  await isBack(1);
  t.same(known.returns, ['anew']);
  await t.rejects(front.client.pauseTorrent({ id: idOf(1) }), {
    code: 'ENGINE_AWAY',
    message: /it loads its torrents/,
  });
  t.not(front.awaySinceMs, null, 'until all has been told');
  const { torrents } = await front.client.start(TEST_ENGINE_OPTIONS);
  t.equal(torrents, 3);
  t.equal(front.awaySinceMs, null);
  t.equal(known.added, 6);
  t.equal(known.peersOf(idOf(3)), 0, 'with the figures of now');
  hosted.cut();
  await isBack(2);
  t.equal(known.returns[1], 'resumed');
});

void t.test('an engine that was cut off before it had told all is told to begin again', async (t) => {
  const { hosted, front, known, add, isBack } = await scene(t);
  await add(1);
  await hosted.end();
  await hosted.begin();
  await isBack(1);
  const cutOff = t.rejects(front.client.start(TEST_ENGINE_OPTIONS), {
    code: 'ENGINE_TIMEOUT',
    message: /may have done/,
  });
  hosted.cut();
  await cutOff;
  await isBack(2);
  t.same(known.returns, ['anew', 'anew']);
  await front.client.start(TEST_ENGINE_OPTIONS);
  hosted.cut();
  await isBack(3);
  t.equal(known.returns[2], 'resumed');
});

void t.test('a large torrent file holds up nobody', async (t) => {
  const { front } = await scene(t);
  const order: string[] = [];
  const large = front.client
    .readMetainfo({ bytes: new Uint8Array(9 * 1024 * 1024), maxFiles: 1 })
    .catch((error: { code: string }) => order.push(error.code));
  const small = front.client.health({}).then(() => order.push('health'));
  await Promise.all([large, small]);
  t.same(order, ['health', 'TORRENT_INVALID']);
});

void t.test('the engine goes on when its front goes, and another run of the front finds it', async (t) => {
  const { engine, hosted, front, add } = await scene(t);
  await add(1);
  await front.close();
  t.equal(front.state, 'stopped');
  await t.rejects(front.client.health({}), { code: 'ENGINE_NOT_RUNNING' });
  const next = hosted.front();
  const known = new KnownTorrents(next);
  await waitUntil(
    'the other is gone',
    TIMEOUT_MS,
    () => hosted.lines.all.some((line) => line.startsWith('front gone')) || undefined,
  );
  await next.reached();
  await next.client.start({ ...TEST_ENGINE_OPTIONS, rateLimits: { downBytesPerSec: 5, upBytesPerSec: 6 } });
  t.same([...known.torrents.keys()], [idOf(1)]);
  t.same(engine.rateLimits, { downBytesPerSec: 5, upBytesPerSec: 6 }, 'what it says holds');
});

void t.test('an engine that starts by itself has what its front said last', async (t) => {
  const { engine, hosted, front, add } = await scene(t);
  await add(1);
  await front.client.setRateLimits({ downBytesPerSec: 11, upBytesPerSec: 12 });
  await front.client.setNetwork({ bind: 'wg7', proxy: null });
  await hosted.end();
  await front.close();
  engine.started = null;
  await hosted.begin();
  t.match(engine.started, { rateLimits: { downBytesPerSec: 11, upBytesPerSec: 12 }, network: { bind: 'wg7' } });
});

void t.test('an engine that cannot start by itself waits for a front, which is told why', async (t) => {
  let engine = new MemoryEngine();
  const hosted = await Hosted.start(() => createInProcessTransport(engine.handlers));
  t.teardown(() => hosted.close());
  const front = hosted.front();
  await front.reached();
  await front.client.start(TEST_ENGINE_OPTIONS);
  await hosted.end();
  await front.close();
  engine = new MemoryEngine({ takenPorts: [TEST_ENGINE_OPTIONS.peerPort] });
  await hosted.begin();
  t.ok(hosted.lines.all.some((line) => line.startsWith('does not go on by itself')));
  const next = hosted.front();
  await next.reached();
  await t.rejects(next.client.start(TEST_ENGINE_OPTIONS), { code: 'LISTEN_FAILED' });
  await next.client.start({ ...TEST_ENGINE_OPTIONS, peerPort: 7_000 });
});
