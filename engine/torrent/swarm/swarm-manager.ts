// A torrent's presence in its swarm: the addresses it knows, its connections, and the content they need. Comes into
// being with the first peer and goes when the last has left for a while; what may happen when is the torrent's to say.
import type { RateLimits } from '../../../shared-protocol/commands.js';
import type { PeerId, TorrentId } from '../../../shared-protocol/ids.js';
import type { PartialPiece } from '../../../storage/types.js';
import { formatAddress } from '../../net/address.js';
import type { TargetAccess } from '../../net/judge-target.js';
import { PeerList, MAX_KNOWN_PEERS, MAX_KNOWN_PEERS_PAUSED } from '../../peers/peer-list/peer-list.js';
import type { PeerSource } from '../../peers/peer-list/sources.js';
import { piecePrioritiesFromFiles } from '../../picker/index.js';
import type { PeerAddress } from '../../environment.js';
import type { CloseReason } from '../../wire/errors.js';
import type { PeerConnection } from '../../wire/peer-connection.js';
import type { PexFlags } from '../../pex/extension.js';
import type { Bitfield } from '../pieces/bitfield.js';
import type { Content } from '../files/content.js';
import { disconnectKind } from '../peer/disconnect-kind.js';
import type { Peer } from '../peer/peer.js';
import { BanEnforcer } from '../bans/ban-enforcer.js';
import type { TorrentServices } from '../session-interface.js';
import { Swarm, type SwarmEvents } from './swarm.js';
import { WebSeeds } from './web-seeds.js';

/** A torrent without peers keeps its content this long. */
const SLEEP_AFTER_MS = 60_000;
const NOTHING_TO_RELEASE: Promise<void> = Promise.resolve();

/** BEP 27: where peers of a private torrent must not come from. */
const NOT_PRIVATE: readonly PeerSource[] = ['dht', 'pex', 'lsd'];

type OwnEvents = 'download' | 'onDownloadEnding' | 'onListenAddress' | 'onExchanged' | 'onPeerMet' | 'onPeerClosed';

export interface SwarmManagerEvents extends Omit<SwarmEvents, OwnEvents> {
  onPieceVerified(piece: number): void;
  onWriteFailed(error: unknown): void;
  /** Blocks of unfinished pieces are on disk now, though not synced. */
  onPartial(partial: readonly PartialPiece[]): void;
  /** There may be an address to try: a new one, or one that became free again. */
  onAddressFree(): void;
  /** The first peer comes: there is a swarm to look after from now on, until `onAsleep`. */
  onAwake(): void;
  onAsleep(): void;
}

/** All of it as it is when it is asked. */
export interface SwarmManagerDeps extends SwarmManagerEvents {
  readonly id: TorrentId;
  readonly services: TorrentServices;
  readonly have: Bitfield | null;
  readonly isPrivate: boolean;
  readonly limits: RateLimits;
  /** BEP 19, and BEP 17. */
  readonly webSeeds: readonly string[];
  readonly httpSeeds: readonly string[];
  readonly webSeedAccess: TargetAccess;
  /** Reads the content from the store; null while the metadata is unknown or unreadable. */
  load(): Content | null;
  /** Blocks that are on disk of pieces that are not verified, given once. */
  takePartial(): readonly PartialPiece[];
}

export class SwarmManager {
  /** Made when they are first asked for: most torrents rest. */
  #known: PeerList | null = null;
  #poison: BanEnforcer | null = null;
  #ownWebSeeds: WebSeeds | null = null;
  #isOnline = false;
  #isSeeding = false;
  #content: Content | null = null;
  #swarm: Swarm | null = null;
  #lastPeerMs = 0;
  #released = NOTHING_TO_RELEASE;
  #ended = NOTHING_TO_RELEASE;
  #holders = 0;

  constructor(private readonly deps: SwarmManagerDeps) {}

