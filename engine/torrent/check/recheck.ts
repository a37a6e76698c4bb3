// Whether what is on disk can be believed: the files are compared with what was saved of them, and hashed again in
// the torrent's turn, all of them or only those in doubt. What is found goes to the ledger; what it means for the
// torrent's activity is the torrent's.
import { AppError } from '../../../shared-protocol/errors.js';
import type { ResumeRow } from '../../../storage/types.js';
import type { HashingTurn, TorrentServices } from '../session-interface.js';
import { BackgroundCheck } from './background-check.js';
import { Bitfield } from '../pieces/bitfield.js';
import { PieceCheck } from './piece-check.js';
import { CheckState } from './check-state.js';
import type { Content } from '../files/content.js';
import { piecesOfFiles, union, type CheckScope } from './check-scope.js';
import { takeRecorded } from './recorded-files.js';
import { takeOnTrust } from './trusted-files.js';
import { findFiles, isAnyThere, type FoundFiles } from './found-files.js';
import type { TorrentProgress } from '../pieces/progress.js';
import type { SwarmManager } from '../swarm/swarm-manager.js';
import type { TorrentRecord } from '../resume/torrent-record.js';
import { contentBytesOf } from '../summary.js';
import type { ErrorState } from '../error-state.js';
import type { FileState } from '../../disk/types.js';
import type { TorrentInfo } from '../../metainfo/index.js';

export interface RecheckDeps {
  readonly services: Pick<
    TorrentServices,
    'clock' | 'hasher' | 'checkThrottle' | 'disk' | 'claims' | 'lastShutdown' | 'log' | 'random' | 'store'
  >;
  readonly swarmManager: SwarmManager;
  readonly record: TorrentRecord;
  readonly progress: TorrentProgress;
  readonly errorState: ErrorState;
  /** Files are missing: they are to be looked for again. */
  watchTrouble(): void;
  /** The ledger holds what is really there; it is to be recorded. */
  saveSoon(): void;
  /** Files as they lie now, nothing of them hashed anew. */
  onFilesFound(info: TorrentInfo, files: readonly FileState[]): void;
  /** `before`: the pieces that were there as far as was known. */
  onFilesHashed(before: Bitfield | null): void;
  /** How far a check is, from 0 to 1; 0 again when it has ended. */
  onCheckProgress(fraction: number): void;
  /** Something is to be hashed in the background, in the torrent's turn. */
  auditSoon(): void;
}

export class Recheck {
  /** Made when they are first needed: of most torrents nothing is ever in doubt. */
  #ownTurn: CheckState | null = null;
  #ownAudit: BackgroundCheck | null = null;
  #hasSampled = false;
  /** A background check has asked for its turn, and has not had it. */
  #isAuditAsked = false;
  /** Asked for while the volume of the save path was not there. */
  #postponed: CheckScope | null = null;

  constructor(private readonly deps: RecheckDeps) {}

  /** Nothing is to be hashed before what is recorded of the files may be recorded anew. */
  get isSettled(): boolean {
    return this.state === 'none' && !this.#isAuditAsked;
  }

  get state(): 'none' | 'queued' | 'running' {
    return this.#ownTurn?.state ?? 'none';
  }

  /** Files by index. False when all of them are in the queue already. */
  queue(scope: CheckScope = 'all'): boolean {
    if (scope === 'all') this.#ownAudit?.drop();
    return this.#turn.queue(scope);
  }

