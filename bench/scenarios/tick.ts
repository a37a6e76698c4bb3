// What a tick of the push channel costs the main thread: the real hub and snapshots, real connections, the clients in a
// process of their own. Counted is all that the thread does from one tick to the next: encoding what has changed,
// putting frames together, writing them to the sockets. Browsers take deflated frames, ours deltas; scripts may not.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Account } from '../../api/auth/account.js';
import { ProxiedUsers } from '../../api/auth/proxied-users.js';
import { DeflateThread } from '../../api/torrent-list/deflate/deflate-thread.js';
import { DeflatedLists } from '../../api/torrent-list/deflated-lists.js';
import { Snapshots } from '../../api/torrent-list/snapshots.js';
import { Hub } from '../../api/ws/hub.js';
import { Connections } from '../../api/http/connections.js';
import { createUpgradeHandler } from '../../api/ws/upgrade.js';
import { openTickLibrary } from '../load/tick-library.js';
import { percentile } from '../measure/percentile.js';
import { mainThreadCpuMs } from '../measure/thread-cpu.js';
import type { Figure } from '../report/results.js';
import { Child } from '../support/child.js';
import { SeededRandom } from '../support/seeded-random.js';
import { pause } from '../support/wait.js';
import type { Scenario } from './scenario.js';

/** `deltas`: as the browser interface takes them, deflated. `everyMs`: time for the clients to read everything, so that no frame is replaced and saved. */
const CASES = [
  { torrents: 1_000, sockets: 50, kind: 'plain', everyMs: 250, ticks: 60 },
  { torrents: 1_000, sockets: 50, kind: 'deflated', everyMs: 250, ticks: 60 },
  { torrents: 10_000, sockets: 20, kind: 'plain', everyMs: 1_000, ticks: 15 },
  { torrents: 10_000, sockets: 20, kind: 'deflated', everyMs: 500, ticks: 30 },
  { torrents: 10_000, sockets: 20, kind: 'deltas', everyMs: 500, ticks: 30 },
  { torrents: 100_000, sockets: 20, kind: 'deflated', everyMs: 2_000, ticks: 10 },
  { torrents: 100_000, sockets: 20, kind: 'deltas', everyMs: 1_000, ticks: 15 },
] as const;
const CHANGED_PER_TICK = 100;
const WARM_UP_TICKS = 10;
/** Each look is a turn of the loop that costs the thread as well: a look a millisecond doubled the figures. */
const DELAY_RESOLUTION_MS = 20;
const CONNECT_TIMEOUT_MS = 30_000;
const SEED = 11;

export const tick: Scenario = {
  kind: 'micro',
  what: 'the push channel: sockets of 5 accounts, 100 torrents changing',
  async measure() {
    const figures: Figure[] = [];
    for (const each of CASES) figures.push(...(await measureCase(each)));
    return figures;
  },
};

async function measureCase({ torrents, sockets, kind, everyMs, ticks }: (typeof CASES)[number]): Promise<Figure[]> {
  const { library, accounts, change } = openTickLibrary(torrents, new SeededRandom(SEED));
  const hub = openHub(library, accounts);
  const { url, close } = await listen(hub, accounts);
  const script = fileURLToPath(new URL('../load/tick-clients.js', import.meta.url));
  const perAccount = String(sockets / accounts.length);
  const asks = kind === 'deltas' ? [`${url}?frames=delta`, 'deflated'] : [url, kind];
  const clients = new Child(process.execPath, [script, ...asks, perAccount, ...accounts.map(keyOf)]);
  try {
    await clients.event('connected', CONNECT_TIMEOUT_MS);
    const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
    const cpuMs: number[] = [];
    for (let turn = -WARM_UP_TICKS; turn < ticks; turn++) {
      if (turn === 0) delay.enable();
      // The engine does this, in a thread of its own.
      change(CHANGED_PER_TICK);
      const before = mainThreadCpuMs();
      await hub.tick();
      await pause(everyMs);
      if (turn >= 0) cpuMs.push(mainThreadCpuMs() - before);
    }
    delay.disable();
    const name = (what: string) => `${torrents.toLocaleString('en')} torrents, ${sockets} sockets, ${kind}: ${what}`;
    return [
      { name: name('CPU of a tick, p50'), value: percentile(cpuMs, 50), unit: 'ms' },
      { name: name('CPU of a tick, p95'), value: percentile(cpuMs, 95), unit: 'ms' },
      { name: name('CPU of a tick, max'), value: Math.max(...cpuMs), unit: 'ms' },
      { name: name('event loop late, max'), value: delay.max / 1e6, unit: 'ms' },
      { name: name('frames that clients did not get'), value: hub.dropped, unit: 'frames' },
    ];
  } finally {
    await clients.stop();
    hub.close();
    await close();
  }
}

function openHub(library: ReturnType<typeof openTickLibrary>['library'], accounts: readonly Account[]): Hub {
  const labels = { revision: 0, category: () => undefined, tag: () => undefined };
  const deflate = new DeflateThread();
  return new Hub({
    accounts: { find: (id) => accounts.find((account) => account.id === id) },
    sessions: { accountOf: () => null },
    snapshots: new Snapshots(library, labels),
    deflate,
    deflatedLists: new DeflatedLists(deflate),
    inspector: { tick: async () => null },
    log: { warn: () => undefined },
    now: () => performance.now(),
  });
}

/** Only what upgrades need. */
async function listen(hub: Hub, accounts: readonly Account[]): Promise<{ url: string; close: () => Promise<void> }> {
  const auth = {
    accounts: {
      find: (id: Account['id']) => accounts.find((account) => account.id === id),
      findByApiKey: (key: string) => accounts.find((account) => keyOf(account) === key) ?? null,
    },
    sessions: { accountOf: () => null },
    localKey: { opens: () => false },
    proxiedUsers: new ProxiedUsers(null),
    newestRecords: null,
  };
  const hosts = { allowedHosts: [], isOpen: () => true };
  const policy = { trustedProxies: [], hosts, allowMissingOrigin: false, tls: false };
  const connections = new Connections({ max: Infinity, isShared: () => true });
  const server = createServer().on('upgrade', createUpgradeHandler(hub, auth, policy, connections));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  // A TCP server has an address object.
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  return { url: `ws://127.0.0.1:${port}/api/ws`, close };
}

function keyOf({ id }: Account): string {
  return `key-of-${id}`;
}