  get known(): PeerList {
    if (this.#known) return this.#known;
    const { services, isPrivate } = this.deps;
    this.#known = new PeerList({
      rank: (address) => services.peerFilter.priority(address),
      isBlocked: (host) => services.peerFilter.isBlocked(host),
      standingOf: (host) => services.inside.standingOf(host),
      limit: this.#knownLimit,
    });
    this.#known.setSeeding(this.#isSeeding);
    if (isPrivate) this.#known.dropSources(NOT_PRIVATE);
    return this.#known;
  }

  /** There are addresses to try, now or later. */
  get knowsPeers(): boolean {
    return this.#known !== null && this.#known.size > 0;
  }

  get swarm(): Swarm | null {
    return this.#swarm;
  }

  get peerCount(): number {
    return this.#swarm?.peers.size ?? 0;
  }

  /** What is open at the moment. */
  get openedContent(): Content | null {
    return this.#content;
  }

  content(): Content | null {
    this.#content ??= this.deps.load();
    return this.#content;
  }

  /** The metadata has just become known. */
  setContent(content: Content): void {
    this.#content = content;
  }

  /** The connected peers may be served and asked now. */
  giveContent(): void {
    const content = this.content();
    const have = this.deps.have;
    if (content && have) this.#swarm?.setContent({ ...content, have });
  }

  /** It is private, as it turns out: peers learnt elsewhere than from its trackers are forgotten (BEP 27). */
  onPrivate(): void {
    const gone = new Set(this.#known?.dropSources(NOT_PRIVATE).map(formatAddress));
    for (const peer of [...(this.#swarm?.peers.values() ?? [])]) {
      if (gone.has(formatAddress(peer.listenAddress ?? peer.connection.remote)))
        peer.connection.close('PRIVATE_TORRENT');
    }
  }

  /**
   * What the torrent may reach inside has changed: peers there are forgotten until somebody names them again, and web seeds
   * are let go of whoever they are: they are judged when they are connected to again.
   */
  onReachChanged(): void {
    const isInside = (host: string): boolean => this.deps.services.inside.standingOf(host) === 'inside';
    for (const peer of [...(this.#swarm?.peers.values() ?? [])]) {
      const { direction, remote } = peer.connection;
      const isDialled = direction === 'outgoing' && isInside(remote.host);
      if (peer.webSeedUrl !== null || isDialled) peer.connection.close('BLOCKED');
    }
    this.#known?.forgetHosts(isInside);
    this.#ownWebSeeds?.retry();
  }

  /** Priorities by BEP 40 have changed. */
  weighPeers(): void {
    this.#known?.setRank((address) => this.deps.services.peerFilter.priority(address));
  }

  /** While it does not look for peers fewer addresses are kept. */
  setOnline(online: boolean): void {
    if (online === this.#isOnline) return;
    this.#isOnline = online;
    this.#known?.setLimit(this.#knownLimit);
  }

  /** While it has everything, it does not look for seeds. */
  setSeeding(seeding: boolean): void {
    if (seeding === this.#isSeeding) return;
    this.#isSeeding = seeding;
    this.#known?.setSeeding(seeding);
  }

  accept(connection: PeerConnection, peerId: PeerId, dht: boolean): void {
    this.#wake().accept(connection, peerId, dht);
  }

  /** Connects to the next known address; false when there is none to try now. */
  connectNext(nowMs: number): boolean {
    const { peerFilter, identity, encryption } = this.deps.services;
    if (this.peerCount >= identity.maxPeersPerTorrent()) return false;
    const peer = this.known.take(nowMs, (candidate) => peerFilter.freeAtMs(candidate, nowMs));
    if (!peer) return false;
    peerFilter.onAttempt(peer.address);
    const encrypted = encryption === 'required' || (encryption === 'preferred' && peer.mse !== 'refused');
    this.#wake().connect(peer, encrypted);
    return true;
  }

  /** One at least may be asked now or later. */
  get hasWebSeeds(): boolean {
    return this.#webSeeds.mayServe;
  }

  /** Web seeds are asked while something is missing. */
  connectWebSeeds(nowMs: number): void {
    const content = this.#webSeeds.isDue(nowMs) ? this.content() : null;
    if (!content) return;
    const swarm = this.#wake();
    const { peerFilter, openWebSeed } = this.deps.services;
    this.#webSeeds.connect(
      nowMs,
      (url, form) => swarm.connectWebSeed(url, openWebSeed(url, form, content.info, this.deps.webSeedAccess)),
      (url) => peerFilter.isBannedWebSeed(url),
    );
  }

  startDownload(sequential: boolean): void {
    const content = this.#swarm && this.content();
    if (!this.#swarm || this.#swarm.download || !content) return;
    this.#swarm.startDownload((download) => {
      download.setPriorities(piecePrioritiesFromFiles(content.info, content.priorities));
      download.picker.setSequential(sequential);
      download.takeUp(this.deps.takePartial());
    });
    content.storage.createEmptyFiles().catch((error: unknown) => this.deps.onWriteFailed(error));
  }

  /** Other files are wanted than before. */
  onPrioritiesChanged({ info, priorities }: Content): void {
    if (this.#swarm?.download) this.#swarm.setPriorities(piecePrioritiesFromFiles(info, priorities));
  }

  /** `keep`: what is here of unfinished pieces is written. */
  stopDownload(keep: boolean): void {
    this.#swarm?.stopDownload(keep);
  }

  /** Once a second while awake; goes to sleep by itself unless it is busy otherwise. */
  tick(nowMs: number, elapsedMs: number, isBusy: boolean): void {
    this.#swarm?.tick(nowMs, elapsedMs);
    if (this.peerCount > 0 || isBusy) this.#lastPeerMs = nowMs;
    else if (nowMs - this.#lastPeerMs > SLEEP_AFTER_MS) this.leave('TORRENT_STOPPED');
  }

  /** Closes every connection and lets go of the content. `keep`: what is here of unfinished pieces is written. */
  leave(reason: CloseReason, keep = true): void {
    if (this.#swarm) {
      this.#swarm.closeAll(reason, keep);
      this.#swarm = null;
      if (this.#poison) this.deps.services.peerFilter.unwatch(this.#poison);
      this.deps.onAsleep();
    }
    this.releaseContent();
  }

  /** Bytes that a refusing disk kept in the part file are moved to where they belong, if it takes them now. */
  async moveWanted(): Promise<void> {
    const content = this.content();
    await content?.storage.setPriorities(content.priorities).catch(() => undefined);
    this.releaseContent();
  }

  /** While anybody holds it the content stays open: two storages over the same files do not know of each other's moves. */
  holdContent(held: boolean): void {
    this.#holders += held ? 1 : -1;
  }

  /** Idle torrents hold no parsed metainfo and no descriptors. */
  releaseContent(): void {
    const storage = this.#swarm || this.#holders > 0 ? null : this.#content?.storage;
    if (!storage) return;
    this.#content = null;
    this.#released = this.#ended.then(() => storage.sync()).then(() => storage.close());
    this.#released.catch((error: unknown) => this.deps.onWriteFailed(error));
  }

  /** Resolves when what was let go of last has been synced; rejects when that failed. */
  get released(): Promise<void> {
    return this.#ended.then(() => this.#released);
  }

  /** Resolves when downloads that were ended read and write no more. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  get #webSeeds(): WebSeeds {
    return (this.#ownWebSeeds ??= new WebSeeds(this.deps.webSeeds, this.deps.httpSeeds));
  }

  get #knownLimit(): number {
    return this.#isOnline ? MAX_KNOWN_PEERS : MAX_KNOWN_PEERS_PAUSED;
  }

  #wake(): Swarm {
    if (this.#swarm) return this.#swarm;
    const { deps } = this;
    const { id: infoHash, services, limits } = deps;
    this.#poison ??= new BanEnforcer({
      id: infoHash,
      services,
      swarm: () => this.#swarm,
      onWebSeedBanned: (url) => this.#webSeeds.ban(url),
    });
    services.peerFilter.watch(this.#poison);
    this.#swarm = new Swarm({
      infoHash,
      services,
      isPrivate: () => deps.isPrivate,
      limits,
      judge: this.#poison,
      events: {
        download: {
          onPieceVerified: (piece) => deps.onPieceVerified(piece),
          onDiskError: (error) => deps.onWriteFailed(error),
        },
        onMetadata: (infoBytes) => deps.onMetadata(infoBytes),
        onPayload: (direction, bytes) => deps.onPayload(direction, bytes),
        onReadFailed: (error) => deps.onReadFailed(error),
        onDownloadEnding: (ending) => this.#onDownloadEnding(ending),
        onListenAddress: (peer, address) => this.#onListenAddress(peer, address),
        onExchanged: (addresses, flagsOf) => this.#onExchanged(addresses, flagsOf),
        onPeerMet: (peer) => this.#onPeerMet(peer),
        onPeerClosed: (peer, reason, detail) => this.#onPeerClosed(peer, reason, detail),
      },
    });
    this.#lastPeerMs = services.clock.nowMs();
    this.giveContent();
    deps.onAwake();
    return this.#swarm;
  }

  #onDownloadEnding(ending: Promise<readonly PartialPiece[]>): void {
    const before = this.#ended;
    this.#ended = ending.then(async (partial) => {
      await before;
      // Another may have begun meanwhile.
      if (this.#swarm?.download) this.#swarm.download.takeUp(partial);
      else if (partial.length > 0) this.deps.onPartial(partial);
    });
  }

  /** A peer that came to us is not connected to while it is here. */
  #onListenAddress(peer: Peer, address: PeerAddress): void {
    this.known.add([address], 'incoming');
    peer.holdsKnown = this.known.hold(address);
  }

  #onExchanged(addresses: readonly PeerAddress[], flagsOf: (address: PeerAddress) => PexFlags | undefined): void {
    this.known.add(addresses, 'pex');
    for (const address of addresses) {
      const flags = flagsOf(address);
      if (flags) this.known.hear(address, flags);
    }
    this.deps.onAddressFree();
  }

  #onPeerMet({ connection, origin }: Peer): void {
    if (connection.direction === 'incoming' || origin.webSeedUrl !== null) return;
    const { clock } = this.deps.services;
    const mse = connection.protection === 'none' ? {} : ({ mse: 'works' } as const);
    this.known.onConnected(connection.remote, clock.nowMs());
    this.known.observe(connection.remote, { isReachable: true, ...mse });
  }

  #onPeerClosed(peer: Peer, reason: CloseReason, detail: string): void {
    const { id, services } = this.deps;
    const { remote } = peer.connection;
    const nowMs = services.clock.nowMs();
    services.log.debug('peer closed', { torrent: id, peer: formatAddress(remote), reason, detail });
    if (peer.webSeedUrl !== null) this.#webSeeds.onClosed(peer.webSeedUrl, reason, detail, nowMs);
    else if (peer.listenAddress && peer.holdsKnown) this.#letGo(peer, peer.listenAddress, reason);
    // Its place is free, whoever it was: a torrent that was full may look for peers again.
    if (this.knowsPeers) this.deps.onAddressFree();
  }

  /** The address of a peer that has gone: when it is tried again. */
  #letGo(peer: Peer, address: PeerAddress, reason: CloseReason): void {
    const { clock, encryption, peerFilter } = this.deps.services;
    if (reason === 'SELF_CONNECTION') return this.known.forgetOwn(address);
    if (peer.have) this.known.observe(address, { isSeed: peer.isSeed });
    const wasUseful = peer.down.total + peer.up.total > 0;
    const kind = disconnectKind(reason, { handshakeDone: peer.handshakeDone, wasUseful, encryption });
    if (kind === 'mse-refused') peerFilter.allowAgain(address, kind);
    else if (kind === 'lost') peerFilter.allowAgain(address, 'handshake-done');
    this.known.onDisconnected(address, kind, clock.nowMs());
    if (reason === 'DUPLICATE_PEER') this.#passHold(address);
  }

  /** The other of two connections to the same peer goes on. */
  #passHold(address: PeerAddress): void {
    const text = formatAddress(address);
    for (const other of this.#swarm?.peers.values() ?? []) {
      if (!other.listenAddress || formatAddress(other.listenAddress) !== text) continue;
      other.holdsKnown = this.known.hold(address);
      return;
    }
  }
}
