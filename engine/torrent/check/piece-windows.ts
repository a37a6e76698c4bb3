// Hashes pieces from disk, a window of them at a time, by the pool. Can be stopped between windows, or let others go first
// and go on where it was. What the digests mean is for the caller to say.
import type { TorrentStorage } from '../../disk/types.js';
import type { PieceHasher } from '../../hashing/types.js';
import type { TorrentInfo } from '../../metainfo/types.js';
import type { Clock } from '../../environment.js';
import type { Bitfield } from '../pieces/bitfield.js';
import type { CheckThrottle } from './check-throttle.js';
import type { HashingTurn } from '../session-interface.js';

/** Bytes under way in the pool: enough for every thread to be busy while the next window is opened. */
const WINDOW_BYTES = 32 * 1024 * 1024;
const MAX_WINDOW_PIECES = 2_048;
/** The same while transfers are to come first: a few milliseconds of hashing. */
const BUSY_WINDOW_BYTES = 4 * 1024 * 1024;
/** Windows under way at once, so that the pool does not run dry between two of them. */
const WINDOWS = 2;

/** Parts that all who hash pieces share. */
export interface PieceWindowsMeans {
  readonly hasher: Pick<PieceHasher, 'hashPieces'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly checkThrottle: Pick<CheckThrottle, 'isBusy' | 'rest'>;
}

export interface PieceWindowsDeps extends PieceWindowsMeans {
  readonly info: Pick<TorrentInfo, 'pieceCount' | 'pieceLength'>;
  readonly storage: Pick<TorrentStorage, 'pinSpans'>;
  /** null: not all of the piece could be read. */
  readonly onDigest: (piece: number, digest: Uint8Array | null) => void;
}

export class PieceWindows {
  readonly #deps: PieceWindowsDeps;
  readonly #scope: Bitfield | null;
  #next = 0;
  #stopped = false;

  /** `scope`: the pieces to look at. @default all */
  constructor(deps: PieceWindowsDeps, scope: Bitfield | null = null) {
    this.#deps = deps;
    this.#scope = scope;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** False when stopped before the end. Rejects when the disk cannot be read at all. */
  async run(turn: HashingTurn): Promise<boolean> {
    for (;;) {
      await Promise.all(Array.from({ length: WINDOWS }, () => this.#runTurn(turn)));
      if (this.#stopped) return false;
      if (this.#next === this.#deps.info.pieceCount) return true;
      await turn.pass();
    }
  }

  async #runTurn(turn: HashingTurn): Promise<void> {
    const { info, clock, checkThrottle } = this.#deps;
    while (!this.#stopped && !turn.isOver) {
      const window = this.#nextWindow();
      if (!window) return;
      const startMs = clock.nowMs();
      await this.#hashWindow(window.first, window.count);
      turn.spend(window.count * info.pieceLength);
      if (this.#next < info.pieceCount && !turn.isOver) await checkThrottle.rest(clock.nowMs() - startMs);
    }
  }

  /** The next run of pieces in scope; null: there are no more. */
  #nextWindow(): { readonly first: number; readonly count: number } | null {
    const { pieceCount, pieceLength } = this.#deps.info;
    const bytes = this.#deps.checkThrottle.isBusy ? BUSY_WINDOW_BYTES : WINDOW_BYTES;
    const perWindow = Math.max(1, Math.min(MAX_WINDOW_PIECES, Math.floor(bytes / pieceLength)));
    const isInScope = (piece: number): boolean => this.#scope === null || this.#scope.has(piece);
    while (this.#next < pieceCount && !isInScope(this.#next)) this.#next++;
    const first = this.#next;
    while (this.#next < pieceCount && this.#next - first < perWindow && isInScope(this.#next)) this.#next++;
    return this.#next > first ? { first, count: this.#next - first } : null;
  }

  async #hashWindow(first: number, count: number): Promise<void> {
    const { storage, hasher, onDigest } = this.#deps;
    const spans = await storage.pinSpans(first, count);
    try {
      const digests = await hasher.hashPieces(spans.pieces);
      digests.forEach((digest, i) => onDigest(first + i, digest));
    } finally {
      spans.release();
    }
  }
}
