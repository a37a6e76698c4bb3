// Whom the session talks to: bans over all torrents, the limits on attempts and who is exempt, and BEP 40.
import t from 'tap';
import { parsePeerId } from '../../../../shared-protocol/ids.js';
import { PeerList, type KnownPeer, type PeerSource } from '../../../../engine/peers/peer-list/peer-list.js';
import { peerPriority } from '../../../../engine/peers/peer-priority.js';
import { MINUTE_MS, type Log, type PeerAddress } from '../../../../engine/environment.js';
import { PeerFilter } from '../../../../engine/session/peer-filter.js';
import { QUIET } from '../../../support/disk-fixtures.js';
import { SeededRandom } from '../../../support/seeded-random.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const STRANGER = { host: '198.51.100.7', port: 6881 };
const OURS = { host: '203.0.113.5', port: 6881 };
const ALICE = parsePeerId('aa'.repeat(20));
const BOB = parsePeerId('bb'.repeat(20));

function gateAt(ourAddress: PeerAddress | null = null, log: Log = QUIET) {
  const clock = new VirtualClock();
  const blocked = new Set<string>();
  const gate = new PeerFilter({
    clock,
    random: new SeededRandom(1),
    log,
    ourAddress: () => ourAddress,
    blocklist: blocked,
    standingOf: (host) => (host.startsWith('10.') ? 'allowed' : 'public'),
  });
  return { gate, clock, blocked };
}

function known(address: PeerAddress, source: PeerSource): KnownPeer {
  const peers = new PeerList();
  peers.add([address], source);
  const peer = peers.get(address);
  if (!peer) throw new Error('not admitted');
  return peer;
}

void t.test('one attempt a minute at a public address, for all torrents', async (t) => {
  const { gate, clock } = gateAt();
  const peer = known(STRANGER, 'tracker');
  t.equal(gate.freeAtMs(peer, clock.nowMs()), 0);
  gate.onAttempt(STRANGER);
  t.equal(gate.freeAtMs(peer, clock.nowMs()), MINUTE_MS);
  await clock.advance(MINUTE_MS);
  t.equal(gate.freeAtMs(peer, clock.nowMs()) <= clock.nowMs(), true);
});

void t.test(
  'what somebody typed is tried whenever; what others say is not, nor the local network limited',
  async (t) => {
    const { gate, clock } = gateAt();
    gate.onAttempt(STRANGER);
    t.equal(gate.freeAtMs(known(STRANGER, 'manual'), clock.nowMs()), 0);
    t.equal(gate.freeAtMs(known(STRANGER, 'pex'), clock.nowMs()), MINUTE_MS);
    const local = { host: '10.0.0.7', port: 6881 };
    gate.onAttempt(local);
    t.equal(gate.freeAtMs(known(local, 'pex'), clock.nowMs()), 0);
  },
);

void t.test('after a refused key the same address may be tried once more at once', async (t) => {
  const { gate, clock } = gateAt();
  const peer = known(STRANGER, 'tracker');
  gate.onAttempt(STRANGER);
  gate.allowAgain(STRANGER, 'mse-refused');
  t.equal(gate.freeAtMs(peer, clock.nowMs()), 0);
  gate.onAttempt(STRANGER);
  gate.allowAgain(STRANGER, 'mse-refused');
  t.equal(gate.freeAtMs(peer, clock.nowMs()), MINUTE_MS);
});

void t.test('a ban is for ever, whatever the port and whoever says so', async (t) => {
  const { gate } = gateAt();
  gate.ban({ address: STRANGER, peerId: ALICE }, 'bad-data', 'wrong-block');
  t.equal(gate.freeAtMs(known({ ...STRANGER, port: 7000 }, 'manual'), 0), Infinity);
  t.ok(gate.isBannedHost(STRANGER.host));
  t.ok(gate.isBanned({ address: { ...STRANGER, port: 40_000 }, peerId: BOB }));
  t.notOk(gate.isBannedHost('198.51.100.8'));
});

