// Whether copies are what was copied: claimed pieces are hashed from the new place while the copy goes on, when all of each
// lies there. One that is wrong there and right at the old place ends the move; one that is wrong at both was wrong before.
import { AppError } from '../../../shared-protocol/errors.js';
import type { TorrentStorage } from '../../disk/index.js';
import type { TorrentFile, TorrentInfo } from '../../metainfo/index.js';
import { PieceCheck, type PieceCheckDeps } from '../check/piece-check.js';
import { Bitfield } from '../pieces/bitfield.js';
import { pieceLengthAt } from '../pieces/geometry.js';
import type { HashingTurn } from '../session-interface.js';

/** Hashed at a time: in memory still from being written, and enough for every hashing thread. No spec value. */
const BATCH_BYTES = 32 * 1024 * 1024;

/** Moves take turns by themselves (session/move-queue.ts). */
const OWN_TURN: HashingTurn = { spend: () => undefined, isOver: false, pass: async () => undefined };

type Pieces = Pick<TorrentStorage, 'pinSpans'>;

export interface MoveVerifierDeps {
  readonly means: PieceCheckDeps;
  readonly info: TorrentInfo;
  /** Claimed pieces. */
  readonly have: Bitfield;
  readonly source: Pieces;
  readonly target: Pieces;
}

export class MoveVerifier {
  /** Claimed pieces with bytes that were copied, until they are hashed. */
  readonly #due: Bitfield;
  /** Pieces before it are hashed, or were not due. */
  #from = 0;
  /** Pieces before it have been looked at. */
  #next = 0;
  #dueBytes = 0;

  constructor(private readonly deps: MoveVerifierDeps) {
    this.#due = new Bitfield(deps.info.pieceCount);
  }

  /** The file is copied up to the torrent's `offset`, and all before it is there. @throws AppError `DISK_FAILED` */
  async onCopied(file: Pick<TorrentFile, 'offset'>, offset: number): Promise<void> {
    const { info, have } = this.deps;
    const end = Math.ceil(offset / info.pieceLength);
    for (let piece = Math.max(this.#next, Math.floor(file.offset / info.pieceLength)); piece < end; piece++) {
      if (!have.has(piece)) continue;
      this.#due.set(piece);
      this.#dueBytes += pieceLengthAt(info, piece);
    }
    this.#next = Math.max(this.#next, end);
    if (this.#dueBytes >= BATCH_BYTES) await this.#hash(Math.floor(offset / info.pieceLength));
  }

  /** All files are there. @throws AppError `DISK_FAILED` */
  finish(): Promise<void> {
    return this.#hash(this.deps.info.pieceCount);
  }

  /** Hashes what is due of the pieces before `end`. */
  async #hash(end: number): Promise<void> {
    const { info, source, target } = this.deps;
    const due = new Bitfield(info.pieceCount);
    for (let piece = this.#from; piece < end; piece++) {
      if (!this.#due.has(piece)) continue;
      due.set(piece);
      this.#due.clear(piece);
      this.#dueBytes -= pieceLengthAt(info, piece);
    }
    this.#from = Math.max(this.#from, end);
    if (due.count === 0) return;
    const wrong = without(due, await this.#right(target, due));
    if (wrong.count === 0) return;
    const rightBefore = await this.#right(source, wrong);
    if (rightBefore.count === 0) return;
    throw new AppError('DISK_FAILED', `move: ${rightBefore.count} pieces of the copy are not what was copied`);
  }

  async #right(storage: Pieces, pieces: Bitfield): Promise<Bitfield> {
    const { info, means } = this.deps;
    return (await new PieceCheck({ info, storage, ...means }, pieces).run(OWN_TURN)) ?? new Bitfield(info.pieceCount);
  }
}

function without(pieces: Bitfield, others: Bitfield): Bitfield {
  const left = new Bitfield(pieces.length);
  for (let piece = 0; piece < pieces.length; piece++) if (pieces.has(piece) && !others.has(piece)) left.set(piece);
  return left;
}
