// docs/limits.md 2.18: which address is tried next, how long failures keep one waiting, what is never tried.
import t from 'tap';
import { AddressPolicy, parseCidrs } from '../../../../../shared-protocol/address-policy.js';
import { MAX_OWN_ADDRESSES } from '../../../../../engine/peers/peer-list/admission.js';
import { PeerList, type KnownPeer } from '../../../../../engine/peers/peer-list/peer-list.js';
import { formatAddress } from '../../../../../engine/net/address.js';
import { MINUTE_MS, SECOND_MS, type PeerAddress } from '../../../../../engine/environment.js';

const peer = (n: number): PeerAddress => ({ host: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, port: 6881 });
const take = (known: PeerList, nowMs: number): string | null => {
  const taken = known.take(nowMs);
  return taken ? formatAddress(taken.address) : null;
};
const key = (n: number): string => formatAddress(peer(n));

void t.test('each address is taken once, in the order learnt', async (t) => {
  const known = new PeerList();
  t.equal(known.add([peer(1), peer(2), peer(1)], 'tracker'), 2);
  t.equal(known.add([peer(2), peer(3)], 'magnet'), 1);
  t.equal(known.size, 3);
  t.same([take(known, 0), take(known, 0), take(known, 0), take(known, 0)], [key(1), key(2), key(3), null]);
});

void t.test('what cannot be connected to is not learnt', async (t) => {
  const known = new PeerList();
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
  const known = new PeerList();
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
    const known = new PeerList();
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
  const known = new PeerList();
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
  const known = new PeerList();
  known.add([peer(1), peer(2)], 'tracker');
  take(known, 0);
  known.onDisconnected(peer(1), 'never-connected', 0);
  t.equal(take(known, 1), key(2));
  t.equal(take(known, 1), null);
  t.equal(take(known, MINUTE_MS), key(1));
});

void t.test('forgotten addresses are not taken, and may be learnt again', async (t) => {
  const known = new PeerList();
  known.add([peer(1), peer(2)], 'tracker');
  known.forget(peer(1));
  t.equal(take(known, 0), key(2));
  known.onDisconnected(peer(1), 'lost', 0);
  t.equal(known.size, 1);
  t.equal(known.add([peer(1)], 'tracker'), 1);
  t.equal(take(known, 0), key(1));
});

void t.test('one that is typed again and again is queued once', async (t) => {
  const known = new PeerList();
  for (let n = 0; n < 1_000; n++) known.add([peer(1)], 'manual');
  known.checkInvariant();
  t.equal(take(known, 0), key(1));
  t.equal(known.nextAttemptMs(), null);
  t.equal(take(known, 0), null);
});

void t.test('an address is one, however it is spelled', async (t) => {
  const known = new PeerList();
  t.equal(known.add([{ host: '::ffff:192.0.2.1', port: 6881 }], 'tracker'), 1);
  t.equal(known.add([{ host: '192.0.2.1', port: 6881 }], 'pex'), 0);
  t.equal(known.add([{ host: '2001:DB8:0:0::1', port: 6881 }], 'tracker'), 1);
  t.equal(known.add([{ host: '2001:db8::1', port: 6881 }], 'dht'), 0);
  t.equal(take(known, 0), '192.0.2.1:6881');
  known.onDisconnected({ host: '::ffff:192.0.2.1', port: 6881 }, 'never-connected', 0);
  t.equal(known.get({ host: '192.0.2.1', port: 6881 })?.failures, 1);
  known.checkInvariant();
});

void t.test('what is tried first', async (t) => {
  const rank = (address: PeerAddress): number => (address.host === '10.0.0.8' ? 5 : 0);
  const known = new PeerList({ rank });
  known.add([peer(1)], 'incoming');
  known.add([peer(2)], 'pex');
  known.add([peer(3), peer(4), peer(8)], 'tracker');
  known.add([peer(5)], 'lsd');
  known.add([peer(6)], 'manual');
  known.add([peer(7)], 'dht');
  const order = (): (string | null)[] => Array.from({ length: 8 }, () => take(known, 0));
  t.same(order(), [6, 5, 8, 3, 4, 2, 7, 1].map(key), 'source, then BEP 40, then the order learnt');
  for (let n = 1; n <= 8; n++) known.onDisconnected(peer(n), n === 6 ? 'never-connected' : 'lost', -10 * MINUTE_MS);
  known.add([peer(9)], 'incoming');
  t.same([...order(), take(known, 0)], [5, 8, 3, 4, 2, 7, 1, 9, 6].map(key), 'one that failed comes last');
});

