// All torrents of one engine and what they share: the peer port, the clocks, the queues for checks, connections,
// slots and saved progress. Each of these decides for itself, in a file of its own. What is here is what takes all of
// them: to make them, and to start and stop them in order.
import { AddressPolicy, parseCidrs } from '../../shared-protocol/address-policy.js';
import type { AddressRanges } from '../../shared-protocol/address-ranges.js';
import type { AccountId, TorrentId } from '../../shared-protocol/ids.js';
import type { FilesLeft, TorrentFacts } from '../../shared-protocol/events.js';
import type { AccountLimit, RateLimits } from '../../shared-protocol/commands/limits.js';
import type { CommandParams } from '../../shared-protocol/commands.js';
import type { EngineHealth, EngineOptions, EngineStarted } from '../../shared-protocol/commands/engine-options.js';
import type { NetworkOptions, NetworkStatus } from '../../shared-protocol/network/network-options.js';
import { Outlet } from '../../shared-protocol/network/outlet.js';
import type { ResolveName } from '../../shared-protocol/names/name-resolver.js';
import { StatsWriter, type StatsTable } from '../../shared-protocol/stats-table.js';
import type { TorrentExchange, TorrentStore } from '../../storage/types.js';
import { Claims } from '../claims/index.js';
import type { Disk } from '../disk/types.js';
import type { PieceHasher, Slab } from '../hashing/types.js';
import {
  SECOND_MS,
  type Clock,
  type Log,
  type PeerAddress,
  type PeerNetwork,
  type Random,
  type Timer,
} from '../environment.js';
import { Blocklist } from '../peers/blocklist.js';
import { CheckThrottle } from '../torrent/check/check-throttle.js';
import { ProofTurns } from '../torrent/check/proof-turns.js';
import { FileListCache } from '../torrent/files/file-list-cache.js';
import { SlabBudget } from '../torrent/download/slab-budget.js';
import type { TorrentServices } from '../torrent/session-interface.js';
import { isOnline } from '../torrent/state.js';
import type { Torrent } from '../torrent/torrent.js';
import type { AnnounceIdentity, AnnounceQueue } from '../tracker/types.js';
import type { Rc4Machine } from '../wire/mse/rc4.js';
import { FrameBufferPool } from '../wire/frame-buffers.js';
import { openWebSeed, type WebSeedHttp } from '../webseed/index.js';
import { AccountLimits } from './account-limits.js';
import { Adding } from './adding.js';
import { CheckQueue } from './check-queue.js';
import { Creations } from './creations.js';
import { MoveQueue } from './move-queue.js';
import { UnchokeTimer } from './unchoke-timer.js';
import { Dialer } from './dialer.js';
import { Exchange } from './exchange.js';
import { Host } from './host.js';
import { Removals } from './removals.js';
import { COMMON_USER_AGENT, createAnnounceKey, createPeerId } from './identity.js';
import { Inside } from './inside.js';
import { FileReaders } from './file-readers.js';
import { IncomingConnections } from './incoming-connections.js';
import { ShutdownMarker } from './clean-shutdown.js';
import { Networking } from './networking.js';
import { PeerPort } from './peer-port.js';
import { Leaving } from './leaving.js';
import { loadTorrents } from './load.js';
import { tellInBatches } from './tell-in-batches.js';
import { Queue } from './queue.js';
import { ResumeSaver } from './resume-saver.js';
import { rememberSavePaths } from './saved-volumes.js';
import { Scrubber } from './scrubber.js';
import { ServiceTime } from './service-time.js';
import { Ticker } from './ticker.js';
import { Torrents } from './torrents.js';

/**
 * Outgoing blocks in memory over all peers (docs/limits.md 2.12 allows 128 MiB; measured: more than this gains
 * nothing).
 */
const SEND_BUFFERS_BYTES = 48 * 1024 * 1024;
/** Told to trackers while peers cannot reach us, as libtorrent does: some trackers refuse 0. */
const NO_PEER_PORT = 1;
/** Connections on their way. No spec value: three seconds of connects to addresses where no peer answers. */
const MAX_HALF_OPEN = 100;
/** With many torrents a start lists them before it looks at their files: both take all of two processors. */
const MANY_TORRENTS = 1_000;
const LIST_FIRST_MS = 500;

