// Feeds and filters of ruTorrent's plugin for RSS. Its expressions are PHP's, between two characters and with letters behind; only
// filters that those here say exactly are taken. Pure.
import { MAX_FILTER_REGEX_LENGTH } from '../../../../shared-protocol/dto/rss.js';
import { remark, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';
import type { ForeignFeed, ForeignFilter, ForeignSettings, LeftOut } from '../foreign-settings.js';
import { reasonAmong, shortened } from '../settings-values.js';
import { membersOfPhp, numberOfPhp, textOfPhp, type PhpMembers } from './php-values.js';
import type { RutorrentConfig } from './rutorrent.js';

/** Behind an address, with the cookies that it is asked for with. */
const COOKIES = ':COOKIE:';

export function rutorrentFeeds(
  config: Pick<RutorrentConfig, 'feeds' | 'filters' | 'groups'>,
): Pick<ForeignSettings, 'feeds' | 'filters' | 'leftOut'> {
  const feeds: ForeignFeed[] = [];
  const leftOut: LeftOut[] = [];
  const urls = new Map<string, string>();
  for (const [hash, value] of membersOfPhp(config.feeds.get('lst'))) {
    const feed = membersOfPhp(value);
    const [url, label] = [textOfPhp(feed.get('url')), textOfPhp(feed.get('label'))];
    const name = remark('FEED', { name: shortened(label) || hash.slice(0, 40) });
    if (url === '') leftOut.push({ name, reason: remark('FEED_NO_ADDRESS') });
    else if (url.includes(COOKIES)) leftOut.push({ name, reason: remark('FEED_HAS_COOKIES') });
    else {
      urls.set(hash, url);
      const isEnabled = numberOfPhp(feed.get('enabled')) === 1;
      feeds.push({ url, names: label === '' ? [] : [label], intervalMin: 0, isEnabled });
    }
  }
  const filters: ForeignFilter[] = [];
  for (const value of membersOfPhp(config.filters.get('lst')).values()) {
    const filter = membersOfPhp(value);
    const feedUrls = urlsOf(textOfPhp(filter.get('rssHash')), urls, config.groups);
    const pattern = patternOf(textOfPhp(filter.get('pattern')));
    const name = textOfPhp(filter.get('name')) || 'Filter';
    const reason = unsaid(filter, pattern, feedUrls);
    if (reason) leftOut.push({ name: remark('RULE', { name: shortened(name) }), reason });
    else if (pattern !== null) filters.push({ ...aboutOf(filter), name, regex: pattern, feedUrls });
  }
  return { feeds, filters, leftOut };
}

function aboutOf(filter: PhpMembers): Omit<ForeignFilter, 'name' | 'regex' | 'feedUrls'> {
  const excluded = textOfPhp(filter.get('exclude'));
  return {
    excludeRegex: (excluded !== '' && patternOf(excluded)) || '',
    tags: [],
    isPaused: numberOfPhp(filter.get('start')) !== 1,
    category: textOfPhp(filter.get('label')),
    savePath: textOfPhp(filter.get('directory')),
    isEnabled: numberOfPhp(filter.get('enabled')) === 1,
    note: /\\[wdsb]/i.test(textOfPhp(filter.get('pattern')) + excluded) ? remark('ASCII_LETTERS') : null,
  };
}

/** Empty stands for all feeds; a group has several. */
function urlsOf(hash: string, urls: ReadonlyMap<string, string>, groups: PhpMembers): string[] {
  if (hash === '') return [...urls.values()];
  const group = membersOfPhp(membersOfPhp(groups.get('lst')).get(hash)).get('lst');
  const hashes = group === undefined ? [hash] : [...membersOfPhp(group).values()].map(textOfPhp);
  return hashes.flatMap((each) => urls.get(each) ?? []);
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** The expression, with its letters as RE2 has them; null: it has none, or letters that mean something else there. */
function patternOf(written: string): string | null {
  const text = written.trimStart();
  const open = text[0] ?? '';
  if (!/^[^\w\s\\]$/.test(open)) return null;
  const end = text.lastIndexOf(CLOSING[open] ?? open);
  const letters = text.slice(end + 1).trim();
  if (end <= 0 || !/^[imsu]*$/.test(letters)) return null;
  const kept = [...new Set(letters.replaceAll('u', ''))].join('');
  return `${kept === '' ? '' : `(?${kept})`}${text.slice(1, end)}`;
}

/** Why filters cannot say it; null: they can. */
function unsaid(filter: PhpMembers, pattern: string | null, feedUrls: readonly string[]): Remark | null {
  const is = (key: string, usual: number) => (filter.has(key) ? numberOfPhp(filter.get(key)) : usual);
  const isFilled = (key: string) => textOfPhp(filter.get(key)) !== '';
  return reasonAmong([
    [isFilled('exclude') && patternOf(textOfPhp(filter.get('exclude'))) === null, remark('RULE_EXCLUSION_UNREADABLE')],
    [!isFilled('pattern'), remark('RULE_NO_TITLE')],
    [pattern === null, remark('RULE_EXPRESSION_UNREADABLE')],
    [is('titleCheck', 1) !== 1 || is('descCheck', 0) === 1 || is('linkCheck', 0) === 1, remark('RULE_NOT_TITLES')],
    [is('addPath', 1) !== 1, remark('RULE_NO_FOLDER')],
    [is('interval', -1) >= 0, remark('RULE_WAITS')],
    [isFilled('throttle'), remark('RULE_THROTTLE')],
    [isFilled('ratio'), remark('RULE_RATIO_GROUP')],
    [(pattern ?? '').length > MAX_FILTER_REGEX_LENGTH, remark('RULE_TOO_LONG')],
    [feedUrls.length === 0, remark('FEEDS_NOT_THERE')],
  ]);
}
