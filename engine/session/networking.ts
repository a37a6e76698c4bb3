// How the session reaches peers and is reached by them: our own address as others see it, which peers we talk to, the
// ways to peers besides trackers, encryption, and the limits on what all of them move.
import type { AddressRanges } from '../../shared-protocol/address-ranges.js';
import type { EngineOptions } from '../../shared-protocol/commands/engine-options.js';
import type { RateLimits } from '../../shared-protocol/commands/limits.js';
import type { ResolveName } from '../../shared-protocol/names/name-resolver.js';
import type { Outlet } from '../../shared-protocol/network/outlet.js';
import type { TorrentStore } from '../../storage/types.js';
import type { Slab } from '../hashing/types.js';
import { RateLimiter, type Limiters } from '../net/rate-limiter.js';
import type { Clock, Log, Random } from '../environment.js';
import type { Blocklist } from '../peers/blocklist.js';
import type { InsideRules } from '../torrent/session-interface.js';
import { Rc4Machines, type Rc4Machine } from '../wire/mse/rc4.js';
import type { ConnectionDeps } from '../wire/peer-connection.js';
import { Discovery } from './discovery.js';
import { ExternalAddress } from './external-address.js';
import { PeerFilter } from './peer-filter.js';
import type { Torrents } from './torrents.js';

export interface NetworkingDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly store: TorrentStore;
  readonly slab: Slab;
  /** Deciphers what sockets have read where it lies. @default by a copy */
  readonly rc4?: Rc4Machine;
  readonly torrents: Pick<Torrents, 'get' | 'values' | 'findObfuscated'>;
  readonly peerPort: () => number;
  readonly blocklist: Blocklist;
  readonly inside: InsideRules;
  /** @default by the system's name servers */
  readonly names?: ResolveName;
  readonly outlet: Outlet;
}

export class Networking {
  readonly connections: ConnectionDeps;
  readonly peerFilter: PeerFilter;
  readonly discovery: Discovery;
  readonly limits: Limiters;
  readonly #external = new ExternalAddress((address) => this.#onExternalAddress(address));

  constructor(
    private readonly deps: NetworkingDeps,
    options: EngineOptions,
  ) {
    const { clock, random, log, store, slab, torrents } = deps;
    this.connections = {
      nowMs: () => clock.nowMs(),
      copyPayload: (target, at, source, from, length) => slab.copy(target, at, source, from, length),
      security: {
        policy: options.encryption,
        random,
        machines: new Rc4Machines(deps.rc4),
        findTorrent: (hash) => torrents.findObfuscated(hash),
      },
    };
    this.peerFilter = new PeerFilter({
      clock,
      random,
      log,
      blocklist: deps.blocklist,
      standingOf: (host) => deps.inside.standingOf(host),
      ourAddress: (seenBy) => {
        const host = this.#external.seenBy(seenBy);
        return host === null ? null : { host, port: deps.peerPort() };
      },
    });
    this.discovery = new Discovery(
      {
        clock,
        random,
        log,
        store,
        // Neighbours tell of themselves, from the address that they send from; the DHT is any node's word.
        onPeers: (infoHash, peers, source) => void torrents.get(infoHash)?.addPeers(peers, source, source === 'lsd'),
        isAllowed: ({ host }) => !this.peerFilter.isBannedHost(host),
        outlet: deps.outlet,
        ...(deps.names && { names: deps.names }),
      },
      options,
    );
    this.limits = { down: new RateLimiter(clock), up: new RateLimiter(clock) };
    this.setRateLimits(options.rateLimits);
  }

  /** Over all torrents, from now on. */
  setRateLimits({ downBytesPerSec, upBytesPerSec }: RateLimits): void {
    this.limits.down.setLimit(downBytesPerSec);
    this.limits.up.setLimit(upBytesPerSec);
  }

  /** From now on; who is connected is the caller's to look through. */
  setBlocklist(lists: readonly AddressRanges[]): void {
    this.deps.blocklist.set(lists);
    this.discovery.dropDisallowed();
  }

  /** `voter` (a tracker's or a peer's host) says that it sees us there. */
  onExternalAddress(address: string, voter: string): void {
    this.#external.vote(address, voter);
  }

  /** Now and then: the gateway does not say by itself what it has learnt. */
  askGateway(): void {
    const address = this.discovery.gatewayAddress;
    if (address !== null) this.#external.vote(address, null);
  }

  /** BEP 40 weighs peers by it, and BEP 42 the DHT's nodes. */
  #onExternalAddress(address: string): void {
    this.deps.log.info('our address as others see it', { address });
    this.discovery.setExternalAddress(address);
    for (const torrent of this.deps.torrents.values()) torrent.onOwnAddressKnown();
  }
}
