// When a torrent's files get their own names, and lose them: while a file is incomplete it may have a suffix
// (docs/decisions/0032-incomplete-names-are-looked-up.md). A file is complete when all pieces that it lies in are verified and written. Nothing is
// renamed while files are moved or checked: what is due waits for the end of that.
import { AppError } from '../../shared-protocol/errors.js';
import { because } from '../../shared-protocol/reasons.js';
import type { FileState, KeepFile } from '../disk/types.js';
import type { TorrentFile, TorrentInfo } from '../metainfo/index.js';
import type { Recheck } from './check/recheck.js';
import type { DiskFailures } from './disk-failures.js';
import type { Bitfield } from './pieces/bitfield.js';
import { filesInPiece, verifiedBytesOf } from './pieces/measure-progress.js';
import type { TorrentProgress } from './pieces/progress.js';
import type { TorrentRecord } from './resume/torrent-record.js';
import type { SwarmManager } from './swarm/swarm-manager.js';
import type { Content } from './files/content.js';

/** The torrent, all of it as it is when it is asked. */
export interface OwnNamesDeps {
  readonly record: TorrentRecord;
  readonly progress: Pick<TorrentProgress, 'have'>;
  readonly swarmManager: Pick<SwarmManager, 'content' | 'holdContent' | 'releaseContent' | 'released'>;
  readonly recheck: Pick<Recheck, 'state'>;
  readonly diskFailures: Pick<DiskFailures, 'onFailed'>;
  /** Nothing may be changed of its files. */
  readonly isMoving: boolean;
  readonly hasEnded: boolean;
  filesOfOthers(savePath: string, topNames: readonly string[] | null): KeepFile;
  readonly claiming: { readonly topNames: readonly string[] | null };
  saveSoon(): void;
}

export class OwnNames {
  /** By index: complete files that may not have their own names yet. */
  #due = new Set<number>();
  /** Files of which nothing is known are looked at as well. */
  #isAllDue = false;
  /** The pieces before a check, in case that it found less. */
  #before: Bitfield | null = null;
  #given: Promise<void> = Promise.resolve();

  constructor(private readonly deps: OwnNamesDeps) {}

  /** Resolves when the files that were complete have their names, or that failed and is shown. */
  get given(): Promise<void> {
    return this.#given;
  }

  /** The piece is verified and written. */
  onPieceVerified(info: TorrentInfo, piece: number): void {
    const { have } = this.deps.progress;
    if (have) this.#want(filesInPiece(info, piece).filter((file) => isWhole(info, have, file)));
  }

  /** Files as they were found: complete ones are not to go on with the name of incomplete ones. */
  onFound(info: TorrentInfo, states: readonly FileState[]): void {
    const { have } = this.deps.progress;
    if (have) this.#want(info.files.filter((file) => states[file.index]?.isIncomplete && isWhole(info, have, file)));
  }

  /** A check has hashed files; `before`: what was known of them. Nothing is done until {@link lookAgain}. */
  onHashed(before: Bitfield | null): void {
    this.#before ??= before;
  }

  /** A check or a move is over, or files may lie otherwise than they did. */
  lookAgain(): void {
    this.#isAllDue = true;
    this.#give();
  }

  #want(files: readonly TorrentFile[]): void {
    if (files.length === 0) return;
    for (const { index } of files) this.#due.add(index);
    this.#give();
  }

  #give(): void {
    const { record, diskFailures } = this.deps;
    const giving = record.turns.run(() => this.#giveNow());
    this.#given = giving.catch((error: unknown) => {
      // What was removed meanwhile has no files to be named.
      if (this.deps.hasEnded) return;
      diskFailures.onFailed(error);
      // Where it was a sync that failed, the record may not be made either.
      this.deps.saveSoon();
    });
  }

  async #giveNow(): Promise<void> {
    const { swarmManager, recheck, isMoving, hasEnded } = this.deps;
    if (isMoving || hasEnded || recheck.state !== 'none' || (!this.#isAllDue && this.#due.size === 0)) return;
    swarmManager.holdContent(true);
    try {
      // What was let go of last may still be writing. If that failed, it has been told.
      await swarmManager.released.catch(() => undefined);
      const content = swarmManager.content();
      if (content) await this.#switch(content);
    } finally {
      swarmManager.holdContent(false);
      swarmManager.releaseContent();
    }
  }

  async #switch(content: Content): Promise<void> {
    const { info, storage } = content;
    const [due, isAllDue, before] = [this.#due, this.#isAllDue, this.#before];
    [this.#due, this.#isAllDue, this.#before] = [new Set(), false, null];
    const { have } = this.deps.progress;
    if (!have) return;
    const states = isAllDue ? await storage.fileStates() : [];
    const complete = info.files.filter(
      (file) => (due.has(file.index) || states[file.index]?.isIncomplete) && isWhole(info, have, file),
    );
    const damaged = before ? this.#damaged(info, before, have, states) : [];
    const given = await storage.giveOwnNames(indexesOf(complete));
    const taken = damaged.length > 0 ? await storage.giveIncompleteNames(indexesOf(damaged)) : { switched: 0 };
    if (given.switched + taken.switched > 0) {
      // Their times are not as they were recorded.
      this.deps.record.onPiecesChanged();
      this.deps.saveSoon();
    }
    if (given.taken) throw takenName(given.taken);
  }

  /** Files that were complete and are not; those of other torrents as well keep the name under which the others have them. */
  #damaged(info: TorrentInfo, before: Bitfield, have: Bitfield, states: readonly FileState[]): TorrentFile[] {
    const { record, claiming } = this.deps;
    const damaged = info.files.filter((file) => {
      const isThere = (states[file.index]?.sizeBytes ?? null) !== null;
      return isThere && isWhole(info, before, file) && !isWhole(info, have, file);
    });
    if (damaged.length === 0) return damaged;
    const isOfOthers = this.deps.filesOfOthers(record.row.savePath, claiming.topNames);
    return damaged.filter(({ path }) => !isOfOthers(path));
  }
}

function isWhole(info: TorrentInfo, have: Bitfield, { offset, sizeBytes, isPad }: TorrentFile): boolean {
  return !isPad && sizeBytes > 0 && verifiedBytesOf(info, have, offset, sizeBytes) === sizeBytes;
}

function indexesOf(files: readonly TorrentFile[]): number[] {
  return files.map(({ index }) => index);
}

function takenName(path: readonly string[]): AppError {
  const shown = path.join('/');
  const why = 'is complete, and keeps its suffix: something else has its name';
  return new AppError('MOVE_TARGET_TAKEN', `${shown} ${why}`, because('PATH_TAKEN', { path: shown }));
}
