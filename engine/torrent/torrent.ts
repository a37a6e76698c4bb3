// One torrent, from its stored row to its swarm: introduces state, ledger, content, swarm, check and trouble to each
// other. Facts change through `#change`, which acts on the difference in activity (STATE.md).
import type { DetailPart, TorrentDetails } from '../../shared-protocol/commands.js';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import type { PeerId, TorrentId } from '../../shared-protocol/ids.js';
import type { ResumeRow, TorrentRow } from '../../storage/types.js';
import type { ChokeCandidate } from '../choker/types.js';
import type { KeepFile } from '../disk/index.js';
import type { KnownPeers } from '../peers/known-peers.js';
import type { PeerSource } from '../peers/known-sources.js';
import type { PeerKey } from '../picker/index.js';
import type { PeerAddress } from '../ports.js';
import type { AnnounceFigures, AnnounceTorrent } from '../tracker/types.js';
import type { PeerConnection } from '../wire/peer-connection.js';
import { Bitfield } from './bitfield.js';
import { noteCompletion } from './completion.js';
import { openContent, type Content } from './content.js';
import type { CheckScope } from './evidence.js';
import { TorrentEdits } from './edits.js';
import { Failures } from './failures.js';
import { Ledger } from './ledger.js';
import { takeMetadata } from './metadata-arrival.js';
import { inspect, readInfo } from './inspection.js';
import { Presence } from './presence.js';
import { maySyncHaveLostData, TorrentRecord } from './record.js';
import type { TorrentServices } from './services.js';
import { activityOf, isOnline, laneOf, seeksPeers, type Activity, type TorrentFactsOfState } from './state.js';
import { StatsRow } from './stats-row.js';
import { Trouble } from './trouble.js';
import { Verification } from './verification.js';
import { factsOf, figuresOf, stateOf } from './views.js';

export class Torrent implements AnnounceTorrent {
  /** What people change about it. */
  readonly edits: TorrentEdits;
  readonly #statsRow: StatsRow;
  readonly #ledger: Ledger;
  readonly #trouble = new Trouble();
  readonly #presence: Presence;
  readonly #record: TorrentRecord;
  readonly #check: Verification;
  readonly #failures: Failures;
  #queued = false;
  /** Before `start` and after `close` or `remove` nothing moves. */
  #life: 'loaded' | 'live' | 'ended' = 'loaded';

