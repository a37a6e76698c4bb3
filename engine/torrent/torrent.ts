// One torrent, as others see it: the session's rounds and queues, trackers, claims and the commands of people. Each asks
// it in its own words, and it answers with the parts that its lifecycle holds. Nothing is decided here: what the torrent
// does follows from its facts, which only the lifecycle changes (`lifecycle.ts`, which is handed to no other part).
import type { AnnounceNowResult } from '../../shared-protocol/commands/trackers.js';
import type { DetailPart } from '../../shared-protocol/commands/details.js';
import type { FilesWanted, TorrentDetails } from '../../shared-protocol/commands/inspection.js';
import type { MoveParams, MoveStatus, RenameParams } from '../../shared-protocol/commands/moves.js';
import type { RateLimits, TorrentPeerLimits } from '../../shared-protocol/commands/limits.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import type { AccountId, PeerId, TorrentId } from '../../shared-protocol/ids.js';
import type { MoveState } from '../../shared-protocol/move-state.js';
import type { ResumeRow, TorrentRow } from '../../storage/types.js';
import type { ChokeCandidate } from '../choker/types.js';
import type { TorrentStorage } from '../disk/index.js';
import type { PeerList } from '../peers/peer-list/peer-list.js';
import type { PeerSource } from '../peers/peer-list/sources.js';
import type { PeerKey } from '../picker/index.js';
import { MINUTE_MS, type PeerAddress } from '../environment.js';
import type { AnnounceFigures, AnnounceTorrent } from '../tracker/types.js';
import type { PeerConnection } from '../wire/peer-connection.js';
import type { CheckScope } from './check/check-scope.js';
import type { TorrentEdits } from './edits.js';
import { holderOf, holdersOf, isHeldBySeveral, NO_PEER_LIMITS, seedsBringerOf, shareShown } from './holders.js';
import { inspect } from './details/details.js';
import { torrentFileOf } from './details/torrent-file.js';
import { IncompleteNames } from '../metainfo/index.js';
import { readInfo } from './files/content.js';
import { Lifecycle } from './lifecycle.js';
import { FileReader, type FileReaderOptions } from './reading/file-reader.js';
import type { HashingTurn, SessionTorrent, TorrentServices } from './session-interface.js';
import { isOnline, seeksPeers, type Activity } from './state.js';
import { figuresOf } from './facts.js';

/** Among several holders: a check stops the transfers of all. No spec value. */
const SHARED_CHECK_MS = 60 * MINUTE_MS;

export class Torrent implements AnnounceTorrent, SessionTorrent {
  readonly #lifecycle: Lifecycle;
  /** By one of several holders. */
  #askedForCheckMs = -SHARED_CHECK_MS;

  constructor(services: TorrentServices, row: TorrentRow, resume: ResumeRow | undefined) {
    this.#lifecycle = new Lifecycle(services, row, resume, this);
  }

  get id(): TorrentId {
    return this.#lifecycle.id;
  }

  get infoHash(): TorrentId {
    return this.#lifecycle.id;
  }

  get name(): string {
    return this.#lifecycle.row.name;
  }

  /** Whether one of these accounts holds it or has brought a tracker or the web seeds of it. */
  isOfAny(accounts: ReadonlySet<AccountId>): boolean {
    const { row } = this.#lifecycle;
    if (accounts.has(seedsBringerOf(row))) return true;
    return holdersOf(row).some(
      ({ accountId, addedTrackers = [] }) =>
        accounts.has(accountId) || addedTrackers.some((added) => accounts.has(added.accountId)),
    );
  }

  get savePath(): string {
    return this.#lifecycle.row.savePath;
  }

  get ownerId(): AccountId {
    return this.#lifecycle.row.ownerId;
  }

  get runBy(): readonly AccountId[] {
    return this.#lifecycle.runBy;
  }

  get lastActivityAt(): number {
    return this.#lifecycle.progress.lastActivityAt;
  }

