// What is stored of a torrent: its row, changed only together with the store, and the resume row that says what may be
// trusted on disk.
import { isDeepStrictEqual } from 'node:util';
import type { PartialPiece, ResumeRow, TorrentChange, TorrentRow } from '../../../storage/types.js';
import type { FilePriority, FileState, TorrentStorage } from '../../disk/types.js';
import type { TorrentInfo } from '../../metainfo/index.js';
import { Bitfield } from '../pieces/bitfield.js';
import type { Content } from '../files/content.js';
import type { TorrentProgress } from '../pieces/progress.js';
import { SerialQueue } from '../../util/serial-queue.js';
import { measureProgress } from '../pieces/measure-progress.js';
import { ActiveTimes } from './active-times.js';
import { RecentPieces } from './recent-pieces.js';
import { restingRow } from './resting-row.js';
import { buildResumeRow } from './resume-row.js';
import type { TorrentServices } from '../session-interface.js';
import { volumeMissing } from '../error-state.js';

/** Shared by all torrents that have none. */
const NONE: readonly never[] = [];

export class TorrentRecord {
  #row: TorrentRow;
  /** States of the files where they are newer than the store's; else null: idle torrents keep no list. */
  #newerFiles: ResumeRow['files'] | null = null;
  #isBehind = false;
  /** Why what was written may not be on the disk; null: nothing says so. */
  #doubt: { readonly reason: unknown } | null = null;
  /** The check that the row asks for: its result waits to be recorded, or is in the record that is being made. */
  #check: 'none' | 'done' | 'recording' = 'none';
  /** Bytes in both directions as they were recorded. */
  #recordedTraffic: number;
  #partial: readonly PartialPiece[];
  #recent: RecentPieces | null;
  /** Pieces that the loaded record calls recent, where that still means something. */
  readonly recentAtLoad: readonly number[];
  readonly times: ActiveTimes;
  /** Changes that read before they write, and whatever opens files by what the row says: one after another. */
  readonly turns = new SerialQueue();
  /** Changes of who holds it and of their shares; a turn of `turns` may be waited for within one, never the other way. */
  readonly edits = new SerialQueue();

  constructor(
    private readonly services: Pick<TorrentServices, 'clock' | 'store' | 'lastShutdown' | 'disk' | 'serviceTime'>,
    row: TorrentRow,
    resume: ResumeRow | undefined,
  ) {
    this.#row = restingRow(row);
    this.#partial = resume?.partial ?? NONE;
    this.times = new ActiveTimes(services.serviceTime, resume);
    this.#recordedTraffic = resume ? resume.uploadedBytes + resume.downloadedBytes : 0;
    this.recentAtLoad = resume && services.lastShutdown.isRecent(resume.savedAt) ? (resume.recent ?? NONE) : NONE;
    this.#recent = this.recentAtLoad.length > 0 ? new RecentPieces(this.recentAtLoad, services.clock.nowMs()) : null;
  }

  get row(): TorrentRow {
    return this.#row;
  }

  /** The files at the last record; empty: there is none. */
  get savedFiles(): ResumeRow['files'] {
    return this.#newerFiles ?? this.services.store.resume(this.#row.id)?.files ?? NONE;
  }

