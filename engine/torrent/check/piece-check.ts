// Verifies what is on disk: a window of pieces at a time, hashed from open files by the pool. Can be stopped between
// windows, or let others go first and go on where it was; the result is a bitfield of what is really there.
import type { TorrentStorage } from '../../disk/types.js';
import type { PieceHasher } from '../../hashing/types.js';
import type { TorrentInfo } from '../../metainfo/types.js';
import type { Clock } from '../../environment.js';
import { Bitfield } from '../pieces/bitfield.js';
import type { CheckThrottle } from './check-throttle.js';
import { matches } from '../download/piece-verifier.js';
import type { HashingTurn } from '../session-interface.js';

/** Bytes under way in the pool: enough for every thread to be busy while the next window is opened. */
const WINDOW_BYTES = 32 * 1024 * 1024;
const MAX_WINDOW_PIECES = 2_048;
/** The same while transfers are to come first: a few milliseconds of hashing. */
const BUSY_WINDOW_BYTES = 4 * 1024 * 1024;
/** Windows under way at once, so that the pool does not run dry between two of them. */
const WINDOWS = 2;

/** Parts that all checks share. */
export interface PieceCheckDeps {
  readonly hasher: Pick<PieceHasher, 'hashPieces'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly checkThrottle: Pick<CheckThrottle, 'isBusy' | 'rest'>;
}

export interface CheckDeps extends PieceCheckDeps {
  readonly info: TorrentInfo;
  readonly storage: Pick<TorrentStorage, 'pinSpans'>;
}

export class PieceCheck {
  readonly #deps: CheckDeps;
  readonly #scope: Bitfield | null;
  #next = 0;
  #stopped = false;

  /** `scope`: the pieces to look at. @default all */
  constructor(deps: CheckDeps, scope: Bitfield | null = null) {
    this.#deps = deps;
    this.#scope = scope;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** The pieces in scope that are right; null when stopped before the end. Rejects when the disk cannot be read at all. */
  async run(turn: HashingTurn): Promise<Bitfield | null> {
    const { pieceCount } = this.#deps.info;
    const have = new Bitfield(pieceCount);
    for (;;) {
      await Promise.all(Array.from({ length: WINDOWS }, () => this.#runTurn(have, turn)));
      if (this.#stopped) return null;
      if (this.#next === pieceCount) return have;
      await turn.pass();
    }
  }

  async #runTurn(have: Bitfield, turn: HashingTurn): Promise<void> {
    const { info, clock, checkThrottle } = this.#deps;
    while (!this.#stopped && !turn.isOver) {
      const window = this.#nextWindow();
      if (!window) return;
      const startMs = clock.nowMs();
      await this.#checkWindow(have, window.first, window.count);
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

  async #checkWindow(have: Bitfield, first: number, count: number): Promise<void> {
    const { info, storage, hasher } = this.#deps;
    const spans = await storage.pinSpans(first, count);
    try {
      const digests = await hasher.hashPieces(spans.pieces);
      digests.forEach((digest, i) => {
        if (matches(info, first + i, digest)) have.set(first + i);
      });
    } finally {
      spans.release();
    }
  }
}
