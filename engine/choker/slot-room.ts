// Which slots are still to be given: of all candidates together, and of a torrent that has a bound of its own.
import type { ChokeCandidate, SlotGroup } from './types.js';

export class SlotRoom {
  readonly #taken = new Map<SlotGroup, number>();

  constructor(private slots: number) {}

  /** Slots that are left for all. */
  get left(): number {
    return this.slots;
  }

  has(candidate: ChokeCandidate): boolean {
    return this.slots > 0 && this.isOpenTo(candidate);
  }

  /** Whether its torrent may have one more, if there is one. */
  isOpenTo({ group }: ChokeCandidate): boolean {
    return group === undefined || (this.#taken.get(group) ?? 0) < group.slots;
  }

  take({ group }: ChokeCandidate): void {
    this.slots--;
    if (group !== undefined) this.#taken.set(group, (this.#taken.get(group) ?? 0) + 1);
  }
}
