// A torrent's presence in its swarm: its connections, and the content they need. Comes into being with the first peer and
// goes when the last has left for a while; what may happen when is the torrent's to say.
import type { TorrentWaste } from '../../../shared-protocol/commands/details.js';
import type { PeerId } from '../../../shared-protocol/ids.js';
import type { PartialPiece, TorrentRow } from '../../../storage/types.js';
import { formatAddress } from '../../net/address.js';
import { piecePrioritiesFromFiles } from '../../picker/index.js';
import type { PiecePriority } from '../../picker/types.js';
import type { PeerAddress } from '../../environment.js';
import type { CloseReason } from '../../wire/errors.js';
import type { PeerConnection } from '../../wire/peer-connection.js';
import type { PexFlags } from '../../pex/extension.js';
import type { DiskFailures } from '../disk-failures.js';
import { openContent, type Content } from '../files/content.js';
import { seedsBringerOf } from '../holders.js';
import type { Peer } from '../peer/peer.js';
import { BanEnforcer } from '../bans/ban-enforcer.js';
import type { TorrentProgress } from '../pieces/progress.js';
import type { TorrentRecord } from '../resume/torrent-record.js';
import { KnownAddresses } from './known-addresses.js';
import { Swarm, type ConnectionEvents, type SwarmEvents, type SwarmTorrent } from './swarm.js';
import { WebSeeds, type WebSeedsView } from './web-seeds.js';

/** A torrent without peers keeps its content this long. */
const SLEEP_AFTER_MS = 60_000;
const NOTHING_TO_RELEASE: Promise<void> = Promise.resolve();

export interface SwarmManagerEvents extends SwarmEvents {
  /** Blocks of unfinished pieces are on disk now, though not synced. */
  onPartial(partial: readonly PartialPiece[]): void;
  /** The first peer comes: there is a swarm to look after from now on, until `onAsleep`. */
  onAwake(): void;
  onAsleep(): void;
}

/** The torrent, all of it as it is when it is asked. */
export interface SwarmManagerDeps extends SwarmTorrent {
  readonly row: TorrentRow;
  readonly record: Pick<TorrentRecord, 'takePartial' | 'settle'>;
  readonly progress: Pick<TorrentProgress, 'have' | 'count'>;
  readonly diskFailures: Pick<DiskFailures, 'onFailed' | 'onReadFailed' | 'onWriteFailed'>;
  readonly swarmEvents: SwarmManagerEvents;
  /** Pieces that somebody waits for, the most urgent first. */
  readonly urgentPieces: readonly number[];
  /** There may be an address to try: a new one, or one that became free again. */
  seekPeers(): void;
}

/** Shared by all torrents that have none. */
const NONE: readonly never[] = [];
export const NO_WASTE: TorrentWaste = { failedPieces: 0, failedBytes: 0, redundantBytes: 0 };

export class SwarmManager implements ConnectionEvents {
  readonly known: KnownAddresses;
  /** Made when they are first asked for: most torrents rest. */
  #banEnforcer: BanEnforcer | null = null;
  #ownWebSeeds: WebSeeds | null = null;
  #content: Content | null = null;
  #swarm: Swarm | null = null;
  #lastPeerMs = 0;
  #released = NOTHING_TO_RELEASE;
  #ended = NOTHING_TO_RELEASE;
  #holders = 0;

  constructor(private readonly deps: SwarmManagerDeps) {
    this.known = new KnownAddresses(deps);
  }

  get swarm(): Swarm | null {
    return this.#swarm;
  }

  get waste(): TorrentWaste {
    return this.#banEnforcer?.waste ?? NO_WASTE;
  }

  get peerCount(): number {
    return this.#swarm?.peers.size ?? 0;
  }

  /** The content that is open at the moment. */
  get openedContent(): Content | null {
    return this.#content;
  }

  content(): Content | null {
    this.#content ??= this.#load();
    return this.#content;
  }

