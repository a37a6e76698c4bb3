// The ways to peers that are not trackers, and the way of peers to us: one DHT node, local service discovery, and the
// port mapping, as far as each is switched on. What is off has no socket.
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { EngineOptions } from '../../shared-protocol/commands/engine-options.js';
import type { InfoHash } from '../../shared-protocol/ids.js';
import type { ResolveName } from '../../shared-protocol/names/name-resolver.js';
import type { Outlet } from '../../shared-protocol/network/outlet.js';
import type { TorrentStore } from '../../storage/types.js';
import { createDhtNode, type DhtNode } from '../dht/index.js';
import { createLsd, type Lsd } from '../lsd/index.js';
import { createPortMapping, type PortMapping } from '../port-mapping/index.js';
import type { Interfaces } from '../net/local-networks.js';
import type { Clock, Log, PeerAddress, Random } from '../environment.js';
import type { TorrentDiscovery } from '../torrent/session-interface.js';

/** The lease is given back within this, or ends by itself. */
const UNMAP_MS = 2_000;

export interface DiscoveryDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly store: TorrentStore;
  onPeers(infoHash: InfoHash, peers: readonly PeerAddress[], source: 'dht' | 'lsd'): void;
  isAllowed(address: PeerAddress): boolean;
  /** Resolves the names of the first nodes of the DHT. @default by the system's name servers */
  readonly names?: ResolveName;
  readonly outlet: Outlet;
}

export class Discovery implements TorrentDiscovery {
  readonly #wanted = new Set<InfoHash>();
  #peerPort = 0;
  #dht: DhtNode | null = null;
  #lsd: Lsd | null = null;
  #portMapping: PortMapping | null = null;
  #closed = false;

  constructor(
    private readonly deps: DiscoveryDeps,
    private readonly options: Pick<EngineOptions, 'peerHosts' | 'dht' | 'lsd' | 'portMapping' | 'anonymous'>,
  ) {}

  /**
   * Opens the sockets; nothing here is worth failing for, or waiting for the network. Through a proxy for peers none of
   * this can be done, and what the router is asked is asked by whatever interface leads to it, and so not while bound.
   */
  async open(peerPort: number): Promise<void> {
    const { outlet } = this.deps;
    const { dht, lsd, portMapping, anonymous = false } = this.options;
    this.#peerPort = peerPort;
    if (this.#closed || !outlet.isOpen || outlet.proxyOf('peers')) return;
    if (dht) this.#dht = await this.#openDht(dht.bootstrap);
    if (this.#closed) return this.shut();
    if (lsd && !anonymous) this.#lsd = this.#openLsd();
    if (portMapping && !anonymous && outlet.binding.kind === 'open') {
      this.#portMapping = createPortMapping(this.deps, { protocols: this.#dht ? ['TCP', 'UDP'] : ['TCP'] });
      this.#portMapping.start(peerPort);
    }
    for (const infoHash of this.#wanted) this.#add(infoHash);
  }

  start(infoHash: InfoHash): void {
    if (this.#wanted.has(infoHash)) return;
    this.#wanted.add(infoHash);
    this.#add(infoHash);
  }

  stop(infoHash: InfoHash): void {
    if (!this.#wanted.delete(infoHash)) return;
    this.#dht?.remove(infoHash);
    this.#lsd?.remove(infoHash);
  }

  hurry(infoHash: InfoHash): void {
    if (this.#wanted.has(infoHash)) this.#dht?.hurry(infoHash);
  }

  dhtPort(): number {
    return this.#dht?.port ?? 0;
  }

  /** In the routing table. */
  get dhtNodes(): number {
    return this.#dht?.stats().nodes ?? 0;
  }

  addNode(address: PeerAddress): void {
    this.#dht?.addNode(address);
  }

  /** Where the gateway says we are; null while that is unknown. */
  get gatewayAddress(): string | null {
    return this.#portMapping?.externalAddress ?? null;
  }

  setExternalAddress(address: string): void {
    if (!address.includes(':')) this.#dht?.setExternalAddress(address);
  }

  /** Others are allowed than before. */
  dropDisallowed(): void {
    this.#dht?.dropDisallowed();
  }

  /** Closes the sockets, until they are opened again. */
  async shut(): Promise<void> {
    const [dht, lsd, portMapping] = [this.#dht, this.#lsd, this.#portMapping];
    this.#dht = null;
    this.#lsd = null;
    this.#portMapping = null;
    const { outlet } = this.deps;
    // The router is not asked by another way than that of everything else; then the lease ends by itself.
    const mayAsk = outlet.binding.kind === 'open' && !outlet.proxyOf('peers');
    await Promise.all([dht?.close(), lsd?.close(), portMapping?.close(mayAsk ? UNMAP_MS : 0)]);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.shut();
  }

  #add(infoHash: InfoHash): void {
    this.#dht?.add(infoHash, { port: () => this.#peerPort });
    this.#lsd?.add(infoHash);
  }

  /** On the peer port's number, as is usual; on another one where that is taken. */
  async #openDht(bootstrap: readonly PeerAddress[] | null): Promise<DhtNode | null> {
    const { deps } = this;
    const hosts = deps.outlet.listenHosts(this.options.peerHosts);
    const host = hosts.find((one) => isIPv4(one)) ?? (hosts.length === 0 ? '0.0.0.0' : null);
    // Bound to an IPv6 address alone.
    if (host === null) return null;
    const node = {
      ...deps,
      onPeers: (hash: InfoHash, peers: readonly PeerAddress[]) => deps.onPeers(hash, peers, 'dht'),
    };
    for (const port of [this.#peerPort, 0]) {
      try {
        return await createDhtNode(node, { host, port, bootstrap });
      } catch (error) {
        deps.log.warn('DHT: no socket', { port, reason: error instanceof Error ? error.message : String(error) });
      }
    }
    return null;
  }

  #openLsd(): Lsd {
    const onPeer = (infoHash: InfoHash, address: PeerAddress): void => this.deps.onPeers(infoHash, [address], 'lsd');
    return createLsd(
      { ...this.deps, onPeer },
      { peerPort: () => this.#peerPort, interfaces: () => this.#interfaces() },
    );
  }

  /** All, or the one that everything is bound to. */
  #interfaces(): Interfaces {
    const { binding } = this.deps.outlet;
    const all = networkInterfaces();
    return binding.kind === 'bound' ? { [binding.device]: all[binding.device] } : all;
  }
}
