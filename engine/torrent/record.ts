// What is stored of a torrent: its row, changed only together with the store, and the resume row that says what may be
// trusted on disk.
import { AppError } from '../../shared-protocol/errors.js';
import type { ResumeRow, TorrentRow } from '../../storage/types.js';
import type { Content } from './content.js';
import type { Ledger } from './ledger.js';
import { buildResumeRow } from './resume.js';
import type { TorrentServices } from './services.js';

export class TorrentRecord {
  #row: TorrentRow;
  #savedFiles: ResumeRow['files'];
  #isBehind = false;

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

  /** Durable when it resolves. */
  async update(change: Partial<Omit<TorrentRow, 'id'>>): Promise<void> {
    await this.services.store.update(this.#row.id, change);
    this.#row = { ...this.#row, ...change };
  }

  /** The row as it has been stored by somebody else. */
  replace(row: TorrentRow): void {
    this.#row = row;
  }

  /** Adds trackers that are not there yet, each in a tier of its own, unless the torrent is private; returns them. */
  async mergeTrackers(tiers: TorrentRow['trackers']): Promise<readonly string[]> {
    const known = new Set(this.#row.trackers.flat());
    const added = [...new Set(tiers.flat())].filter((url) => !known.has(url));
    if (added.length === 0 || this.#row.summary?.isPrivate) return [];
    await this.update({ trackers: [...this.#row.trackers, ...added.map((url) => [url])] });
    return added;
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
