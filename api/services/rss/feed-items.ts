// What the items of a feed say, in the terms of docs/api.md (FeedItemDTO). Only those of their parts are parsed that
// are used: what a feed's author writes elsewhere costs nothing and can do no harm.
import { parseFeed } from 'feedsmith';
import type { FeedItemDto } from '../../../shared-protocol/dto/rss.js';
import { MAX_TORRENT_FILE_BYTES } from '../library/torrent-source.js';
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
const SIZED: ReadonlySet<string> = new Set(['attr', 'size', 'contentlength', 'torrent']);

const ENDS_WITH_TIME = /(?:\d|\b[ap]m)$/i;
const ENDS_WITH_OFFSET = /:\d\d(?:\.\d+)?\s*[+-]\d\d:?\d\d$/;
const ISO_DAY = /^\d{4}-\d\d-\d\d$/;
const ISO_TIME = /^\d{4}-\d\d-\d\dT/;

interface Parsed {
  readonly guid: string;
  readonly title: string;
  readonly date: string;
  readonly links: readonly Link[];
  /** The largest of its enclosures, in bytes. */
  readonly length: number;
}

const NOTHING: Parsed = { guid: '', title: '', date: '', links: [], length: 0 };

/** Takes items with the same tags above them; `feedUrl`: where they come from. */
export function toFeedItems(items: readonly RawItem[], feedUrl: string): FeedItemDto[] {
  return parse(items).map((parsed, index) => toFeedItem(parsed, items[index]?.children ?? [], feedUrl));
}

function toFeedItem(
  { guid, title, date, links, length }: Parsed,
  children: readonly Element[],
  feedUrl: string,
): FeedItemDto {
  const all: Link[] = [...links, ...extensionLinks(children), { kind: 'other', url: guid, type: '' }];
  return {
    guid: cut(guid || links[0]?.url || title, MAX_GUID_LENGTH),
    title: cut(title, MAX_TITLE_LENGTH),
    pub_date: dayOf(date),
    torrent_url: torrentUrlIn(all, feedUrl),
    ...momentOf(date),
    ...sizeOf(children, length),
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
        length: Math.max(0, ...(enclosures ?? []).map((each) => each.length ?? 0)),
      }));
    case 'atom':
      return (feed.entries ?? []).map(({ id, title, published, updated, links }) => ({
        guid: id ?? '',
        title: title?.value ?? '',
        date: published ?? updated ?? '',
        links: (links ?? []).map(({ href, type, rel }) => linkOf(kindOf(rel), href, type)),
        length: Math.max(0, ...(links ?? []).map((each) => each.length ?? 0)),
      }));
    case 'rdf':
      return (feed.items ?? []).map(({ rdf, title, link, dc }) => ({
        guid: rdf?.about ?? '',
        title: title ?? '',
        date: dc?.dates?.[0] ?? '',
        links: [linkOf('page', link)],
        length: 0,
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

/** Unix milliseconds; NaN for what is no date. One without a zone is taken for one of UTC, wherever the server is. */
function timeOf(date: string): number {
  const text = date.trim();
  if (!ENDS_WITH_TIME.test(text) || ENDS_WITH_OFFSET.test(text) || ISO_DAY.test(text)) return Date.parse(text);
  return Date.parse(text + (ISO_TIME.test(text) ? 'Z' : ' UTC'));
}

/** The day in UTC; '' for what is no date. */
function dayOf(date: string): string {
  const time = timeOf(date);
  const year = Number.isNaN(time) ? -1 : new Date(time).getUTCFullYear();
  return year >= 0 && year <= 9_999 ? new Date(time).toISOString().slice(0, 10) : '';
}

/** Without a time of day there is no moment, but a day. */
function momentOf(date: string): { readonly published_at?: number } {
  const seconds = Math.floor(timeOf(date) / 1_000);
  return /\d:\d/.test(date) && seconds > 0 && dayOf(date) !== '' ? { published_at: seconds } : {};
}

/**
 * `<torznab:attr name="size" value="…"/>`, `<size>…`, `<torrent:contentLength>…`, else the length of an enclosure: where that
 * is no more than a torrent file may have, it is that of the file.
 */
function sizeOf(children: readonly Element[], length: number): { readonly size?: number } {
  const said = children
    .filter(({ name, markup }) => SIZED.has(name) && markup.length <= MAX_PART_LENGTH)
    .map(({ name, markup }) => numberIn(name === 'attr' ? sizeAttribute(markup) : sizeElement(name, markup)));
  const size = said.find((each) => each > 0) ?? (length > MAX_TORRENT_FILE_BYTES ? numberIn(String(length)) : 0);
  return size > 0 ? { size } : {};
}

function sizeAttribute(markup: string): string {
  if (!/\sname\s*=\s*(["'])size\1/i.test(markup)) return '';
  return /\svalue\s*=\s*(["'])(.*?)\1/is.exec(markup)?.[2] ?? '';
}

/** The element itself, or the one within `<torrent>`. */
function sizeElement(name: string, markup: string): string {
  if (name !== 'torrent') return textOf(markup);
  const start = markup.search(/<(?:[\w-]{1,50}:)?contentLength[\s>]/i);
  const end = start < 0 ? -1 : markup.indexOf('</', start);
  return end < 0 ? '' : textOf(`${markup.slice(start, end)}</`);
}

/** Words as `1.5 GB` are no number of bytes. */
function numberIn(text: string): number {
  const value = /^\d{1,15}$/.test(text.trim()) ? Number(text) : 0;
  return Number.isSafeInteger(value) ? value : 0;
}

/** Not in the middle of a character. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
