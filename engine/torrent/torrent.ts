// One torrent, as the session and the commands see it. What it does is its lifecycle's to decide; this asks the parts
// that it holds.
import type { DetailPart, FilesWanted, RateLimits, TorrentDetails } from '../../shared-protocol/commands.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import type { AccountId, PeerId, TorrentId } from '../../shared-protocol/ids.js';
import type { ResumeRow, TorrentRow } from '../../storage/types.js';
import type { ChokeCandidate } from '../choker/types.js';
import type { ClaimingTorrent } from '../claims/index.js';
import type { KeepFile } from '../disk/index.js';
import type { KnownPeers } from '../peers/peer-list/peer-list.js';
import type { PeerSource } from '../peers/peer-list/sources.js';
import type { PeerKey } from '../picker/index.js';
import { MINUTE_MS, type PeerAddress } from '../environment.js';
import type { AnnounceFigures, AnnounceTorrent } from '../tracker/types.js';
import type { PeerConnection } from '../wire/peer-connection.js';
import type { HashingTurn } from './check/piece-check.js';
import type { CheckScope } from './check/check-scope.js';
import { TorrentEdits } from './edits.js';
import { holderOf, holdersOf, isHeldBySeveral, seedsBringerOf, shareShown } from './holders.js';
import { inspect, readInfo } from './details.js';
import { Lifecycle } from './lifecycle.js';
import { maySyncHaveLostData } from './resume/torrent-record.js';
import type { TorrentServices } from './session-interface.js';
import { isOnline, seeksPeers, type Activity } from './state.js';
import { figuresOf } from './facts.js';

/** Among several holders: a check stops the transfers of all. No spec value. */
const SHARED_CHECK_MS = 60 * MINUTE_MS;

export class Torrent implements AnnounceTorrent, ClaimingTorrent {
  readonly #life: Lifecycle;
  /** By one of several holders. */
  #askedForCheckMs = -SHARED_CHECK_MS;

  constructor(services: TorrentServices, row: TorrentRow, resume: ResumeRow | undefined) {
    this.#life = new Lifecycle(services, row, resume, this);
  }

  get id(): TorrentId {
    return this.#life.id;
  }

  get infoHash(): TorrentId {
    return this.#life.id;
  }

  get name(): string {
    return this.#life.row.name;
  }

  /** Whether one of these accounts holds it or has brought a tracker or the web seeds of it. */
  isOfAny(accounts: ReadonlySet<AccountId>): boolean {
    const { row } = this.#life;
    if (accounts.has(seedsBringerOf(row))) return true;
    return holdersOf(row).some(
      ({ accountId, addedTrackers = [] }) =>
        accounts.has(accountId) || addedTrackers.some((added) => accounts.has(added.accountId)),
    );
  }

  get savePath(): string {
    return this.#life.row.savePath;
  }

  get ownerId(): AccountId {
    return this.#life.row.ownerId;
  }