  /** Durable when it resolves. Once it is stored, `within` is handed what makes it the row. */
  async update(change: Partial<TorrentRow>, within = (mutate: () => void) => mutate()): Promise<void> {
    await this.services.store.update(this.#row.id, change);
    within(() => this.assume(change));
  }

  /** Takes over a change that has been stored already. */
  assume(change: Partial<TorrentRow>): void {
    this.#row = { ...this.#row, ...restingRow(change) };
  }

  /** All of the change or nothing; durable when it resolves. */
  async change(change: TorrentChange): Promise<void> {
    await this.services.store.change(this.#row.id, change);
    this.assume(change.row);
  }

  /** Takes over that the files lie elsewhere, with their states as they are stored. */
  onMoved(change: Partial<TorrentRow>): void {
    this.assume(change);
    this.#newerFiles = null;
    this.#isBehind = true;
  }

  /**
   * Records the numbers anew, because other files are wanted of what was recorded. At the next start, before the
   * metainfo is read, they are all that is known of it. Says nothing of pieces that were not recorded.
   */
  async updateNumbers(info: TorrentInfo, priorities: readonly FilePriority[], ledger: TorrentProgress): Promise<void> {
    const { clock, store } = this.services;
    const saved = store.resume(this.#row.id);
    const have = new Bitfield(info.pieceCount, saved?.have);
    const numbers = { ...ledger.numbers(), ...measureProgress(info, priorities, have) };
    const row = buildResumeRow(have.bytes, numbers, saved?.files ?? [], clock.unixMs());
    await store.putResume(new Map([[this.#row.id, saved ? { ...saved, ...row, savedAt: saved.savedAt } : row]]));
  }

  /** The store has other unfinished pieces now than were loaded. */
  onRecordTaken(): void {
    this.#partial = this.services.store.resume(this.#row.id)?.partial ?? NONE;
  }

  /** Pieces came or went: the files are not as they were recorded. */
  onPiecesChanged(): void {
    this.#isBehind = true;
  }

  onPieceVerified(piece: number): void {
    this.#recent ??= new RecentPieces();
    this.#recent.add(piece);
    this.onPiecesChanged();
  }

  /** Notes that the check which the row asked for is done; the next record asks for none. */
  onChecked(): void {
    this.#check = 'done';
    this.onPiecesChanged();
  }

  /** The next run will look at these files (by index), should this one not come to it; durable when it resolves. */
  askForCheck(scope: 'all' | Iterable<number>): Promise<void> {
    this.#check = 'none';
    return this.update({ pendingCheck: scope === 'all' ? 'all' : [...scope] });
  }

  /** Blocks of pieces in progress have been written, to be taken up when the torrent downloads again. */
  keepPartial(partial: readonly PartialPiece[]): void {
    this.#partial = partial;
    this.onPiecesChanged();
  }

  takePartial(): readonly PartialPiece[] {
    const partial = this.#partial;
    this.#partial = NONE;
    return partial;
  }

  /** Files that were `saved` so have been hashed as they were `found`. Other states recorded since are newer. */
  trustFiles(saved: ResumeRow['files'], found: readonly FileState[]): void {
    if (isDeepStrictEqual(this.savedFiles, saved)) this.#newerFiles = found;
  }

  /** Bytes have come or gone since the last record. */
  isBehindOn({ uploaded, downloaded }: TorrentProgress): boolean {
    return uploaded + downloaded !== this.#recordedTraffic;
  }

  /**
   * Whether a sync has failed since {@link onDoubted}, whoever asked for it. The kernel may have dropped what was written since the
   * last that succeeded, also on a disk that is full, and will not complain a second time.
   */
  get isInDoubt(): boolean {
    return this.#doubt !== null;
  }

  /** The row asks for a check of all of it. */
  onDoubted(): void {
    this.#doubt = null;
  }

  /** Makes what was written durable. @throws what the storage does; nothing is recorded then before a check is asked for */
  async sync(storage: TorrentStorage): Promise<void> {
    try {
      await storage.sync();
    } catch (error) {
      this.#doubt ??= { reason: error };
      throw error;
    }
  }

  /**
   * Syncs the data that a row speaks of, and returns the row that may be recorded then. null while there are no pieces
   * to speak of. `open` is only called when files have changed since the last record.
   * @throws what a sync of before has thrown, while it is in doubt
   */
  async syncedResume(ledger: TorrentProgress, open: () => Content | null): Promise<ResumeRow | null> {
    if (!ledger.have) return null;
    if (this.#doubt) throw this.#doubt.reason;
    const { clock } = this.services;
    // Taken before the sync: a piece that is verified during it is not covered by it.
    const have = ledger.have.bytes.slice();
    const numbers = ledger.numbers();
    const trusted = ledger.trusted?.bytes.slice() ?? null;
    const pieces = { trusted, recent: this.#recent?.take(clock.nowMs()) ?? NONE, partial: this.#partial };
    if (this.#check === 'done') this.#check = 'recording';
    const content = this.#isBehind ? open() : null;
    if (content) {
      this.#isBehind = false;
      try {
        await content.storage.sync();
        this.#newerFiles = await this.#look(content.storage);
      } catch (error) {
        this.#doubt = { reason: error };
        this.#isBehind = true;
        if (this.#check === 'recording') this.#check = 'done';
        throw error;
      }
    }
    this.#recordedTraffic = numbers.uploadedBytes + numbers.downloadedBytes;
    return { ...buildResumeRow(have, numbers, this.savedFiles, clock.unixMs(), pieces), ...this.times.stored() };
  }

  /** The counters alone, beside what was recorded of the pieces before: for when these cannot be recorded. */
  countersAlone({ uploaded: uploadedBytes, downloaded: downloadedBytes }: TorrentProgress): ResumeRow | null {
    const saved = this.services.store.resume(this.#row.id);
    if (!saved) return null;
    const { activeSeconds: _, seedingSeconds: __, counting: ___, ...rest } = saved;
    return { ...rest, uploadedBytes, downloadedBytes, ...this.times.stored() };
  }

  /**
   * Syncs files that are about to be let go of, and looks at them for the next record while they are still open: it need
   * not open them again. Rejects when the sync fails; a look that fails is made again for the record.
   */
  async settle(storage: TorrentStorage): Promise<void> {
    const isBehind = this.#isBehind;
    // A piece that is verified during the sync is not covered by it.
    this.#isBehind = false;
    try {
      await this.sync(storage);
    } catch (error) {
      this.#isBehind ||= isBehind;
      throw error;
    }
    const files = isBehind ? await this.#look(storage).catch(() => null) : null;
    if (files) this.#newerFiles = files;
    else this.#isBehind ||= isBehind;
  }

  async #look(storage: TorrentStorage): Promise<readonly FileState[]> {
    const files = await storage.fileStates();
    // What lies below a mount point is not what the torrent has: it must not be taken for that at the next start.
    if (!(await this.services.disk.savePaths.isHere(this.#row.savePath))) throw volumeMissing();
    return files;
  }

  /** The row that `syncedResume` gave is durable. */
  async onRecorded(): Promise<void> {
    const recorded = this.services.store.resume(this.#row.id)?.files;
    if (isDeepStrictEqual(this.#newerFiles, recorded)) this.#newerFiles = null;
    if (this.#check !== 'recording') return;
    this.#check = 'none';
    if (this.#row.pendingCheck) await this.update({ pendingCheck: null });
  }
}
