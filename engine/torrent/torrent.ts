// One torrent, from its stored row to its swarm: introduces state, ledger, content, swarm, check and trouble to each
// other. Facts change through `#change`, which acts on the difference in activity (STATE.md).
import { AppError } from '../../shared-protocol/errors.js';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import type { PeerId, TorrentId } from '../../shared-protocol/ids.js';
import type { ResumeRow, TorrentRow } from '../../storage/types.js';
import type { ChokeCandidate } from '../choker/types.js';
import { formatAddress } from '../peers/address.js';
import type { KeepFile } from '../disk/index.js';
import { parseInfoDictionary } from '../metainfo/index.js';
import { KnownPeers, type PeerSource } from '../peers/known-peers.js';
import { piecePrioritiesFromFiles, type PeerKey } from '../picker/index.js';
import type { PeerAddress } from '../ports.js';
import type { AnnounceFigures, AnnounceTorrent } from '../tracker/types.js';
import type { CloseReason } from '../wire/errors.js';
import type { PeerConnection } from '../wire/peer-connection.js';
import { Bitfield } from './bitfield.js';
import { CheckTurn } from './check-turn.js';
import { openContent, type Content } from './content.js';
import { disconnectKind } from './disconnect.js';
import { compareFiles, hasAnyFile } from './files-found.js';
import { Ledger } from './ledger.js';
import { takeMetadata } from './metadata-arrival.js';
import type { Peer } from './peer.js';
import { buildResumeRow } from './resume.js';
import type { TorrentServices } from './services.js';
import { activityOf, isOnline, seeksPeers, type Activity } from './state.js';
import { StatsRow } from './stats-row.js';
import { Suspects } from './suspects.js';
import { Swarm } from './swarm.js';
import { Trouble } from './trouble.js';
import { factsOf, figuresOf } from './views.js';

/** A torrent without peers keeps its content this long. */
const SLEEP_AFTER_MS = 60_000;

export class Torrent implements AnnounceTorrent {
  readonly known = new KnownPeers();
  readonly #statsRow: StatsRow;
  readonly #ledger: Ledger;
  readonly #trouble = new Trouble();
  readonly #suspects = new Suspects();
  #row: TorrentRow;
  #savedFiles: ResumeRow['files'];
  #content: Content | null = null;
  #swarm: Swarm | null = null;
  readonly #check = new CheckTurn();
  #lastPeerMs = 0;
  /** Before `start` and after `close` or `remove` nothing moves. */
  #life: 'loaded' | 'live' | 'ended' = 'loaded';

