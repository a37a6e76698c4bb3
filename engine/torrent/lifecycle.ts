// What a torrent does, derived from its facts (state.ts, STATE.md), and what follows when that changes: the queue is
// asked, peers are sought or left, trackers are told, people see it. The inside of a torrent: it holds the parts and is
// what they hold in turn, by the interface that each of them names (thousands of torrents rest, and a part that needed
// functions of its own would cost each of them). What others ask of a torrent, `torrent.ts` answers.
import type { RateLimits, TorrentPeerLimits } from '../../shared-protocol/commands/limits.js';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import type { AccountId, TorrentId } from '../../shared-protocol/ids.js';
import type { ResumeRow, TorrentRow } from '../../storage/types.js';
import type { FileState, KeepFile } from '../disk/index.js';
import type { TorrentInfo } from '../metainfo/index.js';
import type { Bitfield } from './pieces/bitfield.js';
import { OwnNames, type OwnNamesDeps } from './own-names.js';
import { TorrentEdits, type EditsDeps } from './edits.js';
import { DiskFailures, type DiskFailuresDeps } from './disk-failures.js';
import { NO_PEER_LIMITS, runBy, UNLIMITED } from './holders.js';
import { hasStopAfterCheck } from './stop-points.js';
import { TorrentProgress } from './pieces/progress.js';
import { SwarmManager, type SwarmManagerDeps } from './swarm/swarm-manager.js';
import { SwarmEventHandlers, type SwarmEventDeps } from './swarm-events.js';
import { TorrentRecord } from './resume/torrent-record.js';
import { TorrentReaders } from './reading/torrent-readers.js';
import type { SessionTorrent, TorrentServices } from './session-interface.js';
import { activityOf, isOnline, laneOf, seeksPeers, type Activity, type TorrentFactsOfState } from './state.js';
import { StatsRow } from './stats-row.js';
import { ErrorState } from './error-state.js';
import { PieceProofs, type PieceProofsDeps } from './check/piece-proofs.js';
import { Recheck, type RecheckDeps } from './check/recheck.js';
import { TorrentMove, type MoveDeps } from './move/torrent-move.js';
import { stateOf } from './facts.js';
import { ToldFacts, type ToldFactsDeps } from './told-facts.js';

/** Shared by all torrents that have none. */
const NONE: readonly number[] = [];
const NOT_MOVING: Promise<void> = Promise.resolve();

