// Reads the bytes of a feed (RSS, Atom, RDF) into items. Works in small steps, so that a feed of some megabytes does not
// keep the API from answering others.
import { setImmediate as othersRan } from 'node:timers/promises';
import type { FeedItemDto } from '../../../shared-protocol/dto/rss.js';
import { because } from '../../../shared-protocol/reasons.js';
import { RequestError } from '../../errors.js';
import { FeedInvalid, itemsOf, type RawItem } from './feed-markup.js';

/** No spec value; feeds are read again long before they have grown by so many. */
const MAX_ITEMS = 1_000;
/** Parsed at a time: each time costs a millisecond by itself, and so do some 20 items or 64 KiB. */
const ITEMS_PER_STEP = 20;
const LENGTH_PER_STEP = 64 * 1024;

/** The first items, in their order. `url`: of the feed. @throws RequestError `UPSTREAM_FAILED` for what is no feed */
export async function readFeed(bytes: Uint8Array, contentType: string, url: string): Promise<FeedItemDto[]> {
  const items: FeedItemDto[] = [];
  // Only now: to load the parser takes a quarter of a second, which a start need not wait for.
  const { toFeedItems } = await import('./feed-items.js');
  try {
    for (const step of stepsOf(itemsOf(decode(bytes, contentType)))) {
      if (step.length > 0) items.push(...toFeedItems(step, url));
      if (items.length >= MAX_ITEMS) break;
      await othersRan();
    }
  } catch (error) {
    // The parser's own errors are about the feed as well.
    const reason = error instanceof FeedInvalid ? error.message : 'malformed XML';
    throw new RequestError('UPSTREAM_FAILED', `feed: ${reason}`, because('FEED_INVALID', { detail: reason }));
  }
  return items.slice(0, MAX_ITEMS);
}

/** Items with the same tags above them, as many as may be parsed at a time; sometimes none. */
function* stepsOf(items: Iterable<RawItem | null>): Generator<readonly RawItem[]> {
  let step: RawItem[] = [];
  let length = 0;
  for (const item of items) {
    const isFull = step.length === ITEMS_PER_STEP || length > LENGTH_PER_STEP;
    if (!item || isFull || step[0]?.before !== item.before) {
      yield step;
      step = [];
      length = 0;
    }
    if (!item) continue;
    step.push(item);
    length += item.children.reduce((sum, { markup }) => sum + markup.length, 0);
  }
  yield step;
}

/** By byte order mark, header, XML declaration, else UTF-8; bytes that are no text become U+FFFD. */
function decode(bytes: Uint8Array, contentType: string): string {
  const declaration = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const named =
    markedEncoding(bytes) ??
    /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ??
    /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/i.exec(declaration)?.[1];
  return decodeAs(named ?? 'utf-8', bytes);
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf-8' : undefined;
}

function decodeAs(label: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    // An encoding that the decoder does not know.
    return new TextDecoder().decode(bytes);
  }
}
