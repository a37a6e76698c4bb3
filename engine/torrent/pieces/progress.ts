// What a torrent has: verified pieces, the bytes they make, and what was transferred over its lifetime. Owns the
// invariant that progress is the measure of the bitfield under the current priorities; counters never run backwards.
// Pieces that were taken on trust count as verified; that they are not is known until they have been hashed.
import { AppError } from '../../../shared-protocol/errors.js';
import type { ResumeRow, TorrentRow } from '../../../storage/types.js';
import type { FilePriority } from '../../disk/types.js';
import type { TorrentInfo } from '../../metainfo/index.js';
import { Bitfield } from './bitfield.js';
import { wantsFiles } from '../files/file-priorities.js';
import { pieceLengthAt } from './geometry.js';
import { measureProgress, wantedBytesInPiece, type ProgressNumbers } from './measure-progress.js';
import { contentBytesOf } from '../summary.js';

const NOTHING: ProgressNumbers = { bytesDone: 0, wantedDone: 0, wantedBytes: 0 };

/** The numbers of a torrent that are recorded beside its bitfield. */
export interface ResumeNumbers extends ProgressNumbers {
  readonly uploadedBytes: number;
  readonly downloadedBytes: number;
  /** Unix seconds; 0 when never. */
  readonly lastActivityAt: number;
}

export class TorrentProgress {
  #have: Bitfield | null = null;
  /** A part of what it has; null: none of it. */
  #trusted: Bitfield | null = null;
  #progress = NOTHING;
  #wantsFiles = true;
  #uploaded = 0;
  #downloaded = 0;
  #downloadedBefore = 0;
  /** Unix seconds of when payload last moved, and the bytes that had moved by then. */
  #lastActivityAt = 0;
  #movedByThen = 0;

  constructor({ summary, filePriorities }: TorrentRow, resume: ResumeRow | undefined) {
    if (summary) {
      this.#wantsFiles = wantsFiles(filePriorities);
      this.#have = new Bitfield(summary.pieceCount, resume?.have);
      this.#setTrusted(resume?.trusted ? new Bitfield(summary.pieceCount, resume.trusted) : null);
      this.#progress = resume ? countsOf(resume) : { ...NOTHING, wantedBytes: contentBytesOf(summary) };
    }
    if (!resume) return;
    this.#uploaded = countOf(resume.uploadedBytes);
    this.#downloaded = this.#downloadedBefore = countOf(resume.downloadedBytes);
    this.#lastActivityAt = countOf(resume.lastActivityAt ?? 0);
    this.#movedByThen = this.#uploaded + this.#downloaded;
  }

  /** null while the metadata is unknown. */
  get have(): Bitfield | null {
    return this.#have;
  }

  /** Pieces that it has on trust: nothing of them goes out before it has been hashed. null: none. */
  get trusted(): Bitfield | null {
    return this.#trusted;
  }

  get progress(): ProgressNumbers {
    return this.#progress;
  }

  /** A file is wanted, and all that is wanted is verified (docs/semantics.md section 5). */
  get isComplete(): boolean {
    const { wantedBytes, wantedDone } = this.#progress;
    return this.#have !== null && this.#wantsFiles && wantedDone === wantedBytes;
  }

  /** Every file is skipped. */
  get wantsNothing(): boolean {
    return this.#have !== null && !this.#wantsFiles;
  }

