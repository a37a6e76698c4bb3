// YaRSS2, the plugin for feeds of Deluge: `yarss2.conf` with feeds and subscriptions by their numbers. Only subscriptions that filters
// here say exactly are taken. Cookies and what it mails are not read, as secrets are in both. Pure.
import { z } from 'zod';
import { MAX_FILTER_REGEX_LENGTH } from '../../../../shared-protocol/dto/rss.js';
import { remark, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';
import type { ForeignFeed, ForeignFilter, ForeignSettings, LeftOut } from '../foreign-settings.js';
import type { JsonObject } from '../json-file.js';
import { reasonAmong, shortened } from '../settings-values.js';
import { membersOf } from './deluge-values.js';

/** In front of a pattern: whatever the case. */
const ANY_CASE = '(?i)';

const text = z.string().catch('');
const feedSchema = z.object({
  name: text,
  url: z.string(),
  site: text,
  active: z.boolean().default(true),
  update_interval: z.number().catch(0),
  obey_ttl: z.boolean().catch(false),
});
/** -2 is as for all torrents, -1 no limit. */
const limit = z.number().catch(-2);
/** One of `True`, `False` and `Default`, which is as for all torrents; before version 1.2 a boolean. */
const choice = z.union([z.string(), z.boolean().transform((is) => (is ? 'True' : 'False'))]).catch('Default');
const subscriptionSchema = z.object({
  name: text,
  rssfeed_key: z.string(),
  regex_include: text,
  regex_include_ignorecase: z.boolean().catch(true),
  regex_exclude: text,
  regex_exclude_ignorecase: z.boolean().catch(true),
  active: z.boolean().default(true),
  move_completed: text,
  download_location: text,
  label: text,
  max_download_speed: limit,
  max_upload_speed: limit,
  max_connections: limit,
  max_upload_slots: limit,
  add_torrents_in_paused_state: choice,
  auto_managed: choice,
  sequential_download: choice,
  prioritize_first_last_pieces: choice,
});
type Subscription = z.infer<typeof subscriptionSchema>;

/** `core`: of Deluge, whose choices hold where a subscription has none. */
export function yarssFeeds(
  config: JsonObject,
  core: JsonObject,
): Pick<ForeignSettings, 'feeds' | 'filters' | 'leftOut'> {
  const leftOut: LeftOut[] = [];
  const urls = new Map<string, string>();
  const feeds: ForeignFeed[] = [];
  for (const [key, value] of Object.entries(membersOf(config['rssfeeds']))) {
    const feed = feedSchema.safeParse(value);
    if (!feed.success) leftOut.push({ name: remark('FEED', { name: key }), reason: remark('UNREADABLE') });
    else {
      urls.set(key, feed.data.url);
      feeds.push(feedOf(feed.data));
    }
  }
  const cookies = Object.values(membersOf(config['cookies'])).filter((cookie) => membersOf(cookie)['active'] !== false);
  if (cookies.length > 0) leftOut.push({ name: remark('FEED_COOKIES'), reason: remark('FEEDS_NO_COOKIES') });
  const filters: ForeignFilter[] = [];
  for (const [key, value] of Object.entries(membersOf(config['subscriptions']))) {
    const parsed = subscriptionSchema.safeParse(value);
    const name = remark('RULE', { name: shortened(parsed.data?.name) || key });
    const url = urls.get(parsed.data?.rssfeed_key ?? '');
    const reason = parsed.success ? unsaid(parsed.data, core) : remark('UNREADABLE');
    if (reason) leftOut.push({ name, reason });
    else if (url === undefined) leftOut.push({ name, reason: remark('FEEDS_NOT_THERE') });
    else if (parsed.success) filters.push(filterOf(parsed.data, core, key, url));
  }
  return { feeds, filters, leftOut };
}

function feedOf({ name, url, active, update_interval: minutes }: z.infer<typeof feedSchema>): ForeignFeed {
  const intervalMin = Number.isSafeInteger(minutes) && minutes > 0 ? minutes : 0;
  return { url, names: name === '' ? [] : [name], intervalMin, isEnabled: active };
}

function filterOf(subscription: Subscription, core: JsonObject, key: string, url: string): ForeignFilter {
  const { name, label, active, move_completed: complete, download_location: location } = subscription;
  return {
    name: name || `Subscription ${key}`,
    regex: patternOf(subscription),
    excludeRegex: exclusionOf(subscription),
    feedUrls: [url],
    category: label,
    tags: [],
    isPaused: isChosen(subscription.add_torrents_in_paused_state, core['add_paused']),
    savePath: complete || location,
    isEnabled: active,
    note: complete === '' ? null : remark('INCOMPLETE_THERE'),
  };
}

function patternOf({ regex_include: expression, regex_include_ignorecase: isAnyCase }: Subscription): string {
  return isAnyCase ? `${ANY_CASE}${expression}` : expression;
}

function exclusionOf({ regex_exclude: expression, regex_exclude_ignorecase: isAnyCase }: Subscription): string {
  return expression !== '' && isAnyCase ? `${ANY_CASE}${expression}` : expression;
}

/** `ofAll`: what Deluge does where a subscription has no choice of its own. */
function isChosen(value: string, ofAll: unknown): boolean {
  return value === 'True' || (value === 'Default' && ofAll === true);
}

/** Why filters cannot say it; null: they can. */
function unsaid(subscription: Subscription, core: JsonObject): Remark | null {
  const speeds = [subscription.max_download_speed, subscription.max_upload_speed];
  const counts = [subscription.max_connections, subscription.max_upload_slots];
  const { auto_managed: managed, move_completed: complete, download_location: location } = subscription;
  return reasonAmong([
    [subscription.regex_include === '', remark('RULE_NO_TITLE')],
    [managed === 'False' || (managed === 'Default' && core['auto_managed'] === false), remark('RULE_FORCED')],
    [isChosen(subscription.sequential_download, core['sequential_download']), remark('RULE_SEQUENTIAL')],
    [
      isChosen(subscription.prioritize_first_last_pieces, core['prioritize_first_last_pieces']),
      remark('RULE_FIRST_LAST'),
    ],
    [speeds.some((each) => each > 0), remark('RULE_SPEEDS')],
    [counts.some((each) => each > 0), remark('RULE_CONNECTIONS')],
    [complete !== '' && location !== '' && complete !== location, remark('RULE_INCOMPLETE_PATH')],
    [
      [patternOf(subscription), exclusionOf(subscription)].some(({ length }) => length > MAX_FILTER_REGEX_LENGTH),
      remark('RULE_TOO_LONG'),
    ],
  ]);
}
