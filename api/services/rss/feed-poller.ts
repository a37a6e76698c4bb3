// Polls the enabled feeds, each at its own pace (poll-schedule.ts says which), with one timer for all of them and a few
// polls at a time (poll-turns.ts says whose). Owns: an enabled feed has one entry here, and at most one poll of it is under way. A caller that
// changes a feed or its filters tells it here and waits: then no poll by what was before is under way any more.
import type { FeedStateDto } from '../../../shared-protocol/dto/rss.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import type { Timer } from '../../clocks.js';
import { notFound } from '../../errors.js';
import { AppError, messageOf } from '../../../shared-protocol/errors.js';
import type { Reason } from '../../../shared-protocol/reasons.js';
import type { BackgroundService } from '../background-service.js';
import { pollFeed, type FeedPollDeps, type PollOutcome } from './feed-poll.js';
import type { FeedsData, StoredFeed, StoredFilter } from './feed-records.js';
import { enabledFilters } from './item-filter.js';
import {
  FILTERS_CHANGED_MS,
  firstPollMs,
  isOverdue,
  MIN_SPACING_MS,
  NEW_FEED_MS,
  pauseMs,
  unfinishedMs,
} from './poll-schedule.js';
import { PollTurns } from './poll-turns.js';

/** One that fails is a server that was restarted; told is the second in a row. */
const FAILURES_TOLD = 2;
/** The longest interval is longer than a timer can be set for. */
const MAX_TIMER_MS = 3_600_000;

export interface FeedPollerDeps extends FeedPollDeps {
  /** Polls of the feed fail, one after the other. */
  readonly onFailing: (feed: StoredFeed, reason: string) => void;
  /** In [0, 1). */
  readonly random: () => number;
}

interface Entry {
  readonly feedId: number;
  readonly url: string;
  ownerId: AccountId;
  intervalMin: number;
  /** Monotonic milliseconds, as all times here. */
  dueMs: number;
  startedMs: number;
  /** In a row; so are those that were left unfinished. */
  failures: number;
  unfinished: number;
  lastError: string;
  lastReason: Reason | null;
}

interface Running {
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

export class FeedPoller implements BackgroundService {
  readonly #entries = new Map<number, Entry>();
  /** By feed; also those that are being ended, whose entry is gone. */
  readonly #running = new Map<number, Running>();
  readonly #turns = new PollTurns();
  #state: 'new' | 'started' | 'stopped' = 'new';
  #timer: Timer | null = null;

  /** Filters as they were looked at last, by feed, as text. */
  #filters = new Map<number, string>();