void t.test('after three failures only when nothing else is there', async (t) => {
  const known = new PeerList();
  known.add([peer(1)], 'tracker');
  for (let failure = 0; failure < 3; failure++) {
    take(known, failure * 60 * MINUTE_MS);
    known.onDisconnected(peer(1), 'never-connected', failure * 60 * MINUTE_MS);
  }
  known.add([peer(2), peer(3)], 'incoming');
  const nowMs = 300 * MINUTE_MS;
  t.same([take(known, nowMs), take(known, nowMs), take(known, nowMs)], [key(2), key(3), key(1)]);
});

void t.test('an address that a person gave is tried more often, up to once an hour', async (t) => {
  for (const source of ['manual', 'magnet'] as const) {
    const known = new PeerList();
    known.add([peer(1)], source);
    const waits: number[] = [];
    for (let n = 0; n < 12; n++) {
      take(known, 1e12);
      known.onDisconnected(peer(1), 'never-connected', 0);
      waits.push(known.nextAttemptMs()! / SECOND_MS);
    }
    t.same(waits, [5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600], source);
  }
});

void t.test('a better BEP 40 priority counts once our own address is known', async (t) => {
  const known = new PeerList();
  known.add([peer(1), peer(2), peer(3)], 'tracker');
  known.setRank(({ host }) => Number(host.slice(-1)));
  known.checkInvariant();
  t.same([take(known, 0), take(known, 0), take(known, 0)], [3, 2, 1].map(key));
});

void t.test('a peer that refuses encryption is tried in plain at once, and then as a failure', async (t) => {
  const known = new PeerList();
  known.add([peer(1)], 'tracker');
  t.equal(known.take(1_000)?.mse, 'unknown');
  known.onDisconnected(peer(1), 'mse-refused', 1_000);
  t.match(known.get(peer(1)), { mse: 'refused', failures: 0, notBeforeMs: 1_000 });
  t.equal(known.take(1_000)?.mse, 'refused');
  known.onDisconnected(peer(1), 'mse-refused', 1_000);
  t.match(known.get(peer(1)), { failures: 1, notBeforeMs: 1_000 + MINUTE_MS }, 'no loop, whatever is reported');
  take(known, 10 * MINUTE_MS);
  known.onDisconnected(peer(1), 'never-connected', 10 * MINUTE_MS);
  t.match(known.get(peer(1)), { mse: 'unknown', failures: 2 }, 'plain did not do either: encrypted again next time');
});

void t.test('seeds are left alone while we are one', async (t) => {
  const known = new PeerList();
  known.add([peer(1), peer(2), peer(3)], 'pex');
  const flags = { isSeed: true, prefersEncryption: false, isReachable: false };
  known.hear(peer(1), flags);
  known.setSeeding(true);
  known.hear(peer(2), flags);
  known.checkInvariant();
  t.same([take(known, 0), take(known, 0)], [key(3), null]);
  t.equal(known.nextAttemptMs(), null);
  known.observe(peer(3), { isSeed: true });
  known.onDisconnected(peer(3), 'unwanted', 0);
  t.equal(known.nextAttemptMs(), null, 'it turned out to be one');
  known.setSeeding(false);
  known.checkInvariant();
  t.same([take(known, 0), take(known, 0), take(known, MINUTE_MS)], [key(1), key(2), key(3)]);
});

void t.test('hearsay does not change what a connection has shown', async (t) => {
  const known = new PeerList();
  known.add([peer(1)], 'pex');
  known.observe(peer(1), { isSeed: false, mse: 'works' });
  known.hear(peer(1), { isSeed: true, prefersEncryption: true, isReachable: false });
  t.match(known.get(peer(1)), { isSeed: false, prefersEncryption: true, isReachable: false, mse: 'works' });
  known.hear(peer(2), { isSeed: true, prefersEncryption: true, isReachable: false });
  t.equal(known.get(peer(2)), null, 'nobody is learnt by it');
});

