// Which items of a feed are added by themselves. Owns what a filter may say: a pattern that compiles, a feed and a category
// that exist, a path that may be saved to.
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { FilterDto, filterBodySchema, newFilterSchema } from '../../../shared-protocol/dto/rss.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { because } from '../../../shared-protocol/reasons.js';
import type { Collection } from '../../../storage/types.js';
import { notFound, RequestError } from '../../errors.js';
import { hasPermission, type Account } from '../../auth/account.js';
import type { FeedPoller } from './feed-poller.js';
import { noteShapers, toFilterDto, type FeedsData, type StoredFeed, type StoredFilter } from './feed-records.js';
import { takenOver, filterShapers } from './feed-rights.js';
import type { Labels } from '../library/labels.js';
import type { SavePaths } from '../settings/save-paths.js';
import { compileExclusion, compileTitlePattern } from './title-pattern.js';

/** Filters of all feeds together; no spec value. */
const MAX_FILTERS = 10_000;
/** Filters of all feeds of an account, which leave room for those of others. */
const MAX_FILTERS_OF_ACCOUNT = 1_000;

type NewFilter = z.infer<typeof newFilterSchema>;
type FilterBody = z.infer<typeof filterBodySchema>;

export interface FiltersDeps {
  readonly collection: Collection<FeedsData>;
  readonly poller: Pick<FeedPoller, 'filtersChanged'>;
  readonly labels: Pick<Labels, 'category' | 'tag'>;
  readonly savePaths: Pick<SavePaths, 'choose'>;
}

export class Filters {
  constructor(private readonly deps: FiltersDeps) {}

