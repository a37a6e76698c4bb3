// Verifies what is on disk: a window of pieces at a time, hashed from open files by the pool. Can be
// stopped between windows; the result is a bitfield of what is really there.
import type { TorrentStorage } from '../disk/types.js';
import type { PieceHasher } from '../hashing/types.js';
import type { TorrentInfo } from '../metainfo/types.js';
import { Bitfield } from './bitfield.js';
import { matches } from './piece-verifier.js';

/** Bytes under way in the pool: enough for every thread to be busy while the next window is opened. */
const WINDOW_BYTES = 32 * 1024 * 1024;
const MAX_WINDOW_PIECES = 2_048;
/** Windows under way at once, so that the pool does not run dry between two of them. */
const WINDOWS = 2;

export interface CheckDeps {
  readonly info: TorrentInfo;
  readonly storage: TorrentStorage;
  readonly hasher: PieceHasher;
}

export class Check {
  readonly #deps: CheckDeps;
  readonly #scope: Bitfield | null;
  readonly #perWindow: number;
  #next = 0;
  #stopped = false;

  /** `scope`: the pieces to look at. @default all */
  constructor(deps: CheckDeps, scope: Bitfield | null = null) {
    this.#deps = deps;
    this.#scope = scope;
    const { pieceLength } = deps.info;
    this.#perWindow = Math.max(1, Math.min(MAX_WINDOW_PIECES, Math.floor(WINDOW_BYTES / pieceLength)));
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Those in scope that are there; null when stopped before the end. Rejects when the disk cannot be read at all. */
  async run(): Promise<Bitfield | null> {
    const have = new Bitfield(this.#deps.info.pieceCount);
    const worker = async (): Promise<void> => {
      for (let window = this.#nextWindow(); window && !this.#stopped; window = this.#nextWindow()) {
        await this.#checkWindow(have, window.first, window.count);
      }
    };
    await Promise.all(Array.from({ length: WINDOWS }, worker));
    return this.#stopped ? null : have;
  }

  /** The next run of pieces in scope; null: there are no more. */
  #nextWindow(): { readonly first: number; readonly count: number } | null {
    const { pieceCount } = this.#deps.info;
    const isInScope = (piece: number): boolean => this.#scope === null || this.#scope.has(piece);
    while (this.#next < pieceCount && !isInScope(this.#next)) this.#next++;
    const first = this.#next;
    while (this.#next < pieceCount && this.#next - first < this.#perWindow && isInScope(this.#next)) this.#next++;
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