void t.test('the blocklist is for everybody, whoever named them, and only while it has them', async (t) => {
  const { gate, blocked } = gateAt();
  const typed = known(STRANGER, 'manual');
  blocked.add(STRANGER.host);
  t.equal(gate.freeAtMs(typed, 5), 5 + MINUTE_MS, 'looked at again, not forgotten');
  t.ok(gate.isBannedHost(STRANGER.host));
  t.ok(gate.isBlocked(STRANGER.host));
  blocked.clear();
  t.equal(gate.freeAtMs(typed, 5), 5);
  t.notOk(gate.isBannedHost(STRANGER.host));
});

void t.test('behind a local address only the peer is banned', async (t) => {
  const { gate } = gateAt();
  const address = { host: '192.168.0.7', port: 6881 };
  gate.ban({ address, peerId: ALICE }, 'bad-data', 'wrong-block');
  t.notOk(gate.isBannedHost(address.host));
  t.ok(gate.isBanned({ address: { ...address, port: 40_000 }, peerId: ALICE }), 'by its id');
  t.notOk(gate.isBanned({ address: { ...address, port: 40_000 }, peerId: BOB }));
  t.equal(gate.freeAtMs(known(address, 'tracker'), 0), Infinity, 'by its address');
  t.equal(gate.freeAtMs(known({ ...address, port: 7000 }, 'tracker'), 0), 0);
});

void t.test('priority is that of BEP 40 once we know where we are', async (t) => {
  t.equal(gateAt().gate.priority(STRANGER), 0);
  t.equal(gateAt(OURS).gate.priority(STRANGER), peerPriority(OURS, STRANGER));
  t.not(gateAt(OURS).gate.priority(STRANGER), 0);
});

void t.test('a public address is spared where others have a good history', async (t) => {
  const { gate } = gateAt();
  const alice = { address: { ...STRANGER, port: 0 }, peerId: ALICE };
  t.notOk(gate.hasOffended(STRANGER.host));
  gate.onGoodPeer({ address: STRANGER, peerId: BOB });
  gate.ban(alice, 'bad-data', 'wrong-block');
  t.notOk(gate.isBannedHost(STRANGER.host));
  t.ok(gate.isBanned({ address: { ...STRANGER, port: 40_000 }, peerId: ALICE }));
  t.notOk(gate.isBanned({ address: STRANGER, peerId: BOB }));
  t.ok(gate.hasOffended(STRANGER.host), 'newcomers are looked at closely');
});

void t.test('whoever watches hears of every ban', async (t) => {
  const { gate } = gateAt();
  let heard = 0;
  const watcher = { onBanned: () => void heard++ };
  gate.watch(watcher);
  gate.ban({ address: STRANGER, peerId: ALICE }, 'bad-data', 'wrong-block');
  gate.banWebSeed('http://seed.example/a', 'sole-source');
  t.equal(heard, 2);
  t.ok(gate.isBannedWebSeed('http://seed.example/a'));
  t.notOk(gate.isBannedWebSeed('http://seed.example/b'));
  gate.unwatch(watcher);
  gate.ban({ address: OURS, peerId: BOB }, 'bad-data', 'wrong-block');
  t.equal(heard, 2);
  gate.onPieceFailed(7);
  t.same(gate.badData, { bans: 3, failedPieces: 1, wastedBytes: 7 });
});

void t.test('of a banned web seed the log says where it is, not what it is asked with', async (t) => {
  const lines: unknown[] = [];
  const { gate } = gateAt(null, { ...QUIET, info: (message, fields) => void lines.push({ message, ...fields }) });
  gate.banWebSeed('https://bob:hunter2@seed.example:8080/0123456789abcdef0123/film?passkey=secret', 'liar');
  t.match(lines, [{ message: 'web seed banned', host: 'seed.example:8080', ground: 'liar' }]);
  t.notMatch(JSON.stringify(lines), /hunter2|secret|0123456789abcdef/);
});
