// docs/limits.md 2.17: a full list, who yields to whom, floods; private torrents and their sources (BEP 27).
import t from 'tap';
import { formatAddress } from '../../../../../engine/net/address.js';
import {
  PeerList,
  MAX_FAILURES,
  MAX_KNOWN_PEERS,
  MAX_KNOWN_PEERS_PAUSED,
  sourcesIn,
  type PeerSource,
} from '../../../../../engine/peers/peer-list/peer-list.js';
import { MINUTE_MS, type PeerAddress } from '../../../../../engine/environment.js';

const HOUR_MS = 60 * MINUTE_MS;
const peer = (n: number): PeerAddress => ({ host: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, port: 6881 });
const peers = (from: number, count: number): PeerAddress[] => Array.from({ length: count }, (_, i) => peer(from + i));
const key = (n: number): string => formatAddress(peer(n));
const knows = (known: PeerList, n: number): boolean => known.get(peer(n)) !== null;

/** Connects to one of them until it has failed that often. */
function fail(known: PeerList, n: number, times: number, fromMs = 0): void {
  for (let failure = 1; failure <= times; failure++) {
    known.onDisconnected(peer(n), 'never-connected', fromMs + failure * HOUR_MS);
  }
}

void t.test('a full list makes room only for one that failed often enough', async (t) => {
  const known = new PeerList();
  known.add(peers(0, MAX_KNOWN_PEERS + 10), 'tracker');
  t.equal(known.size, MAX_KNOWN_PEERS);
  for (let failure = 1; failure <= MAX_FAILURES; failure++) {
    t.equal(known.add([peer(100_000)], 'tracker'), 0, `after ${failure - 1} failures`);
    fail(known, 7, 1);
  }
  t.equal(known.add([peer(100_000), peer(100_001)], 'tracker'), 1, 'one place, for the first');
  t.equal(known.size, MAX_KNOWN_PEERS);
  t.equal(knows(known, 7), false);
  known.checkInvariant();
});

void t.test('who yields to whom in a full list', async (t) => {
  const rows: readonly { there: PeerSource; failures: number; comes: PeerSource; yields: boolean }[] = [
    { there: 'tracker', failures: 0, comes: 'pex', yields: false },
    { there: 'tracker', failures: 9, comes: 'pex', yields: false },
    { there: 'tracker', failures: 9, comes: 'dht', yields: false },
    { there: 'tracker', failures: 2, comes: 'tracker', yields: false },
    { there: 'tracker', failures: 3, comes: 'tracker', yields: true },
    { there: 'tracker', failures: 0, comes: 'manual', yields: true },
    { there: 'pex', failures: 0, comes: 'tracker', yields: true },
    { there: 'pex', failures: 0, comes: 'pex', yields: false },
    { there: 'pex', failures: 0, comes: 'dht', yields: false },
    { there: 'pex', failures: 3, comes: 'dht', yields: true },
    { there: 'incoming', failures: 0, comes: 'pex', yields: true },
    { there: 'manual', failures: 9, comes: 'tracker', yields: false },
  ];
  for (const { there, failures, comes, yields } of rows) {
    const known = new PeerList({ limit: 1 });
    known.add([peer(1)], there);
    fail(known, 1, failures);
    t.equal(known.add([peer(2)], comes), yields ? 1 : 0, `${there} that failed ${failures} times, ${comes} comes`);
    t.equal(known.size, 1);
    known.checkInvariant();
  }
});

void t.test('a connected peer never yields, whatever it is', async (t) => {
  const known = new PeerList({ limit: 1 });
  known.add([peer(1)], 'incoming');
  fail(known, 1, 5);
  known.take(100 * HOUR_MS);
  t.equal(known.add([peer(2)], 'manual'), 0);
  t.ok(knows(known, 1));
});

void t.test('among equals the failed go first, then who never answered and would be tried last', async (t) => {
  const known = new PeerList({ limit: 4, rank: ({ host }) => (host === '10.0.0.4' ? 1 : 0) });
  known.add(peers(1, 4), 'pex');
  for (let n = 1; n <= 4; n++) known.take(0);
  known.onConnected(peer(1), 0);
  known.onDisconnected(peer(1), 'lost', 0);
  known.onDisconnected(peer(4), 'lost', 0);
  fail(known, 2, 2);
  fail(known, 3, 3);
  for (const [comes, goes] of [
    [10, 3],
    [11, 2],
    [12, 4],
    [13, 1],
  ] as const) {
    t.ok(knows(known, goes));
    t.equal(known.add([peer(comes)], 'tracker'), 1);
    t.notOk(knows(known, goes), `${goes} goes`);
  }
  t.equal(known.add([peer(14)], 'tracker'), 0);
});

