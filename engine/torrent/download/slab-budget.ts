// The slab as all downloading torrents share it: each may open pieces up to its fair share, and those that found no
// room are told, in turn, when there is some.
import type { Slab, SlabRegion } from '../../hashing/types.js';

export interface SlabUser {
  /** Bytes of the slab it holds. */
  readonly slabBytes: number;
  /** There may be room again. */
  onSlabRoom(): void;
}

export class SlabBudget {
  readonly #users = new Set<SlabUser>();
  readonly #waiting = new Set<SlabUser>();
  #wakePending = false;

  constructor(private readonly slab: Slab) {}

  get usedBytes(): number {
    return this.slab.usedBytes;
  }

  get largestPieceBytes(): number {
    return this.slab.largestPieceBytes;
  }

  join(user: SlabUser): void {
    this.#users.add(user);
  }

  leave(user: SlabUser): void {
    this.#users.delete(user);
    this.#waiting.delete(user);
    // The others' shares are larger now.
    this.#scheduleWake();
  }

  /** null: no room, or more than its share while others download too; `onSlabRoom` follows. */
  allocate(user: SlabUser, length: number): SlabRegion | null {
    const share = this.slab.totalBytes / Math.max(1, this.#users.size);
    const overShare = user.slabBytes > 0 && user.slabBytes + length > share;
    const region = overShare ? null : this.slab.allocate(length);
    if (!region) this.#waiting.add(user);
    return region;
  }

  release(region: SlabRegion): void {
    this.slab.release(region);
    this.#scheduleWake();
  }

  #scheduleWake(): void {
    if (this.#waiting.size === 0 || this.#wakePending) return;
    this.#wakePending = true;
    queueMicrotask(() => this.#wake());
  }

  #wake(): void {
    this.#wakePending = false;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    // One that is told may make others leave.
    for (const user of waiting) if (this.#users.has(user)) user.onSlabRoom();
  }
}
