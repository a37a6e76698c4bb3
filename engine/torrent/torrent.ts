// One torrent, from its stored row to its swarm: introduces state, ledger, content, swarm, check and trouble to each
// other. Facts change through `#change`, which acts on the difference in activity (STATE.md).
import type { DetailPart, RateLimits, TorrentDetails } from '../../shared-protocol/commands.js';
import { AppError } from '../../shared-protocol/errors.js';
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
import { openContent, type Content } from './content.js';
import { Ledger } from './ledger.js';
import { takeMetadata } from './metadata-arrival.js';
import { inspect, readInfo } from './inspection.js';
import { Presence } from './presence.js';
import { maySyncHaveLostData, TorrentRecord } from './record.js';
import type { TorrentServices } from './services.js';
import { activityOf, isOnline, seeksPeers, type Activity } from './state.js';
import { StatsRow } from './stats-row.js';
import { Trouble } from './trouble.js';
import { Verification } from './verification.js';
import { factsOf, figuresOf } from './views.js';

const UNLIMITED: RateLimits = { downBytesPerSec: 0, upBytesPerSec: 0 };

export class Torrent implements AnnounceTorrent {
  readonly #statsRow: StatsRow;
  readonly #ledger: Ledger;
  readonly #trouble = new Trouble();
  readonly #presence: Presence;
  readonly #record: TorrentRecord;
  readonly #check: Verification;
  #queuePosition = 0;
  /** Before `start` and after `close` or `remove` nothing moves. */
  #life: 'loaded' | 'live' | 'ended' = 'loaded';

