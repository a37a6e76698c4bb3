// An item of a feed as qBittorrent shows an article. Whether it was read is not noted; of when it was published the day is
// known.
import type { FeedDto, FeedItemDto } from '../../../../shared-protocol/dto/rss.js';
import type { RecentFeed } from '../../../services/rss/recent-items.js';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export interface FeedItem {
  readonly uid: string;
  readonly url: string;
  /** Seconds; 0 is the service's default. */
  readonly refreshInterval: number;
}

export function toFeedItem({ id, url, interval_min }: FeedDto): FeedItem {
  return { uid: String(id), url, refreshInterval: interval_min * 60 };
}

/** The item with what was in the feed; `hasFailed`: when it was polled last. */
export function toFeedItemWithData(feed: FeedDto, { items, isLoading, error }: RecentFeed, hasFailed: boolean) {
  return {
    ...toFeedItem(feed),
    title: feed.name,
    lastBuildDate: '',
    isLoading,
    hasError: error !== '' || hasFailed,
    articles: items.map(toArticle),
  };
}

function toArticle({ guid, title, pub_date, torrent_url }: FeedItemDto) {
  return { id: guid, title, date: mailDate(pub_date), torrentURL: torrent_url, link: '', description: '', author: '' };
}

/** The day as in mails (RFC 2822), from `YYYY-MM-DD`; '' where there is none. */
function mailDate(day: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return day === '' ? '' : `${date} ${MONTHS[Number(month) - 1] ?? ''} ${year} 00:00:00 +0000`;
}
