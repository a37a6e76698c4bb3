// Verifies what is on disk. Can be stopped, or let others go first and go on where it was; the result is a bitfield of what
// is really there.
import type { TorrentStorage } from '../../disk/types.js';
import type { TorrentInfo } from '../../metainfo/types.js';
import { Bitfield } from '../pieces/bitfield.js';
import { matches } from '../download/piece-verifier.js';
import type { HashingTurn } from '../session-interface.js';
import { PieceWindows, type PieceWindowsMeans } from './piece-windows.js';

/** Parts that all checks share. */
export type PieceCheckDeps = PieceWindowsMeans;

export interface CheckDeps extends PieceCheckDeps {
  readonly info: TorrentInfo;
  readonly storage: Pick<TorrentStorage, 'pinSpans'>;
}

export class PieceCheck {
  readonly #windows: PieceWindows;
  readonly #have: Bitfield;

  /** `scope`: the pieces to look at. @default all. `onProgress` is told what part of them has been hashed. */
  constructor(
    { info, storage, hasher, clock, checkThrottle }: CheckDeps,
    scope: Bitfield | null = null,
    onProgress: (fraction: number) => void = () => undefined,
  ) {
    const have = new Bitfield(info.pieceCount);
    const total = scope?.count ?? info.pieceCount;
    let hashed = 0;
    const onDigest = (piece: number, digest: Uint8Array | null): void => {
      if (matches(info, piece, digest)) have.set(piece);
      onProgress(++hashed / total);
    };
    this.#have = have;
    this.#windows = new PieceWindows({ info, storage, hasher, clock, checkThrottle, onDigest }, scope);
  }

  stop(): void {
    this.#windows.stop();
  }

  /** The pieces in scope that are right; null when stopped before the end. Rejects when the disk cannot be read at all. */
  async run(turn: HashingTurn): Promise<Bitfield | null> {
    return (await this.#windows.run(turn)) ? this.#have : null;
  }
}
