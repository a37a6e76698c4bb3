// The DHT and its like as the session drives them: one node for all torrents, on loopback here, and nothing at all
// where they are switched off.
import t from 'tap';
import { directOutlet } from '../../../support/direct-outlet.js';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import { createMemoryTorrentStore } from '../../../support/memory-torrent-store.js';
import { Discovery } from '../../../../engine/session/discovery.js';
import { QUIET } from '../../../support/disk-fixtures.js';
import { SeededRandom } from '../../../support/seeded-random.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const HASH = parseInfoHash('ab'.repeat(20));

function discoveryOf(dht: boolean, clock = new VirtualClock()): { discovery: Discovery; clock: VirtualClock } {
  const discovery = new Discovery(
    {
      clock,
      random: new SeededRandom(5),
      log: QUIET,
      store: createMemoryTorrentStore(),
      onPeers: () => undefined,
      isAllowed: () => true,
      outlet: directOutlet(),
    },
    { peerHosts: ['127.0.0.1'], dht: dht ? { bootstrap: [] } : null, lsd: false, portMapping: false },
  );
  return { discovery, clock };
}

void t.test('switched off, it has no port and takes every call', async (t) => {
  const { discovery, clock } = discoveryOf(false);
  discovery.start(HASH);
  await discovery.open(6881);
  discovery.start(HASH);
  discovery.hurry(HASH);
  discovery.addNode({ host: '10.0.0.7', port: 1 });
  discovery.setExternalAddress('203.0.113.5');
  t.equal(discovery.dhtPort(), 0);
  t.equal(discovery.gatewayAddress, null);
  discovery.stop(HASH);
  discovery.stop(HASH);
  await discovery.close();
  t.equal(clock.pendingTimers, 0);
});

void t.test('the node goes to another port where its own is taken', async (t) => {
  const one = discoveryOf(true);
  const two = discoveryOf(true);
  await one.discovery.open(0);
  const port = one.discovery.dhtPort();
  t.ok(port > 0);
  await two.discovery.open(port);
  t.ok(two.discovery.dhtPort() > 0);
  t.not(two.discovery.dhtPort(), port);
  await Promise.all([one.discovery.close(), two.discovery.close()]);
});

void t.test('torrents that were wanted before the socket was there are found; all ends with close', async (t) => {
  const { discovery, clock } = discoveryOf(true);
  discovery.start(HASH);
  await discovery.open(0);
  discovery.start(HASH);
  for (const junk of ['', 'not an address', '::1', '255.255.255.255']) discovery.addNode({ host: junk, port: 70_000 });
  discovery.setExternalAddress('2a00::5');
  discovery.setExternalAddress('203.0.113.5');
  await clock.advance(1_000);
  discovery.stop(HASH);
  await discovery.close();
  t.equal(clock.pendingTimers, 0);
});

void t.test('closed while its socket is being opened, it leaves none behind', async (t) => {
  const { discovery, clock } = discoveryOf(true);
  const opening = discovery.open(0);
  await discovery.close();
  await opening;
  t.equal(clock.pendingTimers, 0);
});
