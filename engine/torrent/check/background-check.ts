// Doubts that do not stop a torrent: pieces that are most likely right are hashed in the background, while it goes on
// with whatever it does. After an engine that did not stop in order these are the pieces that were verified last, and a
// sample of the others; besides, what lies in files whose ctime alone has changed. One that is wrong becomes a check.
import type { ResumeRow } from '../../../storage/types.js';
import type { FileState } from '../../disk/types.js';
import type { Random } from '../../environment.js';
import { Bitfield } from '../pieces/bitfield.js';
import type { HashingTurn } from '../session-interface.js';
import { PieceCheck, type PieceCheckDeps } from './piece-check.js';
import type { Content } from '../files/content.js';
import { filesOfPieces, piecesOfFiles, samplePieces } from './check-scope.js';

/** Reasons to doubt pieces. */
export interface Doubts {
  /** Pieces that were verified shortly before the end. */
  readonly recent: readonly number[];
  /** Draws a sample of what is claimed. null: the engine had stopped in order. */
  readonly sampleBy: Random | null;
  readonly touched: readonly number[];
  /** The files as they were recorded, and as they were found. */
  readonly saved: ResumeRow['files'];
  readonly found: readonly FileState[];
}

export class BackgroundCheck {
  #doubts: Doubts | null = null;
  #running: PieceCheck | null = null;

  /** There is something to be hashed, in its turn. */
  get isDue(): boolean {
    return this.#doubts !== null && this.#running === null;
  }

  suspect(doubts: Doubts): void {
    this.#doubts = doubts;
  }

  /** Everything is hashed anyway. */
  drop(): void {
    this.#doubts = null;
  }

  stop(): void {
    this.#running?.stop();
  }

  /** The files, by index, of pieces that are not what they are claimed to be; null when stopped, or nothing is due. */
  async run(
    { info, storage }: Content,
    have: Bitfield,
    means: PieceCheckDeps,
    turn: HashingTurn,
  ): Promise<readonly number[] | null> {
    const doubts = this.#doubts;
    if (!doubts) return null;
    const claimed = doubtfulPieces(info, have, doubts);
    this.#running = new PieceCheck({ info, storage, ...means }, claimed);
    try {
      const found = await this.#running.run(turn);
      if (!found) return null;
      const wrong: number[] = [];
      for (let piece = 0; piece < info.pieceCount; piece++) {
        if (claimed.has(piece) && have.has(piece) && !found.has(piece)) wrong.push(piece);
      }
      return filesOfPieces(info, wrong);
    } finally {
      this.#running = null;
    }
  }

  /** Takes the doubts, to be looked at now. */
  take(): Doubts | null {
    const doubts = this.#doubts;
    this.#doubts = null;
    return doubts;
  }
}

/** Only pieces that are claimed can be wrong. */
function doubtfulPieces(info: Content['info'], have: Bitfield, { recent, sampleBy, touched }: Doubts): Bitfield {
  const pieces = piecesOfFiles(info, touched);
  for (const piece of recent) if (piece < info.pieceCount) pieces.set(piece);
  if (sampleBy) for (const piece of samplePieces(info, have, sampleBy)) pieces.set(piece);
  const claimed = new Bitfield(info.pieceCount);
  for (let piece = 0; piece < info.pieceCount; piece++) if (pieces.has(piece) && have.has(piece)) claimed.set(piece);
  return claimed;
}
