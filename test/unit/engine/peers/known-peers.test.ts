// safety.md 2.18: how many addresses are kept, which is tried next, and how long failures keep one waiting.
import t from 'tap';
import { KnownPeers, MAX_FAILURES, MAX_KNOWN_PEERS } from '../../../../engine/peers/known-peers.js';
import { formatAddress } from '../../../../engine/peers/address.js';
import { MINUTE_MS, SECOND_MS, type PeerAddress } from '../../../../engine/ports.js';

const peer = (n: number): PeerAddress => ({ host: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, port: 6881 });
const take = (known: KnownPeers, nowMs: number): string | null => {
  const taken = known.take(nowMs);
  return taken ? formatAddress(taken.address) : null;
};
const key = (n: number): string => formatAddress(peer(n));

void t.test('each address is taken once, in the order learnt', async (t) => {
  const known = new KnownPeers();
  t.equal(known.add([peer(1), peer(2), peer(1)], 'tracker'), 2);
  t.equal(known.add([peer(2), peer(3)], 'magnet'), 1);
  t.equal(known.size, 3);
  t.same([take(known, 0), take(known, 0), take(known, 0), take(known, 0)], [key(1), key(2), key(3), null]);
});

void t.test('what cannot be connected to is not learnt', async (t) => {
  const known = new KnownPeers();
  t.equal(
    known.add(
      [
        { host: '0.0.0.0', port: 1 },
        { host: '10.0.0.1', port: 0 },
        { host: '224.0.0.1', port: 1 },
      ],
      'tracker',
    ),
    0,
  );
  t.equal(known.size, 0);
});

void t.test('an address typed by hand goes first, and is tried again at once', async (t) => {
  const known = new KnownPeers();
  known.add([peer(1), peer(2)], 'tracker');
  known.add([peer(3)], 'manual');
  t.equal(take(known, 0), key(3));
  known.onDisconnected(peer(3), 'never-connected', 0);
  t.equal(take(known, 0), key(1));
  t.equal(known.add([peer(3)], 'manual'), 0, 'it is not new');
  t.equal(take(known, 0), key(3));
  known.add([peer(3)], 'manual');
  t.equal(take(known, 0), key(2), 'one that is connected is left alone');
  t.equal(take(known, 0), null);
});

void t.test('waiting times after each kind of end', async (t) => {
  for (const { kind, waits } of [
    { kind: 'lost', waits: [5 * SECOND_MS, 5 * SECOND_MS, 5 * SECOND_MS] },
    { kind: 'never-connected', waits: [MINUTE_MS, 2 * MINUTE_MS, 3 * MINUTE_MS] },
    { kind: 'unwanted', waits: [MINUTE_MS, 2 * MINUTE_MS, 3 * MINUTE_MS] },
    { kind: 'violation', waits: [60 * MINUTE_MS, 60 * MINUTE_MS, 60 * MINUTE_MS] },
  ] as const) {
    const known = new KnownPeers();
    known.add([peer(1)], 'tracker');
    let nowMs = 1_000;
    for (const wait of waits) {
      t.equal(take(known, nowMs), key(1));
      t.equal(known.nextAttemptMs(), null, 'connected');
      known.onDisconnected(peer(1), kind, nowMs);
      t.equal(known.nextAttemptMs(), nowMs + wait, kind);
      t.equal(take(known, nowMs + wait - 1), null);
      nowMs += wait;
    }
  }
});

void t.test('an orderly end after failures starts the count anew', async (t) => {
  const known = new KnownPeers();
  known.add([peer(1)], 'tracker');
  for (const [kind, wait] of [
    ['never-connected', MINUTE_MS],
    ['never-connected', 2 * MINUTE_MS],
    ['lost', 5 * SECOND_MS],
    ['never-connected', MINUTE_MS],
  ] as const) {
    take(known, 10 * 60 * MINUTE_MS);
    known.onDisconnected(peer(1), kind, 0);
    t.equal(known.nextAttemptMs(), wait);
  }
});

void t.test('one that waits does not hold up the others', async (t) => {
  const known = new KnownPeers();
  known.add([peer(1), peer(2)], 'tracker');
  take(known, 0);
  known.onDisconnected(peer(1), 'never-connected', 0);
  t.equal(take(known, 1), key(2));
  t.equal(take(known, 1), null);
  t.equal(take(known, MINUTE_MS), key(1));
});

void t.test('a full list makes room only for one that failed often enough', async (t) => {
  const known = new KnownPeers();
  known.add(
    Array.from({ length: MAX_KNOWN_PEERS + 10 }, (_, i) => peer(i)),
    'tracker',
  );
  t.equal(known.size, MAX_KNOWN_PEERS);
  t.equal(known.add([peer(100_000)], 'tracker'), 0, 'nobody has failed');
  for (let failure = 1; failure <= MAX_FAILURES; failure++) {
    t.equal(known.add([peer(100_000)], 'tracker'), 0, `after ${failure - 1} failures`);
    const nowMs = failure * 60 * MINUTE_MS;
    // All the others are connected by then.
    while (take(known, nowMs) !== key(7));
    known.onDisconnected(peer(7), 'never-connected', nowMs);
  }
  t.equal(known.add([peer(100_000), peer(100_001)], 'tracker'), 1, 'one place, for the first');
  t.equal(known.size, MAX_KNOWN_PEERS);
});

void t.test('forgotten addresses are not taken, and may be learnt again', async (t) => {
  const known = new KnownPeers();
  known.add([peer(1), peer(2)], 'tracker');
  known.forget(peer(1));
  t.equal(take(known, 0), key(2));
  known.onDisconnected(peer(1), 'lost', 0);
  t.equal(known.size, 1);
  t.equal(known.add([peer(1)], 'tracker'), 1);
  t.equal(take(known, 0), key(1));
});
