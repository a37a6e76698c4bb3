import t from 'tap';
import { infoHashFromBytes, parseInfoHash, type InfoHash } from '../../../../shared-protocol/ids.js';
import { formatLsdSearch, parseLsdSearch } from '../../../../engine/lsd/codec.js';
import { createLsd, type Lsd } from '../../../../engine/lsd/lsd.js';
import { SECOND_MS } from '../../../../engine/environment.js';
import { MulticastGroup, MulticastMachine } from '../../../support/lsd-multicast-group.js';
import { SeededRandom } from '../../../support/seeded-random.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const A = parseInfoHash('aa'.repeat(20));
const B = parseInfoHash('bb'.repeat(20));
const many = (count: number): InfoHash[] =>
  Array.from({ length: count }, (_, i) => infoHashFromBytes(Uint8Array.from({ length: 20 }, () => i & 255)));

interface Heard {
  readonly infoHash: InfoHash;
  readonly host: string;
  readonly port: number;
}

class World {
  readonly clock = new VirtualClock();
  readonly group = new MulticastGroup();
  readonly logs: string[] = [];
  #seed = 1;

  machine(...cidrs: readonly string[]): MulticastMachine {
    return new MulticastMachine(this.group).plug('lan', ...cidrs);
  }

  start(machine: MulticastMachine, port: number | (() => number)): { lsd: Lsd; heard: Heard[] } {
    const heard: Heard[] = [];
    const note = (message: string): void => void this.logs.push(message);
    const lsd = createLsd(
      {
        clock: this.clock,
        random: new SeededRandom(this.#seed++),
        log: { debug: () => undefined, info: note, warn: note, error: note },
        onPeer: (infoHash, address) => heard.push({ infoHash, ...address }),
        openSocket: machine.openSocket,
      },
      { peerPort: typeof port === 'number' ? () => port : port, interfaces: machine.interfaces },
    );
    return { lsd, heard };
  }

  /** Info hashes of each datagram since the last call. */
  sent(): string[][] {
    return this.group.seen
      .splice(0)
      .map(({ text }) => [...text.matchAll(/Infohash: (\w+)/g)].map(([, hash = '']) => hash));
  }
}

function datagram(port: number, ...infoHashes: readonly InfoHash[]): Uint8Array {
  return formatLsdSearch(4, { port, infoHashes, cookie: '0' });
}

void t.test('two machines with the same torrent hear of each other; a third with another does not', async (t) => {
  const world = new World();
  const one = world.start(world.machine('10.0.0.1/24'), 6001);
  const two = world.start(world.machine('10.0.0.2/24'), 6002);
  const three = world.start(world.machine('10.0.0.3/24'), 6003);
  await world.clock.settle();
  one.lsd.add(A);
  two.lsd.add(A);
  three.lsd.add(B);
  await world.clock.advance(0);
  t.same(one.heard, [{ infoHash: A, host: '10.0.0.2', port: 6002 }]);
  t.same(two.heard, [{ infoHash: A, host: '10.0.0.1', port: 6001 }]);
  t.same(three.heard, []);
  t.match(one.lsd.counters, { sent: 1, received: 3, ownIgnored: 1, peers: 1, malformedIgnored: 0, offNetIgnored: 0 });
  await Promise.all([one, two, three].map(({ lsd }) => lsd.close()));
  t.equal(world.group.members.size, 0);
  t.equal(world.clock.pendingTimers, 0);
});

void t.test('announced at 0, 2 and 4 s, then every 300 s; one timer for all', async (t) => {
  const world = new World();
  const { lsd } = world.start(world.machine('10.0.0.1/24'), 6001);
  for (const infoHash of many(10)) lsd.add(infoHash);
  const times: number[] = [];
  for (let second = 0; second <= 1000; second++) {
    await world.clock.advance(second === 0 ? 0 : SECOND_MS);
    t.ok(world.clock.pendingTimers <= 1);
    for (const datagram of world.sent()) times.push(datagram.length === 10 ? second : Number.NaN);
  }
  t.same(times, [0, 2, 4, 304, 604, 904]);
  await lsd.close();
});

void t.test('added, removed and added again', async (t) => {
  const world = new World();
  const { lsd, heard } = world.start(world.machine('10.0.0.1/24'), 6001);
  lsd.add(A);
  lsd.add(A);
  await world.clock.advance(10 * SECOND_MS);
  t.same(world.sent(), [[A], [A], [A]]);
  lsd.remove(A);
  t.equal(world.clock.pendingTimers, 0);
  await world.clock.advance(1000 * SECOND_MS);
  t.same(world.sent(), []);
  world.group.inject('lan', '10.0.0.9', datagram(5, A));
  t.same(heard, [], 'what is not here is nobody to hear of');
  lsd.add(A);
  await world.clock.advance(10 * SECOND_MS);
  t.equal(world.sent().length, 1 + 3);
  lsd.remove(B);
  await lsd.close();
});

void t.test('25 hashes in a datagram, five datagrams a second at most', async (t) => {
  const world = new World();
  const { lsd } = world.start(world.machine('10.0.0.1/24'), 6001);
  const hashes = many(120);
  for (const infoHash of hashes) lsd.add(infoHash);
  await world.clock.advance(0);
  t.same(
    world.sent().map((datagram) => datagram.length),
    [25],
    'the first at once',
  );
  await world.clock.advance(800);
  t.same(
    world.sent().map((datagram) => datagram.length),
    [25, 25, 25, 20],
  );
  await world.clock.advance(10 * SECOND_MS);
  t.equal(world.sent().flat().length, 2 * 120, 'everything twice more');
  await lsd.close();
});

void t.test('ports that nobody can connect to are not announced', async (t) => {
  const world = new World();
  let port = 0;
  const { lsd } = world.start(world.machine('10.0.0.1/24'), () => port);
  lsd.add(A);
  for (port of [0, -1, 65_536, 1.5, Number.NaN]) await world.clock.advance(4 * SECOND_MS);
  t.same(world.sent(), []);
  port = 65_535;
  await world.clock.advance(2 * SECOND_MS);
  t.equal(parseLsdSearch(Buffer.from(world.group.seen[0]?.text ?? '', 'latin1'))?.port, 65_535);
  await lsd.close();
});

void t.test('only neighbours are believed', async (t) => {
  const world = new World();
  const { lsd, heard } = world.start(world.machine('10.0.0.1/24', 'fd00::1/64', 'fe80::1/64'), 6001);
  lsd.add(A);
  await world.clock.advance(0);
  for (const from of ['10.0.1.2', '8.8.8.8', '127.0.0.1', 'fd01::2', 'fe80::2', 'fe80::2%lan', '0.0.0.0', 'what']) {
    world.group.inject('lan', from, datagram(1, A));
  }
  t.same(heard, []);
  // "what" is taken for IPv4 by the group.
  t.equal(lsd.counters.offNetIgnored, 8);
  world.group.inject('lan', '10.0.0.254', datagram(2, A));
  world.group.inject('lan', 'fd00::7', datagram(3, A));
  t.same(
    heard.map(({ host, port }) => ({ host, port })),
    [
      { host: '10.0.0.254', port: 2 },
      { host: 'fd00::7', port: 3 },
    ],
  );
  await lsd.close();
});

void t.test('a flood is ignored, and the window after it is not', async (t) => {
  const world = new World();
  const { lsd, heard } = world.start(world.machine('10.0.0.1/24'), 6001);
  lsd.add(A);
  await world.clock.advance(10 * SECOND_MS);
  for (let i = 0; i < 10_000; i++) world.group.inject('lan', '10.0.0.2', datagram(1 + (i % 60_000), A));
  t.equal(heard.length, 50);
  t.equal(lsd.counters.rateIgnored, 9_950);
  for (let i = 0; i < 1_000; i++) world.group.inject('lan', '11.0.0.2', datagram(1, A));
  t.equal(lsd.counters.offNetIgnored, 1_000);
  await world.clock.advance(4_999);
  world.group.inject('lan', '10.0.0.3', datagram(1, A));
  t.equal(heard.length, 50);
  await world.clock.advance(1);
  for (let i = 0; i < 1_000; i++) world.group.inject('lan', '11.0.0.2', datagram(1, A));
  world.group.inject('lan', '10.0.0.3', datagram(1, A));
  t.equal(heard.length, 51, 'strangers do not use up the window');
  await lsd.close();
});

void t.test('our own announcements do not use up the window', async (t) => {
  const world = new World();
  const { lsd, heard } = world.start(world.machine('10.0.0.1/24'), 6001);
  for (const infoHash of many(250)) lsd.add(infoHash);
  lsd.add(A);
  await world.clock.advance(5 * SECOND_MS);
  t.ok(lsd.counters.ownIgnored > 20);
  for (let i = 0; i < 50; i++) world.group.inject('lan', '10.0.0.2', datagram(1, A));
  t.equal(heard.length, 50);
  await lsd.close();
});

void t.test('rubbish is counted', async (t) => {
  const world = new World();
  const { lsd, heard } = world.start(world.machine('10.0.0.1/24'), 6001);
  lsd.add(A);
  await world.clock.advance(0);
  world.group.inject('lan', '10.0.0.2', Buffer.from('what'));
  world.group.inject('lan', '10.0.0.2', Buffer.alloc(60_000, datagram(1, A)));
  t.equal(lsd.counters.malformedIgnored, 2);
  t.same(heard, []);
  await lsd.close();
});

void t.test('interfaces come and go', async (t) => {
  const world = new World();
  const machine = world.machine('10.0.0.1/24');
  const { lsd, heard } = world.start(machine, 6001);
  lsd.add(A);
  await world.clock.advance(5 * SECOND_MS);
  world.group.seen.length = 0;
  machine.plug('wifi', '192.168.7.1/24');
  await world.clock.advance(300 * SECOND_MS);
  t.same(
    world.group.seen.map(({ network }) => network),
    ['lan', 'wifi'],
  );
  world.group.inject('wifi', '192.168.7.2', datagram(9, A));
  t.same(
    heard.map(({ host }) => host),
    ['192.168.7.2'],
    'listens there too',
  );

  machine.plug('lan', '10.9.0.1/24');
  world.group.inject('lan', '10.9.0.2', datagram(9, A));
  await world.clock.advance(SECOND_MS);
  world.group.inject('lan', '10.9.0.3', datagram(9, A));
  t.equal(heard.at(-1)?.host, '10.9.0.3', 'a new address counts within a second');

  machine.unplug('wifi');
  world.group.seen.length = 0;
  await world.clock.advance(300 * SECOND_MS);
  t.same(
    world.group.seen.map(({ network, from }) => [network, from]),
    [['lan', '10.9.0.1']],
  );
  await lsd.close();
});

void t.test('an interface that fails does not keep the others from being announced on', async (t) => {
  const world = new World();
  const machine = world.machine('10.0.0.1/24').plug('tunnel', '10.1.0.1/24').plug('wifi', '10.2.0.1/24');
  machine.broken.add('tunnel');
  const { lsd } = world.start(machine, 6001);
  lsd.add(A);
  await world.clock.advance(0);
  t.same(
    world.group.seen.map(({ network }) => network),
    ['lan', 'wifi'],
  );
  t.match(lsd.counters, { sent: 2, sendFailures: 1 });
  await lsd.close();
});

void t.test('a family that cannot be had is logged once and done without', async (t) => {
  const world = new World();
  const machine = world.machine('10.0.0.1/24', 'fd00::1/64');
  machine.withoutFamilies.add(6);
  const { lsd } = world.start(machine, 6001);
  lsd.add(A);
  await world.clock.advance(700 * SECOND_MS);
  t.same(world.logs, ['local discovery: no socket']);
  t.equal(world.sent().length, 5);

  machine.fail(4);
  machine.fail(4);
  await world.clock.advance(700 * SECOND_MS);
  t.same(world.logs, ['local discovery: no socket', 'local discovery: socket failed']);
  t.same(world.sent(), []);
  await lsd.close();
});

void t.test('closed while it opens', async (t) => {
  const world = new World();
  const { lsd } = world.start(world.machine('10.0.0.1/24'), 6001);
  lsd.add(A);
  await lsd.close();
  t.equal(world.group.members.size, 0);
  lsd.add(B);
  await world.clock.advance(10 * SECOND_MS);
  t.same(world.sent(), []);
  t.equal(world.clock.pendingTimers, 0);
});
