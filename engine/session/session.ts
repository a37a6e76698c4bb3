// All torrents of one engine and what they share: the peer port, the clocks, the queues for checks, connections,
// slots and saved progress. Each of these decides for itself, in a file of its own. What is here is what takes all of
// them: to make them, to start and stop them in order, and that a torrent which comes or goes is known to all or to none.
import { AddressPolicy, parseCidrs } from '../../shared-protocol/address-policy.js';
import type { AddressRanges } from '../../shared-protocol/address-ranges.js';
import type { AccountId, TorrentId } from '../../shared-protocol/ids.js';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import type { AccountLimit, RateLimits } from '../../shared-protocol/commands/limits.js';
import type { CommandParams, CommandResult } from '../../shared-protocol/commands.js';
import type { EngineHealth, EngineOptions, EngineStarted } from '../../shared-protocol/commands/engine-options.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { NetworkOptions, NetworkStatus } from '../../shared-protocol/network/network-options.js';
import { Outlet } from '../../shared-protocol/network/outlet.js';
import type { RecordedState } from '../../shared-protocol/recorded-state.js';
import type { ResolveName } from '../../shared-protocol/names/name-resolver.js';
import { StatsWriter, type StatsTable } from '../../shared-protocol/stats-table.js';
import type { TorrentExchange, TorrentRow, TorrentStore } from '../../storage/types.js';
import { Claims } from '../claims/index.js';
import { forEachLimit } from '../../shared-protocol/for-each-limit.js';
import type { Disk, FileState, KeepFile } from '../disk/types.js';
import type { PieceHasher, Slab } from '../hashing/types.js';
import type { Metainfo } from '../metainfo/index.js';
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
import { wholeResumeRow } from '../torrent/resume/resume-row.js';
import { SlabBudget } from '../torrent/download/slab-budget.js';
import type { SessionTorrent, TorrentHost, TorrentServices } from '../torrent/session-interface.js';
import { isOnline } from '../torrent/state.js';
import { liesComplete } from '../torrent/move/complete-place.js';
import { Torrent } from '../torrent/torrent.js';
import type { AnnounceIdentity, AnnounceQueue } from '../tracker/types.js';
import type { Rc4Machine } from '../wire/mse/rc4.js';
import { FrameBufferPool } from '../wire/frame-buffers.js';
import { openWebSeed, type WebSeedHttp } from '../webseed/index.js';
import { AccountLimits } from './account-limits.js';
import { CheckQueue } from './check-queue.js';
import { Creations } from './creations.js';
import { MoveQueue } from './move-queue.js';
import { UnchokeTimer } from './unchoke-timer.js';
import { Dialer } from './dialer.js';
import { Removals } from './removals.js';
import { COMMON_USER_AGENT, createAnnounceKey, createPeerId } from './identity.js';
import { Inside } from './inside.js';
import { FileReaders } from './file-readers.js';
import { IncomingConnections } from './incoming-connections.js';
import { ShutdownMarker } from './clean-shutdown.js';
import { Networking } from './networking.js';
import { PeerPort } from './peer-port.js';
import { loadTorrents } from './load.js';
import { tellInBatches } from './tell-in-batches.js';
import { Queue } from './queue.js';
import { ResumeSaver } from './resume-saver.js';
import { FIRST_PATH_LIST, recordedOf, recordedPaths } from './recorded-torrent.js';
import { rememberSavePaths } from './saved-volumes.js';
import { Scrubber } from './scrubber.js';
import { ServiceTime } from './service-time.js';
import { filesSharedWith } from './shared-files.js';
import { Ticker } from './ticker.js';

/**
 * Outgoing blocks in memory over all peers (docs/limits.md 2.12 allows 128 MiB; measured: more than this gains
 * nothing).
 */
const SEND_BUFFERS_BYTES = 48 * 1024 * 1024;
/** Told to trackers while peers cannot reach us, as libtorrent does: some trackers refuse 0. */
const NO_PEER_PORT = 1;
/** Connections on their way. No spec value: three seconds of connects to addresses where no peer answers. */
const MAX_HALF_OPEN = 100;
/** Torrents that look at their files at a time, when all of them start; no spec value. */
const START_PARALLEL = 8;
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