  constructor(
    private readonly services: TorrentServices,
    row: TorrentRow,
    resume: ResumeRow | undefined,
  ) {
    this.#row = row;
    this.#ledger = new Ledger(row.summary, resume);
    this.#savedFiles = resume?.files ?? [];
    this.#statsRow = new StatsRow(services.stats);
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

  get peerCount(): number {
    return this.#swarm?.peers.size ?? 0;
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

  /** How many of the addresses were new. */
  addPeers(peers: readonly PeerAddress[], source: PeerSource): number {
    const added = this.known.add(peers, source);
    if (seeksPeers(this.activity)) this.services.host.setSeeking(this, true);
    return added;
  }

  /** Looks at the files and goes to work. `fresh`: just added, nothing is known of what is on disk. */
  async start(fresh: boolean): Promise<void> {
    this.services.announces.add(this, this.#row.trackers);
    const content = this.#row.summary && this.#openContent();
    // Without a record of the files, whatever is there is looked at: added over existing data, or killed early.
    const isUnrecorded = fresh || this.#savedFiles.length === 0;
    if (content && isUnrecorded && (await hasAnyFile(content))) this.#check.queue();
    else if (content && !isUnrecorded) await this.#compareFiles();
    if (this.#life === 'ended') return;
    this.#life = 'live';
    this.#onActivity('stopped');
    if (!this.#swarm) this.#releaseContent();
  }

  async setPaused(paused: boolean): Promise<void> {
    if (this.#row.paused === paused) return;
    await this.services.store.update(this.id, { paused });
    this.#change(() => (this.#row = { ...this.#row, paused }));
    if (!paused && this.#trouble.any) await this.lookAgain();
  }

  /** No-op while one is pending, or without metadata. */
  recheck(): void {
    if (this.#row.summary) this.#change(() => this.#check.queue());
  }

  /** Called by the session when it is this torrent's turn. Never rejects. */
  async runCheck(): Promise<void> {
    const content = this.#openContent();
    if (this.#check.state !== 'queued' || !content) return;
    try {
      const have = await this.#check.run(content, this.services.hasher);
      if (have && this.#life === 'live') await this.#onChecked(content, have);
    } catch (error) {
      this.#trouble.onFailure(error);
    }
    this.#change(() => this.#check.done());
    if (!this.#swarm) this.#releaseContent();
  }

  /** After a while of trouble: files may be back, the disk may take writes again. */
  async lookAgain(): Promise<void> {
    const before = this.activity;
    if (this.#trouble.filesMissing) await this.#compareFiles();
    if (this.#life === 'ended') return;
    this.#trouble.forgiveWrites();
    this.services.host.watchTrouble(this, this.#trouble.any);
    this.#onActivity(before);
  }

  /** An incoming connection that named this torrent. */
  accept(connection: PeerConnection, peerId: PeerId): void {
    if (!isOnline(this.activity)) return connection.close('HANDSHAKE_UNKNOWN_TORRENT');
    this.#wake().accept(connection, peerId);
  }

  /** Connects to the next known address; false when there is none to try now. */
  connectNext(nowMs: number): boolean {
    if (!seeksPeers(this.activity) || this.peerCount >= this.services.identity.maxPeersPerTorrent()) return false;
    const peer = this.known.take(nowMs);
    if (peer) this.#wake().connect(peer.address);
    return peer !== null;
  }

  chokeCandidates(into: ChokeCandidate[]): void {
    this.#swarm?.chokeCandidates(into, this.#ledger.isComplete);
  }

  setChoked(key: PeerKey, choked: boolean, optimistic: boolean): void {
    this.#swarm?.setChoked(key, choked, optimistic);
  }

  /** Once a second while awake. */
  tick(nowMs: number, elapsedMs: number): void {
    this.#swarm?.tick(nowMs, elapsedMs);
    if (this.peerCount > 0) this.#lastPeerMs = nowMs;
    else if (nowMs - this.#lastPeerMs > SLEEP_AFTER_MS && this.#check.state === 'none') this.#sleep();
    this.#publish();
  }

  /** What may be recorded: syncs the data first. null when there is nothing yet. */
  async syncedResume(): Promise<ResumeRow | null> {
    const { have } = this.#ledger;
    if (!have) return null;
    // Taken before the sync: a piece that is verified during it is not covered by it.
    const bits = have.bytes.slice();
    const numbers = this.#ledger.numbers();
    if (this.#content) {
      await this.#syncData(this.#content);
      this.#savedFiles = await this.#content.storage.fileStates();
    }
    return buildResumeRow(bits, numbers, this.#savedFiles, this.services.clock.unixMs());
  }

  /** For the end of the engine; the announce queue sends `stopped` by itself. */
  close(): void {
    this.#life = 'ended';
    this.#check.stop();
    this.#swarm?.closeAll('ENGINE_STOPPING');
    this.#swarm = null;
  }

  /** Its files below the save path; none while the metadata is unknown. */
  filePaths(): readonly (readonly string[])[] {
    const infoBytes = this.#content?.infoBytes ?? this.services.store.infoBytes(this.id);
    return infoBytes ? parseInfoDictionary(infoBytes).files.map(({ path }) => path) : [];
  }

  /**
   * Forgets the torrent durably, then lets go of everything; the deletion of files (all but those to `keep`, and the
   * part file always) goes on after this resolves.
   */
  async remove(keep: KeepFile): Promise<{ readonly deletion: Promise<void> }> {
    const content = this.#openContent();
    await this.services.store.remove(this.id);
    const before = this.activity;
    this.#life = 'ended';
    this.#check.stop();
    this.#onActivity(before);
    const { announces, host } = this.services;
    announces.remove(this.id);
    host.cancelCheck(this);
    host.watchTrouble(this, false);
    host.setAwake(this, false);
    this.#statsRow.release();
    return { deletion: content?.storage.deleteFiles(keep) ?? Promise.resolve() };
  }

  /** Throws `bug: …` when an invariant does not hold; for tests. */
  checkInvariant(): void {
    if (this.#content) this.#ledger.checkInvariant(this.#content.info, this.#content.priorities);
    this.#swarm?.download?.checkInvariant();
  }

  /** The same torrent was added again: what it brings in trackers is kept, unless the torrent is private. */
  async mergeTrackers(tiers: TorrentRow['trackers']): Promise<void> {
    const known = new Set(this.#row.trackers.flat());
    const added = [...new Set(tiers.flat())].filter((url) => !known.has(url));
    if (added.length === 0 || this.#row.summary?.isPrivate) return;
    const trackers = [...this.#row.trackers, ...added.map((url) => [url])];
    await this.services.store.update(this.id, { trackers });
    this.#row = { ...this.#row, trackers };
    this.services.announces.addTrackers(this.id, added);
    this.services.host.onFactsChanged(this);
  }

  async #syncData(content: Content): Promise<void> {
    try {
      await content.storage.sync();
    } catch (error) {
      // The kernel may have dropped what it could not write, and will not say so again: look at what is there.
      if (!(error instanceof AppError && error.code === 'DISK_FULL')) this.recheck();
      throw error;
    }
  }

  #publish(): void {
    const { paused, sequential } = this.#row;
    const { filesMissing } = this.#trouble;
    const flags = { paused, sequential, filesMissing, verifying: this.#check.state !== 'none' };
    this.#statsRow.publish(flags, this.#ledger, this.#swarm);
  }

  /** Every change of a fact of the state machine. */
  #change(mutate: () => void): void {
    const before = this.activity;
    mutate();
    this.#onActivity(before);
  }

  #onActivity(before: Activity): void {
    const after = this.activity;
    const { host, announces } = this.services;
    if (isOnline(before) && !isOnline(after)) {
      this.#swarm?.closeAll('TORRENT_STOPPED');
      this.#swarm = null;
      announces.stop(this.id);
      host.markDirty(this, 0);
    } else if (!isOnline(before) && isOnline(after)) {
      announces.start(this.id);
    }
    if (after === 'checking' && this.#check.state === 'queued') host.queueCheck(this);
    if (after === 'downloading') this.#startDownload();
    else if (before === 'downloading') this.#swarm?.stopDownload();
    host.setSeeking(this, seeksPeers(after) && this.known.size > 0);
    if (this.#life === 'ended') return;
    this.#publish();
    host.onFactsChanged(this);
  }

  #openContent(): Content | null {
    this.#content ??= openContent(this.services, this.id, this.#row);
    return this.#content;
  }

  #wake(): Swarm {
    if (this.#swarm) return this.#swarm;
    this.#swarm = new Swarm(this.id, this.services, {
      download: {
        onPieceVerified: (piece) => this.#onPieceVerified(piece),
        onPieceFailed: (piece, sources) => this.#onPieceFailed(piece, sources),
        onDiskError: (error) => this.#onWriteFailed(error),
      },
      onMetadata: (bytes) => void this.#onMetadata(bytes),
      onPayload: (direction, bytes) => this.#ledger.count(direction, bytes),
      onReadFailed: (error) => this.#onReadFailed(error),
      onListenAddress: (address) => void this.addPeers([address], 'incoming'),
      onPeerClosed: (peer, reason, detail) => this.#onPeerClosed(peer, reason, detail),
    });
    this.#lastPeerMs = this.services.clock.nowMs();
    this.services.host.setAwake(this, true);
    this.#giveContent();
    if (this.activity === 'downloading') this.#startDownload();
    return this.#swarm;
  }

  #sleep(): void {
    this.#swarm?.closeAll('TORRENT_STOPPED');
    this.#swarm = null;
    this.services.host.setAwake(this, false);
    this.#releaseContent();
  }

  /** Idle torrents hold no parsed metainfo and no descriptors. */
  #releaseContent(): void {
    const storage = this.#content?.storage;
    this.#content = null;
    storage
      ?.sync()
      .then(() => storage.close())
      .catch((error: unknown) => this.#onWriteFailed(error));
  }

  #giveContent(): void {
    const content = this.#openContent();
    const { have } = this.#ledger;
    if (content && have) this.#swarm?.setContent({ ...content, have });
  }

  #startDownload(): void {
    const content = this.#swarm && this.#openContent();
    if (!this.#swarm || this.#swarm.download || !content) return;
    this.#swarm.startDownload(({ picker }) => {
      picker.setPriorities(piecePrioritiesFromFiles(content.info, content.priorities));
      picker.setSequential(this.#row.sequential);
    });
    content.storage.createEmptyFiles().catch((error: unknown) => this.#onWriteFailed(error));
  }

  #onPieceVerified(piece: number): void {
    const content = this.#openContent();
    const length = content ? this.#ledger.addPiece(content.info, content.priorities, piece) : 0;
    if (length === 0) return;
    this.services.host.markDirty(this, length);
    this.#swarm?.onPieceVerified(piece);
    if (this.#ledger.isComplete) this.#onCompleted();
  }

  #onCompleted(): void {
    const { announces, clock, log, store } = this.services;
    const completedAt = this.#row.completedAt ?? Math.floor(clock.unixMs() / 1000);
    this.#row = { ...this.#row, completedAt };
    store.update(this.id, { completedAt }).catch((error: unknown) => this.#fail(error));
    log.info('torrent completed', { torrent: this.id });
    if (this.#ledger.downloadedThisRun) announces.completed(this.id);
    this.#onActivity('downloading');
    this.#swarm?.closeRedundantSeeds();
  }

  #onPieceFailed(piece: number, sources: readonly PeerKey[]): void {
    this.services.log.debug('piece failed its hash', { torrent: this.id, piece, sources: sources.length });
    for (const key of this.#suspects.onPieceFailed(sources)) this.#swarm?.peers.get(key)?.connection.close('BAD_DATA');
  }

  #onWriteFailed(error: unknown): void {
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
        this.#row = row;
        this.#content = content;
        this.#ledger.replace(content.info, content.priorities, new Bitfield(content.info.pieceCount));
        if (filesFound) this.#check.queue();
        else this.#giveContent();
      });
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The files are trusted as they were saved, have to be hashed again, or are missing. */
  async #compareFiles(): Promise<void> {
    const { have } = this.#ledger;
    const content = this.#openContent();
    if (!content || !have) return;
    const verdict = await compareFiles(content, have, this.#savedFiles);
    this.#trouble.clear();
    if (verdict.kind === 'changed') this.#check.queue();
    if (verdict.kind !== 'missing') return;
    this.#trouble.onFilesMissing(verdict.path);
    this.services.host.watchTrouble(this, true);
  }

  async #onChecked(content: Content, have: Bitfield): Promise<void> {
    this.#ledger.replace(content.info, content.priorities, have);
    this.#trouble.clear();
    const { isComplete } = this.#ledger;
    this.services.host.markDirty(this, 0);
    if (isComplete === (this.#row.completedAt !== null)) return;
    const completedAt = isComplete ? Math.floor(this.services.clock.unixMs() / 1000) : null;
    await this.services.store.update(this.id, { completedAt });
    this.#row = { ...this.#row, completedAt };
  }

  #onPeerClosed(peer: Peer, reason: CloseReason, detail: string): void {
    const { clock, host, log } = this.services;
    const { remote, direction } = peer.connection;
    this.#suspects.forget(peer.key);
    log.debug('peer closed', { torrent: this.id, peer: formatAddress(remote), reason, detail });
    if (direction === 'incoming') return;
    if (reason === 'SELF_CONNECTION') return this.known.forget(remote);
    this.known.onDisconnected(remote, disconnectKind(reason, peer.handshakeDone), clock.nowMs());
    if (seeksPeers(this.activity)) host.setSeeking(this, true);
  }
}

/** A file that is gone, or on a device that is (semantics.md section 5). */
function isAsGoodAsMissing({ code, data }: AppError): boolean {
  return code === 'FILES_MISSING' || data?.['errno'] === 'EIO' || data?.['errno'] === 'ENODEV';
}
