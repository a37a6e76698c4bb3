// The items of feeds as they were when an account looked at them last: for programs that ask every few seconds, while
// a feed is fetched for them every few minutes. Fetched in the background by the rights of the account that asks, and shown
// to no other.
import { Counts } from '../../../shared-protocol/counts.js';
import type { FeedDto, FeedItemDto } from '../../../shared-protocol/dto/rss.js';
import { messageOf } from '../../../shared-protocol/errors.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import type { Account } from '../../auth/account.js';
import type { Feeds } from './feeds.js';

/** No spec values. A feed is polled as seldom at the most often. */
const FRESH_MS = 5 * 60_000;
/** The first ones of a feed; qBittorrent's default. */
const MAX_ITEMS = 50;
const MAX_ITEMS_CHARS = 64 * 1024;
/** Feeds of all accounts together; the one looked at longest ago goes. */
const MAX_FEEDS = 200;
/** Feeds that an account may ask for again and again without one making way for the other. */
export const MAX_RECENT_FEEDS = 50;
/** Fetches of an account at a time: others of its own have a place beside them. */
const MAX_LOOKS = 1;

export interface RecentFeed {
  readonly items: readonly FeedItemDto[];
  /** Empty: the last look went well. */
  readonly error: string;
  readonly isLoading: boolean;
}

interface Entry extends RecentFeed {
  readonly url: string;
  /** Monotonic milliseconds of the last look. */
  readonly atMs: number;
}

export interface RecentItemsDeps {
  readonly feeds: Pick<Feeds, 'items'>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

export class RecentItems {
  /** By account and feed, the one asked for last at the end. */
  readonly #entries = new Map<string, Entry>();
  readonly #looks = new Counts<AccountId>();

  constructor(private readonly deps: RecentItemsDeps) {}

  get size(): number {
    return this.#entries.size;
  }

  /** Begins another look where the last one is too long ago, and where the account has none under way. */
  of(account: Account, feed: Pick<FeedDto, 'id' | 'url'>): RecentFeed {
    const key = keyOf(account, feed);
    const known = this.#entries.get(key);
    const entry = known?.url === feed.url ? known : { ...NEVER, url: feed.url };
    const isDue = !entry.isLoading && this.deps.now() - entry.atMs >= FRESH_MS;
    if (!isDue || this.#looks.of(account.id) >= MAX_LOOKS) return known === entry ? this.#used(key, entry) : entry;
    const loading = this.#used(key, { ...entry, isLoading: true });
    void this.#look(account, feed, key, loading);
    return loading;
  }

  /** The next one who asks has it fetched. */
  forget(account: Account, feed: Pick<FeedDto, 'id'>): void {
    const entry = this.#entries.get(keyOf(account, feed));
    if (entry && !entry.isLoading) this.#entries.set(keyOf(account, feed), { ...entry, atMs: -Infinity });
  }

  /** Never rejects. */
  async #look(account: Account, { id }: Pick<FeedDto, 'id'>, key: string, loading: Entry): Promise<void> {
    this.#looks.add(account.id);
    let seen: Pick<RecentFeed, 'items' | 'error'>;
    try {
      seen = { items: firstOf(await this.deps.feeds.items(account, id)), error: '' };
    } catch (error) {
      seen = { items: loading.items, error: messageOf(error) };
    }
    this.#looks.take(account.id);
    // One that has another address by now, or has made way, is looked at anew.
    if (this.#entries.get(key) !== loading) return;
    this.#entries.set(key, { ...loading, ...seen, isLoading: false, atMs: this.deps.now() });
  }

  #used(key: string, entry: Entry): Entry {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_FEEDS && oldest !== undefined) this.#entries.delete(oldest);
    return entry;
  }
}

const NEVER = { items: [], error: '', isLoading: false, atMs: -Infinity };

function keyOf(account: Pick<Account, 'id'>, feed: Pick<FeedDto, 'id'>): string {
  return `${account.id} ${feed.id}`;
}

function firstOf(items: readonly FeedItemDto[]): FeedItemDto[] {
  let chars = 0;
  const first = items.slice(0, MAX_ITEMS);
  return first.filter(({ guid, title, torrent_url }) => {
    chars += guid.length + title.length + torrent_url.length;
    return chars <= MAX_ITEMS_CHARS;
  });
}
