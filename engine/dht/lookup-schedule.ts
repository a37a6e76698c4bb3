// When each torrent is looked up: every 15 minutes in turn, new and hurried ones sooner, never too many at once. One
// list with one timer for all torrents. Knows nothing of nodes; `begin` does the work.
//
// Invariant: a torrent has at most one lookup under way, and at most one begins for it within a minute.
import type { InfoHash } from '../../shared-protocol/ids.js';
import type { Clock, Random } from '../environment.js';
import { WakeTimer } from '../util/wake-timer.js';
import {
  LOOKUP_BURST,
  LOOKUP_INTERVAL_MS,
  LOOKUP_JITTER,
  LOOKUP_MAX_CONCURRENT,
  LOOKUP_MIN_GAP_MS,
  LOOKUPS_PER_INTERVAL,
} from './constants.js';
import { TokenBucket } from '../util/token-bucket.js';

/** Lowest goes first among what is due. */
const RANK = { hurried: 0, new: 1, routine: 2 } as const;

/** Every so many-th lookup is of the torrent that has waited longest, so that hurried ones do not take all. */
const FAIR_SHARE = 4;

interface Entry {
  readonly infoHash: InfoHash;
  dueMs: number;
  startedMs: number;
  urgency: keyof typeof RANK;
  underWay: boolean;
}

interface LookupScheduleDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** False while there is no node to ask; `wake` is called when there is. */
  readonly isReady: () => boolean;
  /** Resolves when the lookup has ended, with whether any node answered; never rejects. */
  readonly begin: (infoHash: InfoHash) => Promise<'answered' | 'unanswered'>;
}

export class LookupSchedule {
  readonly #entries = new Map<InfoHash, Entry>();
  readonly #rate: TokenBucket;
  #active = 0;
  #begun = 0;
  readonly #timer: WakeTimer;

  constructor(private readonly deps: LookupScheduleDeps) {
    this.#timer = new WakeTimer(deps.clock, () => this.#pump());
    this.#rate = new TokenBucket(deps.clock, {
      perSecond: (LOOKUPS_PER_INTERVAL / LOOKUP_INTERVAL_MS) * 1_000,
      burst: LOOKUP_BURST,
    });
  }

  get size(): number {
    return this.#entries.size;
  }

  add(infoHash: InfoHash): void {
    if (this.#entries.has(infoHash)) return;
    const dueMs = this.deps.clock.nowMs();
    this.#entries.set(infoHash, { infoHash, dueMs, startedMs: -Infinity, urgency: 'new', underWay: false });
    this.wake();
  }

  remove(infoHash: InfoHash): void {
    this.#entries.delete(infoHash);
  }

  hurry(infoHash: InfoHash): void {
    const entry = this.#entries.get(infoHash);
    if (!entry) return;
    entry.urgency = 'hurried';
    this.#bringForward(entry, 0);
  }

  /** Looks at once for something to begin. */
  wake(): void {
    this.#timer.wakeAt(this.deps.clock.nowMs());
  }

  /** Begins nothing from now on. */
  close(): void {
    this.#timer.close();
  }

  #pump(): void {
    while (this.#active < LOOKUP_MAX_CONCURRENT && this.deps.isReady()) {
      const { due, laterMs } = this.#next();
      if (!due) return this.#timer.wakeAt(laterMs);
      if (!this.#rate.take(1)) return this.#timer.wakeAt(this.deps.clock.nowMs() + Math.ceil(this.#rate.waitMs(1)));
      this.#begin(due);
    }
  }

  #begin(entry: Entry): void {
    const nowMs = this.deps.clock.nowMs();
    const jitterMs = LOOKUP_INTERVAL_MS * LOOKUP_JITTER;
    entry.startedMs = nowMs;
    entry.dueMs = nowMs + LOOKUP_INTERVAL_MS - jitterMs + this.deps.random.below(2 * jitterMs + 1);
    entry.urgency = 'routine';
    entry.underWay = true;
    this.#active++;
    this.#begun++;
    void this.deps.begin(entry.infoHash).then((outcome) => {
      this.#active--;
      entry.underWay = false;
      if (outcome === 'unanswered') this.#bringForward(entry, LOOKUP_MIN_GAP_MS);
      this.wake();
    });
  }

  #bringForward(entry: Entry, delayMs: number): void {
    const earliestMs = Math.max(this.deps.clock.nowMs() + delayMs, entry.startedMs + LOOKUP_MIN_GAP_MS);
    entry.dueMs = Math.min(entry.dueMs, earliestMs);
    this.#timer.wakeAt(entry.dueMs);
  }

  /** The lookup to begin now, or when the next falls due. A pass over all torrents, for each lookup begun. */
  #next(): { due: Entry | null; laterMs: number } {
    const nowMs = this.deps.clock.nowMs();
    const isFairTurn = this.#begun % FAIR_SHARE === FAIR_SHARE - 1;
    let due: Entry | null = null;
    let laterMs = Infinity;
    for (const entry of this.#entries.values()) {
      if (entry.underWay) continue;
      if (entry.dueMs > nowMs) laterMs = Math.min(laterMs, entry.dueMs);
      else if (!due || goesBefore(entry, due, isFairTurn)) due = entry;
    }
    return { due, laterMs };
  }
}

function goesBefore(a: Entry, b: Entry, isFairTurn: boolean): boolean {
  const ranks = isFairTurn ? 0 : RANK[a.urgency] - RANK[b.urgency];
  return ranks !== 0 ? ranks < 0 : a.dueMs < b.dueMs;
}
