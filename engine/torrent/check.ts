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
  #stopped = false;

  constructor(private readonly deps: CheckDeps) {}

  stop(): void {
    this.#stopped = true;
  }

  /** null when stopped before the end. Rejects when the disk cannot be read at all. */
  async run(): Promise<Bitfield | null> {
    const { info } = this.deps;
    const have = new Bitfield(info.pieceCount);
    const perWindow = Math.max(1, Math.min(MAX_WINDOW_PIECES, Math.floor(WINDOW_BYTES / info.pieceLength)));
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < info.pieceCount && !this.#stopped) {
        const first = next;
        const count = Math.min(perWindow, info.pieceCount - first);
        next += count;
        await this.#checkWindow(have, first, count);
      }
    };
    await Promise.all(Array.from({ length: WINDOWS }, worker));
    return this.#stopped ? null : have;
  }

  async #checkWindow(have: Bitfield, first: number, count: number): Promise<void> {
    const spans = await this.deps.storage.pinSpans(first, count);
    try {
      const digests = await this.deps.hasher.hashPieces(spans.pieces);
      digests.forEach((digest, i) => {
        if (matches(this.deps.info, first + i, digest)) have.set(first + i);
      });
    } finally {
      spans.release();
    }
  }
}
