// rss/*: feeds, by the path of their items. Folders, and what was read, there are none of.
import { z } from 'zod';
import type { FeedDto } from '../../../../shared-protocol/dto/rss.js';
import { nameSchema, urlSchema } from '../../../../shared-protocol/dto/fields.js';
import { hasPermission } from '../../../auth/account.js';
import { RequestError } from '../../../errors.js';
import { check } from '../../../routes/input.js';
import { MAX_RECENT_FEEDS } from '../../../services/rss/recent-items.js';
import { conflict, DONE, json } from '../answers.js';
import { changing, reading, type Answer, type Call, type RouteTable } from '../row.js';
import { toFeedItem, toFeedItemWithData } from './articles.js';
import { feedAt, feedsByPath, newNameOf } from './paths.js';

const MINUTE_S = 60;
const MANAGING = 'perm_manage_rss';

const urlField = urlSchema.min(1);
const pathField = z.union([z.literal(''), nameSchema]);
/** Seconds; Swarmd has minutes. */
const refreshIntervalField = z
  .int()
  .min(0)
  .max(525_600 * MINUTE_S);

export const feedRoutes = {
  'rss/items': reading(items),
  'rss/addFeed': changing(addFeed, MANAGING),
  'rss/removeItem': changing(async (call) => {
    await call.services.feeds.delete(feedAt(call, call.fields.required('path')).id);
    return DONE();
  }, MANAGING),
  'rss/moveItem': changing(moveItem, MANAGING),
  'rss/setFeedURL': changing(async (call) => {
    const feed = feedAt(call, call.fields.required('path'));
    const { url } = check(z.object({ url: urlField }), { url: call.fields.text('url') });
    return changeFeed(call, feed, { url });
  }, MANAGING),
  'rss/setFeedRefreshInterval': changing(async (call) => {
    const feed = feedAt(call, call.fields.required('path'));
    const { refreshInterval } = check(z.object({ refreshInterval: refreshIntervalField }), {
      refreshInterval: call.fields.integer('refreshInterval'),
    });
    return changeFeed(call, feed, { interval_min: Math.ceil(refreshInterval / MINUTE_S) });
  }, MANAGING),
  'rss/refreshItem': changing((call) => {
    const feed = feedsByPath(call).get(call.fields.required('itemPath').trim());
    if (feed) call.services.recentItems.forget(call.principal.account, feed);
    return DONE();
  }, MANAGING),
  'rss/addFolder': changing(() => conflict('path: feeds are in no folders here'), MANAGING),
  'rss/markAsRead': changing(() => conflict('itemPath: which articles were read is not noted here'), MANAGING),
} as const satisfies RouteTable;

/** Articles are for those who manage feeds, as in Swarmd. */
function items(call: Call): Answer {
  const { services, principal, fields } = call;
  const feeds = [...feedsByPath(call)];
  if (!fields.flag('withData')) return json(Object.fromEntries(feeds.map(([path, feed]) => [path, toFeedItem(feed)])));
  const isManager = hasPermission(principal.account, MANAGING);
  const shown = (feed: FeedDto, index: number) => {
    if (!isManager) return toFeedItemWithData(feed, NOTHING, false);
    const recent = index < MAX_RECENT_FEEDS ? services.recentItems.of(principal.account, feed) : NOTHING;
    return toFeedItemWithData(feed, recent, services.feeds.state(feed.id).last_error !== '');
  };
  return json(Object.fromEntries(feeds.map(([path, feed], index) => [path, shown(feed, index)])));
}

async function addFeed(call: Call): Promise<Answer> {
  const { services, principal, fields } = call;
  const { url } = check(z.object({ url: urlField }), { url: fields.text('url') });
  const given = newNameOf(call, fields.text('path') ?? '');
  const { path: name } = check(z.object({ path: pathField }), { path: given === url ? '' : given });
  const isThere = services.feeds.shown(principal.account).some((feed) => feed.url === url);
  if (isThere) throw new RequestError('RSS_REFUSED', 'url: there is a feed of it already');
  await services.feeds.create(principal.account, { url, name });
  return DONE();
}

async function moveItem(call: Call): Promise<Answer> {
  const feed = feedAt(call, call.fields.required('itemPath'));
  const given = newNameOf(call, call.fields.required('destPath'), feed);
  const { destPath: name } = check(z.object({ destPath: nameSchema }), { destPath: given });
  return changeFeed(call, feed, { name });
}

async function changeFeed({ services, principal }: Call, feed: FeedDto, change: Partial<FeedDto>): Promise<Answer> {
  const { id, url } = feed;
  await services.feeds.change(principal.account, { id, url, ...change });
  return DONE();
}

const NOTHING = { items: [], error: '', isLoading: false };
