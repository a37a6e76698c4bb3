// docs/limits.md 2.13, 2.18: whom a ban meets, and whom it must not meet.
import t from 'tap';
import { BanList, type BanSubject } from '../../../../engine/peers/ban-list.js';
import { parsePeerId } from '../../../../shared-protocol/ids.js';

const id = (n: number): BanSubject['peerId'] => parsePeerId(n.toString(16).padStart(40, '0'));
const subject = (host: string, port: number, peer: number | null): BanSubject => ({
  address: { host, port },
  peerId: peer === null ? null : id(peer),
});

void t.test('a public address is banned as a whole', async (t) => {
  const bans = new BanList();
  t.equal(bans.ban('192.0.2.1', 'bad-data', 0), true);
  t.equal(bans.isBanned('192.0.2.1'), true);
  t.equal(bans.isBanned('::ffff:192.0.2.1'), true);
  t.equal(bans.isBanned('192.0.2.2'), false);
  t.equal(bans.isBannedPeer(subject('192.0.2.1', 1, null)), true);
  t.equal(bans.isBannedPeer(subject('192.0.2.1', 2, 7)), true);
});

void t.test('an IPv6 address is banned with its /64', async (t) => {
  const bans = new BanList();
  bans.banPeer(subject('2001:db8:0:1::1', 6881, 1), 'protocol-violation', 0);
  t.equal(bans.isBanned('2001:db8:0:1:2:3:4:5'), true);
  t.equal(bans.isBanned('2001:db8:0:2::1'), false);
});

void t.test('on loopback and private networks only the peer is banned', async (t) => {
  for (const host of ['127.0.0.1', '192.168.1.5', 'fd00::5', '::1']) {
    const bans = new BanList();
    t.equal(bans.ban(host, 'bad-data', 0), false);
    bans.banPeer(subject(host, 6881, 1), 'bad-data', 0);
    t.equal(bans.isBanned(host), false, host);
    t.equal(bans.isBannedPeer(subject(host, 6881, null)), true, 'before the handshake, by where it listens');
    t.equal(bans.isBannedPeer(subject(host, 50_000, 1)), true, 'by its id, from another port');
    t.equal(bans.isBannedPeer(subject(host, 50_000, 2)), false, 'somebody else there');
    t.equal(
      bans.isBannedPeer(subject('10.9.9.9', 50_000, 1)),
      false,
      'ids are no secret: elsewhere it is another peer',
    );
  }
});

void t.test('a public address that is known to be shared is spared too', async (t) => {
  const bans = new BanList();
  bans.banPeer(subject('192.0.2.1', 6881, 1), 'bad-data', 0, true);
  t.equal(bans.isBanned('192.0.2.1'), false);
  t.equal(bans.isBannedPeer(subject('192.0.2.1', 6882, 2)), false);
  t.equal(bans.isBannedPeer(subject('192.0.2.1', 6883, 1)), true);
});

void t.test('what was done, how often and when, for the log', async (t) => {
  const bans = new BanList();
  bans.ban('192.0.2.1', 'flooding', 10);
  bans.ban('192.0.2.2', 'bad-data', 20);
  bans.ban('192.0.2.1', 'bad-data', 30);
  bans.banPeer(subject('10.0.0.1', 6881, null), 'protocol-violation', 40);
  t.same(bans.entries(), [
    { subject: '192.0.2.2', reason: 'bad-data', count: 1, sinceMs: 20, lastMs: 20 },
    { subject: '192.0.2.1', reason: 'bad-data', count: 2, sinceMs: 10, lastMs: 30 },
    { subject: '10.0.0.1:6881', reason: 'protocol-violation', count: 1, sinceMs: 40, lastMs: 40 },
  ]);
  t.same(bans.counts(), { 'bad-data': 2, 'protocol-violation': 1, flooding: 0 });
});

void t.test('the list is bounded: who offended longest ago is forgotten', async (t) => {
  const bans = new BanList({ maxBans: 3 });
  for (let n = 1; n <= 3; n++) bans.ban(`192.0.2.${n}`, 'bad-data', n);
  bans.ban('192.0.2.1', 'bad-data', 4);
  bans.ban('192.0.2.4', 'bad-data', 5);
  t.same(
    [1, 2, 3, 4].map((n) => bans.isBanned(`192.0.2.${n}`)),
    [true, false, true, true],
  );
  for (let n = 0; n < 100; n++) bans.banPeer(subject('10.0.0.1', 6881, n), 'bad-data', n);
  t.equal(bans.isBanned('192.0.2.1'), true, 'many ids of one host do not wash it out');
  t.equal(bans.entries().length, 6);
});

void t.test('where it is not known for certain on which port a peer listens, no port is banned', async (t) => {
  const bans = new BanList();
  t.equal(bans.banPeer(subject('192.168.1.5', 0, 1), 'bad-data', 0), 'peer');
  t.equal(bans.isBannedPeer(subject('192.168.1.5', 0, null)), false);
  t.equal(bans.isBannedPeer(subject('192.168.1.5', 6881, 1)), true);
  t.equal(bans.entries().length, 1);
});

void t.test('web seeds are banned by URL', async (t) => {
  const bans = new BanList();
  bans.banWebSeed('http://seed.example/a', 'bad-data', 5);
  t.ok(bans.isBannedWebSeed('http://seed.example/a'));
  t.notOk(bans.isBannedWebSeed('http://seed.example/b'));
  t.match(bans.entries(), [{ subject: 'http://seed.example/a', reason: 'bad-data', lastMs: 5 }]);
  t.equal(bans.counts()['bad-data'], 1);
});