  /**
   * The same, and taken up again by the next run should this one end before; durable when it resolves. A person who asks
   * takes what is there now for the right volume.
   */
  async demand(scope: CheckScope, by: 'person' | 'doubt'): Promise<void> {
    const { record } = this.deps;
    // The row asks for it already.
    if (by === 'doubt' && this.#postponed === 'all') return;
    const isNew = this.queue(scope);
    if (by === 'person') this.#turn.askedByPerson();
    if (isNew || !record.row.pendingCheck) await record.askForCheck(union(this.#turn.scope ?? scope, scope));
  }

  auditEnded(): void {
    this.#isAuditAsked = false;
  }

  get #turn(): CheckState {
    return (this.#ownTurn ??= new CheckState());
  }

  get #audit(): BackgroundCheck {
    return (this.#ownAudit ??= new BackgroundCheck());
  }

  stop(): void {
    this.#ownTurn?.stop();
    this.#ownAudit?.stop();
  }

  done(): void {
    this.#turn.done();
    if (this.state === 'none') this.#ownTurn = null;
  }

  /** Before the torrent goes to work. `fresh`: just added, nothing is known of what is on disk. */
  async probeFiles(fresh: boolean): Promise<void> {
    const { swarmManager, record, progress, services } = this.deps;
    const content = record.row.summary && swarmManager.content();
    if (!content) return;
    const { summary, filePriorities, pendingCheck } = record.row;
    const { contentBytes, totalBytes } = content.info;
    // Numbers of a record that a change of priorities did not reach, or of when pad files counted.
    if (filePriorities || contentBytes !== totalBytes) progress.remeasure(content.info, content.priorities);
    if (summary && contentBytesOf(summary) !== contentBytes) {
      await record.update({ summary: { ...summary, contentBytes } });
    }
    if (pendingCheck) this.queue(pendingCheck === 'all' ? 'all' : new Set(pendingCheck));
    // Without a record of the files, whatever is there is looked at: added over existing data, or killed early.
    const isUnrecorded = fresh || record.savedFiles.length === 0;
    const found = await this.compareFiles();
    const recorded = isUnrecorded && record.row.skipCheck ? services.store.resume(record.row.id) : undefined;
    if (recorded && found && !found.isUnmounted) return this.#takeRecorded(content, recorded, found);
    // What another program had recorded is not believed later on, when other files may lie there.
    if (recorded) this.queue();
    if (!found || found.isUnmounted) return this.#forgetTrust();
    // What lies there has become its own by being looked at.
    if (!record.row.isClaimed) await record.update({ isClaimed: true, name: record.row.name });
    if (!isUnrecorded || !isAnyThere(found.files)) return this.#forgetTrust();
    if (!record.row.skipCheck) return void this.queue();
    const { pieces, change } = await takeOnTrust(services, record.row, content);
    record.assume(change);
    if (pieces) progress.trust(content.info, content.priorities, pieces);
    else this.queue();
  }

  async #takeRecorded(content: Content, resume: ResumeRow, { files }: FoundFiles): Promise<void> {
    const { record, progress, services } = this.deps;
    const { pieces, doubtful, missing, change } = await takeRecorded(services, record.row, content, resume, files);
    record.assume(change);
    progress.trust(content.info, content.priorities, pieces);
    record.onRecordTaken();
    if (doubtful.length > 0) this.queue(new Set(doubtful));
    if (missing.length > 0) await this.compareFiles();
  }

  /** Files that it makes from here on are not to be taken for whole because they have the sizes. */
  async #forgetTrust(): Promise<void> {
    if (this.deps.record.row.skipCheck) await this.deps.record.update({ skipCheck: null });
  }

  /** The files are trusted as they were saved, have to be hashed again, or are missing. */
  async compareFiles(): Promise<FoundFiles | null> {
    const { swarmManager, record, progress, errorState, services } = this.deps;
    const { have } = progress;
    const content = swarmManager.content();
    if (!content || !have) return null;
    const place = { savePath: record.row.savePath, savePaths: services.disk.savePaths };
    const saved = record.savedFiles;
    const found = await findFiles(content, have, saved, place);
    errorState.clear();
    if (!found.isUnmounted) this.#takeUpPostponed();
    const isRecorded = saved.length > 0;
    if (isRecorded && found.changed.length > 0 && !found.isUnmounted) this.queue(new Set(found.changed));
    if (isRecorded) this.#doubt(found, saved);
    if (found.isUnmounted) errorState.onVolumeMissing();
    else if (isRecorded && found.missing !== null) errorState.onFilesMissing(found.missing);
    if (errorState.filesMissing) this.deps.watchTrouble();
    else this.deps.onFilesFound(content.info, found.files);
    return found;
  }

  /** Hashes what is on disk; `done` is called whatever comes of it. `isWanted`: whether the result still counts. */
  async run(turn: HashingTurn, isWanted: () => boolean): Promise<void> {
    const { swarmManager, services, errorState, record, progress } = this.deps;
    swarmManager.holdContent(true);
    try {
      const content = swarmManager.content();
      const scope = this.#turn.scope;
      if (!content || !scope) return;
      const { savePaths } = services.disk;
      const { savePath } = record.row;
      const wasHere = await savePaths.isHere(savePath);
      if (!wasHere && !this.#turn.isByPerson) return this.#postpone(scope);
      const pieces = scope === 'all' ? null : piecesOfFiles(content.info, scope);
      const check = new PieceCheck({ ...content, ...services }, pieces, (done) => this.deps.onCheckProgress(done));
      this.#turn.begin(check);
      const have = await check.run(turn);
      if (!have || !isWanted()) return;
      if (!wasHere) await savePaths.adopt(savePath);
      // It went meanwhile: what could not be read is not lost.
      else if (have.count < (pieces?.count ?? have.length) && !(await savePaths.isHere(savePath))) {
        return this.#postpone(scope);
      }
      if (scope === 'all') this.#postponed = null;
      progress.onHashed(pieces);
      await this.#onHashed(content, pieces ? this.#merge(have, pieces) : have);
    } catch (error) {
      errorState.onFailure(error);
    } finally {
      this.deps.onCheckProgress(0);
      services.claims.revokeGrant(record.row.id);
      swarmManager.holdContent(false);
    }
  }

  /**
   * Hashes in the background what is in doubt. Never rejects. The files, by index, that are not what was recorded of
   * them, for the caller to have them checked.
   */
  async audit(turn: HashingTurn, isWanted: () => boolean): Promise<readonly number[]> {
    const { swarmManager, services, record, progress, errorState } = this.deps;
    if (!this.#ownAudit?.isDue || errorState.filesMissing || this.state !== 'none') return [];
    swarmManager.holdContent(true);
    try {
      const content = swarmManager.content();
      const wrong = content && progress.have && (await this.#audit.run(content, progress.have, services, turn));
      if (!wrong || !isWanted()) return [];
      const doubts = this.#audit.take();
      if (doubts && wrong.length === 0 && doubts.touched.length > 0) {
        record.trustFiles(doubts.saved, doubts.found);
        this.deps.saveSoon();
      }
      return wrong;
    } catch (error) {
      // Files that went away meanwhile: the next read of them says so.
      const reason = error instanceof AppError ? error.message : String(error);
      services.log.debug('not looked at again', { torrent: record.row.id, reason });
      return [];
    } finally {
      swarmManager.holdContent(false);
    }
  }

  /** Waits for the volume: files in its place say nothing of the data. */
  #postpone(scope: CheckScope): void {
    this.#postponed = union(this.#postponed ?? scope, scope);
    this.deps.errorState.onVolumeMissing();
    this.deps.watchTrouble();
  }

  #takeUpPostponed(): void {
    if (this.#postponed) this.queue(this.#postponed);
    this.#postponed = null;
  }

  #doubt({ touched, files: found, missing, isUnmounted }: FoundFiles, saved: ResumeRow['files']): void {
    const { services, record, progress } = this.deps;
    if (missing !== null || isUnmounted || this.#ownTurn?.scope === 'all' || !progress.have?.count) return;
    const isFirst = !this.#hasSampled;
    this.#hasSampled = true;
    const sampleBy = services.lastShutdown.wasClean || !isFirst ? null : services.random;
    const recent = isFirst ? record.recentAtLoad : [];
    const doubts = { recent, sampleBy, touched, saved, found };
    if (recent.length === 0 && sampleBy === null && touched.length === 0) return;
    this.#audit.suspect(doubts);
    this.#isAuditAsked = true;
    this.deps.auditSoon();
  }

  /** The found pieces, and outside of those that were hashed the known ones. */
  #merge(found: Bitfield, hashed: Bitfield): Bitfield {
    const have = new Bitfield(found.length, this.deps.progress.have?.bytes);
    for (let piece = 0; piece < found.length; piece++) {
      if (!hashed.has(piece)) continue;
      if (found.has(piece)) have.set(piece);
      else have.clear(piece);
    }
    return have;
  }

  async #onHashed(content: Content, have: Bitfield): Promise<void> {
    const { record, progress, errorState, services } = this.deps;
    const wasComplete = progress.isComplete;
    this.deps.onFilesHashed(progress.have);
    progress.replace(content.info, content.priorities, have);
    // Not while another is asked for behind it.
    if (this.#turn.isLast) record.onChecked();
    else record.onPiecesChanged();
    errorState.clear();
    const { isComplete } = progress;
    this.deps.saveSoon();
    // A time that stands for a completion before files were wanted again stays.
    if (isComplete ? record.row.completedAt !== null : !wasComplete) return;
    await record.update({ completedAt: isComplete ? Math.floor(services.clock.unixMs() / 1000) : null });
  }
}
