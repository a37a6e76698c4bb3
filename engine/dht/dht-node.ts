// Our node in the DHT of BitTorrent (BEP 5), IPv4 only as its package is: binds the socket, puts guard, table, queues
// and package together, and keeps what is known of the network across restarts. Nothing of the protocol is decided here.
import Dht from 'bittorrent-dht';
import type { Socket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import type { InfoHash } from '../../shared-protocol/ids.js';
import { NameResolver } from '../../shared-protocol/names/name-resolver.js';
import { Outlet } from '../../shared-protocol/network/outlet.js';
import type { PeerAddress, Timer } from '../environment.js';
import {
  LOOKUPS_PER_INTERVAL,
  MAINTENANCE_INTERVAL_MS,
  FAR_WALKS,
  OWN_LOOKUP_INTERVAL_MS,
  PUBLIC_ROUTERS,
  QUERY_CONCURRENCY,
  QUERY_TIMEOUT_MS,
  SAVE_INTERVAL_MS,
  STORE_MAX_PEERS,
  STORE_PEER_LIFE_MS,
} from './constants.js';
import { GuardedSocket } from './guarded-socket.js';
import { Join } from './join.js';
import { LookupSchedule } from './lookup-schedule.js';
import { Lookups } from './lookups.js';
import { kindOf } from './node-address.js';
import { PingQueue } from './ping-queue.js';
import { RoutingTable } from './routing-table.js';
import { SavedState } from './saved-state.js';
import type { DhtNode, DhtNodeDeps, DhtNodeOptions, DhtStats } from './types.js';
import { bindUdpSocket, resolveIPv4 } from './udp-socket.js';

/**
 * Resolves once the socket is bound; nodes are found afterwards.
 * @throws AppError `LISTEN_FAILED`
 */
export async function createDhtNode(deps: DhtNodeDeps, options: DhtNodeOptions): Promise<DhtNode> {
  const { clock, outlet = new Outlet({ clock, nameServers: null }) } = deps;
  const socket = await bindUdpSocket(outlet, options.host, options.port);
  return new PackagedDhtNode(deps, options, socket);
}

class PackagedDhtNode implements DhtNode {
  readonly port: number;
  readonly #saved: SavedState;
  readonly #socket: GuardedSocket;
  readonly #dht: Dht;
  readonly #table: RoutingTable;
  readonly #pings: PingQueue;
  readonly #join: Join;
  readonly #lookups: Lookups;
  readonly #schedule: LookupSchedule;
  readonly #announcePorts = new Map<InfoHash, () => number>();
  #externalIp: string | null = null;
  #maintenance: Timer;
  #savedMs: number;
  #walkedMs: number;
  /** Nodes came or went since they were saved. */
  #isDirty = false;
  #closing: Promise<void> | null = null;
  readonly #closed = new AbortController();

  constructor(
    private readonly deps: DhtNodeDeps,
    options: DhtNodeOptions,
    socket: Socket,
  ) {
    const { clock, random, log } = deps;
    const isAllowed = deps.isAllowed ?? (() => true);
    const names = deps.names ?? new NameResolver().resolve;
    this.port = socket.address().port;
    this.#socket = new GuardedSocket({
      clock,
      random,
      log,
      socket,
      isAllowed,
      onQuerier: (from) => this.addNode(from),
      onAnswered: (from) => this.#table.answered(from),
      onUnanswered: (to) => this.#table.unanswered(to),
    });
    this.#saved = new SavedState(deps);
    const nodeId = this.#saved.nodeId();
    this.#dht = new Dht({
      nodeId,
      socket: this.#socket,
      bootstrap: false,
      concurrency: QUERY_CONCURRENCY,
      timeout: QUERY_TIMEOUT_MS,
      maxTables: LOOKUPS_PER_INTERVAL,
      maxPeers: STORE_MAX_PEERS,
      maxAge: STORE_PEER_LIFE_MS,
    });
    this.#dht.on('error', (error) => log.warn('dht: error', { error: String(error) }));
    this.#dht.on('announce', (peer, infoHash) => this.#socket.storedPeers.stored(infoHash.toString('hex'), peer));
    this.#table = new RoutingTable({
      clock,
      contacts: this.#dht.nodes,
      ownId: nodeId,
      isOwn: (address) => this.#isOwn(address, options.host),
      isAllowed,
      remove: (id) => this.#dht.removeNode(id),
      onChange: (count) => this.#onNodeCount(count),
    });
    this.#pings = new PingQueue({ clock, ping: ({ host, port }) => this.#dht.addNode({ host, port }) });
    this.#lookups = new Lookups({ clock, dht: this.#dht, isAllowed, onPeers: deps.onPeers });
    this.#schedule = new LookupSchedule({
      clock,
      random,
      isReady: () => this.#table.size > 0,
      begin: (infoHash) => this.#lookups.run(infoHash, () => this.#announcePorts.get(infoHash)?.() ?? 0),
    });
    this.#join = new Join(
      {
        clock,
        log,
        ping: (address) => this.#pings.insist(address),
        findOwnId: () => this.#findOwnId(),
        resolve: (host) => resolveIPv4(names, host, this.#closed.signal),
      },
      { saved: this.#saved.nodes(), bootstrap: options.bootstrap ?? PUBLIC_ROUTERS },
    );
    this.#savedMs = this.#walkedMs = clock.nowMs();
    this.#maintenance = this.#maintainLater();
    this.#dht.listen();
    this.#join.start();
  }

  get nodeCount(): number {
    return this.#table.size;
  }

  addNode(address: PeerAddress): void {
    if (this.#table.wants(address)) this.#pings.offer(address);
  }

  add(infoHash: InfoHash, announce: { port(): number }): void {
    this.#announcePorts.set(infoHash, () => announce.port());
    this.#schedule.add(infoHash);
  }

  remove(infoHash: InfoHash): void {
    this.#announcePorts.delete(infoHash);
    this.#schedule.remove(infoHash);
  }

  hurry(infoHash: InfoHash): void {
    this.#schedule.hurry(infoHash);
  }

  setExternalAddress(ip: string): void {
    if (ip === this.#externalIp || !isIPv4(ip) || kindOf(ip) !== 'public') return;
    this.#externalIp = ip;
    // The table is built around the id, so it stays until the next start.
    this.#saved.planNodeIdFor(ip);
  }

  dropDisallowed(): void {
    this.#table.dropDisallowed();
  }

  stats(): DhtStats {
    return {
      nodes: this.#table.size,
      torrents: this.#schedule.size,
      ...this.#lookups.counters,
      traffic: this.#socket.traffic,
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#maintenance.cancel();
    this.#join.close();
    this.#closed.abort();
    this.#schedule.close();
    this.#pings.close();
    this.#lookups.close();
    if (this.#isDirty) this.#saveNodes();
    await new Promise<void>((resolve) => this.#dht.destroy(resolve));
    await this.#saved.settled();
  }

  #maintainLater(): Timer {
    return this.deps.clock.after(MAINTENANCE_INTERVAL_MS, () => {
      this.#maintenance = this.#maintainLater();
      this.#maintain();
    });
  }

  #maintain(): void {
    const nowMs = this.deps.clock.nowMs();
    this.#socket.expire();
    for (const address of this.#table.stale()) this.#pings.insist(address);
    if (this.#table.size > 0 && nowMs - this.#walkedMs >= OWN_LOOKUP_INTERVAL_MS) this.#findOwnId();
    if (this.#isDirty && nowMs - this.#savedMs >= SAVE_INTERVAL_MS) this.#saveNodes();
  }

  #onNodeCount(count: number): void {
    if (this.#closing) return;
    this.#isDirty = true;
    this.#join.onNodeCount(count, () => this.#saved.nodes());
    if (count === 1) this.#schedule.wake();
  }

  #findOwnId(): void {
    this.#walkedMs = this.deps.clock.nowMs();
    const { nodeId } = this.#dht;
    void this.#lookups.walk(nodeId);
    // Walking to our own id alone leaves the far half of the key space to few nodes, who then hand on only those.
    for (let bit = 0; bit < FAR_WALKS; bit++) {
      const target = Uint8Array.from(nodeId);
      target[0]! ^= 0x80 >> bit;
      void this.#lookups.walk(target);
    }
  }

  #isOwn({ host, port }: PeerAddress, boundHost: string): boolean {
    if (host === this.#externalIp) return true;
    return port === this.port && (host === boundHost || (boundHost === '0.0.0.0' && host.startsWith('127.')));
  }

  #saveNodes(): void {
    const nodes = this.#table.addresses();
    // An empty table says that we are offline, not that the nodes of last time are gone.
    if (nodes.length === 0) return;
    this.#isDirty = false;
    this.#savedMs = this.deps.clock.nowMs();
    this.#saved.saveNodes(nodes);
  }
}
