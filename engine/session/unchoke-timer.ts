// Deals out upload slots over all torrents: every ten seconds, and soon after a peer became interested or left a
// slot. Each account has its part of them (slot-shares.ts); which peers get them is decided by the choker.
import {
  DEFAULT_CHOKER_OPTIONS,
  DEFAULT_UNCHOKE_SLOTS_OPTIONS,
  evaluateChokes,
  SEED_TURN_MS,
  ServiceHistory,
  SlotRoom,
  unchokeSlots,
} from '../choker/index.js';
import type { ChokeCandidate, ChokerOptions, UnchokeSlotsOptions } from '../choker/types.js';
import type { PeerKey } from '../picker/types.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import { SECOND_MS, type Clock, type Random, type Timer } from '../environment.js';
import type { ChokingTorrent } from '../torrent/session-interface.js';
import { slotShares } from './slot-shares.js';

/** Transmission, and BEP 3's advice against fibrillation. */
const ROUND_MS = 10 * SECOND_MS;
/** Several peers often become interested at once. */
const SOON_MS = 50;

export class UnchokeTimer {
  readonly #history = new ServiceHistory();
  readonly #slotsOptions: UnchokeSlotsOptions;
  #slots: number;
  #regular: Timer | null = null;
  #soon: Timer | null = null;

  /** `slots`: how few and how many there may be. */
  constructor(
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly awake: () => Iterable<ChokingTorrent>,
    slots?: { readonly min: number; readonly max: number },
  ) {
    const { minSlots, maxSlots } = DEFAULT_UNCHOKE_SLOTS_OPTIONS;
    this.#slotsOptions = {
      ...DEFAULT_UNCHOKE_SLOTS_OPTIONS,
      minSlots: slots?.min ?? minSlots,
      maxSlots: slots?.max ?? maxSlots,
    };
    this.#slots = this.#slotsOptions.minSlots;
  }

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

  #round(isRegular: boolean): void {
    const candidates: ChokeCandidate[] = [];
    const torrents = new Map<PeerKey, ChokingTorrent>();
    let uploadRate = 0;
    for (const torrent of this.awake()) {
      const from = candidates.length;
      torrent.chokeCandidates(candidates);
      for (const candidate of candidates.slice(from)) {
        torrents.set(candidate.id, torrent);
        uploadRate += candidate.uploadRate;
      }
    }
    const nowMs = this.clock.nowMs();
    if (isRegular) this.#resize(candidates, uploadRate, nowMs);
    const options = this.#options(isRegular);
    const byAccount = new Map<AccountId, ChokeCandidate[]>();
    for (const candidate of this.#history.recall(candidates, nowMs)) {
      const account = torrents.get(candidate.id)!.ownerId;
      const group = byAccount.get(account);
      if (group) group.push(candidate);
      else byAccount.set(account, [candidate]);
    }
    const groups = [...byAccount.values()];
    const shares = slotShares(this.#slots, groups.map(slotsWanted));
    for (const [place, group] of groups.entries()) {
      const decisions = evaluateChokes(group, nowMs, this.random, { ...options, slots: shares[place]! });
      for (const decision of decisions) {
        if (decision.reason === 'kept') continue;
        if (decision.choke) this.#history.onChoked(decision.id, nowMs);
        torrents.get(decision.id)?.setChoked(decision.id, decision.choke, decision.reason === 'optimistic');
      }
    }
  }

  /** Slots do not go while those who hold them have only just been unchoked. */
  #resize(candidates: readonly ChokeCandidate[], uploadRate: number, nowMs: number): void {
    const { minUnchokedMs } = DEFAULT_CHOKER_OPTIONS;
    const isRecent = ({ choked, unchokedAtMs }: ChokeCandidate): boolean =>
      !choked && unchokedAtMs !== null && nowMs - unchokedAtMs < minUnchokedMs;
    const wanted = unchokeSlots(uploadRate, this.#slots, this.#slotsOptions);
    this.#slots = Math.max(wanted, Math.min(this.#slots, candidates.filter(isRecent).length));
  }

  /** Turns that began between two regular rounds end with the regular round that is nearest to their time. */
  #options(isRegular: boolean): ChokerOptions {
    const graceMs = isRegular ? ROUND_MS / 2 : 0;
    return {
      ...DEFAULT_CHOKER_OPTIONS,
      optimisticIntervalMs: DEFAULT_CHOKER_OPTIONS.optimisticIntervalMs - graceMs,
      seedTurnMs: SEED_TURN_MS - graceMs,
    };
  }
}

/** Slots that the peers of an account could use: those that they have count until they are choked. */
function slotsWanted(candidates: readonly ChokeCandidate[]): number {
  const room = new SlotRoom(Infinity);
  let count = 0;
  for (const candidate of candidates) {
    if ((!candidate.interested && candidate.choked) || !room.has(candidate)) continue;
    room.take(candidate);
    count++;
  }
  return count;
}
