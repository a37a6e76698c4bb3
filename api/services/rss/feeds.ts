// RSS feeds: which there are, and what is in one of them now. Owns their names (unique but for case) and that no filter
// outlives its feed. The poller is told of every change, and answers are given when it has taken note.
import type { z } from 'zod';
import type {
  FeedDto,
  FeedItemDto,
  feedBodySchema,
  FeedStateDto,
  newFeedSchema,
} from '../../../shared-protocol/dto/rss.js';
import { because } from '../../../shared-protocol/reasons.js';
import type { Collection, FeedMemory } from '../../../storage/types.js';
import type { Egress } from '../../egress/egress.js';
import { notFound, RequestError } from '../../errors.js';
import { hasPermission, type Account } from '../../auth/account.js';
import { fetchFeed } from './feed-fetch.js';
import type { FeedPoller } from './feed-poller.js';
import { readFeed } from './feed-reader.js';
import { afterAddress, takenOver } from './feed-rights.js';
import { hostIn, noteShapers, toFeedDto, type FeedsData, type StoredFeed } from './feed-records.js';

export { feedsSchema, NO_FEEDS, type FeedsData } from './feed-records.js';

/** No spec value: far more than a user polls, and a file that is still quickly written. */
const MAX_FEEDS = 10_000;
/** Feeds of an account, which leave room for those of others. */
const MAX_FEEDS_OF_ACCOUNT = 1_000;

type NewFeed = z.infer<typeof newFeedSchema>;
type FeedBody = z.infer<typeof feedBodySchema>;

export interface FeedsDeps {
  readonly collection: Collection<FeedsData>;
  readonly memory: Pick<FeedMemory, 'poll' | 'item'>;
  readonly poller: Pick<FeedPoller, 'feedChanged' | 'isFailing' | 'state'>;
  readonly egress: Pick<Egress, 'fetch' | 'check'>;
}

export class Feeds {
  constructor(private readonly deps: FeedsDeps) {}

  /** To those who manage feeds all of them; to others their own, without secrets. */
  shown(account: Account): FeedDto[] {
    const { collection, memory } = this.deps;
    const isManager = hasPermission(account, 'perm_manage_rss');
    const shown = collection.data.feeds.filter(({ created_by }) => isManager || created_by === account.id);
    return shown.map((feed) => ({
      ...toFeedDto(feed, memory.poll(feed.id), isManager),
      failing: this.deps.poller.isFailing(feed.id),
    }));
  }

  /** The account's own one of the address, the first of several; null: it has none. */
  ownOf(account: Account, url: string): number | null {
    const own = this.deps.collection.data.feeds.find((feed) => feed.created_by === account.id && feed.url === url);
    return own?.id ?? null;
  }

  /** Judges an address that is to be one of a feed. @throws RequestError `URL_REFUSED` */
  check(account: Account, url: string): Promise<void> {
    return this.deps.egress.check(url, 'url', account.id);
  }

  /** Resolves to its id. @throws RequestError `URL_REFUSED`, `NAME_TAKEN`, `BODY_INVALID` past the bound */
  async create(account: Account, { url, name, interval_min, enabled }: NewFeed): Promise<number> {
    await this.deps.egress.check(url, 'url', account.id);
    let id = 0;
    await this.deps.collection.update((data) => {
      const ownName = name === hostIn(url) ? '' : (name ?? '');
      checkName(data, ownName, null);
      if (data.feeds.length >= MAX_FEEDS)
        throw new RequestError(
          'BODY_INVALID',
          `feeds: at most ${MAX_FEEDS}`,
          because('QUOTA_EXCEEDED', { of: 'feeds', max: MAX_FEEDS }),
        );
      if (data.feeds.filter(({ created_by }) => created_by === account.id).length >= MAX_FEEDS_OF_ACCOUNT) {
        throw new RequestError(
          'BODY_INVALID',
          `feeds: at most ${MAX_FEEDS_OF_ACCOUNT} of an account`,
          because('QUOTA_EXCEEDED', { of: 'feeds', max: MAX_FEEDS_OF_ACCOUNT }),
        );
      }
      id = data.next_feed_id++;
      data.feeds.push({
        id,
        url,
        name: ownName,
        interval_min: interval_min ?? 0,
        enabled: enabled ?? true,
        ...{ created_by: account.id, shaped_by: [account.id] },
      });
    });
    await this.deps.poller.feedChanged(id);
    return id;
  }

  /**
   * Changes what is given; the rest stays as it is. Nothing is added by what the feed was before once it resolves.
   * @throws RequestError `NOT_FOUND`, `URL_REFUSED`, `NAME_TAKEN`
   */
  async change(account: Account, body: FeedBody): Promise<void> {
    await this.deps.egress.check(body.url, 'url', account.id);
    await this.deps.collection.update((data) => {
      const feed = find(data, body.id);
      const name = nameMeant(body, feed);
      checkName(data, name, feed.id);
      const isTurnedOn = body.enabled === true && !feed.enabled;
      if (feed.url !== body.url || isTurnedOn) {
        noteShapers(data, feed);
        Object.assign(feed, feed.url === body.url ? takenOver(feed, account) : afterAddress(feed, account));
      }
      feed.url = body.url;
      feed.name = name;
      feed.interval_min = body.interval_min ?? feed.interval_min;
      feed.enabled = body.enabled ?? feed.enabled;
    });
    await this.deps.poller.feedChanged(body.id);
  }

  /** Deletes the feed and its filters; nothing of it is added once it resolves. @throws RequestError `NOT_FOUND` */
  async delete(id: number): Promise<void> {
    await this.deps.collection.update((data) => {
      find(data, id);
      data.feeds = data.feeds.filter((feed) => feed.id !== id);
      data.filters = data.filters.filter((filter) => filter.feed_id !== id);
    });
    await this.deps.poller.feedChanged(id);
  }

  /** Fetched anew; nothing is remembered of it. @throws RequestError `NOT_FOUND`, `UPSTREAM_FAILED` */
  async items(account: Account, id: number): Promise<FeedItemDto[]> {
    const { url } = find(this.deps.collection.data, id);
    const fetched = await fetchFeed(this.deps.egress, url, account.id);
    if (fetched.kind !== 'feed') return [];
    const { memory } = this.deps;
    const isAdded = (guid: string) => {
      const seen = guid === '' ? undefined : memory.item(id, guid);
      return seen?.kind === 'done' && seen.torrentId !== null;
    };
    const items = await readFeed(fetched.bytes, fetched.contentType, url);
    return items.map((item) => (isAdded(item.guid) ? { ...item, added: true as const } : item));
  }

  /** How polling it goes. @throws RequestError `NOT_FOUND` */
  state(id: number): FeedStateDto {
    return this.deps.poller.state(id);
  }
}

function find(data: FeedsData, id: number): StoredFeed {
  const feed = data.feeds.find((candidate) => candidate.id === id);
  if (!feed) throw notFound('feed');
  return feed;
}

/** A client that sends back the host that a feed without a name is shown as gives it no name. */
function nameMeant({ name, url }: FeedBody, feed: StoredFeed): string {
  const given = name ?? feed.name;
  const isShownHost = given === hostIn(url) || (feed.name === '' && given === hostIn(feed.url));
  return isShownHost ? '' : given;
}

function checkName(data: FeedsData, name: string, own: number | null): void {
  const wanted = name.toLowerCase();
  const isTaken = data.feeds.some((feed) => feed.id !== own && feed.name.toLowerCase() === wanted);
  if (name !== '' && isTaken) throw new RequestError('NAME_TAKEN', 'name: already used');
}
