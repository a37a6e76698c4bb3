// The addresses that a torrent knows, and what its connections show of them: who listens where, what came of an attempt,
// and when the next one is due. Which of them to try is the list's to say, and where they may come from the torrent's.
import type { PexFlags } from '../../pex/extension.js';
import { formatAddress } from '../../net/address.js';
import { MAX_KNOWN_PEERS, MAX_KNOWN_PEERS_PAUSED, PeerList } from '../../peers/peer-list/peer-list.js';
import type { PeerSource } from '../../peers/peer-list/sources.js';
import type { PeerAddress } from '../../environment.js';
import type { CloseReason } from '../../wire/errors.js';
import { disconnectKind } from '../peer/disconnect-kind.js';
import type { Peer } from '../peer/peer.js';
import type { TorrentServices } from '../session-interface.js';

/** BEP 27: where peers of a private torrent must not come from. */
const NOT_PRIVATE: readonly PeerSource[] = ['dht', 'pex', 'lsd'];

export interface KnownAddressesDeps {
  readonly services: Pick<TorrentServices, 'clock' | 'encryption' | 'inside' | 'peerFilter'>;
  /** BEP 27; may turn out with the info dictionary. */
  readonly isPrivate: boolean;
}

export class KnownAddresses {
  /** Made when it is first asked for: most torrents rest. */
  #list: PeerList | null = null;
  #isOnline = false;
  #isSeeding = false;

  constructor(private readonly deps: KnownAddressesDeps) {}

  get list(): PeerList {
    if (this.#list) return this.#list;
    const { services, isPrivate } = this.deps;
    this.#list = new PeerList({
      rank: (address) => services.peerFilter.priority(address),
      isBlocked: (host) => services.peerFilter.isBlocked(host),
      standingOf: (host) => services.inside.standingOf(host),
      limit: this.#limit,
    });
    this.#list.setSeeding(this.#isSeeding);
    if (isPrivate) this.#list.dropSources(NOT_PRIVATE);
    return this.#list;
  }

  /** There are addresses to try, now or later. */
  get any(): boolean {
    return this.#list !== null && this.#list.size > 0;
  }

  /** While it does not look for peers fewer addresses are kept. */
  setOnline(online: boolean): void {
    if (online === this.#isOnline) return;
    this.#isOnline = online;
    this.#list?.setLimit(this.#limit);
  }

  /** While it has everything, it does not look for seeds. */
  setSeeding(seeding: boolean): void {
    if (seeding === this.#isSeeding) return;
    this.#isSeeding = seeding;
    this.#list?.setSeeding(seeding);
  }

  /** Priorities by BEP 40 have changed. */
  weigh(): void {
    this.#list?.setRank((address) => this.deps.services.peerFilter.priority(address));
  }

  /** Forgets those learnt elsewhere than from the trackers: the torrent turned out to be private (BEP 27). Returns them. */
  onPrivate(): readonly PeerAddress[] {
    return this.#list?.dropSources(NOT_PRIVATE) ?? [];
  }

  /** Forgets those on such hosts until they are named again. */
  forgetHosts(isMeant: (host: string) => boolean): void {
    this.#list?.forgetHosts(isMeant);
  }

  /** A peer that came to us is not connected to while it is here. */
  onListenAddress(peer: Peer, address: PeerAddress): void {
    this.list.add([address], 'incoming');
    peer.holdsKnown = this.list.hold(address);
  }

  onExchanged(addresses: readonly PeerAddress[], flagsOf: (address: PeerAddress) => PexFlags | undefined): void {
    this.list.add(addresses, 'pex');
    for (const address of addresses) {
      const flags = flagsOf(address);
      if (flags) this.list.hear(address, flags);
    }
  }

  /** The handshake is through. */
  onMet({ connection, origin }: Peer): void {
    if (connection.direction === 'incoming' || origin.webSeedUrl !== null) return;
    const mse = connection.protection === 'none' ? {} : ({ mse: 'works' } as const);
    this.list.onConnected(connection.remote, this.deps.services.clock.nowMs());
    this.list.observe(connection.remote, { isReachable: true, ...mse });
  }

  /** A peer has gone: when its address is tried again. `others`: the peers that are still here. */
  onClosed(peer: Peer, reason: CloseReason, others: Iterable<Peer>): void {
    const { listenAddress: address } = peer;
    if (!address || !peer.holdsKnown) return;
    const { clock, encryption, peerFilter } = this.deps.services;
    if (reason === 'SELF_CONNECTION') return this.list.forgetOwn(address);
    if (peer.have) this.list.observe(address, { isSeed: peer.isSeed });
    const wasUseful = peer.down.total + peer.up.total > 0;
    const kind = disconnectKind(reason, { handshakeDone: peer.handshakeDone, wasUseful, encryption });
    if (kind === 'mse-refused') peerFilter.allowAgain(address, kind);
    else if (kind === 'lost') peerFilter.allowAgain(address, 'handshake-done');
    this.list.onDisconnected(address, kind, clock.nowMs());
    if (reason === 'DUPLICATE_PEER') this.#passHold(address, others);
  }

  /** The other of two connections to the same peer goes on. */
  #passHold(address: PeerAddress, others: Iterable<Peer>): void {
    const text = formatAddress(address);
    for (const other of others) {
      if (!other.listenAddress || formatAddress(other.listenAddress) !== text) continue;
      other.holdsKnown = this.list.hold(address);
      return;
    }
  }

  get #limit(): number {
    return this.#isOnline ? MAX_KNOWN_PEERS : MAX_KNOWN_PEERS_PAUSED;
  }
}
