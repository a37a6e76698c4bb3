// Leases of a front that shares its engines with no other: they are in memory, as long as its process, and so are those who hold them.
import type { Clock } from '../shared-protocol/clock.js';
import type { Lease, Leases } from './types.js';

export function createMemoryLeases(clock: Pick<Clock, 'nowMs'>): Leases {
  return new MemoryLeases(clock);
}

type Held = Lease & { readonly holder: string };

class MemoryLeases implements Leases {
  readonly #held = new Map<string, Held>();
  readonly #listeners: (() => void)[] = [];

  constructor(private readonly clock: Pick<Clock, 'nowMs'>) {}

  async claim(name: string, holder: string, ttlMs: number): Promise<Lease | null> {
    const last = this.#held.get(name);
    const isHeld = last !== undefined && last.untilMs > this.clock.nowMs();
    if (isHeld && last.holder !== holder) return null;
    return this.#hold(name, holder, isHeld ? last.epoch : (last?.epoch ?? 0) + 1, ttlMs);
  }

  async renew(name: string, holder: string, epoch: number, ttlMs: number): Promise<Lease | null> {
    return this.#isHeld(name, holder, epoch) ? this.#hold(name, holder, epoch, ttlMs) : null;
  }

  async release(name: string, holder: string, epoch: number): Promise<void> {
    if (!this.#isHeld(name, holder, epoch)) return;
    this.#held.set(name, { holder, epoch, untilMs: -Infinity });
    for (const listener of this.#listeners) queueMicrotask(listener);
  }

  onReleased(listener: () => void): void {
    this.#listeners.push(listener);
  }

  #isHeld(name: string, holder: string, epoch: number): boolean {
    const last = this.#held.get(name);
    return last?.holder === holder && last.epoch === epoch && last.untilMs > this.clock.nowMs();
  }

  #hold(name: string, holder: string, epoch: number, ttlMs: number): Lease {
    const untilMs = this.clock.nowMs() + ttlMs;
    this.#held.set(name, { holder, epoch, untilMs });
    return { epoch, untilMs };
  }
}
