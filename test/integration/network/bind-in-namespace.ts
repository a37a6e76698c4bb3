// A daemon on the machine of two-uplinks.ts: a TAP program for its namespace, which bind.test.ts runs. Every packet
// that leaves by `wan0` is captured. `bound`: there is none while the VPN is up, down, away, or back. `unbound`: while
// the VPN is down each kind of traffic is seen there, which shows that the capture would see it.
import t from 'tap';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDaemon, type DaemonUnderTest, type Reply } from '../../support/daemon.js';
import { startCapture } from '../../support/peers/capture.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { FAR_HOST, FAR_NAME, FAR_PORTS, restoreVpn, VPN, WAN, type Arrivals } from '../../support/two-uplinks.js';

const [, , mode = '', torrentFile = '', seed = '', folder = ''] = process.argv;
const TIMEOUT_MS = 30_000;
/** Several turns of everything that tries again: announces, lookups, dialling, local discovery. */
const QUIET_MS = 8_000;
const TRACKERS = [
  `http://${FAR_NAME}:${FAR_PORTS.tracker}/announce`,
  `udp://${FAR_HOST}:${FAR_PORTS.tracker}/announce`,
];

interface NetworkView {
  readonly state: { readonly binding: string; readonly reason: string; readonly device: string };
}

t.setTimeout(120_000);

void t.test('the machine', async (t) => {
  const capture = await startCapture(WAN.device);
  t.teardown(() => capture.stop());
  const daemon = await startDaemon({
    savePath: `${folder}/target`,
    args: [
      ...(mode === 'bound' ? ['--bind', VPN.device] : []),
      ...['--dht', 'on', '--dht-bootstrap', `${FAR_HOST}:${FAR_PORTS.dht}`, '--lsd', 'on', '--upnp', 'on'],
      ...['--name-servers', FAR_HOST, '--fetch-allow', '10.0.0.0/8'],
    ],
  });
  t.teardown(() => daemon.stop());
  if (mode === 'bound') await bound(daemon);
  else await unbound(daemon);

  async function bound(daemon: DaemonUnderTest): Promise<void> {
    t.match((await network(daemon)).state, { binding: 'bound', device: VPN.device });
    const id = await daemon.addTorrentFile(await readFile(torrentFile));
    for (const url of TRACKERS) await daemon.api('POST', `/api/torrents/${id}/trackers`, { url });
    await daemon.addPeers(id, seed);
    await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
    t.pass('a download from libtorrent');
    const atFirst = await waitUntil('everything arrives by the VPN', TIMEOUT_MS, () => {
      const seen = arrivals();
      return Object.values(seen).every((count: number) => count > 0) ? seen : undefined;
    });

    t.match(await byUrl(daemon), { json: { error: /404/ } }, 'fetches of the service go by it as well');

    link('down');
    await closed(daemon, /down|no such interface/);
    await addMagnet(daemon, '1'.repeat(40));
    t.match(await byUrl(daemon), { json: { error: /^(?!.*404)/ } });
    await daemon.api('POST', `/api/torrents/${id}/announce`);
    await sleep(QUIET_MS);
    t.same(capture.packets, [], 'while it is down');

    execFileSync('ip', ['link', 'set', VPN.device, 'name', 'gone0']);
    execFileSync('ip', ['link', 'set', 'gone0', 'up']);
    await closed(daemon, /no such interface/);
    await addMagnet(daemon, '2'.repeat(40));
    await sleep(QUIET_MS);
    t.same(capture.packets, [], 'while there is none of the name');

    execFileSync('ip', ['link', 'set', 'gone0', 'down']);
    execFileSync('ip', ['link', 'set', 'gone0', 'name', VPN.device]);
    restoreVpn((...args) => execFileSync('ip', args));
    await waitUntil(
      'bound again',
      TIMEOUT_MS,
      async () => (await network(daemon)).state.binding === 'bound' || undefined,
    );
    let last = atFirst;
    const moreThan = (name: keyof Arrivals): boolean => last[name] > atFirst[name];
    await waitUntil(
      'everything arrives again',
      TIMEOUT_MS,
      () => {
        last = arrivals();
        return (moreThan('http') && moreThan('udp') && moreThan('dht') && moreThan('lsd')) || undefined;
      },
      () => JSON.stringify([atFirst, last]),
    );
    await mkdir(`${folder}/again`);
    await daemon.api('DELETE', `/api/torrents/${id}?delete=1`);
    await daemon.addTorrentFile(await readFile(torrentFile), `${folder}/again`);
    await daemon.addPeers(id, seed);
    await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
    t.same(capture.packets, [], 'from its start to its end');
  }

  async function unbound(daemon: DaemonUnderTest): Promise<void> {
    link('down');
    const id = await addMagnet(daemon, '3'.repeat(40));
    await daemon.addPeers(id, seed);
    const went = (kind: string, port: number): boolean =>
      capture.packets.some((packet) => packet.kind === kind && packet.to.endsWith(`:${port}`));
    const seedPort = Number(seed.split(':')[1]);
    const kinds = [
      { name: 'peers', kind: 'tcp', port: seedPort },
      { name: 'trackers over UDP', kind: 'udp', port: FAR_PORTS.tracker },
      { name: 'names', kind: 'udp', port: FAR_PORTS.names },
      { name: 'DHT', kind: 'udp', port: FAR_PORTS.dht },
      { name: 'local discovery', kind: 'udp', port: 6771 },
    ];
    for (const { name, kind, port } of kinds) {
      await waitUntil(
        name,
        TIMEOUT_MS,
        () => went(kind, port) || undefined,
        () => JSON.stringify(capture.packets),
      );
      t.pass(name);
    }
  }
});

function link(state: 'up' | 'down'): void {
  execFileSync('ip', ['link', 'set', VPN.device, state]);
}

function addMagnet(daemon: DaemonUnderTest, infoHash: string): Promise<string> {
  const trackers = TRACKERS.map((url) => `&tr=${encodeURIComponent(url)}`).join('');
  return daemon.addMagnet(`magnet:?xt=urn:btih:${infoHash}${trackers}&x.pe=${seed}`);
}

/** The tracker has no such file. */
function byUrl(daemon: DaemonUnderTest): Promise<Reply> {
  return daemon.api('POST', '/api/torrents/url', { url: `http://${FAR_NAME}:${FAR_PORTS.tracker}/one.torrent` });
}

async function network(daemon: DaemonUnderTest): Promise<NetworkView> {
  return (await daemon.api<NetworkView>('GET', '/api/settings/network')).json;
}

async function closed(daemon: DaemonUnderTest, reason: RegExp): Promise<void> {
  await waitUntil('closed', TIMEOUT_MS, async () => {
    const { state } = await network(daemon);
    return (state.binding === 'closed' && reason.test(state.reason)) || undefined;
  });
}

/** By curl, which is held to the VPN as well: what is left of its connections would be in the capture. */
function arrivals(): Arrivals {
  const url = `http://${FAR_HOST}:${FAR_PORTS.told}/`;
  const said = execFileSync('curl', ['-s', '--interface', VPN.device, url], { encoding: 'utf8' });
  return JSON.parse(said) as Arrivals; // written by far-host.ts
}
