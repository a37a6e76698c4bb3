// When work of all torrents begins: one heap by due time with one timer, and for what is due one heap by priority for
// each account at each host. Owns the limits: starts per window, work under way in total, per host and per account, so
// that what one account's dead trackers take leaves places for others. Knows nothing of trackers.
//
// Invariant: an item waits, is ready, or is in neither; every unit of work begun is given back once by `finished`.
import type { AccountId } from '../../shared-protocol/ids.js';
import type { Clock } from '../environment.js';
import { WakeTimer } from '../util/wake-timer.js';
import { BinaryHeap, type HeapItem } from '../util/binary-heap.js';

/** Share of all work under way: an account that has more lets others go first. */
const FAIR_SHARE = 0.25;

/** Written by the queue only; the owner reads. */
export interface DueItem extends HeapItem {
  /** Monotonic milliseconds. */
  dueMs: number;
  /** 0 goes first among what is due. */
  priority: number;
  /** The host by which the limit per host counts. */
  readonly host: string;
  /** The account by which the limit per account counts. */
  readonly account: AccountId;
}

export interface DueLimits {
  /** Starts in any window; Infinity for none. */
  readonly startsPerWindow: number;
  readonly windowMs: number;
  readonly maxConcurrent: number;
  readonly maxPerHost: number;
  readonly maxPerAccount: number;
}

/** The ready work of one account at one host. */
interface Lane<Item extends DueItem> {
  readonly key: string;
  readonly host: string;
  readonly account: AccountId;
  readonly ready: BinaryHeap<Item>;
}

interface DueQueueDeps<Item> {
  readonly clock: Clock;
  /** The item's time has come. False when nothing was begun; then the item is out of the queue, or scheduled anew. */
  readonly begin: (item: Item) => boolean;
}

export class DueQueue<Item extends DueItem> {
  readonly #waiting = new BinaryHeap<Item>((a, b) => a.dueMs < b.dueMs);
  readonly #lanes = new Map<string, Lane<Item>>();
  /** Work under way; none is left out. */
  readonly #activeAtHost = new Map<string, number>();
  readonly #activeOfAccount = new Map<AccountId, number>();
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
    return this.#waiting.has(item) || this.#lanes.get(laneOf(item))?.ready.has(item) === true;
  }

  cancel(item: Item): void {
    if (this.#waiting.remove(item)) return;
    const lane = this.#lanes.get(laneOf(item));
    if (lane?.ready.remove(item)) this.#forgetIdle(lane);
  }

  /** Work begun for an item of this host and account has ended. */
  finished({ host, account }: Pick<DueItem, 'host' | 'account'>): void {
    if (!this.#activeAtHost.has(host) || !this.#activeOfAccount.has(account)) {
      throw new Error(`bug: nothing of account ${account} under way at ${host}`);
    }
    this.#count(host, account, -1);
    if (this.#nextLane()) this.#timer.wakeAt(this.deps.clock.nowMs());
  }

  setLimits(limits: DueLimits): void {
    this.#limits = limits;
    if (this.#nextLane()) this.#timer.wakeAt(this.deps.clock.nowMs());
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
      this.#lane(item).ready.push(item);
    }
    if (nowMs - this.#windowStartMs >= this.#limits.windowMs) {
      this.#windowStartMs = nowMs;
      this.#startsInWindow = 0;
    }
    while (this.#startsInWindow < this.#limits.startsPerWindow) {
      const lane = this.#nextLane();
      const item = lane?.ready.pop();
      if (!lane || !item) break;
      this.#forgetIdle(lane);
      // Counted first, because `begin` may come back here by scheduling something.
      this.#count(lane.host, lane.account, 1);
      if (this.deps.begin(item)) this.#startsInWindow++;
      else this.#count(lane.host, lane.account, -1);
    }
    if (this.#nextLane()) this.#timer.wakeAt(this.#windowStartMs + this.#limits.windowMs);
    const waiting = this.#waiting.peek();
    if (waiting) this.#timer.wakeAt(waiting.dueMs);
  }

  /**
   * The lane that is next: of those with work ready and room for it, the one whose first item goes before all others;
   * accounts that have more than their share under way come after those that have less.
   */
  #nextLane(): Lane<Item> | null {
    const { maxConcurrent, maxPerHost, maxPerAccount } = this.#limits;
    if (this.#closed || this.#active >= maxConcurrent) return null;
    let best: Lane<Item> | null = null;
    let bestItem: Item | undefined;
    let bestIsGreedy = false;
    for (const lane of this.#lanes.values()) {
      const ofAccount = this.#activeOfAccount.get(lane.account) ?? 0;
      if (ofAccount >= maxPerAccount || (this.#activeAtHost.get(lane.host) ?? 0) >= maxPerHost) continue;
      const item = lane.ready.peek();
      if (!item) continue;
      const isGreedy = ofAccount >= maxConcurrent * FAIR_SHARE;
      if (bestItem && (isGreedy === bestIsGreedy ? !goesBefore(item, bestItem) : isGreedy)) continue;
      best = lane;
      bestItem = item;
      bestIsGreedy = isGreedy;
    }
    return best;
  }

  #lane(item: Item): Lane<Item> {
    const key = laneOf(item);
    let lane = this.#lanes.get(key);
    if (!lane) {
      const { host, account } = item;
      lane = { key, host, account, ready: new BinaryHeap<Item>(goesBefore) };
      this.#lanes.set(key, lane);
    }
    return lane;
  }

  #forgetIdle(lane: Lane<Item>): void {
    if (lane.ready.size === 0) this.#lanes.delete(lane.key);
  }

  #count(host: string, account: AccountId, by: 1 | -1): void {
    this.#active += by;
    add(this.#activeAtHost, host, by);
    add(this.#activeOfAccount, account, by);
  }
}

function laneOf({ host, account }: DueItem): string {
  return `${account} ${host}`;
}

function add<Key>(counts: Map<Key, number>, key: Key, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

function goesBefore(a: DueItem, b: DueItem): boolean {
  return a.priority !== b.priority ? a.priority < b.priority : a.dueMs < b.dueMs;
}