  get isShared(): boolean {
    return (this.#lifecycle.row.holders ?? null) !== null;
  }

  get topNames(): readonly string[] | null {
    const { name, summary, topNames } = this.#lifecycle.row;
    return summary && (topNames ?? [name]);
  }

  get incompleteSuffix(): string | undefined {
    return this.#lifecycle.row.incompleteSuffix;
  }

  get activity(): Activity {
    return this.#lifecycle.activity;
  }

  get isProving(): boolean {
    return this.#lifecycle.isProving;
  }

  scrub(maxBytes: number): number {
    return this.#lifecycle.scrub(maxBytes);
  }

  get known(): PeerList {
    return this.#lifecycle.swarmManager.known.list;
  }

  get peerCount(): number {
    return this.#lifecycle.swarmManager.peerCount;
  }

  /** `by`: those of its share; without it the ones in force. */
  rateLimitsOf(by?: AccountId): RateLimits {
    return by === undefined ? this.#lifecycle.rateLimits : holderOf(this.#lifecycle.row, by).rateLimits;
  }

  /** `by`: those of its share; without it the ones in force. */
  peerLimitsOf(by?: AccountId): TorrentPeerLimits {
    const { row, peerLimits } = this.#lifecycle;
    return by === undefined ? peerLimits : (holderOf(row, by).peerLimits ?? NO_PEER_LIMITS);
  }

  /** Changes that people make to the torrent. */
  get edits(): TorrentEdits {
    return this.#lifecycle.edits;
  }

  /** Moves the torrent's row to a place among all torrents, from 0. */
  setQueuePosition(position: number): void {
    this.#lifecycle.stats.setQueuePosition(position);
  }

  /** Before it starts it is known already whether it will have to wait. */
  enterQueue(): void {
    this.#lifecycle.enterQueue();
  }

  /** Holds the torrent back, or lets it run, because others came or went. */
  setQueued(queued: boolean): void {
    this.#lifecycle.setQueued(queued);
  }

  /** The facts as they are now, to be told by the caller. */
  facts(): TorrentFacts {
    return this.#lifecycle.facts();
  }

  figures(): AnnounceFigures {
    return figuresOf(this.#lifecycle.row, this.#lifecycle.progress, this.peerCount);
  }

  onPeers(peers: readonly PeerAddress[], trackerIsInside: boolean): void {
    this.addPeers(peers, 'tracker', trackerIsInside);
  }

  onTrackersHeard(): void {
    this.#lifecycle.onTrackersHeard();
  }

  mayReachInside(trackerUrl: string): boolean {
    const { services, row } = this.#lifecycle;
    return services.inside.mayReach(row, trackerUrl);
  }

  accountFor(trackerUrl: string): AccountId {
    const { services, row } = this.#lifecycle;
    return services.inside.accountFor(row, trackerUrl);
  }

  /** Judges peers and web seeds again: the networks that the torrent may reach have changed. */
  onReachChanged(): void {
    const { services, swarmManager } = this.#lifecycle;
    services.announces.retry(this.id);
    swarmManager.onReachChanged();
  }

  /** Details that a person looks at; a torrent that rests goes on resting. */
  details(parts: readonly DetailPart[], files?: FilesWanted, by?: AccountId): TorrentDetails {
    const { id, services, swarmManager, progress, row } = this.#lifecycle;
    const { names, folder, pathList, summary, origin, seedsBy, ownerId, incompleteSuffix } = row;
    const brought = {
      ...(origin && { origin }),
      ...(seedsBy !== undefined && { seedsBy }),
      ...(incompleteSuffix !== undefined && { incompleteSuffix }),
      ownerId,
    };
    const onlyFor = by !== undefined && isHeldBySeveral(row, by) ? by : undefined;
    const place = { id, folder, pathList, ...(names && { names }) };
    return inspect(
      parts,
      {
        ...place,
        ...brought,
        onlyFor,
        by,
        services,
        swarmManager,
        summary,
        have: progress.have,
        ...shareShown(row, by),
      },
      files,
    );
  }

  /** @throws AppError `METADATA_UNKNOWN`, `TORRENT_NOT_FOUND` */
  torrentFile(by: AccountId | undefined): Uint8Array {
    return torrentFileOf(this.#lifecycle.services, this.#lifecycle.row, by);
  }

  /** Never earlier than a tracker's minimum interval allows. @throws AppError `TORRENT_NOT_RUNNING` */
  announceNow(by: AccountId | undefined): AnnounceNowResult {
    const { services, row } = this.#lifecycle;
    if (by !== undefined) holderOf(row, by);
    if (!isOnline(this.activity)) {
      throw new AppError('TORRENT_NOT_RUNNING', 'torrent: it does not run, so it announces nothing', { id: this.id });
    }
    return services.announces.announceNow(this.id);
  }

  /** Begins to read a file. @throws AppError `METADATA_UNKNOWN`, `FILE_NOT_FOUND` */
  openFile(options: FileReaderOptions): FileReader {
    return new FileReader(this.#lifecycle, options);
  }

  /** How many of the addresses were new. `mayBeInside`: their source may name addresses inside. */
  addPeers(peers: readonly PeerAddress[], source: PeerSource, mayBeInside = false): number {
    const added = this.known.add(peers, source, mayBeInside);
    if (seeksPeers(this.activity)) this.#lifecycle.services.host.setSeeking(this, true);
    return added;
  }

  /** Looks at the files and goes to work. `fresh`: just added, nothing is known of what is on disk. */
  async start(fresh: boolean): Promise<void> {
    const { services, row, record, recheck, swarmManager } = this.#lifecycle;
    if (this.#lifecycle.hasEnded) return;
    services.announces.add(this, row.trackers);
    await record.turns
      .run(() => recheck.probeFiles(fresh))
      .catch((error: unknown) => this.#lifecycle.onUnreadable(error));
    if (this.#lifecycle.hasEnded) return;
    this.#lifecycle.begin();
    swarmManager.releaseContent();
    if (row.move) void this.#lifecycle.move.recover();
  }

  async setPaused(paused: boolean, by?: AccountId): Promise<void> {
    await this.edits.setPaused(paused, by);
    if (!paused && this.#lifecycle.errorState.any) await this.lookAgain();
  }

  /** Admits a check for one holder, or for all; of several only so often. @throws AppError `CHECKED_LATELY` */
  admitCheck(by: AccountId | undefined): void {
    const { row, services } = this.#lifecycle;
    if (by === undefined || !isHeldBySeveral(row, by)) return;
    const nowMs = services.clock.nowMs();
    if (nowMs - this.#askedForCheckMs < SHARED_CHECK_MS) throw checkedLately();
    this.#askedForCheckMs = nowMs;
  }

  /** Among all torrents, from 0; clamped. One of several that hold it moves it forward only. */
  placeFor(position: number, by?: AccountId): number {
    return this.mayOnlyAdvance(by) ? Math.min(position, this.#lifecycle.stats.queuePosition) : position;
  }

  /** Whether `by` is one of several that hold it, and so moves it forward in the queue only. @throws AppError `TORRENT_NOT_FOUND` */
  mayOnlyAdvance(by: AccountId | undefined): boolean {
    return by !== undefined && isHeldBySeveral(this.#lifecycle.row, by);
  }

  /**
   * Moves its files to another save path, when it is its turn; durable when it resolves.
   * @throws AppError `MOVE_NOT_ALLOWED` for one of several who hold it, and as `TorrentMove.ask` does
   */
  async moveTo(params: MoveParams, by: AccountId | undefined): Promise<void> {
    this.#assertMayMove(by);
    await this.#lifecycle.move.ask(params);
  }

  /** @throws AppError `MOVE_NOT_ALLOWED`, `MOVE_CONFLICT` */
  async cancelMove(by: AccountId | undefined): Promise<void> {
    this.#assertMayMove(by);
    await this.#lifecycle.move.cancel();
  }

  moveStatus(): MoveStatus {
    return this.#lifecycle.move.status();
  }

  /**
   * Gives a file or folder another path; durable when it resolves, with how far it is.
   * @throws AppError `MOVE_NOT_ALLOWED` for one of several who hold it, and as `TorrentMove.rename` does
   */
  async renamePath(params: RenameParams, by: AccountId | undefined): Promise<{ readonly state: MoveState }> {
    this.#assertMayMove(by);
    return { state: await this.#lifecycle.move.rename(params) };
  }

  get isRenaming(): boolean {
    return (this.#lifecycle.row.move?.paths ?? null) !== null;
  }

  get moveTarget(): string {
    return this.#lifecycle.move.target;
  }

  /** Called by the session when it is this torrent's turn. Never rejects. */
  runMove(): Promise<void> {
    return this.#lifecycle.move.run();
  }

  /** Keeps its place where it does not lie: an earlier run ended in the middle of a move. */
  holdPlaces(): void {
    if (this.#lifecycle.row.move) this.#lifecycle.move.holdPlace();
  }

  /** Before it is removed: nothing of it is left where it does not lie. Never rejects. */
  finishMove(): Promise<void> {
    return this.#lifecycle.move.finish();
  }

  #assertMayMove(by: AccountId | undefined): void {
    if (by === undefined || !isHeldBySeveral(this.#lifecycle.row, by)) return;
    throw new AppError(
      'MOVE_NOT_ALLOWED',
      'torrent: others hold it as well, so only an administrator may move or rename its files',
    );
  }

  /** No-op while one is pending, or without metadata. `by`: a person, unless the torrent itself is in doubt. */
  async recheck(scope: CheckScope = 'all', by: 'person' | 'doubt' = 'person'): Promise<void> {
    let asked = Promise.resolve();
    if (this.#lifecycle.row.summary) this.#lifecycle.change(() => (asked = this.#lifecycle.recheck.demand(scope, by)));
    await asked;
  }

  /** Called by the session when it is this torrent's turn. Never rejects. */
  async runCheck(turn: HashingTurn): Promise<void> {
    const { recheck, swarmManager, isMoving } = this.#lifecycle;
    // It is asked for again when its files have been moved.
    if (recheck.state !== 'queued' || isMoving) return;
    await recheck.run(turn, () => this.#lifecycle.isLive);
    this.#lifecycle.change(() => recheck.done());
    this.#lifecycle.lookAtNames();
    swarmManager.releaseContent();
  }

  /** Called by the session when it is this torrent's turn, whatever it is doing. Never rejects. */
  async runAudit(turn: HashingTurn): Promise<void> {
    const { recheck, swarmManager } = this.#lifecycle;
    const wrong = await recheck.audit(turn, () => !this.#lifecycle.hasEnded);
    swarmManager.releaseContent();
    if (wrong.length > 0)
      await this.recheck(new Set(wrong), 'doubt').catch((error: unknown) =>
        this.#lifecycle.diskFailures.onFailed(error),
      );
    // A move may have waited for it.
    this.#lifecycle.change(() => recheck.auditEnded());
  }

  /** After a while of trouble: files may be back, the disk may take writes again. */
  lookAgain(): Promise<void> {
    return this.#lifecycle.lookAgain();
  }

  /** An incoming connection that named this torrent. */
  accept(connection: PeerConnection, peerId: PeerId, dht: boolean): void {
    if (!isOnline(this.activity)) return connection.close('HANDSHAKE_UNKNOWN_TORRENT');
    this.#lifecycle.swarmManager.accept(connection, peerId, dht);
  }

  /** There is another number of connections it may have. */
  onMaxPeersChanged(): void {
    this.#lifecycle.onPeerLimitsChanged();
  }

  /** Accounts that run it may have other limits. */
  onAccountLimitsChanged(): void {
    this.#lifecycle.swarmManager.swarm?.onAccountsChanged();
  }

  /** Peers may be on it now. */
  onBlocklistChanged(): void {
    this.#lifecycle.swarmManager.swarm?.closeBlocked();
  }

  /** Where we are is known, so that known peers can be weighed (BEP 40). */
  onOwnAddressKnown(): void {
    this.#lifecycle.swarmManager.known.weigh();
  }

  /** Connects to the next known address; false when there is none to try now. */
  connectNext(nowMs: number): boolean {
    return seeksPeers(this.activity) && this.#lifecycle.swarmManager.connectNext(nowMs);
  }

  chokeCandidates(into: ChokeCandidate[]): void {
    const { swarmManager, progress, peerLimits } = this.#lifecycle;
    const group = peerLimits.uploadSlots > 0 ? { slots: peerLimits.uploadSlots } : null;
    swarmManager.swarm?.chokeCandidates(into, progress.isComplete, group);
  }

  setChoked(key: PeerKey, choked: boolean, optimistic: boolean): void {
    this.#lifecycle.swarmManager.swarm?.setChoked(key, choked, optimistic);
  }

  /** Once a second while awake. */
  tick(nowMs: number, elapsedMs: number): void {
    const { services, swarmManager, recheck, record, progress } = this.#lifecycle;
    const asksWebSeeds = this.activity === 'downloading' && swarmManager.hasWebSeeds;
    if (asksWebSeeds) swarmManager.connectWebSeeds(nowMs);
    swarmManager.tick(nowMs, elapsedMs, asksWebSeeds || recheck.state !== 'none');
    progress.noteActivity(services.clock.unixMs());
    if (record.isBehindOn(progress)) this.#lifecycle.saveSoon();
    this.#lifecycle.publish();
  }

  /** The row that may be recorded, after the data was synced. null when there is nothing yet. */
  async syncedResume(): Promise<ResumeRow | null> {
    const { swarmManager, record, progress } = this.#lifecycle;
    try {
      await swarmManager.released;
      return await record.syncedResume(progress, () => swarmManager.content());
    } catch (error) {
      // The kernel will not complain a second time: look at what is really there.
      await this.#lifecycle.checkDoubt();
      throw error;
    } finally {
      swarmManager.releaseContent();
    }
  }

  /** For when that fails: what was recorded before, with the counters of now. */
  countersAlone(): ResumeRow | null {
    return this.#lifecycle.record.countersAlone(this.#lifecycle.progress);
  }

  /** Notes that the row which `syncedResume` gave is stored. */
  onRecorded(): Promise<void> {
    return this.#lifecycle.record.onRecorded();
  }

  /** For the end of the engine; the announce queue sends `stopped` by itself. Resolves when it writes no more. */
  async close(): Promise<void> {
    const { swarmManager, errorState } = this.#lifecycle;
    this.#lifecycle.close();
    swarmManager.swarm?.closeAll('ENGINE_STOPPING', !errorState.any);
    await swarmManager.ended;
    await this.#lifecycle.moved;
  }

  /** Before it is another engine's. Resolves when it writes and asks for nothing any more; its progress can be recorded then. */
  async end(): Promise<void> {
    const { swarmManager } = this.#lifecycle;
    this.#lifecycle.end();
    await swarmManager.ended;
    await this.#lifecycle.moved;
  }

  /** Paths that the torrent's files may have below the save path; none while the metadata is unknown. */
  filePaths(): readonly (readonly string[])[] {
    const { row, services, swarmManager } = this.#lifecycle;
    const { files = [] } = readInfo(services, row, swarmManager.openedContent) ?? {};
    return new IncompleteNames(files, row.incompleteSuffix).withBoth(files).map(({ path }) => path);
  }

  /**
   * Durably on its way out from here on, then lets go of everything. Returns what deletes its files; null: it has none, and is
   * forgotten.
   */
  async leave(leaving: NonNullable<TorrentRow['leaving']>): Promise<TorrentStorage | null> {
    const { swarmManager, services } = this.#lifecycle;
    const content = swarmManager.content();
    await (content ? services.store.update(this.id, { leaving }) : services.store.remove(this.id));
    this.#lifecycle.end();
    return content?.storage ?? null;
  }

  /** Throws `bug: …` when an invariant does not hold; for tests. */
  checkInvariant(): void {
    const { swarmManager, progress } = this.#lifecycle;
    const { openedContent, swarm } = swarmManager;
    if (openedContent) progress.checkInvariant(openedContent.info, openedContent.priorities);
    swarm?.download?.checkInvariant();
  }
}

function checkedLately(): AppError {
  const minutes = SHARED_CHECK_MS / MINUTE_MS;
  return new AppError('CHECKED_LATELY', `recheck: asked for less than ${minutes} minutes ago`);
}