export interface SessionDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly network: PeerNetwork;
  readonly disk: Disk;
  readonly store: TorrentStore;
  /** @default the engine shares no roots with others */
  readonly exchange?: TorrentExchange;
  readonly slab: Slab;
  /** Deciphers what sockets have read where it lies. @default by a copy */
  readonly rc4?: Rc4Machine;
  readonly hasher: PieceHasher;
  /** Trackers may tell our own address (BEP 24): with that, `onExternalIp` is called. */
  readonly createAnnounces: (
    identity: () => AnnounceIdentity,
    onExternalIp: (address: string, tracker: string) => void,
  ) => AnnounceQueue;
  readonly webSeeds: WebSeedHttp;
  /** The one that trackers and web seeds are judged by. @default one of its own, for peers */
  readonly blocklist?: Blocklist;
  /** The one that trackers and web seeds are judged by. @default of the ranges in the options, without own addresses */
  readonly addresses?: AddressPolicy;
  /** For the first nodes of the DHT. @default by the system's name servers */
  readonly names?: ResolveName;
  /** The way to all others. @default the system's */
  readonly outlet?: Outlet;
}

export interface SessionEvents {
  onAdded(torrents: readonly TorrentFacts[]): void;
  onChanged(facts: TorrentFacts): void;
  /** `moved`: payload over its lifetime. `givenTo`: the engine that has it now. */
  onRemoved(id: TorrentId, moved: { readonly down: number; readonly up: number }, givenTo?: string): void;
  onFilesLeft(left: FilesLeft): void;
  onStatsTable(table: StatsTable): void;
}

export class Session {
  readonly queue: Queue<Torrent>;
  readonly claims: Claims;
  readonly fileReaders: FileReaders;
  readonly creations: Creations;
  readonly torrents: Torrents;
  readonly adding: Adding;
  readonly exchange: Exchange;
  readonly inside: Inside;
  readonly #services: TorrentServices;
  readonly #host: Host;
  readonly #accountLimits: AccountLimits;
  readonly #announces: AnnounceQueue;
  readonly #checks: CheckQueue;
  readonly #moves: MoveQueue;
  readonly #lastShutdown: ShutdownMarker;
  readonly #serviceTime: ServiceTime;
  readonly #ticker: Ticker;
  readonly #unchokeTimer: UnchokeTimer;
  readonly #dialer: Dialer;
  readonly #networking: Networking;
  readonly #incoming: IncomingConnections;
  readonly #resumeSaver: ResumeSaver;
  readonly #removals = new Removals();
  readonly #leaving: Leaving;
  readonly #outlet: Outlet;
  readonly #peerPort: PeerPort;
  /** Settles when sockets have been made anew after each change of the way so far. */
  #opened: Promise<void> = Promise.resolve();
  #isStopping = false;
  #firstLooks: Timer | null = null;
  #peerKeys = 0;
  #maxPeersPerTorrent: number;

