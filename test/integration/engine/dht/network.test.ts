// Nodes of ours on loopback sockets, speaking through the real package.
import t from 'tap';
import type { Clock } from '../../../../engine/environment.js';
import { isNodeIdFor } from '../../../../engine/dht/node-id.js';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import { eventually, startDhtNode, type TestNode } from '../../../support/dht-network.js';
import { createMemoryTorrentStore } from '../../../support/memory-torrent-store.js';
import { systemClock } from '../../../../shared-protocol/clock.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const INFO_HASH = parseInfoHash('5a'.repeat(20));
const OTHER_HASH = parseInfoHash('a5'.repeat(20));

async function startNetwork(size: number): Promise<TestNode[]> {
  const first = await startDhtNode({ host: '127.0.2.1' });
  const others = Array.from({ length: size - 1 }, (_, i) =>
    startDhtNode({ host: `127.0.2.${i + 2}`, bootstrap: [first.address] }),
  );
  return [first, ...(await Promise.all(others))];
}

async function closeAll(nodes: readonly TestNode[]): Promise<void> {
  await Promise.all(nodes.map(({ node }) => node.close()));
}

void t.test('20 nodes find each other from one, and a lookup finds a peer announced by another', async (t) => {
  const nodes = await startNetwork(20);
  const [announcer, seeker] = [nodes[3]!, nodes[17]!];
  t.ok(await eventually(() => nodes.every(({ node }) => node.nodeCount >= 5)), 'everybody knows several others');

  announcer.node.add(INFO_HASH, { port: () => 7001 });
  t.ok(await eventually(() => announcer.node.stats().announces === 1), 'announced');
  // The announce is on its way to the nodes; the lookup begins once these had time to store it.
  await new Promise((resolve) => setTimeout(resolve, 200));
  seeker.node.add(INFO_HASH, { port: () => 7002 });
  let asked = 0;
  seeker.node.add(OTHER_HASH, {
    port: () => {
      asked++;
      return 0;
    },
  });
  t.ok(await eventually(() => seeker.found.length > 0), 'found');
  t.same(seeker.found, [{ infoHash: INFO_HASH, peer: { host: announcer.address.host, port: 7001 } }], 'each peer once');
  t.ok(await eventually(() => asked === 1 && seeker.node.stats().announces === 1), 'looked up both torrents');
  t.equal(seeker.node.stats().lookups, 2);
  t.equal(seeker.node.stats().announces, 1, 'a port of 0 is not announced');

  const all = nodes.map(({ node }) => node.stats().traffic);
  // An answer that comes too late is unsolicited, and a busy machine may make it late.
  t.ok(
    all.every(({ malformed, packageErrors }) => malformed + packageErrors === 0),
    'nobody said anything that another refused',
  );
  t.same(
    nodes.flatMap(({ complaints }) => complaints),
    [],
  );
  await closeAll(nodes);
});

void t.test('restarted without bootstrap, a node is back by what it saved, under its old id', async (t) => {
  const nodes = await startNetwork(6);
  const { store, node, address } = nodes[5]!;
  t.ok(await eventually(() => node.nodeCount >= 4), 'knows the others');
  await node.close();
  const id = store.meta('dht.id');
  t.equal(id?.length, 20);
  t.ok((store.meta('dht.nodes')?.length ?? 0) >= 4 * 6, 'nodes saved');

  const again = await startDhtNode({ host: address.host, store, bootstrap: [] });
  t.ok(await eventually(() => again.node.nodeCount >= 4), 'knows them again');
  t.same(store.meta('dht.id'), id);
  await closeAll([...nodes.slice(0, 5), again]);
});

void t.test('nobody to ask at first: asked again later, and lookups wait for the first node', async (t) => {
  const late = await startDhtNode({ host: '127.0.2.1' });
  const { address } = late;
  await late.node.close();
  const hasty: Clock = { ...systemClock, after: (delayMs, callback) => systemClock.after(delayMs / 10, callback) };
  const alone = await startDhtNode({ host: '127.0.2.2', bootstrap: [address], clock: hasty });
  alone.node.add(INFO_HASH, { port: () => 7003 });
  await new Promise((resolve) => setTimeout(resolve, 300));
  t.equal(alone.node.stats().lookups, 0, 'nothing is looked up alone');
  const now = await startDhtNode({ ...address });
  t.ok(await eventually(() => alone.node.nodeCount === 1), 'asked again');
  t.ok(await eventually(() => alone.node.stats().announces === 1), 'looked up and announced then');
  await closeAll([alone, now]);
});