  constructor(
    private readonly services: TorrentServices,
    row: TorrentRow,
    resume: ResumeRow | undefined,
  ) {
    this.#record = new TorrentRecord(services, row, resume);
    this.#ledger = new Ledger(row, resume);
    this.#statsRow = new StatsRow(services.stats);
    this.#presence = this.#createPresence();
    const onTrouble = (): void => services.host.watchTrouble(this, true);
    const parts = {
      id: row.id,
      services,
      presence: this.#presence,
      record: this.#record,
      ledger: this.#ledger,
      trouble: this.#trouble,
    };
    this.#check = new Verification({
      ...parts,
      events: {
        onTrouble,
        onLedgerReplaced: () => services.host.markDirty(this, 0),
        onAuditDue: () => services.host.queueAudit(this),
      },
    });
    const events = {
      change: (mutate: () => void) => this.#change(mutate),
      onTrouble,
      lookAgain: () => this.lookAgain(),
      onFactsChanged: () => services.host.onFactsChanged(this),
      hasEnded: () => this.#hasEnded,
    };
    this.#failures = new Failures({ ...parts, events });
    this.edits = new TorrentEdits({
      ...parts,
      ...events,
      check: this.#check,
      remeasured: (mutate) => this.#remeasured(mutate),
      onWriteFailed: (error) => this.#failures.onWriteFailed(error),
    });
    this.#publish();
  }

  get id(): TorrentId {
    return this.#row.id;
  }

  get infoHash(): TorrentId {
    return this.#row.id;
  }

  get name(): string {
    return this.#row.name;
  }

  get savePath(): string {
    return this.#row.savePath;
  }

  get activity(): Activity {
    return this.#life === 'live' ? activityOf(this.#state) : 'stopped';
  }

  get known(): KnownPeers {
    return this.#presence.known;
  }

  get peerCount(): number {
    return this.#presence.peerCount;
  }

  /** Its place among all torrents, from 0. */
  setQueuePosition(position: number): void {
    this.#statsRow.setQueuePosition(position);
  }

  /** Before it starts it is known already whether it will have to wait. */
  enterQueue(): void {
    this.#takePlace();
    this.#publish();
  }

  /** It is held back from now on, or may run, because others came or went. */
  setQueued(queued: boolean): void {
    if (this.#queued !== queued) this.#change(() => (this.#queued = queued));
  }

  facts(): TorrentFacts {
    return factsOf(this.#row, this.#statsRow, this.#trouble.error);
  }

  figures(): AnnounceFigures {
    return figuresOf(this.#row, this.#ledger, this.peerCount);
  }

  onPeers(peers: readonly PeerAddress[]): void {
    this.addPeers(peers, 'tracker');
  }

  /** What a person looks at; a torrent that rests goes on resting. */
  details(parts: readonly DetailPart[]): TorrentDetails {
    const { id, services } = this;
    const { filePriorities } = this.#row;
    return inspect(parts, { id, services, presence: this.#presence, have: this.#ledger.have, filePriorities });
  }

  /** How many of the addresses were new. */
  addPeers(peers: readonly PeerAddress[], source: PeerSource): number {
    const added = this.known.add(peers, source);
    if (seeksPeers(this.activity)) this.services.host.setSeeking(this, true);
    return added;
  }

  /** Looks at the files and goes to work. `fresh`: just added, nothing is known of what is on disk. */
  async start(fresh: boolean): Promise<void> {
    if (this.#hasEnded) return;
    this.services.announces.add(this, this.#row.trackers);
    await this.#record.turns.run(() => this.#check.lookAtFiles(fresh)).catch((e: unknown) => this.#onUnreadable(e));
    if (this.#hasEnded) return;
    this.#life = 'live';
    this.#onActivity('stopped');
    this.#presence.releaseContent();
  }

  async setPaused(paused: boolean): Promise<void> {
    if (this.#row.paused !== paused) await this.#record.update({ paused }, (mutate) => this.#change(mutate));
    if (!paused && this.#trouble.any) await this.lookAgain();
  }

  /** No-op while one is pending, or without metadata. */
  async recheck(scope: CheckScope = 'all'): Promise<void> {
    let asked = Promise.resolve();
    if (this.#row.summary) this.#change(() => (asked = this.#check.demand(scope)));
    await asked;
  }

  /** Called by the session when it is this torrent's turn. Never rejects. */
  async runCheck(): Promise<void> {
    if (this.#check.state !== 'queued') return;
    await this.#check.run(() => this.#life === 'live');
    this.#change(() => this.#check.done());
    this.#presence.releaseContent();
  }

  /** Called by the session when it is this torrent's turn, whatever it is doing. Never rejects. */
  async runAudit(): Promise<void> {
    const wrong = await this.#check.audit(() => !this.#hasEnded);
    this.#presence.releaseContent();
    if (wrong.length > 0) await this.recheck(new Set(wrong)).catch((error: unknown) => this.#failures.onFailed(error));
  }

  /** After a while of trouble: files may be back, the disk may take writes again. */
  async lookAgain(): Promise<void> {
    const before = this.activity;
    const looking = this.#record.turns.run(async () => {
      if (this.#trouble.filesMissing) await this.#check.compareFiles();
      else if (this.#trouble.writesFail) await this.#presence.moveWanted();
    });
    await looking.catch((error: unknown) => this.#onUnreadable(error));
    if (this.#life === 'ended') return;
    this.#trouble.forgiveWrites();
    this.services.host.watchTrouble(this, this.#trouble.any);
    this.#onActivity(before);
  }

  /** An incoming connection that named this torrent. */
  accept(connection: PeerConnection, peerId: PeerId, dht: boolean): void {
    if (!isOnline(this.activity)) return connection.close('HANDSHAKE_UNKNOWN_TORRENT');
    this.#presence.accept(connection, peerId, dht);
  }

  /** There is another number of connections it may have. */
  onMaxPeersChanged(): void {
    this.#presence.swarm?.closeSurplus();
    this.services.host.setSeeking(this, seeksPeers(this.activity) && this.#presence.knowsPeers);
  }

  /** Peers may be on it now. */
  onBlocklistChanged(): void {
    this.#presence.swarm?.closeBlocked();
  }

  /** Where we are is known, so that known peers can be weighed (BEP 40). */
  onOwnAddressKnown(): void {
    this.#presence.weighPeers();
  }

  /** Connects to the next known address; false when there is none to try now. */
  connectNext(nowMs: number): boolean {
    return seeksPeers(this.activity) && this.#presence.connectNext(nowMs);
  }

  chokeCandidates(into: ChokeCandidate[]): void {
    this.#presence.swarm?.chokeCandidates(into, this.#ledger.isComplete);
  }

  setChoked(key: PeerKey, choked: boolean, optimistic: boolean): void {
    this.#presence.swarm?.setChoked(key, choked, optimistic);
  }

  /** Once a second while awake. */
  tick(nowMs: number, elapsedMs: number): void {
    const asksWebSeeds = this.activity === 'downloading' && this.#presence.hasWebSeeds;
    if (asksWebSeeds) this.#presence.connectWebSeeds(nowMs);
    this.#presence.tick(nowMs, elapsedMs, asksWebSeeds || this.#check.state !== 'none');
    if (this.#record.isBehindOn(this.#ledger)) this.services.host.markDirty(this, 0);
    this.#publish();
  }

  /** What may be recorded: syncs the data first. null when there is nothing yet. */
  async syncedResume(): Promise<ResumeRow | null> {
    try {
      await this.#presence.released;
      return await this.#record.syncedResume(this.#ledger, () => this.#presence.content());
    } catch (error) {
      // The kernel will not complain a second time: look at what is really there.
      if (maySyncHaveLostData(error)) await this.recheck();
      throw error;
    } finally {
      this.#presence.releaseContent();
    }
  }

  /** For when that fails: what was recorded before, with the counters of now. */
  countersAlone(): ResumeRow | null {
    return this.#record.countersAlone(this.#ledger);
  }

  /** What `syncedResume` gave is stored. */
  onRecorded(): Promise<void> {
    return this.#record.onRecorded();
  }

  /** For the end of the engine; the announce queue sends `stopped` by itself. Resolves when it writes no more. */
  async close(): Promise<void> {
    this.#life = 'ended';
    this.#check.stop();
    this.#presence.swarm?.closeAll('ENGINE_STOPPING', !this.#trouble.any);
    await this.#presence.ended;
  }

  /** Its files below the save path; none while the metadata is unknown. */
  filePaths(): readonly (readonly string[])[] {
    return readInfo(this.id, this.services, this.#presence)?.files.map(({ path }) => path) ?? [];
  }

  /**
   * Forgets the torrent durably, then lets go of everything; the deletion of files (all but those to `keep`, and the
   * part file always) goes on after this resolves.
   */
  async remove(keep: KeepFile): Promise<{ readonly deletion: Promise<void> }> {
    const content = this.#presence.content();
    await this.services.store.remove(this.id);
    const before = this.activity;
    this.#life = 'ended';
    this.#check.stop();
    this.#onActivity(before);
    const { announces, host } = this.services;
    announces.remove(this.id);
    host.cancelCheck(this);
    host.watchTrouble(this, false);
    this.#failures.leave();
    this.#statsRow.release();
    return { deletion: content?.storage.deleteFiles(keep) ?? Promise.resolve() };
  }

  /** Throws `bug: …` when an invariant does not hold; for tests. */
  checkInvariant(): void {
    const { openedContent, swarm } = this.#presence;
    if (openedContent) this.#ledger.checkInvariant(openedContent.info, openedContent.priorities);
    swarm?.download?.checkInvariant();
  }

  #onUnreadable(error: unknown): void {
    this.#trouble.onUnreadable(error);
    this.services.host.watchTrouble(this, true);
  }

  get #hasEnded(): boolean {
    return this.#life === 'ended';
  }

  get #isPrivate(): boolean {
    return this.#row.summary?.isPrivate ?? false;
  }

  /** Learnt from the info dictionary, after peers had been looked for everywhere (BEP 27). */
  #onPrivate(): void {
    this.services.discovery.stop(this.id);
    this.#presence.onPrivate();
  }

  get #row(): TorrentRow {
    return this.#record.row;
  }

  get #state(): TorrentFactsOfState {
    return stateOf(this.#row, this.#ledger, this.#trouble, { check: this.#check.state, queued: this.#queued });
  }

  #publish(): void {
    const state = { ...this.#state, sequential: this.#row.sequential };
    this.#statsRow.publish(state, this.#ledger, this.#presence.swarm);
  }

  #takePlace(): void {
    this.#queued = this.services.queue.takePlace(this, this.#life === 'ended' ? null : laneOf(this.#state));
  }

  /** Every change of a fact of the state machine. */
  #change(mutate: () => void): void {
    const before = this.activity;
    mutate();
    this.#onActivity(before);
  }

  /** Other files are wanted: that may complete the torrent, or leave something to download. */
  async #remeasured(mutate: () => void): Promise<void> {
    const before = this.activity;
    const wasComplete = this.#ledger.isComplete;
    mutate();
    this.services.host.markDirty(this, 0);
    if (!wasComplete && this.#ledger.isComplete) return this.#onCompleted(before);
    this.#onActivity(before);
    if (wasComplete && !this.#ledger.isComplete) this.services.announces.requestPeers(this.id);
  }

  #onActivity(before: Activity): void {
    // What others do because of it comes later; what this one does must not begin and end at once.
    this.#takePlace();
    const after = this.activity;
    const { host, announces, discovery, clock } = this.services;
    if (isOnline(before) && !isOnline(after)) {
      this.#presence.leave('TORRENT_STOPPED', !this.#trouble.any);
      announces.stop(this.id);
      discovery.stop(this.id);
      host.markDirty(this, 0);
    } else if (!isOnline(before) && isOnline(after)) {
      announces.start(this.id);
      if (!this.#isPrivate) discovery.start(this.id);
    }
    this.#presence.setOnline(isOnline(after));
    this.#presence.setSeeding(after === 'seeding');
    if (after === 'checking' && this.#check.state === 'queued') host.queueCheck(this);
    if (after === 'downloading') this.#presence.startDownload(this.#row.sequential);
    else if (before === 'downloading') this.#presence.stopDownload(after !== 'upload-only');
    if (after === 'downloading') this.#presence.connectWebSeeds(clock.nowMs());
    host.setSeeking(this, seeksPeers(after) && this.#presence.knowsPeers);
    if (this.#life === 'ended') return;
    this.#publish();
    host.onFactsChanged(this);
  }

  #createPresence(): Presence {
    const { services } = this;
    return new Presence({
      id: this.id,
      services,
      load: () => this.#loadContent(),
      have: () => this.#ledger.have,
      isPrivate: () => this.#isPrivate,
      takePartial: () => this.#record.takePartial(),
      limits: () => this.edits.rateLimits,
      webSeeds: this.#row.webSeeds,
      events: {
        onPieceVerified: (piece) => this.#onPieceVerified(piece),
        onWriteFailed: (error) => this.#failures.onWriteFailed(error),
        onPartial: (partial) => {
          this.#record.keepPartial(partial.filter(({ piece }) => !this.#ledger.have?.has(piece)));
          services.host.markDirty(this, 0);
        },
        onReadFailed: (error) => this.#failures.onReadFailed(error),
        onMetadata: (bytes) => void this.#record.turns.run(() => this.#onMetadata(bytes)),
        onPayload: (direction, bytes) => this.#ledger.count(direction, bytes),
        onAddressFree: () => services.host.setSeeking(this, seeksPeers(this.activity)),
        onAwake: () => {
          services.host.setAwake(this, true);
          if (this.activity === 'downloading') this.#presence.startDownload(this.#row.sequential);
        },
        onAsleep: () => {
          services.host.setAwake(this, false);
          if (isOnline(this.activity)) services.discovery.hurry(this.id);
        },
      },
    });
  }

  #loadContent(): Content | null {
    try {
      return openContent(this.services, this.id, this.#row);
    } catch (error) {
      this.#failures.onFailed(error);
      return null;
    }
  }

  #onPieceVerified(piece: number): void {
    const content = this.#presence.content();
    const wasComplete = this.#ledger.isComplete;
    const before = this.activity;
    const length = content ? this.#ledger.addPiece(content.info, content.priorities, piece) : 0;
    if (length === 0) return;
    this.#record.onPieceVerified(piece);
    this.services.host.markDirty(this, length);
    this.#presence.swarm?.onPieceVerified(piece);
    // A piece that was still on its way to disk when the torrent stopped counts, but must not keep the content open.
    if (!this.#presence.swarm) this.#presence.releaseContent();
    if (!wasComplete && this.#ledger.isComplete) void this.#onCompleted(before);
  }

  /** Resolves when it is stored, or that failed and is shown. */
  async #onCompleted(before: Activity): Promise<void> {
    const noted = noteCompletion(this.services, this.#record, this.#ledger);
    this.#onActivity(before);
    this.#presence.swarm?.onCompleted();
    await noted.then(
      () => this.services.host.onFactsChanged(this),
      (error: unknown) => this.#failures.onFailed(error),
    );
  }

  /** Several peers may deliver it; the first one counts. */
  async #onMetadata(infoBytes: Uint8Array): Promise<void> {
    if (this.#row.summary) return;
    try {
      const { change, content, filesFound } = await takeMetadata(this.services, this.#row, infoBytes);
      if (this.#life !== 'live') return;
      this.#change(() => {
        this.#record.assume(change);
        this.#presence.setContent(content);
        this.#ledger.replace(content.info, content.priorities, new Bitfield(content.info.pieceCount));
        if (filesFound) this.#check.queue();
        else this.#presence.giveContent();
      });
      if (this.#isPrivate) this.#onPrivate();
    } catch (error) {
      this.#failures.onFailed(error);
    }
  }
}