const SOURCES = ['tracker', 'magnet', 'pex', 'dht', 'lsd', 'incoming', 'resume'] as const;

void t.test('privileged ports of strangers are for people only', async (t) => {
  const known = new PeerList();
  for (const source of SOURCES) {
    t.equal(known.add([{ host: '192.0.2.1', port: 1_023 }], source), 0, source);
    t.equal(known.add([{ host: '2001:db8::1', port: 25 }], source), 0, source);
  }
  t.equal(known.add([{ host: '192.0.2.1', port: 1_024 }], 'pex'), 1);
  t.equal(known.add([{ host: '192.0.2.1', port: 443 }], 'manual'), 1);
});

void t.test('what is inside is learnt of those who may name it, and never a service there', async (t) => {
  const known = new PeerList({
    standingOf: (host) => new AddressPolicy(parseCidrs(['10.0.0.0/8'])).standingOf(host),
  });
  for (const source of [...SOURCES, 'manual'] as const) {
    for (const host of ['127.0.0.1', '::1', '192.168.1.1', '100.64.0.1', 'fe80::1', '169.254.169.254']) {
      t.equal(known.add([{ host, port: 6_881 }], source), 0, `${source}: ${host}`);
      t.equal(known.add([{ host, port: 1_023 }], source, true), 0, `${source}: ${host}, privileged`);
    }
    t.equal(known.add([{ host: '169.254.169.254', port: 6_881 }], source, true), 0, `${source}: metadata`);
  }
  t.equal(known.add([{ host: '192.168.1.1', port: 1_024 }], 'tracker', true), 1);
  t.equal(known.add([{ host: '10.0.0.1', port: 80 }], 'tracker'), 1, 'what is open has no services to be spared');
  known.forgetHosts((host) => host.startsWith('192.'));
  t.same([take(known, 0), take(known, 0)], ['10.0.0.1:80', null]);
  known.checkInvariant();
});

void t.test('our own address is not learnt again', async (t) => {
  const known = new PeerList();
  known.add([peer(1), peer(2)], 'tracker');
  take(known, 0);
  known.forgetOwn(peer(1));
  for (const source of ['tracker', 'pex', 'manual'] as const) t.equal(known.add([peer(1)], source), 0, source);
  t.equal(known.size, 1);
  for (let n = 100; n < 100 + MAX_OWN_ADDRESSES; n++) known.forgetOwn(peer(n));
  t.equal(known.add([peer(1)], 'tracker'), 1, 'the memory for them is small; we would find out again');
});

void t.test('the session makes some wait and forbids others', async (t) => {
  const known = new PeerList();
  known.add([peer(1), peer(2), peer(3)], 'tracker');
  const freeAtMs = ({ address }: KnownPeer): number =>
    address.host === '10.0.0.1' ? MINUTE_MS : address.host === '10.0.0.2' ? Infinity : 0;
  t.equal(known.take(0, freeAtMs)?.address.host, '10.0.0.3');
  t.equal(known.take(0, freeAtMs), null);
  t.equal(known.nextAttemptMs(), MINUTE_MS);
  t.equal(known.get(peer(1))?.failures, 0);
  t.equal(known.get(peer(2)), null);
  t.equal(known.take(MINUTE_MS, freeAtMs)?.address.host, '10.0.0.1');
  known.checkInvariant();
});

void t.test('a peer that came to us is not connected to meanwhile', async (t) => {
  const known = new PeerList();
  known.add([peer(1)], 'tracker');
  t.equal(known.hold(peer(1)), true);
  t.equal(known.hold(peer(1)), false);
  t.equal(known.hold(peer(2)), false);
  known.onConnected(peer(1), 77);
  t.equal(take(known, 0), null);
  known.onDisconnected(peer(1), 'lost', 100);
  t.match(known.get(peer(1)), { lastConnectedMs: 77, notBeforeMs: 100 + 5 * SECOND_MS });
});