  /**
   * In the order in which they are tried. Who does not manage feeds sees none of another's, nor whether there is such a
   * feed. @throws RequestError `NOT_FOUND` to those who do
   */
  ofFeed(account: Account, feedId: number): FilterDto[] {
    const { data } = this.deps.collection;
    const isOwn = data.feeds.some(({ id, created_by }) => id === feedId && created_by === account.id);
    if (!isOwn && !hasPermission(account, 'perm_manage_rss')) return [];
    feedOf(data, feedId);
    return data.filters.filter((filter) => filter.feed_id === feedId).map((filter) => this.#shown(filter));
  }

  /** The filters of all feeds that the account is shown, in the order in which they were made. */
  shown(account: Account): FilterDto[] {
    const { feeds, filters } = this.deps.collection.data;
    const isManager = hasPermission(account, 'perm_manage_rss');
    const own = new Set(feeds.flatMap(({ id, created_by }) => (isManager || created_by === account.id ? [id] : [])));
    return filters.filter(({ feed_id }) => own.has(feed_id)).map((filter) => this.#shown(filter));
  }

  /**
   * Resolves to its id.
   * @throws RequestError `REGEX_INVALID`, `PATH_UNUSABLE`, `FORBIDDEN`, `NOT_FOUND`, `BODY_INVALID` past the bound
   */
  async create(account: Account, filter: NewFilter): Promise<number> {
    const savePath = await this.#check(account, filter);
    let id = 0;
    await this.deps.collection.update((data) => {
      const feed = feedOf(data, filter.feed_id);
      if (data.filters.length >= MAX_FILTERS)
        throw new RequestError(
          'BODY_INVALID',
          `filters: at most ${MAX_FILTERS}`,
          because('QUOTA_EXCEEDED', { of: 'filters', max: MAX_FILTERS }),
        );
      noteShapers(data, feed);
      Object.assign(feed, takenOver(feed, account));
      checkCount(data, feed.created_by);
      id = data.next_filter_id++;
      data.filters.push({
        id,
        feed_id: filter.feed_id,
        regex: filter.regex,
        category_id: filter.category_id ?? null,
        save_path: savePath ?? '',
        enabled: filter.enabled ?? true,
        ...(filter.name && { name: filter.name }),
        ...(filter.exclude_regex && { exclude_regex: filter.exclude_regex }),
        ...(filter.tag_ids && filter.tag_ids.length > 0 && { tag_ids: filter.tag_ids }),
        ...(filter.paused && { paused: true }),
        shaped_by: [account.id],
      });
    });
    await this.deps.poller.filtersChanged(filter.feed_id);
    return id;
  }

  /** Changes what is given; `category_id: null` takes the category away, as an empty text or list does. @throws as {@link create} */
  async change(account: Account, body: FilterBody): Promise<void> {
    const stored = this.deps.collection.data.filters.find(({ id }) => id === body.id);
    const savePath = await this.#check(account, body, stored?.save_path);
    let feedBefore = body.feed_id;
    await this.deps.collection.update((data) => {
      const filter = data.filters.find((candidate) => candidate.id === body.id);
      if (!filter) throw notFound('filter');
      const feed = feedOf(data, body.feed_id);
      feedBefore = filter.feed_id;
      const before = { ...filter };
      const shapedBy = filterShapers(filter, feedOf(data, feedBefore), account);
      filter.feed_id = body.feed_id;
      filter.regex = body.regex;
      if (body.category_id !== undefined) filter.category_id = body.category_id;
      filter.save_path = savePath ?? filter.save_path;
      filter.enabled = body.enabled ?? filter.enabled;
      changeFurther(filter, body);
      if (isDeepStrictEqual(before, filter)) return;
      noteShapers(data, feed);
      Object.assign(feed, takenOver(feed, account));
      filter.shaped_by = shapedBy;
    });
    for (const feedId of new Set([feedBefore, body.feed_id])) await this.deps.poller.filtersChanged(feedId);
  }

  /** Nothing is added by it once it resolves. @throws RequestError `NOT_FOUND` */
  async delete(id: number): Promise<void> {
    let feedId = 0;
    await this.deps.collection.update((data) => {
      const found = data.filters.find((filter) => filter.id === id);
      if (!found) throw notFound('filter');
      feedId = found.feed_id;
      data.filters = data.filters.filter((filter) => filter !== found);
    });
    await this.deps.poller.filtersChanged(feedId);
  }

  #shown(filter: StoredFilter): FilterDto {
    const { labels } = this.deps;
    return toFilterDto(filter, {
      categoryExists: (id) => labels.category(id) !== undefined,
      tagExists: (id) => labels.tag(id) !== undefined,
    });
  }

  /** The path to be stored; null when none is given. */
  async #check(account: Account, wanted: NewFilter, before = ''): Promise<string | null> {
    const { regex, exclude_regex, category_id, tag_ids, save_path } = wanted;
    compileTitlePattern(regex);
    compileExclusion(exclude_regex ?? '');
    if (tag_ids?.some((id) => !this.deps.labels.tag(id))) throw notFound('tag');
    const isGiven = save_path !== undefined && save_path !== null;
    const path = isGiven ? await this.deps.savePaths.choose(account, save_path, 'save_path', before) : null;
    if (typeof category_id === 'number' && !this.deps.labels.category(category_id)) throw notFound('category');
    return path;
  }
}

/** Changes the fields that need not be there at all. */
function changeFurther(filter: StoredFilter, { name, exclude_regex, tag_ids, paused }: FilterBody): void {
  if (name) filter.name = name;
  else if (name === '') delete filter.name;
  if (exclude_regex) filter.exclude_regex = exclude_regex;
  else if (exclude_regex === '') delete filter.exclude_regex;
  if (tag_ids && tag_ids.length > 0) filter.tag_ids = tag_ids;
  else if (tag_ids) delete filter.tag_ids;
  if (paused) filter.paused = true;
  else if (paused === false) delete filter.paused;
}

/** @throws RequestError `BODY_INVALID` where the account has feeds with as many filters as may be */
function checkCount({ feeds, filters }: FeedsData, ownerId: AccountId): void {
  const own = new Set(feeds.flatMap(({ id, created_by }) => (created_by === ownerId ? [id] : [])));
  if (filters.filter(({ feed_id }) => own.has(feed_id)).length < MAX_FILTERS_OF_ACCOUNT) return;
  throw new RequestError(
    'BODY_INVALID',
    `filters: at most ${MAX_FILTERS_OF_ACCOUNT} of an account`,
    because('QUOTA_EXCEEDED', { of: 'filters', max: MAX_FILTERS_OF_ACCOUNT }),
  );
}

function feedOf({ feeds }: FeedsData, id: number): StoredFeed {
  const feed = feeds.find((candidate) => candidate.id === id);
  if (!feed) throw notFound('feed');
  return feed;
}
