// One engine, several fronts: each is told all of it, neither is held up by the other, and none takes the engine from another.
import t, { type Test } from 'tap';
import { createInProcessTransport } from '../../support/in-process-transport.js';
import { parseInfoHash, ADMIN_ACCOUNT_ID, type TorrentId } from '../../../shared-protocol/ids.js';
import type { StreamTransport } from '../../../api/engine-client/stream-transport.js';
import { TEST_ENGINE_OPTIONS } from '../../support/engine-options.js';
import { Hosted } from '../../support/hosted-engine.js';
import { KnownTorrents } from '../../support/known-torrents.js';
import { MemoryEngine } from '../../support/memory-engine.js';
import { waitUntil } from '../../support/peers/wait-until.js';

const TIMEOUT_MS = 30_000;
const idOf = (n: number): TorrentId => parseInfoHash(n.toString(16).padStart(40, '0'));

async function scene(t: Test) {
  const engine = new MemoryEngine();
  let engines = 0;
  const createEngine = () => {
    engines++;
    return createInProcessTransport(engine.handlers);
  };
  const hosted = await Hosted.start(createEngine, { maxFronts: 2 });
  t.teardown(() => hosted.close());
  const begin = async (options = TEST_ENGINE_OPTIONS) => {
    const front = hosted.front();
    const known = new KnownTorrents(front);
    await front.reached();
    await front.client.start(options);
    return { front, known };
  };
  const add = (front: StreamTransport, n: number) =>
    front.client.addTorrent({
      source: { kind: 'magnet', uri: `magnet:?xt=urn:btih:${idOf(n)}` },
      ...{ savePath: '/srv', ownerId: ADMIN_ACCOUNT_ID, paused: false },
    });
  return { engine, hosted, begin, add, engines: () => engines };
}

const idsOf = ({ torrents }: KnownTorrents) => [...torrents.keys()].toSorted();

void t.test('what is done by one is seen by the other, with its figures', async (t) => {
  const { engine, begin, add } = await scene(t);
  const one = await begin();
  await add(one.front, 1);
  const other = await begin();
  t.same(idsOf(other.known), [idOf(1)]);
  await add(other.front, 2);
  engine.setStats(idOf(2), { peers: 22 });
  for (const { front, known } of [one, other]) {
    // Figures and events come before the answer.
    await front.client.health({});
    t.same(idsOf(known), [1, 2].map(idOf));
    t.equal(known.peersOf(idOf(2)), 22);
  }
  await one.front.client.removeTorrent({ id: idOf(2), deleteData: false });
  await other.front.client.health({});
  t.same(idsOf(other.known), [idOf(1)]);
});

void t.test('one is cut, and comes back to what it has missed; the other is not', async (t) => {
  const { engine, hosted, begin, add } = await scene(t);
  const [one, other] = [await begin(), await begin()];
  for (let round = 1; round <= 5; round++) {
    hosted.cut();
    await addAgain(other.front, () => add(other.front, round));
    engine.setStats(idOf(round), { peers: round });
    for (const { front, known } of [one, other]) {
      await waitUntil(
        'it is back',
        TIMEOUT_MS,
        () => (front.state === 'running' && front.awaySinceMs === null) || undefined,
      );
      await front.client.health({});
      t.equal(known.torrents.size, round);
      t.equal(known.peersOf(idOf(round)), round);
      t.ok(known.returns.every((how) => how === 'resumed'));
    }
  }
});

/** Again until its stream is back. */
function addAgain(front: StreamTransport, add: () => Promise<unknown>): Promise<unknown> {
  return waitUntil('it is added', TIMEOUT_MS, async () => {
    if (front.state !== 'running') return undefined;
    return add().catch(() => undefined);
  });
}

void t.test('one that comes beside another takes the engine as it is', async (t) => {
  const { engine, begin, add, engines } = await scene(t);
  const one = await begin();
  await add(one.front, 1);
  const limits = { downBytesPerSec: 5, upBytesPerSec: 6 };
  const other = await begin({ ...TEST_ENGINE_OPTIONS, peerPort: 7_777, encryption: 'off', rateLimits: limits });
  t.equal(engines(), 1, 'no transfer was interrupted');
  t.same(engine.rateLimits, limits, 'what can change meanwhile holds');
  t.equal(one.front.awaySinceMs, null);
  await one.front.close();
  await waitUntil('one alone', TIMEOUT_MS, async () => {
    await other.front.client.start({ ...TEST_ENGINE_OPTIONS, peerPort: 7_777, rateLimits: limits });
    return engines() === 2 || undefined;
  });
  t.same(idsOf(other.known), [idOf(1)], 'and alone it has the engine as it wants it');
});

void t.test('more than were asked for are refused, and told why', async (t) => {
  const { hosted, begin } = await scene(t);
  const one = await begin();
  await begin();
  await t.rejects(hosted.front().reached(), { message: /refused \(409\): 2 other fronts are connected \(--fronts\)/ });
  await one.front.close();
  const gone = () => hosted.lines.all.some((line) => line.startsWith('front gone')) || undefined;
  await waitUntil('there is room', TIMEOUT_MS, gone);
  await begin();
});
