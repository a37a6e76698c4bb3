// Our own DHT nodes on loopback, each on an address of its own as in the real network, with stores in memory.
import { createDhtNode, type DhtNode } from '../../engine/dht/index.js';
import type { Clock, Log, PeerAddress } from '../../engine/environment.js';
import type { InfoHash } from '../../shared-protocol/ids.js';
import { createMemoryTorrentStore } from './memory-torrent-store.js';
import type { TorrentStore } from '../../storage/types.js';
import { SeededRandom } from './seeded-random.js';
import { systemClock } from '../../shared-protocol/clock.js';

export interface TestNode {
  readonly node: DhtNode;
  readonly address: PeerAddress;
  readonly store: TorrentStore;
  readonly found: { readonly infoHash: InfoHash; readonly peer: PeerAddress }[];
  /** Warnings and errors. */
  readonly complaints: string[];
}

export interface TestNodeOptions {
  /** @default 127.0.0.1 */
  readonly host?: string;
  readonly port?: number;
  readonly bootstrap?: readonly PeerAddress[];
  readonly store?: TorrentStore;
  readonly seed?: number;
  readonly clock?: Clock;
  /** @default everybody */
  readonly isAllowed?: (address: PeerAddress) => boolean;
}

let nextSeed = 1;

export async function startDhtNode(options: TestNodeOptions = {}): Promise<TestNode> {
  const { host = '127.0.0.1', port = 0, bootstrap = [], seed = nextSeed++ } = options;
  const store = options.store ?? createMemoryTorrentStore();
  const found: { infoHash: InfoHash; peer: PeerAddress }[] = [];
  const complaints: string[] = [];
  const complain = (message: string, fields?: object): void => {
    complaints.push(`${message} ${JSON.stringify(fields)}`);
  };
  const log: Log = { debug: () => {}, info: () => {}, warn: complain, error: complain };
  const node = await createDhtNode(
    {
      clock: options.clock ?? systemClock,
      random: new SeededRandom(seed),
      log,
      store,
      isAllowed: options.isAllowed ?? (() => true),
      onPeers: (infoHash, peers) => found.push(...peers.map((peer) => ({ infoHash, peer }))),
    },
    { host, port, bootstrap },
  );
  return { node, address: { host, port: node.port }, store, found, complaints };
}

/** Resolves true as soon as the condition holds, false when it does not within `waitMs`. */
export async function eventually(condition: () => boolean, waitMs = 8_000): Promise<boolean> {
  const untilMs = performance.now() + waitMs;
  while (!condition()) {
    if (performance.now() > untilMs) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}
