// Feeds by the path of their item, which in qBittorrent has folders in it and here is the name that a feed is shown by.
// One whose name another feed has as well has its id behind it.
import type { FeedDto } from '../../../../shared-protocol/dto/rss.js';
import { RequestError } from '../../../errors.js';
import type { AccountContext } from '../../../routes/route.js';

/** Between the names of folders. */
const SEPARATOR = '\\';

/** Feeds that the account is shown, in the order in which they were made. */
export function feedsByPath({ services, principal }: AccountContext): Map<string, FeedDto> {
  const feeds = services.feeds.shown(principal.account);
  const byPath = new Map<string, FeedDto>();
  for (const feed of feeds) byPath.set(byPath.has(feed.name) ? `${feed.name} (${feed.id})` : feed.name, feed);
  return byPath;
}

/** @throws RequestError `RSS_REFUSED` where there is none */
export function feedAt(context: AccountContext, path: string): FeedDto {
  const feed = feedsByPath(context).get(path.trim());
  if (!feed) throw new RequestError('RSS_REFUSED', `there is no feed ${JSON.stringify(path.slice(0, 200))}`);
  return feed;
}

/** The name that a path means. @throws RequestError `RSS_REFUSED` where it is in a folder, or taken */
export function newNameOf(context: AccountContext, path: string, own?: FeedDto): string {
  const name = path.trim();
  if (name.includes(SEPARATOR)) throw new RequestError('RSS_REFUSED', 'path: feeds are in no folders here');
  const taken = feedsByPath(context).get(name);
  if (taken && taken.id !== own?.id) throw new RequestError('RSS_REFUSED', 'path: there is a feed of this name');
  return name;
}
