// When work of all torrents begins: one heap by due time with one timer, and for what is due one heap per host by
// priority. Owns the limits: starts per window, work under way in total and per host. Knows nothing of trackers.
//
// Invariant: an item waits, is ready, or is in neither; every unit of work begun is given back once by `finished`.
import type { Clock } from '../ports.js';
import { WakeTimer } from '../wake-timer.js';
import { BinaryHeap, type HeapItem } from '../binary-heap.js';

/** Written by the queue only; the owner reads. */
export interface DueItem extends HeapItem {
  /** Monotonic milliseconds. */
  dueMs: number;
  /** 0 goes first among what is due. */
  priority: number;
  /** What the limit per host counts. */
  readonly host: string;
}

export interface DueLimits {
  /** Starts in any window; Infinity for none. */
  readonly startsPerWindow: number;
  readonly windowMs: number;
  readonly maxConcurrent: number;
  readonly maxPerHost: number;
}

interface Host<Item extends DueItem> {
  readonly ready: BinaryHeap<Item>;
  active: number;
}

interface DueQueueDeps<Item> {
  readonly clock: Clock;
  /** The item's time has come. False when nothing was begun; then the item is out of the queue, or scheduled anew. */
  readonly begin: (item: Item) => boolean;
}

export class DueQueue<Item extends DueItem> {
  readonly #waiting = new BinaryHeap<Item>((a, b) => a.dueMs < b.dueMs);
  readonly #hosts = new Map<string, Host<Item>>();
  #limits: DueLimits;
  #active = 0;
  #windowStartMs = -Infinity;
  #startsInWindow = 0;
  /** Also for what is due now: everything scheduled in one turn is seen together, so that priorities mean something. */
  readonly #timer: WakeTimer;
  #closed = false;

  constructor(
    private readonly deps: DueQueueDeps<Item>,
    limits: DueLimits,
  ) {
    this.#limits = limits;
    this.#timer = new WakeTimer(deps.clock, () => this.#pump());
  }

  /** Work begun and not yet finished. */
  get active(): number {
    return this.#active;
  }

  /** Puts the item in, or moves it. */
  schedule(item: Item, dueMs: number, priority: number): void {
    if (this.#closed) return;
    this.cancel(item);
    item.dueMs = dueMs;
    item.priority = priority;
    this.#waiting.push(item);
    this.#timer.wakeAt(dueMs);
  }

  has(item: Item): boolean {
    return this.#waiting.has(item) || this.#hosts.get(item.host)?.ready.has(item) === true;
  }

  cancel(item: Item): void {
    if (this.#waiting.has(item)) return this.#waiting.remove(item);
    const host = this.#hosts.get(item.host);
    if (!host?.ready.has(item)) return;
    host.ready.remove(item);
    this.#forgetIdle(item.host, host);
  }

  /** Work begun for an item of this host has ended. */
  finished(hostName: string): void {
    const host = this.#hosts.get(hostName);
    if (!host || host.active === 0) throw new Error(`bug: nothing under way at ${hostName}`);
    host.active--;
    this.#active--;
    this.#forgetIdle(hostName, host);
    if (this.#nextHost()) this.#timer.wakeAt(this.deps.clock.nowMs());
  }

  setLimits(limits: DueLimits): void {
    this.#limits = limits;
    if (this.#nextHost()) this.#timer.wakeAt(this.deps.clock.nowMs());
  }

  /** Begins nothing from now on and lets go of the timer; work under way may still finish. */
  close(): void {
    this.#closed = true;
    this.#timer.close();
  }

  #pump(): void {
    const nowMs = this.deps.clock.nowMs();
    for (let item = this.#waiting.peek(); item && item.dueMs <= nowMs; item = this.#waiting.peek()) {
      this.#waiting.remove(item);
      this.#host(item.host).ready.push(item);
    }
    if (nowMs - this.#windowStartMs >= this.#limits.windowMs) {
      this.#windowStartMs = nowMs;
      this.#startsInWindow = 0;
    }
    while (this.#startsInWindow < this.#limits.startsPerWindow) {
      const host = this.#nextHost();
      const item = host?.ready.pop();
      if (!host || !item) break;
      // Counted first, because `begin` may come back here by scheduling something.
      host.active++;
      this.#active++;
      if (this.deps.begin(item)) {
        this.#startsInWindow++;
      } else {
        host.active--;
        this.#active--;
        this.#forgetIdle(item.host, host);
      }
    }
    if (this.#nextHost()) this.#timer.wakeAt(this.#windowStartMs + this.#limits.windowMs);
    const waiting = this.#waiting.peek();
    if (waiting) this.#timer.wakeAt(waiting.dueMs);
  }

  /** Of the hosts with work ready and room for it, the one whose first item goes before all others. */
  #nextHost(): Host<Item> | null {
    if (this.#closed || this.#active >= this.#limits.maxConcurrent) return null;
    let best: Host<Item> | null = null;
    let bestItem: Item | undefined;
    for (const host of this.#hosts.values()) {
      if (host.active >= this.#limits.maxPerHost) continue;
      const item = host.ready.peek();
      if (!item || (bestItem && !goesBefore(item, bestItem))) continue;
      best = host;
      bestItem = item;
    }
    return best;
  }

  #host(name: string): Host<Item> {
    let host = this.#hosts.get(name);
    if (!host) {
      host = { ready: new BinaryHeap<Item>(goesBefore), active: 0 };
      this.#hosts.set(name, host);
    }
    return host;
  }

  #forgetIdle(name: string, host: Host<Item>): void {
    if (host.active === 0 && host.ready.size === 0) this.#hosts.delete(name);
  }
}

function goesBefore(a: DueItem, b: DueItem): boolean {
  return a.priority !== b.priority ? a.priority < b.priority : a.dueMs < b.dueMs;
}
