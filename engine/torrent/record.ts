// What is stored of a torrent: its row, changed only together with the store, and the resume row that says what may be
// trusted on disk.
import { AppError } from '../../shared-protocol/errors.js';
import type { ResumeRow, TorrentRow } from '../../storage/types.js';
import type { FilePriority } from '../disk/types.js';
import type { TorrentInfo } from '../metainfo/index.js';
import { Bitfield } from './bitfield.js';
import type { Content } from './content.js';
import type { Ledger } from './ledger.js';
import { OneAtATime } from '../one-at-a-time.js';
import { measureProgress } from './progress.js';
import { buildResumeRow } from './resume.js';
import type { TorrentServices } from './services.js';

export class TorrentRecord {
  #row: TorrentRow;
  #savedFiles: ResumeRow['files'];
  #isBehind = false;
  /** Changes that read before they write, and whatever opens files by what the row says: one after another. */
  readonly turns = new OneAtATime();

  constructor(
    private readonly services: Pick<TorrentServices, 'clock' | 'store'>,
    row: TorrentRow,
    resume: ResumeRow | undefined,
  ) {
    this.#row = row;
    this.#savedFiles = resume?.files ?? [];
  }

  get row(): TorrentRow {
    return this.#row;
  }

  /** Sizes and times of the files at the last record; empty: there is none. */
  get savedFiles(): ResumeRow['files'] {
    return this.#savedFiles;
  }

  /** Durable when it resolves. Once it is stored, `within` is handed what makes it the row. */
  async update(change: Partial<TorrentRow>, within = (mutate: () => void) => mutate()): Promise<void> {
    await this.services.store.update(this.#row.id, change);
    within(() => this.assume(change));
  }

  /** What has been stored by somebody else. */
  assume(change: Partial<TorrentRow>): void {
    this.#row = { ...this.#row, ...change };
  }

  /**
   * Of what was recorded other files are wanted now. At the next start, before the metainfo is read, the recorded
   * numbers are all that is known of them. Says nothing of pieces that were not recorded.
   */
  async updateNumbers(info: TorrentInfo, priorities: readonly FilePriority[], ledger: Ledger): Promise<void> {
    const { clock, store } = this.services;
    const saved = store.resume(this.#row.id);
    const have = new Bitfield(info.pieceCount, saved?.have);
    const numbers = { ...ledger.numbers(), ...measureProgress(info, priorities, have) };
    const files = saved?.files ?? [];
    const row = buildResumeRow(have.bytes, numbers, files, saved ? saved.savedAt * 1_000 : clock.unixMs());
    await store.putResume(new Map([[this.#row.id, row]]));
  }

  /** Pieces came or went: the files are not as they were recorded. */
  onPiecesChanged(): void {
    this.#isBehind = true;
  }

  /**
   * What may be recorded now: the data it speaks of is synced first. null while there are no pieces to speak of.
   * `open` is only called when files have changed since the last record.
   */
  async syncedResume(ledger: Ledger, open: () => Content | null): Promise<ResumeRow | null> {
    if (!ledger.have) return null;
    // Taken before the sync: a piece that is verified during it is not covered by it.
    const have = ledger.have.bytes.slice();
    const numbers = ledger.numbers();
    const content = this.#isBehind ? open() : null;
    if (content) {
      this.#isBehind = false;
      try {
        await content.storage.sync();
        this.#savedFiles = await content.storage.fileStates();
      } catch (error) {
        this.#isBehind = true;
        throw error;
      }
    }
    return buildResumeRow(have, numbers, this.#savedFiles, this.services.clock.unixMs());
  }
}

/** A failed sync may have lost what the kernel could not write; a full disk loses nothing (it is written again). */
export function maySyncHaveLostData(error: unknown): boolean {
  return !(error instanceof AppError && error.code === 'DISK_FULL');
}
