// Who sent blocks of pieces that failed their hash. Whoever sent all of a piece is guilty; among several it takes a
// few pieces to tell.
import type { PeerKey } from '../picker/types.js';

/** Transmission's strikes. */
const MAX_STRIKES = 5;

export class Suspects {
  readonly #strikes = new Map<PeerKey, number>();

  /** The peers to drop for good after a piece with these sources failed. */
  onPieceFailed(sources: readonly PeerKey[]): PeerKey[] {
    return sources.filter((key) => {
      const strikes = (this.#strikes.get(key) ?? 0) + 1;
      this.#strikes.set(key, strikes);
      return sources.length === 1 || strikes >= MAX_STRIKES;
    });
  }

  forget(key: PeerKey): void {
    this.#strikes.delete(key);
  }
}