  /** The metadata has just become known. */
  setContent(content: Content): void {
    this.#content = content;
  }

  /** The connected peers may be served and asked now. */
  giveContent(): void {
    const content = this.content();
    const { have } = this.deps.progress;
    if (content && have) this.#swarm?.setContent({ ...content, have });
  }

  /** Forgets peers learnt elsewhere than from the trackers: the torrent turned out to be private (BEP 27). */
  onPrivate(): void {
    const gone = new Set(this.known.onPrivate().map(formatAddress));
    for (const peer of [...(this.#swarm?.peers.values() ?? [])]) {
      if (gone.has(formatAddress(peer.listenAddress ?? peer.connection.remote)))
        peer.connection.close('PRIVATE_TORRENT');
    }
  }

  /**
   * Follows a change of the networks that the torrent may reach: peers there are forgotten until they are named again,
   * and all web seeds are let go of: they are judged when they are connected to again.
   */
  onReachChanged(): void {
    const isInside = (host: string): boolean => this.deps.services.inside.standingOf(host) === 'inside';
    for (const peer of [...(this.#swarm?.peers.values() ?? [])]) {
      const { direction, remote } = peer.connection;
      const isDialled = direction === 'outgoing' && isInside(remote.host);
      if (peer.webSeedUrl !== null || isDialled) peer.connection.close('BLOCKED');
    }
    this.known.forgetHosts(isInside);
    this.#ownWebSeeds?.retry();
  }

  accept(connection: PeerConnection, peerId: PeerId, dht: boolean): void {
    this.#wake().accept(connection, peerId, dht);
  }

  /** Connects to the next known address; false when there is none to try now. */
  connectNext(nowMs: number): boolean {
    const { peerFilter, encryption } = this.deps.services;
    if (this.peerCount >= this.deps.maxPeers) return false;
    const peer = this.known.list.take(nowMs, (candidate) => peerFilter.freeAtMs(candidate, nowMs));
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

  webSeedViews(): WebSeedsView[] {
    return this.#webSeeds.views();
  }

  /** Web seeds are asked while something is missing. */
  connectWebSeeds(nowMs: number): void {
    const content = this.#webSeeds.isDue(nowMs) ? this.content() : null;
    if (!content) return;
    const swarm = this.#wake();
    const { peerFilter, inside, openWebSeed } = this.deps.services;
    const account = seedsBringerOf(this.deps.row);
    const access = { account, mayReachInside: () => inside.isInsider(account) };
    this.#webSeeds.connect(
      nowMs,
      (url, form) => swarm.connectWebSeed(url, openWebSeed(url, form, content.info, access)),
      (url) => peerFilter.isBannedWebSeed(url),
    );
  }

  startDownload(sequential: boolean): void {
    const content = this.#swarm && this.content();
    if (!this.#swarm || this.#swarm.download || !content) return;
    this.#swarm.startDownload((download) => {
      download.setPriorities(this.#piecePrioritiesOf(content));
      download.picker.setSequential(sequential);
      download.setUrgent(this.deps.urgentPieces, false);
      download.takeUp(this.deps.record.takePartial());
    });
    content.storage.createEmptyFiles().catch((error: unknown) => this.deps.diskFailures.onWriteFailed(error));
  }

  /** Other files are wanted than before. */
  onPrioritiesChanged(content: Content): void {
    if (this.#swarm?.download) this.#swarm.setPriorities(this.#piecePrioritiesOf(content));
  }

  /** The first and last pieces of files come first, or do no more. */
  onFirstLastFirst(): void {
    const content = this.#swarm?.download ? this.content() : null;
    if (content) this.onPrioritiesChanged(content);
  }

  /** Other pieces are waited for than before. `isJump`: the first of them is nothing that was. */
  setUrgent(pieces: readonly number[], isJump: boolean): void {
    this.#swarm?.download?.setUrgent(pieces, isJump);
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
      if (this.#banEnforcer) this.deps.services.peerFilter.unwatch(this.#banEnforcer);
      this.deps.swarmEvents.onAsleep();
    }
    this.releaseContent();
  }

  /** Bytes that a refusing disk kept in the part file are moved to where they belong, if it takes them now. */
  async moveWanted(): Promise<void> {
    const content = this.content();
    await content?.storage.setPriorities(content.priorities).catch(() => undefined);
    this.releaseContent();
  }

  /** While a caller holds it the content stays open: two storages of the same files do not see each other's moves. */
  holdContent(held: boolean): void {
    this.#holders += held ? 1 : -1;
  }

  /** Idle torrents hold no parsed metainfo and no descriptors. */
  releaseContent(): void {
    const storage = this.#swarm || this.#holders > 0 ? null : this.#content?.storage;
    if (!storage) return;
    this.#content = null;
    const released = this.#ended.then(() => this.deps.record.settle(storage)).then(() => storage.close());
    this.#released = released;
    released.then(
      () => {
        if (this.#released === released) this.#released = NOTHING_TO_RELEASE;
      },
      (error: unknown) => this.deps.diskFailures.onWriteFailed(error),
    );
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
    const { webSeeds, httpSeeds = NONE } = this.deps.row;
    return (this.#ownWebSeeds ??= new WebSeeds(webSeeds, httpSeeds));
  }

  #piecePrioritiesOf({ info, priorities }: Content): PiecePriority[] {
    return piecePrioritiesFromFiles(info, priorities, this.deps.row.firstLastFirst);
  }

  /** null while the metadata is unknown or unreadable. */
  #load(): Content | null {
    const { services, id, row } = this.deps;
    try {
      return openContent(services, id, row);
    } catch (error) {
      this.deps.diskFailures.onFailed(error);
      return null;
    }
  }

  #wake(): Swarm {
    if (this.#swarm) return this.#swarm;
    const { deps } = this;
    const { id, services } = deps;
    this.#banEnforcer ??= new BanEnforcer({
      id,
      services,
      swarm: () => this.#swarm,
      onWebSeedBanned: (url) => this.#webSeeds.ban(url),
    });
    services.peerFilter.watch(this.#banEnforcer);
    this.#swarm = new Swarm({ torrent: deps, judge: this.#banEnforcer, events: this });
    this.#lastPeerMs = services.clock.nowMs();
    this.giveContent();
    deps.swarmEvents.onAwake();
    return this.#swarm;
  }

  onDownloadEnding(ending: Promise<readonly PartialPiece[]>): void {
    const before = this.#ended;
    this.#ended = ending.then(async (partial) => {
      await before;
      // Another may have begun meanwhile.
      if (this.#swarm?.download) this.#swarm.download.takeUp(partial);
      else if (partial.length > 0) this.deps.swarmEvents.onPartial(partial);
    });
  }

  onListenAddress(peer: Peer, address: PeerAddress): void {
    this.known.onListenAddress(peer, address);
  }

  onExchanged(addresses: readonly PeerAddress[], flagsOf: (address: PeerAddress) => PexFlags | undefined): void {
    this.known.onExchanged(addresses, flagsOf);
    this.deps.seekPeers();
  }

  onPeerMet(peer: Peer): void {
    this.known.onMet(peer);
  }

  onPeerClosed(peer: Peer, reason: CloseReason, detail: string): void {
    const { id, services } = this.deps;
    const { remote } = peer.connection;
    const nowMs = services.clock.nowMs();
    services.log.debug('peer closed', { torrent: id, peer: formatAddress(remote), reason, detail });
    if (peer.webSeedUrl !== null) this.#webSeeds.onClosed(peer.webSeedUrl, reason, detail, nowMs);
    else this.known.onClosed(peer, reason, this.#swarm?.peers.values() ?? NONE);
    // Its place is free, whether it was a peer or a web seed: a torrent that was full may look for peers again.
    if (this.known.any) this.deps.seekPeers();
  }
}
