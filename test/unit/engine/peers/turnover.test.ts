// docs/limits.md 2.18: who makes room in a torrent that is nearly full, and who never has to.
import t from 'tap';
import fc from 'fast-check';
import { isRedundant, peersToDrop, victimFor, type TurnoverView } from '../../../../engine/peers/turnover.js';
import { MINUTE_MS, SECOND_MS } from '../../../../engine/environment.js';

const NOW_MS = 60 * MINUTE_MS;
const idle = (key: number, facts: Partial<TurnoverView> = {}): TurnoverView => ({
  key,
  connectedAtMs: NOW_MS - 5 * MINUTE_MS,
  lastPayloadMs: null,
  downloadRate: 0,
  uploadRate: 0,
  downloadedBytes: 0,
  uploadedBytes: 0,
  weAreInterested: false,
  interested: false,
  isServed: false,
  priority: 0,
  ...facts,
});
const crowd = (count: number, facts: Partial<TurnoverView> = {}): TurnoverView[] =>
  Array.from({ length: count }, (_, key) => idle(key, facts));
const due = { maxPeers: 100, lastTurnoverMs: NOW_MS - 300 * SECOND_MS };
const notDue = { maxPeers: 100, lastTurnoverMs: NOW_MS - 299 * SECOND_MS };

void t.test('4 % go every five minutes, once a torrent is 90 % full', async (t) => {
  for (const { connected, given, drops } of [
    { connected: 89, given: due, drops: 0 },
    { connected: 90, given: due, drops: 3 },
    { connected: 100, given: due, drops: 4 },
    { connected: 100, given: notDue, drops: 0 },
    { connected: 9, given: { ...due, maxPeers: 10 }, drops: 1 },
    { connected: 0, given: { ...due, maxPeers: 0 }, drops: 0 },
  ]) {
    const dropped = peersToDrop(crowd(connected), given, NOW_MS);
    t.equal(dropped.length, drops, `${connected} of ${given.maxPeers}`);
    t.ok(dropped.every(({ reason }) => reason === 'turnover'));
  }
});

void t.test('some are never dropped', async (t) => {
  for (const [why, facts] of Object.entries({
    'sends to us': { downloadRate: 1 },
    'takes from us': { uploadRate: 1 },
    'is about to take': { isServed: true, interested: true },
    'has only just come': { connectedAtMs: NOW_MS - 59 * SECOND_MS },
  })) {
    t.same(peersToDrop(crowd(100, facts), due, NOW_MS), [], why);
    t.equal(victimFor({ priority: 9 }, crowd(100, facts), NOW_MS), null, why);
  }
});

void t.test('the least worth goes first', async (t) => {
  const peers = [
    ...crowd(94, { downloadRate: 1_000 }),
    idle(101, { weAreInterested: true, interested: true }),
    idle(102, { weAreInterested: true }),
    idle(103, { interested: true }),
    idle(104, { downloadedBytes: 1_000_000 }),
    idle(105, { priority: 5 }),
    idle(106),
  ];
  const order: number[] = [];
  while (peers.length > 94) {
    const [drop] = peersToDrop(peers, { ...due, maxPeers: 95 }, NOW_MS);
    order.push(drop!.key);
    peers.splice(
      peers.findIndex(({ key }) => key === drop!.key),
      1,
    );
  }
  t.same(order, [106, 105, 104, 103, 102, 101]);
});

void t.test('those that sleep go when it is nearly full, the longest asleep first', async (t) => {
  const asleep = (key: number, sinceMs: number): TurnoverView =>
    idle(key, { connectedAtMs: 0, lastPayloadMs: NOW_MS - sinceMs });
  const busy = crowd(85, { downloadRate: 1 });
  const sleepers = [asleep(101, 600_000), asleep(102, 900_000), asleep(103, 599_999), asleep(104, 700_000)];
  t.same(peersToDrop([...busy, ...sleepers], notDue, NOW_MS), [], '89 of 100');
  const more = [...busy, ...sleepers, idle(105, { connectedAtMs: 0, interested: true }), asleep(106, 650_000)];
  t.same(
    peersToDrop(more, notDue, NOW_MS),
    [
      { key: 102, reason: 'inactive' },
      { key: 104, reason: 'inactive' },
    ],
    '91 of 100: as many as leave room',
  );
  t.same(
    peersToDrop(more, due, NOW_MS).map(({ reason }) => reason),
    ['inactive', 'inactive', 'turnover'],
    'they count as part of the turnover',
  );
});

void t.test('whatever the peers, nobody is dropped twice or against the rules', async () => {
  const view = fc.record({
    connectedAtMs: fc.nat(NOW_MS),
    lastPayloadMs: fc.option(fc.nat(NOW_MS)),
    downloadRate: fc.constantFrom(0, 0, 0, 5),
    uploadRate: fc.constantFrom(0, 0, 0, 5),
    weAreInterested: fc.boolean(),
    interested: fc.boolean(),
    isServed: fc.boolean(),
    priority: fc.nat(5),
  });
  fc.assert(
    fc.property(fc.array(view, { maxLength: 60 }), fc.integer({ min: 1, max: 60 }), (views, maxPeers) => {
      const peers = views.map((facts, key) => idle(key, facts));
      const drops = peersToDrop(peers, { ...due, maxPeers }, NOW_MS).map(({ key }) => peers[key]!);
      const victim = victimFor({ priority: 3 }, peers, NOW_MS);
      if (victim !== null && peers[victim]!.priority >= 3) return false;
      const met = [...drops, ...(victim === null ? [] : [peers[victim]!])];
      return (
        new Set(drops).size === drops.length &&
        (drops.length === 0 || peers.length >= maxPeers * 0.9) &&
        met.every((it) => it.downloadRate + it.uploadRate === 0 && !it.isServed && NOW_MS - it.connectedAtMs >= 60_000)
      );
    }),
  );
});

void t.test('a newcomer of higher priority takes the place of the lowest (BEP 40)', async (t) => {
  const peers = [
    idle(1, { priority: 5 }),
    idle(2, { priority: 2 }),
    idle(3, { priority: 1, uploadRate: 10 }),
    idle(4, { priority: 3 }),
  ];
  t.equal(victimFor({ priority: 4 }, peers, NOW_MS), 2);
  t.equal(victimFor({ priority: 3 }, peers, NOW_MS), 2);
  t.equal(victimFor({ priority: 2 }, peers, NOW_MS), null, 'the one that is there stays');
  t.equal(victimFor({ priority: 4 }, [], NOW_MS), null);
});

void t.test('a connection is redundant when neither side wants anything (BEP 21)', async (t) => {
  const leech = { isSeed: false, uploadOnly: false };
  const seed = { isSeed: true, uploadOnly: false };
  const partialSeed = { isSeed: false, uploadOnly: true };
  for (const us of [seed, partialSeed]) {
    for (const them of [seed, partialSeed]) t.equal(isRedundant(us, them), true);
    t.equal(isRedundant(us, leech), false);
    t.equal(isRedundant(leech, us), false);
  }
  t.equal(isRedundant(leech, leech), false);
});
