// A program for the far host of two-uplinks.ts: trackers over HTTP and UDP, a name server, a port where nodes of the
// DHT would answer, an ear for local discovery. How much has come to each is told by HTTP. Ends with its standard
// input.
import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import { startHttpTracker } from './http-tracker.js';
import { startNameServer } from './name-server.js';
import { FAR_NAME, FAR_PORTS, type Arrivals } from './two-uplinks.js';
import { startUdpTracker } from './udp-tracker.js';

/** BEP 14 */
const LSD = { group: '239.192.152.143', port: 6771 } as const;

const [, , host = ''] = process.argv;
await serve();

async function serve(): Promise<void> {
  const tracker = { host, port: FAR_PORTS.tracker };
  const http = await startHttpTracker({ at: tracker, intervalSec: 60 });
  const udp = await startUdpTracker({ at: tracker, intervalSec: 60 });
  const names = await startNameServer({ names: { [FAR_NAME]: host }, at: { host, port: FAR_PORTS.names } });
  const counts = { dht: 0, lsd: 0 };
  const dht = createSocket('udp4').on('message', () => counts.dht++);
  await new Promise<void>((resolve) => dht.bind(FAR_PORTS.dht, host, resolve));
  const lsd = createSocket({ type: 'udp4', reuseAddr: true }).on('message', () => counts.lsd++);
  await new Promise<void>((resolve) => lsd.bind(LSD.port, resolve));
  lsd.addMembership(LSD.group, '10.88.1.2');
  const told = createServer((_request, response) => {
    const arrivals: Arrivals = {
      http: http.requests.length,
      udp: udp.packets.length,
      names: names.asked.length,
      ...counts,
    };
    response.end(JSON.stringify(arrivals));
  });
  await new Promise<void>((resolve) => told.listen(FAR_PORTS.told, host, resolve));
  process.stdout.write('ready\n');
  process.stdin.once('end', () => process.exit(0)).resume();
}