export class Lifecycle
  implements
    OwnNamesDeps,
    RecheckDeps,
    DiskFailuresDeps,
    EditsDeps,
    MoveDeps,
    PieceProofsDeps,
    SwarmEventDeps,
    SwarmManagerDeps,
    ToldFactsDeps
{
  readonly record: TorrentRecord;
  readonly progress: TorrentProgress;
  readonly errorState = new ErrorState();
  readonly stats: StatsRow;
  readonly swarmEvents: SwarmEventHandlers;
  readonly swarmManager: SwarmManager;
  readonly recheck: Recheck;
  readonly #told: ToldFacts;
  /** Most torrents never fail. */
  #failures: DiskFailures | null = null;
  /** Made when it is first asked for: most torrents rest. */
  #edits: TorrentEdits | null = null;
  /** Most torrents are read by nobody. */
  #readers: TorrentReaders | null = null;
  /** Most torrents have nothing on trust. */
  #proofs: PieceProofs | null = null;
  /** Most torrents have no suffix for incomplete files. */
  #ownNames: OwnNames | null = null;
  /** Most torrents never move. */
  #move: TorrentMove | null = null;
  /** Resolves when a move that was under way at the end reads and writes nothing any more. */
  moved = NOT_MOVING;
  #queued = false;
  /** Before `begin` and after `end` nothing moves. */
  #phase: 'loaded' | 'live' | 'ended' = 'loaded';

  constructor(
    readonly services: TorrentServices,
    row: TorrentRow,
    resume: ResumeRow | undefined,
    private readonly torrent: SessionTorrent,
  ) {
    this.record = new TorrentRecord(services, row, resume);
    this.progress = new TorrentProgress(row, resume);
    this.stats = new StatsRow(services.stats);
    this.swarmEvents = new SwarmEventHandlers(this);
    this.swarmManager = new SwarmManager(this);
    this.recheck = new Recheck(this);
    this.#told = new ToldFacts(this);
    this.publish();
  }

  get id(): TorrentId {
    return this.record.row.id;
  }

  get row(): TorrentRow {
    return this.record.row;
  }

  get isPrivate(): boolean {
    return this.row.summary?.isPrivate ?? false;
  }

  get runBy(): readonly AccountId[] {
    return runBy(this.row);
  }

  get rateLimits(): RateLimits {
    return this.row.rateLimits ?? UNLIMITED;
  }

  get peerLimits(): TorrentPeerLimits {
    return this.row.peerLimits ?? NO_PEER_LIMITS;
  }

  get maxPeers(): number {
    const most = this.services.identity.maxPeersPerTorrent();
    return Math.min(most, this.peerLimits.maxPeers || most);
  }

  get superSeeding(): boolean {
    return this.row.superSeeding ?? false;
  }

  get diskFailures(): DiskFailures {
    return (this.#failures ??= new DiskFailures(this));
  }

  /** Changes that people make to the torrent. */
  get edits(): TorrentEdits {
    return (this.#edits ??= new TorrentEdits(this));
  }

  get readers(): TorrentReaders {
    return (this.#readers ??= new TorrentReaders(this.swarmManager));
  }

  get urgentPieces(): readonly number[] {
    return this.#readers?.urgent ?? NONE;
  }

  /** A piece is verified and on disk: who waits for it may have it. */
  onPieceThere(): void {
    this.#readers?.lookAgain();
  }

  /** A piece that is had on trust is hashed before anything of it goes out. */
  isProven(piece: number): boolean {
    if (!this.progress.trusted?.has(piece)) return true;
    this.#needProofs().want(piece);
    return false;
  }

  get isProving(): boolean {
    return this.#proofs?.isRunning ?? false;
  }

  /** Has pieces hashed that are had on trust, one at least; their bytes. 0: there are none, or it serves nobody now. */
  scrub(maxBytes: number): number {
    return this.progress.trusted ? this.#needProofs().scrub(maxBytes) : 0;
  }

  #needProofs(): PieceProofs {
    return (this.#proofs ??= new PieceProofs(this));
  }

  /** null where files have their own names from the beginning. */
  get ownNames(): OwnNames | null {
    if (this.row.incompleteSuffix === undefined) return null;
    return (this.#ownNames ??= new OwnNames(this));
  }

  onFilesFound(info: TorrentInfo, files: readonly FileState[]): void {
    this.ownNames?.onFound(info, files);
  }

  onFilesHashed(before: Bitfield | null): void {
    this.ownNames?.onHashed(before);
  }

  /** Bytes came into files by other ways than as pieces, or files may be renamed again. */
  lookAtNames(): void {
    this.ownNames?.lookAgain();
  }

  get move(): TorrentMove {
    return (this.#move ??= new TorrentMove(this));
  }

  /** Nothing may be written to its files. */
  get isMoving(): boolean {
    return this.#move?.isCopying ?? false;
  }

  get claiming(): SessionTorrent {
    return this.torrent;
  }

  get isLive(): boolean {
    return this.#phase === 'live';
  }

  get hasEnded(): boolean {
    return this.#phase === 'ended';
  }

  get activity(): Activity {
    return this.isLive ? activityOf(this.#state) : 'stopped';
  }

  /** The facts as they are now, to be told by the caller. */
  facts(): TorrentFacts {
    return this.#told.take();
  }

  /** Trackers have told other figures, or are others: one that works is named by its place among them. */
  onTrackersHeard(): void {
    if (this.#told.lookAtTrackers()) this.tellFacts();
  }

  /** Starts the torrent's work: its files have been looked at. */
  begin(): void {
    this.#phase = 'live';
    this.onActivity('stopped');
  }

  /** The engine stops; the announce queue says so by itself. */
  close(): void {
    this.#phase = 'ended';
    this.recheck.stop();
    this.#readers?.lookAgain();
    this.moved = this.#move?.stop() ?? NOT_MOVING;
  }

  /** The torrent is removed. */
  end(): void {
    const before = this.activity;
    this.close();
    this.onActivity(before);
    const { announces, host } = this.services;
    announces.remove(this.id);
    host.cancelCheck(this.torrent);
    host.watchTrouble(this.torrent, false);
    this.#failures?.leave();
    this.stats.release();
  }

  /** Before it begins it is known already whether it will have to wait. */
  enterQueue(): void {
    this.#takePlace();
    this.publish();
  }

  setQueued(queued: boolean): void {
    if (this.#queued !== queued) this.change(() => (this.#queued = queued));
  }

  /** Every change of a fact of the state machine. */
  change(mutate: () => void): void {
    const before = this.activity;
    mutate();
    this.onActivity(before);
  }

  /** Other files are wanted: that may complete the torrent, or leave something to download. */
  async remeasured(mutate: () => void): Promise<void> {
    const before = this.activity;
    const wasComplete = this.progress.isComplete;
    mutate();
    this.saveSoon();
    if (!wasComplete && this.progress.isComplete) return this.onCompleted(before);
    this.onActivity(before);
    if (wasComplete && !this.progress.isComplete) this.services.announces.requestPeers(this.id);
  }

  onActivity(before: Activity): void {
    // What others do because of it comes later; what this one does must not begin and end at once.
    this.#takePlace();
    const after = this.activity;
    const { swarmManager, recheck, torrent } = this;
    const { host, announces, discovery, clock } = this.services;
    if (isOnline(before) && !isOnline(after)) {
      swarmManager.leave('TORRENT_STOPPED', !this.errorState.any);
      announces.stop(this.id);
      discovery.stop(this.id);
      this.saveSoon();
    } else if (!isOnline(before) && isOnline(after)) {
      announces.start(this.id);
      if (!this.isPrivate) discovery.start(this.id);
    }
    swarmManager.known.setOnline(isOnline(after));
    swarmManager.known.setSeeding(after === 'seeding');
    if (after === 'checking' && recheck.state === 'queued' && !this.isMoving) host.queueCheck(torrent);
    if (this.#move?.isWaiting && recheck.isSettled && !this.hasEnded) host.queueMove(torrent);
    this.#goHome();
    if (after === 'downloading') swarmManager.startDownload(this.row.sequential);
    else if (before === 'downloading') swarmManager.stopDownload(!this.errorState.writesFail);
    if (after === 'downloading') swarmManager.connectWebSeeds(clock.nowMs());
    this.seekPeers();
    this.#readers?.lookAgain();
    if (this.hasEnded) return;
    this.publish();
    if (this.isLive && this.recheck.state === 'none' && hasStopAfterCheck(this.row)) this.edits.stopAfterCheck();
    // What it does is in the stats row; of the facts nothing may have changed.
    if (!this.#told.areTold) this.tellFacts();
  }

  #goHome(): void {
    const { completePath, summary } = this.row;
    const isDone = summary !== null && this.progress.isComplete && this.recheck.isSettled;
    if (completePath && isDone && this.isLive) void this.move.goHome(completePath);
  }

  /** Resolves when it is stored, or that failed and is shown. `named`: before that it is not told. */
  async onCompleted(before: Activity, named: Promise<void> | null = null): Promise<void> {
    const noted = this.#noteCompletion(named);
    this.onActivity(before);
    this.swarmManager.swarm?.onCompleted();
    await noted.then(
      () => this.tellFacts(),
      (error: unknown) => this.diskFailures.onFailed(error),
    );
  }

  /** Tries again: the error that keeps the torrent from running may be over. */
  async lookAgain(): Promise<void> {
    const before = this.activity;
    const looking = this.record.turns.run(async () => {
      if (this.errorState.filesMissing) await this.recheck.compareFiles();
      else if (this.errorState.writesFail && !this.isMoving) await this.swarmManager.moveWanted();
    });
    await looking.catch((error: unknown) => this.onUnreadable(error));
    if (this.hasEnded) return;
    this.errorState.forgiveWrites();
    this.lookAtNames();
    this.services.host.watchTrouble(this.torrent, this.errorState.any);
    this.onActivity(before);
  }

  /** Has all checked of which a failed sync has left nothing certain; durable when it resolves. */
  async checkDoubt(): Promise<void> {
    if (!this.record.isInDoubt) return;
    let asked = Promise.resolve();
    this.change(() => (asked = this.recheck.demand('all', 'doubt')));
    await asked;
    this.record.onDoubted();
  }

  async onOtherDisk(): Promise<void> {
    this.#failures?.leave();
    if (this.errorState.writesFail) await this.lookAgain();
  }

  onPeerLimitsChanged(): void {
    this.swarmManager.swarm?.closeSurplus();
    this.seekPeers();
    this.services.host.onInterestChanged();
  }

  switchPlace(mutate: () => void): void {
    this.services.host.switchPlace(this.torrent, mutate);
  }

  leaveMoveQueue(): void {
    this.services.host.cancelMove(this.torrent);
  }

  filesOfOthers(savePath: string, topNames: readonly string[] | null): KeepFile {
    return this.services.host.filesOfOthers(this.torrent, savePath, topNames);
  }

  whileRemoving(savePath: string, work: Promise<void>): Promise<void> {
    return this.services.host.whileRemoving(savePath, work);
  }

  onUnreadable(error: unknown): void {
    this.errorState.onUnreadable(error);
    this.watchTrouble();
  }

  /** Claims the torrent's place on disk, which is known. */
  claimPlace(): void {
    this.services.claims.add(this.torrent);
  }

  watchTrouble(): void {
    this.services.host.watchTrouble(this.torrent, true);
  }

  saveSoon(writtenBytes = 0): void {
    this.services.host.markDirty(this.torrent, writtenBytes);
  }

  onCheckProgress(fraction: number): void {
    this.stats.setChecked(fraction);
  }

  auditSoon(): void {
    this.services.host.queueAudit(this.torrent);
  }

  /** Tells the session whether the torrent seeks peers: it may, and knows addresses. */
  seekPeers(): void {
    this.services.host.setSeeking(this.torrent, seeksPeers(this.activity) && this.swarmManager.known.any);
  }

  setAwake(awake: boolean): void {
    this.services.host.setAwake(this.torrent, awake);
  }

  tellFacts(): void {
    this.services.host.onFactsChanged(this.torrent);
  }

  publish(): void {
    const state = this.#state;
    const { times } = this.record;
    const { clock } = this.services;
    if (this.isLive && times.note(activityOf(state), clock.unixMs())) this.saveSoon();
    this.stats.publish(state, this.row, this.progress, this.swarmManager.swarm, times);
  }

  /**
   * Resolves when it is durable. Only the first time counts as completion, for people as for trackers; these do not hear
   * of one that nothing was downloaded for, because files were skipped or were there already (docs/semantics.md section
   * 5).
   */
  async #noteCompletion(named: Promise<void> | null): Promise<void> {
    const { id, services, record, progress } = this;
    services.log.info('torrent completed', { torrent: id });
    if (this.row.completedAt !== null) return;
    if (progress.downloadedThisRun) services.announces.completed(id);
    if (named) await named;
    await record.update({ completedAt: Math.floor(services.clock.unixMs() / 1000) });
  }

  get #state(): TorrentFactsOfState {
    return stateOf(this.row, this.progress, this.errorState, {
      check: this.recheck.state,
      queued: this.#queued,
      moving: this.isMoving,
    });
  }

  #takePlace(): void {
    this.#queued = this.services.queue.takePlace(this.torrent, this.hasEnded ? null : laneOf(this.#state));
  }
}