  constructor(
    private readonly deps: SessionDeps,
    options: EngineOptions,
    private readonly events: SessionEvents,
  ) {
    const { clock, random, log, slab, store } = deps;
    this.claims = new Claims({ store, looks: deps.disk.looks, log });
    this.claims.setAdopters(options.adopters ?? null);
    this.fileReaders = new FileReaders(random);
    this.queue = new Queue(options.queueLimits, () => clock.unixMs());
    this.#resumeSaver = new ResumeSaver(clock, log, store);
    const { savePaths } = deps.disk;
    const fileListCache = new FileListCache();
    const { claims, queue } = this;
    this.torrents = new Torrents({ claims, savePaths, queue, resumeSaver: this.#resumeSaver, fileListCache, log });
    const { blocklist = new Blocklist(), addresses = new AddressPolicy(parseCidrs(options.fetchAllow)) } = deps;
    blocklist.set(options.blocklist);
    this.inside = new Inside(addresses, options.insiders);
    const { inside, torrents } = this;
    const own = { torrents, peerPort: () => this.peerPort };
    const outlet = deps.outlet ?? new Outlet({ clock, nameServers: options.nameServers });
    this.#outlet = outlet;
    this.#networking = new Networking({ ...deps, ...own, blocklist, inside, outlet }, options);
    const { connections, peerFilter, discovery, limits } = this.#networking;
    this.#accountLimits = new AccountLimits(limits, options.accountLimits ?? []);
    this.#maxPeersPerTorrent = options.maxPeersPerTorrent;
    const { anonymous = false } = options;
    const userAgent = anonymous ? COMMON_USER_AGENT : options.userAgent;
    const peerId = createPeerId(random, anonymous);
    const key = createAnnounceKey(random);
    this.#announces = deps.createAnnounces(
      () => ({ peerId, key, port: this.peerPort || NO_PEER_PORT, userAgent }),
      (address, tracker) => this.#networking.onExternalAddress(address, tracker),
    );
    const room = (): number => options.maxPeers - this.#host.connections;
    this.#incoming = new IncomingConnections({
      clock,
      log,
      peerId,
      room,
      isBanned: (host) => peerFilter.isBannedHost(host),
      connections,
      hand: (infoHash, connection, id, dht) => {
        const torrent = torrents.get(infoHash);
        torrent?.accept(connection, id, dht);
        return torrent !== undefined;
      },
    });
    this.#peerPort = new PeerPort(
      { network: deps.network, log, outlet, onSocket: (socket) => this.#incoming.accept(socket) },
      options,
    );
    this.#dialer = new Dialer(
      clock,
      () => room() > 0 && this.#host.halfOpen < MAX_HALF_OPEN && outlet.leadsTo('peers'),
    );
    this.#unchokeTimer = new UnchokeTimer(clock, random, () => this.#host.awake, options.uploadSlots);
    this.#checks = new CheckQueue(clock, ({ savePath, device }) => device ?? savePaths.deviceOf(savePath));
    this.#moves = new MoveQueue((savePath) => savePaths.deviceOf(savePath));
    this.#host = new Host({
      ...{ torrents, claims, checks: this.#checks, moves: this.#moves, removals: this.#removals },
      ...{ resumeSaver: this.#resumeSaver, dialer: this.#dialer, unchokeTimer: this.#unchokeTimer },
      networking: this.#networking,
      onChanged: (torrent) => events.onChanged(torrent.facts()),
    });
    const checkThrottle = new CheckThrottle(clock);
    const scrubber = new Scrubber({ torrents, throttle: checkThrottle, startedMs: clock.nowMs() });
    this.#ticker = new Ticker({
      clock,
      awake: this.#host.awake,
      troubled: this.#host.troubled,
      onSecond: (nowMs) => {
        this.#incoming.tick(nowMs);
        deps.disk.trouble.tick(nowMs);
        scrubber.tick(nowMs);
      },
      onTroubleRound: () => {
        this.#networking.askGateway();
        this.queue.lookAtStalled();
      },
    });
    this.#lastShutdown = new ShutdownMarker(store);
    this.#serviceTime = new ServiceTime({ clock, log, store });
    this.#services = {
      ...deps,
      claims,
      lastShutdown: this.#lastShutdown,
      serviceTime: this.#serviceTime,
      slabBudget: new SlabBudget(slab),
      checkThrottle,
      proofTurns: new ProofTurns(),
      fileListCache,
      connections,
      buffers: new FrameBufferPool(SEND_BUFFERS_BYTES),
      stats: new StatsWriter((table) => events.onStatsTable(table)),
      announces: this.#announces,
      discovery,
      peerFilter,
      inside,
      encryption: options.encryption,
      limits,
      accountLimits: this.#accountLimits,
      openWebSeed: (url, form, info, access) =>
        openWebSeed({ clock, log, http: deps.webSeeds }, { url, form, info, access, userAgent }),
      identity: {
        peerId,
        listenPort: () => (anonymous ? 0 : this.peerPort),
        clientName: anonymous ? null : options.userAgent,
        nextPeerKey: () => ++this.#peerKeys,
        maxPeersPerTorrent: () => this.#maxPeersPerTorrent,
      },
      queue,
      host: this.#host,
    };
    this.creations = new Creations({ ...this.#services, checks: this.#checks });
    this.#leaving = new Leaving({
      ...{ services: this.#services, removals: this.#removals },
      filesOfOthers: (torrent, savePath) => this.#host.filesOfOthers(torrent, savePath),
      onLeft: (left) => events.onFilesLeft(left),
    });
    const arriving = { services: this.#services, torrents, queue, onAdded: events.onAdded.bind(events) };
    this.adding = new Adding({ ...arriving, claims, removals: this.#removals });
    this.exchange = new Exchange({
      ...arriving,
      exchange: deps.exchange,
      onLeaving: (row) => this.#leaving.resume(row),
      onGiven: (torrent, engineId) => events.onRemoved(torrent.id, movedBy(torrent), engineId),
    });
  }

  get peerPort(): number {
    return this.#peerPort.port;
  }

  /** Tells of all torrents again. */
  async tellTorrents(): Promise<EngineStarted> {
    await tellInBatches(this.torrents.values(), (torrents) => this.events.onAdded(torrents));
    return { peerPort: this.peerPort, torrents: this.torrents.size };
  }

  /** Opens the peer port, lists what is stored, then lets the torrents look at their files one after another. */
  async start(): Promise<void> {
    const { clock, log, store, disk } = this.deps;
    await this.#lastShutdown.begin();
    rememberSavePaths(disk.savePaths, store, log);
    await this.#peerPort.open();
    await loadTorrents({
      services: this.#services,
      store,
      rows: [...store.rows()],
      admit: (torrent, queueKey) => this.torrents.admit(torrent, queueKey),
      onAdded: (torrents) => this.events.onAdded(torrents),
      onLeaving: (row) => this.#leaving.resume(row),
    });
    this.#reportOverlaps();
    await this.#networking.discovery.open(this.peerPort);
    this.#outlet.onChange(() => (this.#opened = this.#opened.then(() => this.#openAgain())));
    this.#unchokeTimer.start();
    this.#ticker.start();
    this.#serviceTime.start();
    const torrents = [...this.torrents.values()];
    const delayMs = torrents.length < MANY_TORRENTS ? 0 : LIST_FIRST_MS;
    this.#firstLooks = clock.after(delayMs, () => void this.torrents.start(torrents, false));
  }

  /** Gives the nodes of a torrent file (BEP 5) to the DHT. */
  addDhtNodes(nodes: readonly PeerAddress[], accountId: AccountId): void {
    for (const node of nodes) if (this.inside.mayName(node, accountId)) this.#networking.discovery.addNode(node);
  }

  async remove(id: TorrentId, deleteData: boolean): Promise<void> {
    const torrent = this.torrents.find(id);
    await torrent.finishMove();
    await this.#leaving.remove(torrent, deleteData);
    this.torrents.dismiss(torrent);
    this.events.onRemoved(id, movedBy(torrent));
  }

  /** Hosts, by tier. */
  workingTrackers(id: TorrentId): readonly string[] {
    return this.#announces.working(id);
  }

  /** `takeOver`: what lies at its paths and is no other account's becomes its own by being checked. */
  async recheck({ id, by, takeOver }: CommandParams<'recheckTorrent'>): Promise<void> {
    const torrent = this.torrents.find(id);
    torrent.admitCheck(by);
    // Without metadata nothing is checked, and so nothing is taken over.
    if (takeOver && torrent.topNames !== null) this.claims.grant(id);
    await torrent.recheck();
  }

  /** Applies now: surplus connections are closed, and room is filled. */
  setMaxPeersPerTorrent(count: number): void {
    this.#maxPeersPerTorrent = count;
    for (const torrent of [...this.#host.awake]) torrent.onMaxPeersChanged();
  }

  setRateLimits(limits: RateLimits): void {
    this.#networking.setRateLimits(limits);
  }

  setAccountLimits(limits: readonly AccountLimit[]): void {
    this.#accountLimits.set(limits);
    for (const torrent of [...this.#host.awake]) torrent.onAccountLimitsChanged();
    this.#unchokeTimer.soon();
  }

  /** From now on; who is on it is let go of at once. */
  setBlocklist(lists: readonly AddressRanges[]): void {
    this.#networking.setBlocklist(lists);
    if (lists.length === 0) return;
    this.#incoming.closeBanned();
    for (const torrent of [...this.#host.awake]) torrent.onBlocklistChanged();
  }

  /** Sets the accounts whose torrents may reach inside, from now on; what others have there ends at once. */
  setInsiders(accountIds: readonly AccountId[]): void {
    const changed = this.inside.setInsiders(accountIds);
    if (changed.size === 0) return;
    for (const torrent of this.torrents.values()) if (torrent.isOfAny(changed)) torrent.onReachChanged();
  }

  /** From now on; all connections end at once. Answers when others can be had, or cannot. */
  async setNetwork(options: NetworkOptions): Promise<NetworkStatus> {
    this.#outlet.set(options);
    await this.#opened;
    return this.networkStatus();
  }

  networkStatus(): NetworkStatus {
    const { binding } = this.#outlet;
    const proxyAddress = this.#outlet.proxyAddress;
    return { binding, proxyAddress, peerPort: this.#peerPort.listening };
  }

  health(): Omit<EngineHealth, 'uptimeMs' | 'loopDelayP99Ms'> {
    return {
      torrents: this.torrents.size,
      connections: this.#host.connections,
      dhtNodes: this.#networking.discovery.dhtNodes,
      listeningPort: this.#peerPort.listening,
      hasIncoming: this.#incoming.hasCome,
      slabUsedBytes: this.deps.slab.usedBytes,
      ...this.#networking.peerFilter.badData,
    };
  }

  /** Throws `bug: …` when an invariant of any part does not hold; for tests. O(pieces) of each torrent. */
  checkInvariant(): void {
    for (const torrent of this.torrents.values()) torrent.checkInvariant();
  }

  /** Polite end: `stopped` to trackers, progress recorded, everything closed, within the time where possible. */
  async stop(timeoutMs: number): Promise<void> {
    this.#firstLooks?.cancel();
    this.#ticker.stop();
    this.#serviceTime.stop();
    this.#unchokeTimer.stop();
    this.#dialer.stop();
    this.#resumeSaver.stop();
    this.#isStopping = true;
    await this.#opened;
    const closing = this.#peerPort.close();
    this.#incoming.closeAll();
    this.creations.close();
    const quiet = Promise.all([...this.torrents.values()].map((torrent) => torrent.close()));
    await Promise.all([
      this.#announces.close(Math.min(timeoutMs, 5 * SECOND_MS)),
      this.#networking.discovery.close(),
      quiet.then(() => this.#resumeSaver.commit()),
      this.#checks.close(),
      this.#moves.close(),
      this.#removals.all(),
      closing,
    ]);
    this.#outlet.close();
    await this.#serviceTime.record();
    if (this.#resumeSaver.isIdle) await this.#lastShutdown.end();
    await this.deps.hasher.close();
    await this.deps.disk.close();
    await this.deps.store.close();
  }

  /** There is another way to others, or none: the outlet has ended all sockets. */
  async #openAgain(): Promise<void> {
    const { log } = this.deps;
    const { discovery } = this.#networking;
    this.#incoming.closeAll();
    await Promise.all([this.#peerPort.close(), discovery.shut()]);
    if (this.#isStopping) return;
    const { binding } = this.#outlet;
    if (binding.kind === 'closed') return log.warn('network: no way out; nothing is sent', { fault: binding.fault });
    await this.#peerPort.openAgain();
    await discovery.open(this.peerPort);
    log.info('network: open', { device: binding.kind === 'bound' ? binding.device : null, port: this.peerPort });
    // Where peers find us may be another place now.
    this.#announces.forgetFailures();
    for (const { id, activity } of this.torrents.values()) {
      if (!isOnline(activity)) continue;
      this.#announces.retry(id);
      this.#announces.announceNow(id);
    }
  }

  #reportOverlaps(): void {
    const overlaps = this.claims.overlaps().length;
    if (overlaps > 0) this.deps.log.warn('torrents of different accounts claim the same files', { overlaps });
  }
}

function movedBy(torrent: Torrent): { readonly down: number; readonly up: number } {
  const { downloaded: down, uploaded: up } = torrent.figures();
  return { down, up };
}