  constructor(private readonly deps: FeedPollerDeps) {
    deps.collection.onChanged(() => void this.#follow());
  }

  start(): void {
    const { clock, collection, memory, random, log } = this.deps;
    this.#state = 'started';
    this.#filters = filtersByFeed(collection.data);
    const { feeds } = collection.data;
    const enabled = feeds.filter((feed) => feed.enabled).map((feed) => ({ feed, ...this.#lastPoll(feed) }));
    const overdue = enabled.filter((each) => isOverdue(each, clock.unixMs())).length;
    for (const each of enabled) this.#enter(each.feed, firstPollMs(each, clock.unixMs(), overdue, random()));
    this.#wake();
    // Of feeds that were deleted when the process died.
    const known = new Set(feeds.map(({ id }) => id));
    for (const id of memory.feedIds()) {
      if (!known.has(id))
        memory.forget(id).catch((error: unknown) => log.warn('feed not forgotten', { reason: messageOf(error) }));
    }
  }

  /** Resolves when no poll is under way; none begins after it. */
  async stop(): Promise<void> {
    this.#state = 'stopped';
    this.#timer?.cancel();
    this.#timer = null;
    for (const { abort } of this.#running.values()) abort.abort();
    await this.idle();
    this.#entries.clear();
  }

  /** Resolves when the polls that are under way have ended. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(Array.from(this.#running.values(), ({ done }) => done));
  }

  /**
   * A feed is new, changed or gone. Resolves when nothing is added any more by what it was before; what is remembered of
   * one that is gone is forgotten. Never rejects.
   */
  async feedChanged(feedId: number): Promise<void> {
    const isMoved = await this.#endIfOther(feedId);
    const feed = this.#find(feedId);
    if (!feed) return this.#forget(feedId);
    if (this.#state !== 'started' || !feed.enabled) return;
    const entry = this.#entries.get(feedId);
    if (!entry) this.#enter(feed, isMoved ? 0 : NEW_FEED_MS);
    else {
      entry.ownerId = feed.created_by;
      if (entry.intervalMin !== feed.interval_min) this.#changeInterval(entry, feed);
    }
    this.#wake();
  }

  /** Does as {@link feedChanged} after the feed's filters were changed. Never rejects. */
  async filtersChanged(feedId: number): Promise<void> {
    await this.#end(feedId);
    const entry = this.#entries.get(feedId);
    if (!entry) return;
    entry.ownerId = this.#find(feedId)?.created_by ?? entry.ownerId;
    // Not while its server wants to be left alone.
    if (entry.failures === 0) entry.dueMs = Math.min(entry.dueMs, this.#soonest(entry));
    this.#wake();
  }

  /** Another front has changed feeds or filters. Never rejects. */
  async #follow(): Promise<void> {
    if (this.#state !== 'started') return;
    const { data } = this.deps.collection;
    const before = this.#filters;
    this.#filters = filtersByFeed(data);
    const feeds = new Set([...this.#entries.keys(), ...data.feeds.map(({ id }) => id)]);
    for (const id of feeds) {
      await this.feedChanged(id);
      if (before.get(id) !== this.#filters.get(id)) await this.filtersChanged(id);
    }
  }

  /** Whether its last polls have failed; false for one that is not polled. */
  isFailing(feedId: number): boolean {
    return (this.#entries.get(feedId)?.failures ?? 0) > 0;
  }

  /** How polling it goes. @throws RequestError `NOT_FOUND` */
  state(feedId: number): FeedStateDto {
    if (!this.#find(feedId)) throw notFound('feed');
    const entry = this.#entries.get(feedId);
    const inMs = this.#running.has(feedId) ? 0 : Math.max(0, (entry?.dueMs ?? 0) - this.#now());
    return {
      last_error: entry?.lastError ?? '',
      last_reason: entry?.lastReason ?? null,
      next_poll: entry ? Math.floor((this.deps.clock.unixMs() + inMs) / 1_000) : 0,
      failures: entry?.failures ?? 0,
      added: this.deps.memory.added(feedId),
    };
  }

  /** Ends what there is of a feed that is gone, disabled or has another URL; whether it was the URL. */
  async #endIfOther(feedId: number): Promise<boolean> {
    const entry = this.#entries.get(feedId);
    const feed = this.#find(feedId);
    if (!entry || (feed?.enabled && feed.url === entry.url)) return false;
    this.#entries.delete(feedId);
    await this.#end(feedId);
    return feed?.enabled === true;
  }

  async #end(feedId: number): Promise<void> {
    const running = this.#running.get(feedId);
    running?.abort.abort();
    await running?.done;
  }

  async #forget(feedId: number): Promise<void> {
    try {
      await this.deps.memory.forget(feedId);
    } catch (error) {
      // The next start tries again.
      this.deps.log.warn('feed not forgotten', { feedId, reason: messageOf(error) });
    }
  }

  #enter(feed: StoredFeed, inMs: number): void {
    this.#entries.set(feed.id, {
      feedId: feed.id,
      url: feed.url,
      ownerId: feed.created_by,
      intervalMin: feed.interval_min,
      dueMs: this.#now() + inMs,
      startedMs: -Infinity,
      failures: 0,
      unfinished: 0,
      lastError: '',
      lastReason: null,
    });
  }

  #soonest({ startedMs }: Entry): number {
    return Math.max(this.#now() + FILTERS_CHANGED_MS, startedMs + MIN_SPACING_MS);
  }

  #changeInterval(entry: Entry, feed: StoredFeed): void {
    const { clock, random } = this.deps;
    entry.intervalMin = feed.interval_min;
    const { lastPolledMs } = this.#lastPoll(feed);
    // One that fails keeps its distance; the new interval holds after it.
    if (entry.failures > 0 || lastPolledMs === 0) return;
    const sinceMs = Math.max(0, clock.unixMs() - lastPolledMs);
    entry.dueMs = this.#now() + Math.max(NEW_FEED_MS, pauseMs(feed.interval_min, 0, random()) - sinceMs);
  }

  /** Begins the polls that are due, accounts in turn, and sets the timer for the next. */
  #wake(): void {
    this.#timer?.cancel();
    this.#timer = null;
    if (this.#state !== 'started') return;
    // The end of a poll calls this again.
    for (let next = this.#next(); next; next = this.#next()) {
      const inMs = next.dueMs - this.#now();
      if (inMs > 0) {
        this.#timer = this.deps.clock.after(Math.min(inMs, MAX_TIMER_MS), () => this.#wake());
        return;
      }
      this.#begin(next);
    }
  }

  #next(): Entry | undefined {
    const waiting = [...this.#entries.values()].filter(({ feedId }) => !this.#running.has(feedId));
    return this.#turns.next(waiting, this.#now());
  }

  #begin(entry: Entry): void {
    const abort = new AbortController();
    const { ownerId } = entry;
    this.#turns.begin(ownerId);
    entry.startedMs = this.#now();
    const done = this.#poll(entry, abort.signal).then((outcome) => {
      this.#running.delete(entry.feedId);
      this.#turns.end(ownerId);
      this.#settle(entry, outcome);
      this.#wake();
    });
    this.#running.set(entry.feedId, { abort, done });
  }

  async #poll(entry: Entry, signal: AbortSignal): Promise<PollOutcome> {
    const feed = this.#find(entry.feedId);
    if (!feed || !feed.enabled || feed.url !== entry.url) return { kind: 'abandoned' };
    try {
      return await pollFeed(this.deps, feed, signal);
    } catch (error) {
      const isExpected = error instanceof AppError && error.code === 'STORAGE_FAILED';
      if (!isExpected) this.deps.log.error('bug: a poll failed', { feedId: feed.id, reason: messageOf(error) });
      return isExpected
        ? { kind: 'failed', reason: 'storage failure', code: { code: 'STORAGE_FAILED' } }
        : { kind: 'failed', reason: 'internal error', code: null };
    }
  }

  #settle(entry: Entry, outcome: PollOutcome): void {
    const { log, random } = this.deps;
    if (outcome.kind === 'abandoned') {
      // Its filters have changed, which decides when it is polled next; or no poll comes next.
      entry.dueMs = this.#soonest(entry);
      return;
    }
    entry.lastError = outcome.kind === 'failed' ? outcome.reason : outcome.trouble;
    entry.lastReason = outcome.kind === 'failed' ? outcome.code : null;
    entry.failures = outcome.kind === 'failed' ? entry.failures + 1 : 0;
    entry.unfinished = outcome.kind === 'unfinished' ? entry.unfinished + 1 : 0;
    const inMs =
      outcome.kind === 'unfinished'
        ? unfinishedMs(entry.intervalMin, entry.unfinished)
        : pauseMs(entry.intervalMin, entry.failures, random());
    entry.dueMs = this.#now() + inMs;
    if (outcome.kind === 'failed') {
      const { feedId, failures } = entry;
      const feed = this.#find(feedId);
      if (feed && failures === FAILURES_TOLD) this.deps.onFailing(feed, outcome.reason);
      log.warn('feed not polled', {
        feedId,
        failures,
        reason: outcome.reason,
        nextInMinutes: Math.round(inMs / 60_000),
      });
    }
  }

  #lastPoll({ id, interval_min }: StoredFeed): { readonly intervalMin: number; readonly lastPolledMs: number } {
    return { intervalMin: interval_min, lastPolledMs: (this.deps.memory.poll(id)?.lastPolled ?? 0) * 1_000 };
  }

  #find(feedId: number): StoredFeed | undefined {
    return this.deps.collection.data.feeds.find(({ id }) => id === feedId);
  }

  #now(): number {
    return this.deps.clock.nowMs();
  }
}

function filtersByFeed({ feeds, filters }: FeedsData): Map<number, string> {
  const own = new Map<number, StoredFilter[]>(feeds.map(({ id }) => [id, []]));
  for (const filter of filters) own.get(filter.feed_id)?.push(filter);
  return new Map([...own].map(([id, filtersOfIt]) => [id, JSON.stringify(enabledFilters(filtersOfIt, id))]));
}
