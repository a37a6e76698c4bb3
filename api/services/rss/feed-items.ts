// What the items of a feed say, in the terms of docs/api.md (FeedItemDTO). Only those of their parts are parsed that
// are used: what a feed's author writes elsewhere costs nothing and can do no harm.
import { parseFeed } from 'feedsmith';
import type { FeedItemDto } from '../../../shared-protocol/dto/rss.js';
import type { Element, RawItem } from './feed-markup.js';
import { torrentUrlIn, type Link } from './item-links.js';

/** Characters of one part; a longer one is left out. Magnets with many trackers have some 5,000. */
const MAX_PART_LENGTH = 16 * 1024;
/** The same element may come several times, but not for ever. */
const MAX_PARTS = 32;
const MAX_TITLE_LENGTH = 1_000;
const MAX_GUID_LENGTH = 2_000;

const USED_PARTS: ReadonlySet<string> = new Set([
  ...['title', 'link', 'guid', 'id', 'enclosure', 'date'],
  ...['pubdate', 'published', 'updated', 'issued', 'modified', 'created'],
]);

const EXTENSIONS: ReadonlySet<string> = new Set(['attr', 'magneturi', 'torrent']);

interface Parsed {
  readonly guid: string;
  readonly title: string;
  readonly date: string;
  readonly links: readonly Link[];
}

const NOTHING: Parsed = { guid: '', title: '', date: '', links: [] };

/** Takes items with the same tags above them; `feedUrl`: where they come from. */
export function toFeedItems(items: readonly RawItem[], feedUrl: string): FeedItemDto[] {
  return parse(items).map((parsed, index) => toFeedItem(parsed, items[index]?.children ?? [], feedUrl));
}

function toFeedItem({ guid, title, date, links }: Parsed, children: readonly Element[], feedUrl: string): FeedItemDto {
  const all: Link[] = [...links, ...extensionLinks(children), { kind: 'other', url: guid, type: '' }];
  return {
    guid: cut(guid || links[0]?.url || title, MAX_GUID_LENGTH),
    title: cut(title, MAX_TITLE_LENGTH),
    pub_date: dayOf(date),
    torrent_url: torrentUrlIn(all, feedUrl),
  };
}

/** One for each item. */
function parse(items: readonly RawItem[]): readonly Parsed[] {
  const parsed = parseDocument(items);
  if (parsed.length === items.length) return parsed;
  // The parser leaves out items that say nothing; which ones, only parsing them one by one tells.
  return items.length > 1 ? items.flatMap((item) => parse([item])) : [NOTHING];
}

function parseDocument(items: readonly RawItem[]): readonly Parsed[] {
  const bodies = items.map(({ openTag, children, closeTag }) => {
    const used = children.filter(({ name, markup }) => USED_PARTS.has(name) && markup.length <= MAX_PART_LENGTH);
    const parts = used.slice(0, MAX_PARTS).map(({ markup }) => markup);
    return parts.length === 0 ? '' : `${openTag}${parts.join('')}${closeTag}`;
  });
  const whole = bodies.join('');
  return whole === '' ? [] : itemsIn(`${items[0]?.before ?? ''}${whole}${items[0]?.after ?? ''}`);
}

function itemsIn(text: string): readonly Parsed[] {
  const parsed = feedIn(text);
  if (!parsed) return [];
  const { format, feed } = parsed;
  switch (format) {
    case 'rss':
      return (feed.items ?? []).map(({ guid, title, link, enclosures, pubDate, dc }) => ({
        guid: guid?.value ?? '',
        title: title ?? '',
        date: pubDate ?? dc?.dates?.[0] ?? '',
        links: [...(enclosures ?? []).map(({ url, type }) => linkOf('enclosure', url, type)), linkOf('page', link)],
      }));
    case 'atom':
      return (feed.entries ?? []).map(({ id, title, published, updated, links }) => ({
        guid: id ?? '',
        title: title?.value ?? '',
        date: published ?? updated ?? '',
        links: (links ?? []).map(({ href, type, rel }) => linkOf(kindOf(rel), href, type)),
      }));
    case 'rdf':
      return (feed.items ?? []).map(({ rdf, title, link, dc }) => ({
        guid: rdf?.about ?? '',
        title: title ?? '',
        date: dc?.dates?.[0] ?? '',
        links: [linkOf('page', link)],
      }));
    case 'json':
      return [];
  }
}

/** null where no item says anything; markup that makes no sense does not come so far (feed-markup.ts). */
function feedIn(text: string) {
  try {
    return parseFeed(text);
  } catch {
    return null;
  }
}

function linkOf(kind: Link['kind'], url = '', type = ''): Link {
  return { kind, url, type };
}

/** RFC 4287 section 4.2.7.2. */
function kindOf(rel = 'alternate'): Link['kind'] {
  if (rel === 'enclosure') return 'enclosure';
  return rel === 'alternate' ? 'page' : 'other';
}

/** `<torznab:attr name="magneturl" value="…"/>`, `<torrent:magnetURI>…` and `<torrent xmlns="…"><magnetURI>…`. */
function extensionLinks(children: readonly Element[]): Link[] {
  return children
    .filter(({ name, markup }) => EXTENSIONS.has(name) && markup.length <= MAX_PART_LENGTH)
    .map(({ name, markup }) => linkOf('other', name === 'attr' ? magnetAttribute(markup) : magnetElement(markup)));
}

/** The element itself, or the one within it. */
function magnetElement(markup: string): string {
  const start = markup.search(/<(?:[\w-]{1,50}:)?magnetURI[\s>]/i);
  const end = start < 0 ? -1 : markup.indexOf('</', start);
  return end < 0 ? '' : textOf(`${markup.slice(start, end)}</`);
}

function magnetAttribute(markup: string): string {
  if (!/\sname\s*=\s*(["'])magneturl\1/i.test(markup)) return '';
  return plain(/\svalue\s*=\s*(["'])(.*?)\1/is.exec(markup)?.[2] ?? '');
}

function textOf(markup: string): string {
  const inner = markup.slice(markup.indexOf('>') + 1, Math.max(0, markup.lastIndexOf('</'))).trim();
  const section = /^<!\[CDATA\[(.*)\]\]>$/s.exec(inner);
  return section ? (section[1] ?? '').trim() : plain(inner);
}

/** Replaces the one entity of XML that a magnet needs. */
function plain(text: string): string {
  return text.replace(/&(?:amp|#38|#x26);/gi, '&').trim();
}

/** The day in UTC; '' for what is no date. */
function dayOf(date: string): string {
  const time = Date.parse(date);
  const year = Number.isNaN(time) ? -1 : new Date(time).getUTCFullYear();
  return year >= 0 && year <= 9_999 ? new Date(time).toISOString().slice(0, 10) : '';
}

/** Not in the middle of a character. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
