// Feeds of another program and the filters that its rules become, for the account that is to own what they add. A feed whose address
// the account has already is not made again, nor a filter of a name that its feed has.
import { newCategorySchema, newTagSchema } from '../../../../shared-protocol/dto/labels.js';
import { newFeedSchema, newFilterSchema } from '../../../../shared-protocol/dto/rss.js';
import { remark, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';
import { maskAddress } from '../../../../shared-protocol/masking.js';
import type { Account } from '../../../auth/account.js';
import { RequestError } from '../../../errors.js';
import type { Feeds } from '../../rss/feeds.js';
import type { Filters } from '../../rss/filters.js';
import { compileExclusion, compileTitlePattern } from '../../rss/title-pattern.js';
import type { SavePaths } from '../../settings/save-paths.js';
import type { ForeignFeed, ForeignFilter } from '../foreign-settings.js';
import { reasonOf } from '../reason-of.js';
import type { FindCategory } from './category-step.js';
import { leftOut, refusedValue, type Step } from './step.js';

export interface FeedDeps {
  readonly feeds: Pick<Feeds, 'ownOf' | 'check' | 'create'>;
  readonly filters: Pick<Filters, 'ofFeed' | 'create'>;
  readonly savePaths: Pick<SavePaths, 'confine'>;
}

export async function feedStep({ feeds }: FeedDeps, owner: Account, feed: ForeignFeed): Promise<Step> {
  const { url, names, intervalMin, isEnabled } = feed;
  const name = remark('FEED', { name: names[0] ?? maskAddress(url) });
  const to = remark('TEXT', { text: maskAddress(url) });
  if (feeds.ownOf(owner, url) !== null)
    return { said: [{ name, from: to, to, result: 'same', reason: null }], apply: null };
  const bodies = [...names, ''].flatMap((each) => {
    const body = newFeedSchema.safeParse({ url, name: each, interval_min: intervalMin, enabled: isEnabled });
    return body.success ? [body.data] : [];
  });
  if (bodies.length === 0) return leftOut(name, remark('FEED_UNUSABLE'));
  try {
    await feeds.check(owner, bodies[0]!.url);
  } catch (error) {
    return leftOut(name, reasonOf(error));
  }
  const reason = isEnabled ? null : remark('FEEDS_OFF');
  const apply = async () => {
    for (const [place, body] of bodies.entries()) {
      try {
        await feeds.create(owner, body);
        return;
      } catch (error) {
        const isTaken = error instanceof RequestError && error.code === 'NAME_TAKEN';
        if (!isTaken || place === bodies.length - 1) throw error;
      }
    }
  };
  return { said: [{ name, from: null, to, result: 'made', reason }], apply };
}

export interface FilterWorld {
  readonly owner: Account;
  /** Addresses of feeds that are there, or come along. */
  readonly urls: ReadonlySet<string>;
  /** The path here of one there. */
  readonly mapped: (path: string) => string;
  readonly category: FindCategory;
  /** The ids of tags of these names, made where there are none. */
  readonly tags: (names: readonly string[]) => Promise<readonly number[]>;
}

/** A filter for each feed of the rule. */
export async function filterStep(deps: FeedDeps, filter: ForeignFilter, world: FilterWorld): Promise<Step> {
  const { feeds, filters, savePaths } = deps;
  const { owner, urls, mapped, category, tags } = world;
  const name = remark('RULE', { name: filter.name });
  const wanted = filter.feedUrls.filter((url) => urls.has(url));
  if (wanted.length === 0) return leftOut(name, remark('FEEDS_NOT_THERE'));
  const isThere = (url: string) => {
    const id = feeds.ownOf(owner, url);
    return id !== null && filters.ofFeed(owner, id).some((known) => known.name === filter.name);
  };
  const missing = wanted.filter((url) => !isThere(url));
  const to = wordingOf(filter);
  if (missing.length === 0) return { said: [{ name, from: null, to, result: 'same', reason: null }], apply: null };
  const savePath = mapped(filter.savePath);
  const common = {
    ...{ regex: filter.regex, exclude_regex: filter.excludeRegex, paused: filter.isPaused, save_path: savePath },
    ...{ enabled: filter.isEnabled, name: filter.name },
  };
  const body = newFilterSchema.omit({ feed_id: true, category_id: true }).safeParse(common);
  if (!body.success) return leftOut(name, refusedValue(body.error));
  const isCategory = newCategorySchema.safeParse({ name: filter.category, default_save_path: '', color: '' }).success;
  if (filter.category !== '' && !isCategory) return leftOut(name, remark('RULE_CATEGORY_UNUSABLE'));
  if (filter.tags.some((tag) => !newTagSchema.safeParse({ name: tag, color: '' }).success))
    return leftOut(name, remark('RULE_TAG_UNUSABLE'));
  try {
    compileTitlePattern(filter.regex);
    compileExclusion(filter.excludeRegex);
    await savePaths.confine(owner, savePath, 'save_path');
  } catch (error) {
    return leftOut(name, reasonOf(error));
  }
  const apply = async () => {
    const category_id = filter.category === '' ? null : await category(filter.category);
    if (filter.category !== '' && category_id === null)
      throw new RequestError('BODY_INVALID', 'category: cannot be made');
    const tag_ids = [...(await tags(filter.tags))];
    const ids = missing.map((url) => feeds.ownOf(owner, url));
    for (const feed_id of ids)
      if (feed_id !== null) await filters.create(owner, { ...body.data, category_id, tag_ids, feed_id });
    if (ids.every((id) => id === null)) throw new RequestError('BODY_INVALID', 'feed: was not made');
  };
  return { said: [{ name, from: null, to, result: 'made', reason: filter.note }], apply };
}

function wordingOf({ regex, excludeRegex }: ForeignFilter): Remark {
  const titles = regex === '' ? remark('ALL_TITLES') : remark('TEXT', { text: regex });
  return excludeRegex === '' ? titles : remark('TITLES_WITHOUT', { titles, excluded: excludeRegex });
}
