// Deals out upload slots over all torrents: every ten seconds, and soon after a peer became interested or left a
// slot. Which peers get them is decided by the choker.
import {
  DEFAULT_CHOKER_OPTIONS,
  DEFAULT_UNCHOKE_SLOTS_OPTIONS,
  evaluateChokes,
  unchokeSlots,
} from '../choker/index.js';
import type { ChokeCandidate } from '../choker/types.js';
import type { PeerKey } from '../picker/types.js';
import { SECOND_MS, type Clock, type Random, type Timer } from '../ports.js';
import type { Torrent } from '../torrent/torrent.js';

/** Transmission, and BEP 3's advice against fibrillation. */
const ROUND_MS = 10 * SECOND_MS;
/** Several peers often become interested at once. */
const SOON_MS = 50;

export class ChokeClock {
  #slots = DEFAULT_CHOKER_OPTIONS.slots;
  #regular: Timer | null = null;
  #soon: Timer | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly awake: () => Iterable<Torrent>,
  ) {}

  start(): void {
    this.#regular = this.clock.after(ROUND_MS, () => {
      this.#round(true);
      this.start();
    });
  }

  stop(): void {
    this.#regular?.cancel();
    this.#soon?.cancel();
  }

  /** A round of its own before the next regular one. */
  soon(): void {
    this.#soon ??= this.clock.after(SOON_MS, () => {
      this.#soon = null;
      this.#round(false);
    });
  }

  #round(resize: boolean): void {
    const candidates: ChokeCandidate[] = [];
    const owners = new Map<PeerKey, Torrent>();
    let uploadRate = 0;
    for (const torrent of this.awake()) {
      const from = candidates.length;
      torrent.chokeCandidates(candidates);
      for (const candidate of candidates.slice(from)) {
        owners.set(candidate.id, torrent);
        uploadRate += candidate.uploadRate;
      }
    }
    if (resize) this.#slots = unchokeSlots(uploadRate, this.#slots, DEFAULT_UNCHOKE_SLOTS_OPTIONS);
    const options = { ...DEFAULT_CHOKER_OPTIONS, slots: this.#slots };
    for (const decision of evaluateChokes(candidates, this.clock.nowMs(), this.random, options)) {
      if (decision.reason === 'kept') continue;
      owners.get(decision.id)?.setChoked(decision.id, decision.choke, decision.reason === 'optimistic');
    }
  }
}