void t.test('a peer whose port message names its node', async (t) => {
  const [one, two] = [await startDhtNode({ host: '127.0.2.1' }), await startDhtNode({ host: '127.0.2.2' })];
  one.node.addNode({ host: 'example.org', port: 1 });
  one.node.addNode({ host: '::1', port: 7000 });
  one.node.addNode({ host: '127.0.2.9', port: 0 });
  one.node.addNode({ host: '224.0.0.1', port: 7000 });
  one.node.addNode(one.address);
  one.node.addNode(two.address);
  t.ok(await eventually(() => one.node.nodeCount === 1 && two.node.nodeCount === 1), 'each knows the other');
  t.equal(one.node.stats().traffic.queriesSent <= 4, true, 'nobody else was asked');
  await closeAll([one, two]);
});

void t.test('nodes are saved every 15 minutes while they change; the next id suits our address (BEP 42)', async (t) => {
  const clock = new VirtualClock();
  const first = await startDhtNode({ host: '127.0.2.1' });
  const { node, store, address } = await startDhtNode({ host: '127.0.2.2', bootstrap: [first.address], clock });
  await clock.advance(100);
  t.ok(await eventually(() => node.nodeCount === 1));
  await clock.advance(14 * 60_000);
  t.equal(store.meta('dht.nodes'), undefined);
  await clock.advance(2 * 60_000);
  t.same([...(store.meta('dht.nodes') ?? [])], [127, 0, 2, 1, first.node.port >> 8, first.node.port & 255]);
  await store.putMeta('dht.nodes', new Uint8Array(0));
  await clock.advance(60 * 60_000);
  t.equal(store.meta('dht.nodes')?.length, 0, 'unchanged');

  const id = store.meta('dht.id');
  node.setExternalAddress('192.168.0.7');
  node.setExternalAddress('not an address');
  t.same(store.meta('dht.id'), id);
  node.setExternalAddress('84.124.73.14');
  const next = store.meta('dht.id');
  t.ok(next && isNodeIdFor('84.124.73.14', next), 'kept for the next start');
  await closeAll([first]);
  await node.close();
  const again = await startDhtNode({ host: address.host, store });
  again.node.setExternalAddress('84.124.73.14');
  t.same(store.meta('dht.id'), next, 'and kept then');
  await again.node.close();
});

void t.test('whatever is in the store, a node starts', async (t) => {
  const store = createMemoryTorrentStore();
  await store.putMeta('dht.id', new Uint8Array(3));
  await store.putMeta('dht.nodes', new Uint8Array(601).fill(0xff));
  const { node } = await startDhtNode({ store });
  t.equal(store.meta('dht.id')?.length, 20);
  await node.close();
});

void t.test('a port that is taken', async (t) => {
  const first = await startDhtNode();
  await t.rejects(startDhtNode({ port: first.node.port }), { code: 'LISTEN_FAILED' });
  await closeAll([first]);
});

void t.test('close leaves nothing open, also in the middle of lookups, and may be called twice', async (t) => {
  const nodes = await startNetwork(4);
  await eventually(() => nodes.every(({ node }) => node.nodeCount > 0));
  for (const { node } of nodes) node.add(INFO_HASH, { port: () => 7004 });
  await eventually(() => nodes.some(({ node }) => node.stats().lookups > 0));
  await closeAll(nodes);
  await closeAll(nodes);
  await eventually(() => openSocketsAndTimers().length === 0, 1_000);
  t.same(openSocketsAndTimers(), []);
});

function openSocketsAndTimers(): string[] {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'UDPWrap' || kind === 'Timeout');
}

void t.test('a node that is not allowed any more is forgotten, not asked and not heard', async (t) => {
  const blocked = new Set<string>();
  const first = await startDhtNode({ host: '127.0.2.61', isAllowed: ({ host }) => !blocked.has(host) });
  const second = await startDhtNode({ host: '127.0.2.62', bootstrap: [first.address] });
  t.ok(await eventually(() => first.node.nodeCount === 1 && second.node.nodeCount === 1), 'they know each other');
  blocked.add(second.address.host);
  first.node.dropDisallowed();
  t.equal(first.node.nodeCount, 0);
  const { queriesSent, repliesSent } = first.node.stats().traffic;
  second.node.add(INFO_HASH, { port: () => 7001 });
  first.node.addNode(second.address);
  t.ok(await eventually(() => first.node.stats().traffic.disallowed > 0), 'asked, it is silent');
  t.match(first.node.stats(), { nodes: 0, traffic: { queriesSent, repliesSent } });
  await closeAll([first, second]);
});