  get wantedLeft(): number {
    return Math.max(0, this.#progress.wantedBytes - this.#progress.wantedDone);
  }

  get uploaded(): number {
    return this.#uploaded;
  }

  get downloaded(): number {
    return this.#downloaded;
  }

  /** Whether anything was downloaded since the torrent was loaded: only then trackers hear `completed`. */
  get downloadedThisRun(): boolean {
    return this.#downloaded > this.#downloadedBefore;
  }

  /** Unix seconds of when payload was last seen to move; 0 when never. */
  get lastActivityAt(): number {
    return this.#lastActivityAt;
  }

  /** Asked each second, since blocks come far too often for a look at the clock at each. */
  noteActivity(unixMs: number): void {
    const moved = this.#uploaded + this.#downloaded;
    if (moved === this.#movedByThen) return;
    this.#movedByThen = moved;
    this.#lastActivityAt = Math.floor(unixMs / 1000);
  }

  numbers(): ResumeNumbers {
    const counted = { uploadedBytes: this.#uploaded, downloadedBytes: this.#downloaded };
    return { ...this.#progress, ...counted, lastActivityAt: this.#lastActivityAt };
  }

  count(direction: 'down' | 'up', bytes: number): void {
    if (direction === 'up') this.#uploaded += bytes;
    else this.#downloaded += bytes;
  }

  /** Bytes of a piece that is verified and on disk now; 0 when it was there already. */
  addPiece(info: TorrentInfo, priorities: readonly FilePriority[], piece: number): number {
    if (!this.#have || this.#have.has(piece)) return 0;
    this.#have.set(piece);
    const { bytesDone, wantedDone, wantedBytes } = this.#progress;
    const length = pieceLengthAt(info, piece);
    this.#progress = {
      bytesDone: bytesDone + wantedBytesInPiece(info, null, piece),
      wantedDone: wantedDone + wantedBytesInPiece(info, priorities, piece),
      wantedBytes,
    };
    return length;
  }

  /** Throws `bug: …` when the running totals are not the measure of the bitfield; for tests. */
  checkInvariant(info: TorrentInfo, priorities: readonly FilePriority[]): void {
    if (!this.#have) return;
    const measured = measureProgress(info, priorities, this.#have);
    const { bytesDone, wantedDone, wantedBytes } = this.#progress;
    const holds =
      measured.bytesDone === bytesDone && measured.wantedDone === wantedDone && measured.wantedBytes === wantedBytes;
    if (!holds) throw new AppError('BUG', `bug: progress ${wantedDone}, measured ${measured.wantedDone}`);
  }

  /** Other files are wanted than before. */
  remeasure(info: TorrentInfo, priorities: readonly FilePriority[]): void {
    if (this.#have) this.replace(info, priorities, this.#have);
  }

  /** After a check, or when the metadata has become known: exactly these pieces are there. */
  replace(info: TorrentInfo, priorities: readonly FilePriority[], have: Bitfield): void {
    this.#have = have;
    this.#wantsFiles = wantsFiles(priorities);
    this.#progress = measureProgress(info, priorities, have);
  }

  /** These pieces are there, as far as their files tell. */
  trust(info: TorrentInfo, priorities: readonly FilePriority[], pieces: Bitfield): void {
    this.replace(info, priorities, pieces);
    this.#setTrusted(new Bitfield(pieces.length, pieces.bytes));
  }

  /** The pieces have been hashed, whatever came of it; null: all of them. */
  onHashed(pieces: Bitfield | null): void {
    const trusted = this.#trusted;
    if (!trusted) return;
    for (let piece = 0; piece < trusted.length; piece++) if (pieces?.has(piece) ?? true) trusted.clear(piece);
    this.#setTrusted(trusted);
  }

  /** One piece has been hashed, and is what it should be. */
  onProven(piece: number): void {
    this.#trusted?.clear(piece);
    this.#setTrusted(this.#trusted);
  }

  #setTrusted(trusted: Bitfield | null): void {
    this.#trusted = trusted && trusted.count > 0 ? trusted : null;
  }
}

function countsOf({ bytesDone, wantedDone, wantedBytes }: ResumeRow): ProgressNumbers {
  return { bytesDone: countOf(bytesDone), wantedDone: countOf(wantedDone), wantedBytes: countOf(wantedBytes) };
}

/** The stored number of bytes, or 0 where it is none that can be counted on from. */
function countOf(stored: number): number {
  return Number.isSafeInteger(stored) && stored > 0 ? stored : 0;
}
