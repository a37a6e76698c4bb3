// What the choker remembers of peers beyond what a connection knows of itself: since when each has been choked, and how
// fast it took what it was served. Forgets who is not a candidate any more.
import { RATE_SETTLED_MS } from './constants.js';
import type { ChokeCandidate } from './types.js';

interface Service {
  chokedAtMs: number | null;
  provenRate: number | null;
}

export class ServiceHistory {
  #services = new Map<number, Service>();

  /** All candidates of one evaluation, with what is known of their past. O(candidates). */
  recall(candidates: readonly ChokeCandidate[], nowMs: number): ChokeCandidate[] {
    const known = new Map<number, Service>();
    const recalled = candidates.map((candidate) => {
      const service = this.#services.get(candidate.id) ?? { chokedAtMs: null, provenRate: null };
      known.set(candidate.id, service);
      if (hasSettled(candidate, nowMs)) learnRate(service, candidate.uploadRate);
      return { ...candidate, ...service };
    });
    this.#services = known;
    return recalled;
  }

  onChoked(id: number, nowMs: number): void {
    const service = this.#services.get(id);
    if (service) service.chokedAtMs = nowMs;
  }
}

function hasSettled({ seeding, choked, interested, unchokedAtMs }: ChokeCandidate, nowMs: number): boolean {
  return seeding && interested && !choked && nowMs - (unchokedAtMs ?? nowMs) >= RATE_SETTLED_MS;
}

/** The mean of the new and the old: one poor interval does not make a peer slow. */
function learnRate(service: Service, rate: number): void {
  service.provenRate = service.provenRate === null ? rate : (service.provenRate + rate) / 2;
}
