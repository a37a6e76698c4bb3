// Decides where each file's bytes lie: in the file itself, or in the torrent's part file. Invariant: exactly one of
// the two, and it changes only here, while no transfer runs (the caller holds the gate alone). A skipped file that
// exists keeps its bytes; one that does not exist is never created. Bytes move into a file that becomes wanted, and
// count as moved only once they are durable: after a crash in between the move is made again.
import { AppError } from '../../shared-protocol/errors.js';
import type { TorrentFile, TorrentInfo } from '../metainfo/types.js';
import type { Log } from '../environment.js';
import { MOVE_CHUNK_BYTES } from './constants.js';
import { isRefusedPath } from './errors.js';
import type { FileLayout } from './file-layout.js';
import type { PartFile } from './part-file.js';
import type { FilePriority } from './types.js';

export type Place = 'own' | 'part';

export interface PlacementDeps {
  readonly layout: FileLayout;
  readonly part: PartFile;
  readonly log: Log;
  /** Writes into the file itself. */
  writeOwn(file: TorrentFile, position: number, bytes: Uint8Array): Promise<void>;
  syncOwn(file: TorrentFile): Promise<void>;
  /** Whether the torrent's file is there. */
  exists(file: TorrentFile): Promise<boolean>;
}

const OWN = 1;
const PART = 2;

export class Placement {
  readonly #deps: PlacementDeps;
  #info: TorrentInfo;
  #priorities: readonly FilePriority[];
  /** One byte per file: 0 for a skipped file that has not been looked for yet. */
  readonly #places: Uint8Array;

  constructor(deps: PlacementDeps, info: TorrentInfo, priorities: readonly FilePriority[]) {
    this.#deps = deps;
    this.#info = info;
    this.#places = new Uint8Array(info.files.length);
    this.#priorities = priorities;
    this.#checkCount(priorities);
  }

  /** Before the first transfer: takes up what an earlier run left. */
  async load(): Promise<void> {
    await this.#deps.part.load();
    await this.#settle();
  }

  isWanted(file: TorrentFile): boolean {
    return !file.isPad && this.#priorities[file.index] !== 'skip';
  }

  /** True when no look at the disk is needed to say so. */
  isOwn(file: TorrentFile): boolean {
    return this.#places[file.index] === OWN;
  }

  async placeOf(file: TorrentFile): Promise<Place> {
    if (this.#places[file.index] === 0) {
      const exists = await this.#exists(file);
      // Another transfer may have looked first: what it decided stands.
      if (this.#places[file.index] === 0) this.#places[file.index] = exists ? OWN : PART;
    }
    return this.#places[file.index] === OWN ? 'own' : 'part';
  }

  /** The files have other paths now. */
  lieAt(info: TorrentInfo): void {
    this.#info = info;
    this.forget();
  }

  /** Skipped files are looked for again: their owner may have removed them while the torrent rested. */
  forget(): void {
    for (const file of this.#info.files) {
      if (!this.isWanted(file) && !this.#deps.part.holdsFile(file.index)) this.#places[file.index] = 0;
    }
  }

  /** Moves bytes of files that become wanted. On failure they stay where they are and remain usable. */
  async setPriorities(priorities: readonly FilePriority[]): Promise<void> {
    this.#checkCount(priorities);
    this.#priorities = priorities;
    const failure = await this.#settle();
    if (failure !== null) throw failure;
  }

  async #settle(): Promise<unknown> {
    let failure: unknown = null;
    for (const file of this.#info.files) {
      if (this.#deps.part.holdsFile(file.index)) {
        this.#places[file.index] = PART;
        if (!this.isWanted(file)) continue;
        try {
          await this.#moveIn(file);
        } catch (error) {
          failure ??= error;
          this.#deps.log.warn('bytes of a wanted file stay in the part file', { file: file.index });
          continue;
        }
      }
      this.#places[file.index] = this.isWanted(file) ? OWN : 0;
    }
    return failure;
  }

  async #moveIn(file: TorrentFile): Promise<void> {
    const { layout, part } = this.#deps;
    const end = file.offset + file.sizeBytes;
    const { first, last } = layout.piecesOf(file.offset, file.sizeBytes);
    const buffer = Buffer.allocUnsafeSlow(Math.min(MOVE_CHUNK_BYTES, file.sizeBytes));
    for (let piece = first; piece <= last; piece++) {
      if (!part.holdsPiece(piece)) continue;
      const range = layout.pieceRange(piece);
      const upTo = Math.min(end, range.offset + range.length);
      for (let at = Math.max(file.offset, range.offset); at < upTo;) {
        const chunk = buffer.subarray(0, Math.min(buffer.length, upTo - at));
        await part.read(at, [chunk]);
        await this.#deps.writeOwn(file, at - file.offset, chunk);
        at += chunk.length;
      }
    }
    await this.#deps.syncOwn(file);
    await part.forgetFile(file.index);
  }

  async #exists(file: TorrentFile): Promise<boolean> {
    try {
      return await this.#deps.exists(file);
    } catch (error) {
      // Something is planted in its way: the user does not want this file, so its bytes go to the part file.
      if (isRefusedPath(error)) return false;
      throw error;
    }
  }

  #checkCount(priorities: readonly FilePriority[]): void {
    if (priorities.length !== this.#info.files.length) {
      throw new AppError('BUG', `bug: ${priorities.length} priorities for ${this.#info.files.length} files`);
    }
  }
}