  constructor(
    private readonly services: TorrentServices,
    row: TorrentRow,
    resume: ResumeRow | undefined,
  ) {
    this.#record = new TorrentRecord(services, row, resume);
    this.#ledger = new Ledger(row.summary, resume);
    this.#statsRow = new StatsRow(services.stats);
    this.#presence = this.#createPresence();
    this.#check = new Verification({
      services,
      presence: this.#presence,
      record: this.#record,
      ledger: this.#ledger,
      trouble: this.#trouble,
      events: {
        onTrouble: () => services.host.watchTrouble(this, true),
        onLedgerReplaced: () => services.host.markDirty(this, 0),
      },
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
    if (this.#life !== 'live') return 'stopped';
    return activityOf({
      paused: this.#row.paused,
      hasMetadata: this.#row.summary !== null,
      complete: this.#ledger.isComplete,
      check: this.#check.state,
      filesMissing: this.#trouble.filesMissing,
      writesFail: this.#trouble.writesFail,
    });
  }

  get known(): KnownPeers {
    return this.#presence.known;
  }

  get peerCount(): number {
    return this.#presence.peerCount;
  }

  /** Its place among all torrents, from 0. */
  setQueuePosition(position: number): void {
    this.#queuePosition = position;
    this.#publish();
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

  get rateLimits(): RateLimits {
    return this.#row.rateLimits ?? UNLIMITED;
  }

  async setRateLimits(limits: RateLimits): Promise<void> {
    await this.#record.update({ rateLimits: limits });
    this.#presence.swarm?.limits.set(limits);
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
    await this.#check.lookAtFiles(fresh);
    if (this.#hasEnded) return;
    this.#life = 'live';
    this.#onActivity('stopped');
    this.#presence.releaseContent();
  }

  async setPaused(paused: boolean): Promise<void> {
    if (this.#row.paused === paused) return;
    const before = this.activity;
    await this.#record.update({ paused });
    this.#onActivity(before);
    if (!paused && this.#trouble.any) await this.lookAgain();
  }

  /** No-op while one is pending, or without metadata. */
  recheck(): void {
    if (this.#row.summary) this.#change(() => this.#check.queue());
  }

  /** Called by the session when it is this torrent's turn. Never rejects. */
  async runCheck(): Promise<void> {
    if (this.#check.state !== 'queued') return;
    await this.#check.run(() => this.#life === 'live');
    this.#change(() => this.#check.done());
    this.#presence.releaseContent();
  }

  /** After a while of trouble: files may be back, the disk may take writes again. */
  async lookAgain(): Promise<void> {
    const before = this.activity;
    if (this.#trouble.filesMissing) await this.#check.compareFiles();
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
    this.#publish();
  }

  /** What may be recorded: syncs the data first. null when there is nothing yet. */
  async syncedResume(): Promise<ResumeRow | null> {
    try {
      await this.#presence.released;
      return await this.#record.syncedResume(this.#ledger, () => this.#presence.content());
    } catch (error) {
      // The kernel will not complain a second time: look at what is really there.
      if (maySyncHaveLostData(error)) this.recheck();
      throw error;
    } finally {
      this.#presence.releaseContent();
    }
  }

  /** For the end of the engine; the announce queue sends `stopped` by itself. */
  close(): void {
    this.#life = 'ended';
    this.#check.stop();
    this.#presence.swarm?.closeAll('ENGINE_STOPPING');
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
    this.#statsRow.release();
    return { deletion: content?.storage.deleteFiles(keep) ?? Promise.resolve() };
  }

  /** Throws `bug: …` when an invariant does not hold; for tests. */
  checkInvariant(): void {
    const { openedContent, swarm } = this.#presence;
    if (openedContent) this.#ledger.checkInvariant(openedContent.info, openedContent.priorities);
    swarm?.download?.checkInvariant();
  }

  /** The same torrent was added again: what it brings in trackers is kept, unless the torrent is private. */
  async mergeTrackers(tiers: TorrentRow['trackers']): Promise<void> {
    const added = await this.#record.mergeTrackers(tiers);
    if (added.length === 0) return;
    this.services.announces.addTrackers(this.id, added);
    this.services.host.onFactsChanged(this);
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

  #publish(): void {
    const { paused, sequential } = this.#row;
    const { filesMissing } = this.#trouble;
    const verifying = this.#check.state !== 'none';
    const state = { paused, sequential, filesMissing, verifying, queuePosition: this.#queuePosition };
    this.#statsRow.publish(state, this.#ledger, this.#presence.swarm);
  }

  /** Every change of a fact of the state machine. */
  #change(mutate: () => void): void {
    const before = this.activity;
    mutate();
    this.#onActivity(before);
  }

  #onActivity(before: Activity): void {
    const after = this.activity;
    const { host, announces, discovery, clock } = this.services;
    if (isOnline(before) && !isOnline(after)) {
      this.#presence.leave('TORRENT_STOPPED');
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
    else if (before === 'downloading') this.#presence.stopDownload();
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
      limits: () => this.rateLimits,
      webSeeds: this.#row.webSeeds,
      events: {
        onPieceVerified: (piece) => this.#onPieceVerified(piece),
        onWriteFailed: (error) => this.#onWriteFailed(error),
        onReadFailed: (error) => this.#onReadFailed(error),
        onMetadata: (bytes) => void this.#onMetadata(bytes),
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
      this.#fail(error);
      return null;
    }
  }

  #onPieceVerified(piece: number): void {
    const content = this.#presence.content();
    const length = content ? this.#ledger.addPiece(content.info, content.priorities, piece) : 0;
    if (length === 0) return;
    this.#record.onPiecesChanged();
    this.services.host.markDirty(this, length);
    this.#presence.swarm?.onPieceVerified(piece);
    // A piece that was still on its way to disk when the torrent stopped counts, but must not keep the content open.
    if (!this.#presence.swarm) this.#presence.releaseContent();
    if (this.#ledger.isComplete) this.#onCompleted();
  }

  #onCompleted(): void {
    const { announces, clock, log } = this.services;
    const completedAt = this.#row.completedAt ?? Math.floor(clock.unixMs() / 1000);
    this.#record.update({ completedAt }).then(
      () => this.services.host.onFactsChanged(this),
      (error: unknown) => this.#fail(error),
    );
    log.info('torrent completed', { torrent: this.id });
    if (this.#ledger.downloadedThisRun) announces.completed(this.id);
    this.#onActivity('downloading');
    this.#presence.swarm?.onCompleted();
  }

  #onWriteFailed(error: unknown): void {
    if (this.#life === 'ended') return;
    this.#change(() => this.#trouble.onWriteFailed(error));
    this.services.log.warn('disk refuses writes', { torrent: this.id, reason: this.#trouble.error?.message ?? '' });
    this.services.host.watchTrouble(this, true);
  }

  #onReadFailed(error: unknown): void {
    if (!(error instanceof AppError) || !isAsGoodAsMissing(error)) return this.#fail(error);
    this.#change(() => this.#trouble.onFilesMissing(String(error.data?.['path'] ?? 'a file')));
    this.services.host.watchTrouble(this, true);
  }

  #fail(error: unknown): void {
    this.#trouble.onFailure(error);
    this.services.log.error('torrent failed', { torrent: this.id, reason: this.#trouble.error?.message ?? '' });
    this.services.host.onFactsChanged(this);
  }

  async #onMetadata(infoBytes: Uint8Array): Promise<void> {
    if (this.#row.summary) return;
    try {
      const { row, content, filesFound } = await takeMetadata(this.services, this.#row, infoBytes);
      // Several peers may have delivered it; the first one counts.
      if (this.#life !== 'live' || this.#row.summary) return;
      this.#change(() => {
        this.#record.replace(row);
        this.#presence.setContent(content);
        this.#ledger.replace(content.info, content.priorities, new Bitfield(content.info.pieceCount));
        if (filesFound) this.#check.queue();
        else this.#presence.giveContent();
      });
      if (this.#isPrivate) this.#onPrivate();
    } catch (error) {
      this.#fail(error);
    }
  }
}

/** A file that is gone, or on a device that is (semantics.md section 5). */
function isAsGoodAsMissing({ code, data }: AppError): boolean {
  return code === 'FILES_MISSING' || data?.['errno'] === 'EIO' || data?.['errno'] === 'ENODEV';
}