void t.test('a peer of several sources counts as its best', async (t) => {
  const known = new PeerList({ limit: 1 });
  known.add([peer(1)], 'pex');
  known.add([peer(1)], 'tracker');
  t.same(sourcesIn(known.get(peer(1))!.sources), ['tracker', 'pex']);
  t.equal(known.add([peer(2)], 'tracker'), 0);
});

void t.test('a paused torrent remembers fewer: the best, and whoever is still connected', async (t) => {
  const known = new PeerList();
  known.add(peers(0, 1_000), 'pex');
  known.add(peers(10_000, 400), 'tracker');
  const taken = known.take(0)!.address;
  fail(known, 10_001, MAX_FAILURES);
  known.setLimit(MAX_KNOWN_PEERS_PAUSED);
  known.checkInvariant();
  t.equal(known.size, MAX_KNOWN_PEERS_PAUSED);
  t.ok(known.get(taken)?.connected);
  t.notOk(knows(known, 10_001), 'it had failed');
  t.equal(peers(10_000, 400).filter((address) => known.get(address)).length, 399);
  known.setLimit(0);
  t.equal(known.size, 1);
  known.onDisconnected(taken, 'lost', 0);
  t.equal(known.size, 0, 'it counts once it has left');
  known.setLimit(10);
  t.equal(known.add([peer(1)], 'pex'), 1);
});

void t.test('a flood of 3,000 messages with 500 addresses each costs next to nothing', async (t) => {
  const known = new PeerList();
  known.add(peers(0, 2_000), 'tracker');
  const before = known.steps;
  let added = 0;
  for (let message = 0; message < 3_000; message++) {
    added += known.add(peers(100_000 + message * 500, 500), 'pex');
    added += known.add(peers(100_000, 500), 'pex');
  }
  t.equal(added, 1_000, 'until the list is full');
  t.equal(known.size, MAX_KNOWN_PEERS);
  t.ok(known.steps - before < 1_000 * 2 * 2 * 12, `${known.steps - before} comparisons, all for those that were added`);
  const full = known.steps;
  t.equal(known.add(peers(2_000_000, 1_100), 'tracker'), 1_000, 'the tracker gets its places all the same');
  t.ok(known.steps - full < 1_000 * 4 * 2 * 12, `${known.steps - full} comparisons`);
  t.equal(peers(0, 2_000).filter((address) => known.get(address)).length, 2_000);
  known.checkInvariant();
});

void t.test('taking and putting back stays cheap in a full list', async (t) => {
  const known = new PeerList();
  known.add(peers(0, MAX_KNOWN_PEERS), 'tracker');
  const before = known.steps;
  for (let n = 0; n < 10_000; n++) {
    const nowMs = n * 1_000;
    const taken = known.take(nowMs);
    if (taken) known.onDisconnected(taken.address, 'never-connected', nowMs);
    known.nextAttemptMs();
  }
  // Four heaps of twelve levels, two comparisons a level, in and out.
  t.ok((known.steps - before) / 10_000 < 4 * 12 * 2, `${(known.steps - before) / 10_000} comparisons each`);
});

void t.test('a private torrent forgets what PEX, DHT and LSD told, and hears them no more', async (t) => {
  const known = new PeerList();
  known.add([peer(1), peer(2), peer(3)], 'pex');
  known.add([peer(2), peer(4)], 'tracker');
  known.add([peer(3), peer(5)], 'dht');
  known.add([peer(6)], 'lsd');
  t.equal(formatAddress(known.take(0)!.address), key(6));
  t.same([known.take(0), known.take(0)].map((taken) => formatAddress(taken!.address)).sort(), [key(2), key(4)]);
  t.same(known.dropSources(['pex', 'dht', 'lsd']).map(formatAddress), [key(6)], 'connected, to be closed');
  t.equal(known.size, 2);
  t.same(sourcesIn(known.get(peer(2))!.sources), ['tracker']);
  known.onDisconnected(peer(6), 'lost', 0);
  t.equal(known.add([peer(2), peer(7)], 'pex') + known.add([peer(7)], 'dht') + known.add([peer(7)], 'lsd'), 0);
  t.equal(known.size, 2);
  known.checkInvariant();
  known.acceptSources(['pex']);
  t.equal(known.add([peer(7)], 'pex'), 1);
  t.equal(known.add([peer(8)], 'dht'), 0);
});