  get isShared(): boolean {
    return (this.#life.row.holders ?? null) !== null;
  }

  get topName(): string | null {
    const { name, summary } = this.#life.row;
    return summary && name;
  }

  get activity(): Activity {
    return this.#life.activity;
  }

  get known(): KnownPeers {
    return this.#life.presence.known;
  }

  get peerCount(): number {
    return this.#life.presence.peerCount;
  }

  /** `by`: those of its share; without it the ones in force. */
  rateLimitsOf(by?: AccountId): RateLimits {
    return by === undefined ? this.#life.rateLimits : holderOf(this.#life.row, by).rateLimits;
  }

  /** What people change about it. */
  get edits(): TorrentEdits {
    return new TorrentEdits(this.#life);
  }

  /** Its place among all torrents, from 0. */
  setQueuePosition(position: number): void {
    this.#life.stats.setQueuePosition(position);
  }

  /** Before it starts it is known already whether it will have to wait. */
  enterQueue(): void {
    this.#life.enterQueue();
  }

  /** It is held back from now on, or may run, because others came or went. */
  setQueued(queued: boolean): void {
    this.#life.setQueued(queued);
  }

  /** As they are now; whoever asks tells people of them. */
  facts(): TorrentFacts {
    return this.#life.facts();
  }

  figures(): AnnounceFigures {
    return figuresOf(this.#life.row, this.#life.ledger, this.peerCount);
  }

  onPeers(peers: readonly PeerAddress[], trackerIsInside: boolean): void {
    this.addPeers(peers, 'tracker', trackerIsInside);
  }

  mayReachInside(trackerUrl: string): boolean {
    const { services, row } = this.#life;
    return services.inside.mayReach(row, trackerUrl);
  }

  accountFor(trackerUrl: string): AccountId {
    const { services, row } = this.#life;
    return services.inside.accountFor(row, trackerUrl);
  }

  /** What it may reach inside has changed. */
  onReachChanged(): void {
    const { services, presence } = this.#life;
    services.announces.retry(this.id);
    presence.onReachChanged();
  }

  /** What a person looks at; a torrent that rests goes on resting. */
  details(parts: readonly DetailPart[], files?: FilesWanted, by?: AccountId): TorrentDetails {
    const { id, services, presence, ledger, row } = this.#life;
    const { folder, summary } = row;
    return inspect(
      parts,
      { id, folder, services, presence, summary, have: ledger.have, ...shareShown(row, by) },
      files,
    );
  }

  /** How many of the addresses were new. `mayBeInside`: whoever names them may name addresses inside. */
  addPeers(peers: readonly PeerAddress[], source: PeerSource, mayBeInside = false): number {
    const added = this.known.add(peers, source, mayBeInside);
    if (seeksPeers(this.activity)) this.#life.services.host.setSeeking(this, true);
    return added;
  }

  /** Looks at the files and goes to work. `fresh`: just added, nothing is known of what is on disk. */
  async start(fresh: boolean): Promise<void> {
    const { services, row, record, check, presence } = this.#life;
    if (this.#life.hasEnded) return;
    services.announces.add(this, row.trackers);
    await record.turns.run(() => check.lookAtFiles(fresh)).catch((error: unknown) => this.#life.onUnreadable(error));
    if (this.#life.hasEnded) return;
    this.#life.begin();
    presence.releaseContent();
  }

  async setPaused(paused: boolean, by?: AccountId): Promise<void> {
    await this.edits.setPaused(paused, by);
    if (!paused && this.#life.trouble.any) await this.lookAgain();
  }

  /** One who holds it asks for a check, or somebody for all; of several only so often. @throws AppError `CHECKED_LATELY` */
  admitCheck(by: AccountId | undefined): void {
    const { row, services } = this.#life;
    if (by === undefined || !isHeldBySeveral(row, by)) return;
    const nowMs = services.clock.nowMs();
    if (nowMs - this.#askedForCheckMs < SHARED_CHECK_MS) throw checkedLately();
    this.#askedForCheckMs = nowMs;
  }

  /** Among all torrents, from 0; clamped. One of several that hold it moves it forward only. */
  placeFor(position: number, by?: AccountId): number {
    const { row, stats } = this.#life;
    return by !== undefined && isHeldBySeveral(row, by) ? Math.min(position, stats.queuePosition) : position;
  }

  /** No-op while one is pending, or without metadata. `by`: a person, unless the torrent itself is in doubt. */
  async recheck(scope: CheckScope = 'all', by: 'person' | 'doubt' = 'person'): Promise<void> {
    let asked = Promise.resolve();
    if (this.#life.row.summary) this.#life.change(() => (asked = this.#life.check.demand(scope, by)));
    await asked;
  }

  /** Called by the session when it is this torrent's turn. Never rejects. */
  async runCheck(turn: HashingTurn): Promise<void> {
    const { check, presence } = this.#life;
    if (check.state !== 'queued') return;
    await check.run(turn, () => this.#life.isLive);
    this.#life.change(() => check.done());
    presence.releaseContent();
  }

  /** Called by the session when it is this torrent's turn, whatever it is doing. Never rejects. */
  async runAudit(turn: HashingTurn): Promise<void> {
    const { check, presence } = this.#life;
    const wrong = await check.audit(turn, () => !this.#life.hasEnded);
    presence.releaseContent();
    if (wrong.length > 0)
      await this.recheck(new Set(wrong), 'doubt').catch((error: unknown) => this.#life.failures.onFailed(error));
  }

  /** After a while of trouble: files may be back, the disk may take writes again. */
  lookAgain(): Promise<void> {
    return this.#life.lookAgain();
  }

  /** An incoming connection that named this torrent. */
  accept(connection: PeerConnection, peerId: PeerId, dht: boolean): void {
    if (!isOnline(this.activity)) return connection.close('HANDSHAKE_UNKNOWN_TORRENT');
    this.#life.presence.accept(connection, peerId, dht);
  }

  /** There is another number of connections it may have. */
  onMaxPeersChanged(): void {
    this.#life.presence.swarm?.closeSurplus();
    this.#life.seekPeers();
  }

  /** Peers may be on it now. */
  onBlocklistChanged(): void {
    this.#life.presence.swarm?.closeBlocked();
  }

  /** Where we are is known, so that known peers can be weighed (BEP 40). */
  onOwnAddressKnown(): void {
    this.#life.presence.weighPeers();
  }

  /** Connects to the next known address; false when there is none to try now. */
  connectNext(nowMs: number): boolean {
    return seeksPeers(this.activity) && this.#life.presence.connectNext(nowMs);
  }

  chokeCandidates(into: ChokeCandidate[]): void {
    this.#life.presence.swarm?.chokeCandidates(into, this.#life.ledger.isComplete);
  }

  setChoked(key: PeerKey, choked: boolean, optimistic: boolean): void {
    this.#life.presence.swarm?.setChoked(key, choked, optimistic);
  }

  /** Once a second while awake. */
  tick(nowMs: number, elapsedMs: number): void {
    const { presence, check, record, ledger } = this.#life;
    const asksWebSeeds = this.activity === 'downloading' && presence.hasWebSeeds;
    if (asksWebSeeds) presence.connectWebSeeds(nowMs);
    presence.tick(nowMs, elapsedMs, asksWebSeeds || check.state !== 'none');
    if (record.isBehindOn(ledger)) this.#life.saveSoon();
    this.#life.publish();
  }

  /** What may be recorded: syncs the data first. null when there is nothing yet. */
  async syncedResume(): Promise<ResumeRow | null> {
    const { presence, record, ledger } = this.#life;
    try {
      await presence.released;
      return await record.syncedResume(ledger, () => presence.content());
    } catch (error) {
      // The kernel will not complain a second time: look at what is really there.
      if (maySyncHaveLostData(error)) await this.recheck('all', 'doubt');
      throw error;
    } finally {
      presence.releaseContent();
    }
  }

  /** For when that fails: what was recorded before, with the counters of now. */
  countersAlone(): ResumeRow | null {
    return this.#life.record.countersAlone(this.#life.ledger);
  }

  /** What `syncedResume` gave is stored. */
  onRecorded(): Promise<void> {
    return this.#life.record.onRecorded();
  }

  /** For the end of the engine; the announce queue sends `stopped` by itself. Resolves when it writes no more. */
  async close(): Promise<void> {
    const { presence, trouble } = this.#life;
    this.#life.close();
    presence.swarm?.closeAll('ENGINE_STOPPING', !trouble.any);
    await presence.ended;
  }

  /** Its files below the save path; none while the metadata is unknown. */
  filePaths(): readonly (readonly string[])[] {
    const { row, services, presence } = this.#life;
    return readInfo(row, services, presence)?.files.map(({ path }) => path) ?? [];
  }

  /**
   * Forgets the torrent durably, then lets go of everything; the deletion of files (all but those to `keep`, and the
   * part file always) goes on after this resolves.
   */
  async remove(keep: KeepFile): Promise<{ readonly deletion: Promise<void> }> {
    const { presence, services } = this.#life;
    const content = presence.content();
    content?.ownership.beforeForgotten();
    await services.store.remove(this.id);
    this.#life.end();
    return { deletion: content?.storage.deleteFiles(keep) ?? Promise.resolve() };
  }

  /** Throws `bug: …` when an invariant does not hold; for tests. */
  checkInvariant(): void {
    const { presence, ledger } = this.#life;
    const { openedContent, swarm } = presence;
    if (openedContent) ledger.checkInvariant(openedContent.info, openedContent.priorities);
    swarm?.download?.checkInvariant();
  }
}

function checkedLately(): AppError {
  const minutes = SHARED_CHECK_MS / MINUTE_MS;
  return new AppError('CHECKED_LATELY', `recheck: asked for less than ${minutes} minutes ago`);
}
