import t, { type Test } from 'tap';
import Dht, { type DhtContact } from 'bittorrent-dht';
import { EventEmitter } from 'node:events';
import { RoutingTable } from '../../../../engine/dht/routing-table.js';
import type { PeerAddress } from '../../../../engine/environment.js';
import { SeededRandom } from '../../../support/seeded-random.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const OWN_ID = new Uint8Array(20);
const SEED = 5;

/** The package's own table, without a socket below it. */
function setUp(t: Test, isAllowed: (address: PeerAddress) => boolean = () => true) {
  const clock = new VirtualClock();
  const random = new SeededRandom(SEED);
  const socket = Object.assign(new EventEmitter(), {
    send: () => {},
    bind: () => {},
    address: () => ({ address: '127.0.0.1', port: 1 }),
    close: () => void socket.emit('close'),
  });
  const dht = new Dht({ nodeId: OWN_ID, bootstrap: false, socket });
  const counts: number[] = [];
  const table = new RoutingTable({
    clock,
    contacts: dht.nodes,
    ownId: OWN_ID,
    isOwn: ({ host }) => host === '5.5.5.5',
    isAllowed,
    remove: (id) => dht.removeNode(id),
    onChange: (count) => counts.push(count),
  });
  t.teardown(() => new Promise<void>((resolve) => dht.destroy(resolve)));
  const add = (host: string, port = 6881, id: Uint8Array = random.bytes(20)): boolean => {
    const before = table.size;
    const contact: DhtContact = { id: Buffer.from(id), host, port };
    dht.nodes.add(contact);
    table.checkInvariant();
    return table.size > before;
  };
  return { clock, dht, table, counts, add, random };
}

void t.test('200 sybils in one /24 take one place', (t) => {
  const { add, table } = setUp(t);
  const admitted = Array.from({ length: 200 }, (_, i) => add(`8.8.8.${i}`, 6881 + i)).filter(Boolean).length;
  t.equal(admitted, 1);
  t.ok(add('8.8.9.1'), 'the next network');
  t.notOk(add('8.8.9.1', 7000), 'one node for each address');
  t.equal(table.size, 2);
  t.end();
});

void t.test('who never becomes a node', (t) => {
  const { add } = setUp(t, ({ host }) => host !== '9.9.9.9');
  const refused: [string, number][] = [
    ['5.5.5.5', 6881],
    ['9.9.9.9', 6881],
    ['8.8.8.8', 0],
    ['8.8.8.8', 53],
    ['8.8.8.8', 65_536],
    ['0.0.0.0', 6881],
    ['224.0.0.1', 6881],
    ['255.255.255.255', 6881],
    ['240.1.2.3', 6881],
    ['::1', 6881],
    ['router.bittorrent.com', 6881],
  ];
  for (const [host, port] of refused) t.notOk(add(host, port), `${host}:${port}`);
  t.notOk(add('8.8.8.8', 6881, OWN_ID), 'our own id');
  t.ok(add('8.8.8.8'));
  t.end();
});

void t.test('near by, one address may have several nodes, on any port', (t) => {
  const { add } = setUp(t);
  t.ok(add('127.0.0.1', 80));
  t.ok(add('127.0.0.1', 7001));
  t.notOk(add('127.0.0.1', 7001), 'one node for each address and port');
  t.ok(add('192.168.1.5'));
  t.ok(add('192.168.1.6'));
  t.end();
});

void t.test('an id stays with its address', (t) => {
  const { add, table } = setUp(t);
  const id = new Uint8Array(20).fill(7);
  t.ok(add('8.8.8.8', 6881, id));
  t.notOk(add('6.6.6.6', 6881, id), 'claimed by another');
  t.same(table.addresses(), [{ host: '8.8.8.8', port: 6881 }]);
  t.end();
});

void t.test('two silences in a row and a node leaves; its network is free again', (t) => {
  const { add, table, counts } = setUp(t);
  const address = { host: '8.8.8.8', port: 6881 };
  add('8.8.8.8');
  table.unanswered(address);
  table.answered(address);
  table.unanswered(address);
  t.equal(table.size, 1);
  t.same(table.stale(), [address], 'asked again');
  table.unanswered(address);
  t.equal(table.size, 0);
  t.same(counts, [1, 0]);
  t.ok(add('8.8.8.9'));
  t.end();
});

void t.test('who is not allowed any more leaves at once; its network is free again', (t) => {
  const blocked = new Set<string>();
  const { add, table } = setUp(t, ({ host }) => !blocked.has(host));
  for (const host of ['8.8.8.8', '9.9.9.9', '10.0.0.1']) t.ok(add(host));
  blocked.add('9.9.9.9');
  table.dropDisallowed();
  table.checkInvariant();
  t.same(
    table.addresses().map(({ host }) => host),
    ['8.8.8.8', '10.0.0.1'],
  );
  t.notOk(add('9.9.9.9'));
  t.ok(add('9.9.9.10'));
  t.end();
});

void t.test('silent for 15 minutes: asked again, the most silent first, 20 at a time', async (t) => {
  const { add, clock, table } = setUp(t);
  for (let i = 0; i < 30; i++) {
    add(`20.${i}.0.1`);
    await clock.advance(1_000);
  }
  await clock.advance(869_999);
  t.same(table.stale(), []);
  await clock.advance(15_001);
  t.same(
    table.stale().map(({ host }) => host),
    Array.from({ length: 16 }, (_, i) => `20.${i}.0.1`),
  );
  await clock.advance(60_000);
  t.equal(table.stale().length, 20);
  table.answered({ host: '20.3.0.1', port: 6881 });
  t.equal(table.addresses()[0]?.host, '20.3.0.1', 'who answered last is saved first');
});

void t.test(`table and entries agree whatever comes and goes, seed ${SEED}`, (t) => {
  const { add, dht, table, random } = setUp(t);
  for (let i = 0; i < 2_000; i++) {
    add(`${1 + random.below(99)}.${random.below(3)}.${random.below(3)}.${random.below(3)}`, 6881 + random.below(2));
    const contacts = dht.nodes.toArray();
    const victim = contacts[random.below(contacts.length)];
    if (victim && random.below(3) === 0) dht.removeNode(victim.id);
    if (victim && random.below(3) === 0) table.unanswered(victim);
  }
  table.checkInvariant();
  t.ok(table.size > 50, `${table.size} nodes`);
  t.end();
});