/** The metadata that a torrent file brings besides its row. */
export type AddedMetainfo = Pick<Metainfo, 'info' | 'infoBytes'>;

export interface AddOptions {
  /** All of it lies there, in files of these states, and has just been hashed. @default it is looked for */
  readonly hashed?: readonly FileState[] | null;
  /** In the queue, else it is the last. @default false */
  readonly isFirst?: boolean;
  /** The record of another program. @default none */
  readonly recorded?: RecordedState | null;
  /** With `recorded`: by an administrator's right. @default false */
  readonly takeOver?: boolean;
}

export interface SessionEvents {
  onAdded(torrents: readonly TorrentFacts[]): void;
  onChanged(facts: TorrentFacts): void;
  /** `moved`: payload over its lifetime. `givenTo`: the engine that has it now. */
  onRemoved(id: TorrentId, moved: { readonly down: number; readonly up: number }, givenTo?: string): void;
  onStatsTable(table: StatsTable): void;
}

export class Session implements TorrentHost {
  readonly queue: Queue<Torrent>;
  readonly claims: Claims;
  readonly fileReaders: FileReaders;
  readonly creations: Creations;
  readonly #torrents = new Map<TorrentId, Torrent>();
  /** Adds whose store transaction is under way: the same torrent may be added twice at once. */
  readonly #adding = new Map<TorrentId, Promise<void>>();
  readonly #awake = new Set<SessionTorrent>();
  readonly #troubled = new Set<SessionTorrent>();
  readonly inside: Inside;
  readonly #services: TorrentServices;
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
  readonly #outlet: Outlet;
  readonly #peerPort: PeerPort;
  /** Settles when sockets have been made anew after each change of the way so far. */
  #opened: Promise<void> = Promise.resolve();
  #isStopping = false;
  #firstLooks: Timer | null = null;
  #connections = 0;
  #halfOpen = 0;
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
    const { blocklist = new Blocklist(), addresses = new AddressPolicy(parseCidrs(options.fetchAllow)) } = deps;
    blocklist.set(options.blocklist);
    this.inside = new Inside(addresses, options.insiders);
    const { inside } = this;
    const own = { torrents: this.#torrents, peerPort: () => this.peerPort };
    const outlet = deps.outlet ?? new Outlet({ clock, nameServers: options.nameServers });
    this.#outlet = outlet;
    this.#networking = new Networking({ ...deps, ...own, blocklist, inside, outlet }, options);
    const { connections, peerFilter, discovery, limits } = this.#networking;
    this.#accountLimits = new AccountLimits(limits, options.accountLimits ?? []);
    this.queue = new Queue(options.queueLimits);
    this.#maxPeersPerTorrent = options.maxPeersPerTorrent;
    const { anonymous = false } = options;
    const userAgent = anonymous ? COMMON_USER_AGENT : options.userAgent;
    const peerId = createPeerId(random, anonymous);
    const key = createAnnounceKey(random);
    this.#announces = deps.createAnnounces(
      () => ({ peerId, key, port: this.peerPort || NO_PEER_PORT, userAgent }),
      (address, tracker) => this.#networking.onExternalAddress(address, tracker),
    );
    const room = (): number => options.maxPeers - this.#connections;
    this.#incoming = new IncomingConnections({
      clock,
      log,
      peerId,
      room,
      isBanned: (host) => peerFilter.isBannedHost(host),
      connections,
      hand: (infoHash, connection, id, dht) => {
        const torrent = this.#torrents.get(infoHash);
        torrent?.accept(connection, id, dht);
        return torrent !== undefined;
      },
    });
    this.#peerPort = new PeerPort(
      { network: deps.network, log, outlet, onSocket: (socket) => this.#incoming.accept(socket) },
      options,
    );
    this.#dialer = new Dialer(clock, () => room() > 0 && this.#halfOpen < MAX_HALF_OPEN && outlet.leadsTo('peers'));
    this.#unchokeTimer = new UnchokeTimer(clock, random, () => this.#awake, options.uploadSlots);
    const checkThrottle = new CheckThrottle(clock);
    const scrubber = new Scrubber({ torrents: this.#torrents, throttle: checkThrottle, startedMs: clock.nowMs() });
    this.#ticker = new Ticker({
      clock,
      awake: this.#awake,
      troubled: this.#troubled,
      onSecond: (nowMs) => {
        this.#incoming.tick(nowMs);
        deps.disk.trouble.tick(nowMs);
        scrubber.tick(nowMs);
      },
      onTroubleRound: () => this.#networking.askGateway(),
    });
    const { savePaths } = deps.disk;
    this.#checks = new CheckQueue(clock, ({ savePath, device }) => device ?? savePaths.deviceOf(savePath));
    this.#moves = new MoveQueue((savePath) => savePaths.deviceOf(savePath));
    this.#lastShutdown = new ShutdownMarker(store);
    this.#serviceTime = new ServiceTime({ clock, log, store });
    this.#resumeSaver = new ResumeSaver(clock, log, store);
    this.#services = {
      ...deps,
      claims: this.claims,
      lastShutdown: this.#lastShutdown,
      serviceTime: this.#serviceTime,
      slabBudget: new SlabBudget(slab),
      checkThrottle,
      proofTurns: new ProofTurns(),
      fileListCache: new FileListCache(),
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
      queue: this.queue,
      host: this,
    };
    this.creations = new Creations({ ...this.#services, checks: this.#checks });
  }

  get peerPort(): number {
    return this.#peerPort.port;
  }

  get torrentCount(): number {
    return this.#torrents.size;
  }

  /** Tells of all torrents again. */
  async tellTorrents(): Promise<EngineStarted> {
    await tellInBatches(this.#torrents.values(), (torrents) => this.events.onAdded(torrents));
    return { peerPort: this.peerPort, torrents: this.torrentCount };
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
      admit: (torrent, queueKey) => this.#admit(torrent, queueKey),
      onAdded: (torrents) => this.events.onAdded(torrents),
    });
    this.#reportOverlaps();
    await this.#networking.discovery.open(this.peerPort);
    this.#outlet.onChange(() => (this.#opened = this.#opened.then(() => this.#openAgain())));
    this.#unchokeTimer.start();
    this.#ticker.start();
    this.#serviceTime.start();
    const torrents = [...this.#torrents.values()];
    const delayMs = torrents.length < MANY_TORRENTS ? 0 : LIST_FIRST_MS;
    this.#firstLooks = clock.after(delayMs, () => void this.#startAll(torrents, false));
  }

  /** Gives the nodes of a torrent file (BEP 5) to the DHT. */
  addDhtNodes(nodes: readonly PeerAddress[], accountId: AccountId): void {
    for (const node of nodes) if (this.inside.mayName(node, accountId)) this.#networking.discovery.addNode(node);
  }

  has(id: TorrentId): boolean {
    return this.#torrents.has(id);
  }

  /** Whether it is there, and is not being removed. */
  stays(id: TorrentId): boolean {
    return this.has(id) && !this.#removals.isLeaving(id);
  }

  find(id: TorrentId): Torrent {
    const torrent = this.#torrents.get(id);
    if (!torrent) throw new AppError('TORRENT_NOT_FOUND', 'torrent not found', { id });
    return torrent;
  }

  /**
   * Stores the torrent durably, tells of it, and sets it to work. `metainfo`: null for a magnet. False when it was there
   * already. @throws AppError `SAVE_PATH_INVALID` where it may not lie
   */
  async add(row: TorrentRow, metainfo: AddedMetainfo | null, options: AddOptions = {}): Promise<boolean> {
    if (this.stays(row.id)) return false;
    const underWay = this.#adding.get(row.id);
    if (underWay) return underWay.then(() => false);
    const adding = this.#insert(row, metainfo, options).finally(() => this.#adding.delete(row.id));
    this.#adding.set(row.id, adding);
    await adding;
    return true;
  }

  async #insert(
    given: TorrentRow,
    metainfo: AddedMetainfo | null,
    { hashed = null, isFirst = false, recorded = null, takeOver = false }: AddOptions,
  ): Promise<void> {
    // Those that are added at once are queued as they came.
    const queueKey = isFirst ? this.queue.firstKey() : this.queue.nextKey();
    await this.#removals.clear(given);
    const exactly = metainfo && recorded && { ...metainfo, recorded };
    const row = exactly ? given : await this.#whereItLies(given, metainfo);
    const paths = exactly && recordedPaths(exactly.info, exactly.infoBytes, exactly.recorded);
    const reservation =
      exactly && paths
        ? await this.claims.reserveExactly(row, exactly.info, paths, takeOver)
        : await this.claims.reserve(row, metainfo?.info ?? null);
    let torrent: Torrent;
    try {
      const { place } = reservation;
      if (hashed && place.folder !== undefined) {
        throw new AppError('SAVE_PATH_INVALID', 'save_path: what lies there is not for this account to seed');
      }
      const unixMs = this.deps.clock.unixMs();
      const whole = hashed && metainfo ? wholeResumeRow(metainfo.info, hashed, unixMs) : null;
      const resume = exactly ? recordedOf(exactly.info, row, exactly.recorded, unixMs) : whole;
      const completion = whole ? { completedAt: whole.savedAt } : {};
      const placed = { ...row, ...place, ...completion, ...(paths?.list && { pathList: FIRST_PATH_LIST }), queueKey };
      const pathLists = new Map(paths?.list ? [[FIRST_PATH_LIST, paths.list]] : []);
      await this.deps.store.insert(placed, metainfo?.infoBytes ?? null, resume, pathLists);
      torrent = new Torrent(this.#services, placed, resume ?? undefined);
      this.#admit(torrent, queueKey);
      if (exactly && takeOver) this.claims.grant(torrent.id);
    } finally {
      reservation.release();
    }
    this.events.onAdded([torrent.facts()]);
    // Answered only when it is known whether there is something to verify: what the caller sees next is true.
    await this.#startAll([torrent], hashed === null);
    // A check that is still to come looks at files that are the torrent's by now.
    if (exactly && takeOver) this.claims.revokeGrant(torrent.id);
  }

  /** Where complete ones lie, if something of it is there. */
  async #whereItLies(row: TorrentRow, metainfo: AddedMetainfo | null): Promise<TorrentRow> {
    const { completePath } = row;
    if (!metainfo || !completePath || !(await liesComplete(this.#services, row, metainfo.info))) return row;
    return { ...row, savePath: completePath, completePath: null };
  }

  #admit(torrent: Torrent, queueKey: number): void {
    this.#torrents.set(torrent.id, torrent);
    this.deps.disk.savePaths.use(torrent.savePath);
    this.claims.add(torrent);
    torrent.holdPlaces();
    this.#networking.obfuscated.add(torrent.id);
    this.queue.add(torrent, queueKey);
  }

  async remove(id: TorrentId, deleteData: boolean): Promise<void> {
    const torrent = this.find(id);
    await torrent.finishMove();
    const keep = deleteData ? this.filesOfOthers(torrent, torrent.savePath) : () => true;
    await this.#removals.run(torrent, torrent.remove(keep));
    this.#dismiss(torrent);
    const { downloaded: down, uploaded: up } = torrent.figures();
    this.events.onRemoved(id, { down, up });
  }

  /**
   * Hands the torrent over to another engine: it writes and announces nothing any more when that one may have it. One that
   * cannot go goes on here. @throws AppError `SAVE_PATH_INVALID`: it is on no shared root; `MOVE_CONFLICT`
   */
  async give(id: TorrentId, engineId: string): Promise<void> {
    const { exchange, store } = this.deps;
    const torrent = this.find(id);
    if (!exchange) throw sharesNothing();
    const move = store.row(id)?.move;
    if (move && move.phase !== 'failed') throw new AppError('MOVE_CONFLICT', 'torrent: its files are being moved');
    await torrent.end();
    const { downloaded: down, uploaded: up } = torrent.figures();
    this.#dismiss(torrent);
    try {
      const resume = await torrent.syncedResume();
      if (resume) await store.putResume(new Map([[id, resume]]));
      await exchange.give(id, engineId);
    } catch (error) {
      await this.#enlist([id]);
      throw error;
    }
    this.events.onRemoved(id, { down, up }, engineId);
  }

  /** Torrents that other engines had are here from now on. @throws AppError `ENGINE_FENCED` */
  async take(request: CommandParams<'takeTorrents'>): Promise<CommandResult<'takeTorrents'>> {
    if (!this.deps.exchange) throw sharesNothing();
    const { ids, left } = await this.deps.exchange.take(request);
    // A place in the queue is one among those of the engine before.
    await Promise.all(ids.map((id) => this.deps.store.update(id, { queueKey: this.queue.nextKey() })));
    await this.#enlist(ids);
    return { taken: ids.length, left };
  }

  /** Torrents that are in the store begin their work. */
  async #enlist(ids: readonly TorrentId[]): Promise<void> {
    const torrents: Torrent[] = [];
    await loadTorrents({
      services: this.#services,
      store: this.deps.store,
      rows: ids.flatMap((id) => this.deps.store.row(id) ?? []),
      admit: (torrent, queueKey) => {
        this.#admit(torrent, queueKey);
        torrents.push(torrent);
      },
      onAdded: (added) => this.events.onAdded(added),
    });
    await this.#startAll(torrents, false);
  }

  /** From now on it is none of ours. */
  #dismiss(torrent: Torrent): void {
    const { id } = torrent;
    this.#resumeSaver.forget(torrent);
    this.claims.remove(torrent);
    this.#torrents.delete(id);
    this.#services.fileListCache.drop(id);
    this.deps.disk.savePaths.leave(torrent.savePath);
    this.#networking.obfuscated.remove(id);
    this.queue.remove(torrent);
  }

  /** Hosts, by tier. */
  workingTrackers(id: TorrentId): readonly string[] {
    return this.#announces.working(id);
  }

  /** `takeOver`: what lies at its paths and is no other account's becomes its own by being checked. */
  async recheck({ id, by, takeOver }: CommandParams<'recheckTorrent'>): Promise<void> {
    const torrent = this.find(id);
    torrent.admitCheck(by);
    // Without metadata nothing is checked, and so nothing is taken over.
    if (takeOver && torrent.topNames !== null) this.claims.grant(id);
    await torrent.recheck();
  }

  /** Applies now: surplus connections are closed, and room is filled. */
  setMaxPeersPerTorrent(count: number): void {
    this.#maxPeersPerTorrent = count;
    for (const torrent of [...this.#awake]) torrent.onMaxPeersChanged();
  }

  setRateLimits(limits: RateLimits): void {
    this.#networking.setRateLimits(limits);
  }

  setAccountLimits(limits: readonly AccountLimit[]): void {
    this.#accountLimits.set(limits);
    for (const torrent of [...this.#awake]) torrent.onAccountLimitsChanged();
    this.#unchokeTimer.soon();
  }

  /** From now on; who is on it is let go of at once. */
  setBlocklist(lists: readonly AddressRanges[]): void {
    this.#networking.setBlocklist(lists);
    if (lists.length === 0) return;
    this.#incoming.closeBanned();
    for (const torrent of [...this.#awake]) torrent.onBlocklistChanged();
  }

  /** Sets the accounts whose torrents may reach inside, from now on; what others have there ends at once. */
  setInsiders(accountIds: readonly AccountId[]): void {
    const changed = this.inside.setInsiders(accountIds);
    if (changed.size === 0) return;
    for (const torrent of this.#torrents.values()) if (torrent.isOfAny(changed)) torrent.onReachChanged();
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
      torrents: this.#torrents.size,
      connections: this.#connections,
      dhtNodes: this.#networking.discovery.dhtNodes,
      listeningPort: this.#peerPort.listening,
      hasIncoming: this.#incoming.hasCome,
      slabUsedBytes: this.deps.slab.usedBytes,
      ...this.#networking.peerFilter.badData,
    };
  }

  /** Throws `bug: …` when an invariant of any part does not hold; for tests. O(pieces) of each torrent. */
  checkInvariant(): void {
    for (const torrent of this.#torrents.values()) torrent.checkInvariant();
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
    const quiet = Promise.all([...this.#torrents.values()].map((torrent) => torrent.close()));
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

  onFactsChanged(torrent: SessionTorrent): void {
    if (this.#torrents.get(torrent.id) === torrent) this.events.onChanged(torrent.facts());
  }

  setAwake(torrent: SessionTorrent, awake: boolean): void {
    if (awake) this.#awake.add(torrent);
    else this.#awake.delete(torrent);
  }

  setSeeking(torrent: SessionTorrent, seeking: boolean): void {
    this.#dialer.setSeeking(torrent, seeking);
  }

  queueCheck(torrent: SessionTorrent): void {
    this.#checks.add(torrent);
  }

  queueAudit(torrent: SessionTorrent): void {
    this.#checks.addAudit(torrent);
  }

  cancelCheck(torrent: SessionTorrent): void {
    this.#checks.remove(torrent);
  }

  queueMove(torrent: SessionTorrent): void {
    this.#moves.add(torrent);
  }

  cancelMove(torrent: SessionTorrent): void {
    this.#moves.remove(torrent);
  }

  switchPlace(torrent: SessionTorrent, mutate: () => void): void {
    this.claims.remove(torrent);
    mutate();
    if (this.#torrents.get(torrent.id) === torrent) this.claims.add(torrent);
  }

  filesOfOthers(
    torrent: SessionTorrent,
    savePath: string,
    topNames: readonly string[] | null = torrent.topNames,
  ): KeepFile {
    const { id, ownerId, isShared, incompleteSuffix } = torrent;
    const place = { id, ownerId, isShared, topNames, savePath, incompleteSuffix };
    const others = [...this.claims.neighbours(place)].flatMap((other) => this.#torrents.get(other.id) ?? []);
    return filesSharedWith(place, others, (path) => this.claims.realPath(path));
  }

  whileRemoving(savePath: string, work: Promise<void>): Promise<void> {
    return this.#removals.while(savePath, work);
  }

  markDirty(torrent: SessionTorrent, writtenBytes: number): void {
    // One that was removed may still be writing.
    if (this.#torrents.get(torrent.id) === torrent) this.#resumeSaver.markDirty(torrent, writtenBytes);
  }

  watchTrouble(torrent: SessionTorrent, troubled: boolean): void {
    if (troubled) this.#troubled.add(torrent);
    else this.#troubled.delete(torrent);
  }

  onInterestChanged(): void {
    this.#unchokeTimer.soon();
  }

  onExternalAddress(address: string, voter: string): void {
    this.#networking.onExternalAddress(address, voter);
  }

  onConnectionsChanged(delta: 1 | -1): void {
    this.#connections += delta;
  }

  onHalfOpenChanged(delta: 1 | -1): void {
    this.#halfOpen += delta;
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
    for (const { id, activity } of this.#torrents.values()) {
      if (!isOnline(activity)) continue;
      this.#announces.retry(id);
      this.#announces.announceNow(id);
    }
  }

  #reportOverlaps(): void {
    const overlaps = this.claims.overlaps().length;
    if (overlaps > 0) this.deps.log.warn('torrents of different accounts claim the same files', { overlaps });
  }

  async #startAll(torrents: readonly Torrent[], fresh: boolean): Promise<void> {
    await forEachLimit(torrents, START_PARALLEL, (torrent) =>
      torrent
        .start(fresh)
        .catch((error: unknown) =>
          this.deps.log.error('torrent not started', { torrent: torrent.id, reason: String(error) }),
        ),
    );
  }
}

function sharesNothing(): AppError {
  return new AppError('SAVE_PATH_INVALID', 'engine: it shares no roots with others (--shared-roots)');
}
