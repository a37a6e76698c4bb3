// Feeds, what their filters let through, and what is told of them.
import { maskSaid } from '../../../shared-protocol/masking.js';
import type { FeedMemory } from '../../../storage/types.js';
import { monotonicMs, type Clock } from '../../clocks.js';
import type { Egress } from '../../egress/egress.js';
import type { Log } from '../../logging.js';
import type { Accounts } from '../../services/accounts/accounts.js';
import type { Adding } from '../../services/library/adding.js';
import type { Labels } from '../../services/library/labels.js';
import type { Library } from '../../services/library/library.js';
import { sharesByAccount } from '../../services/library/shares.js';
import { newsOfAdding, newsOfFailing } from '../../services/notices/news.js';
import type { Notices } from '../../services/notices/notices.js';
import { AutoAdd } from '../../services/rss/auto-add.js';
import { FeedPoller } from '../../services/rss/feed-poller.js';
import { sourceOf } from '../../services/rss/feed-records.js';
import { Feeds } from '../../services/rss/feeds.js';
import { Filters } from '../../services/rss/filters.js';
import { RecentItems } from '../../services/rss/recent-items.js';
import type { SavePaths } from '../../services/settings/save-paths.js';
import type { Collections } from '../collections.js';

export interface FeedsDeps {
  readonly collections: Pick<Collections, 'feeds'>;
  readonly feedMemory: FeedMemory;
  readonly accounts: Accounts;
  readonly notices: Notices;
  readonly adding: Adding;
  readonly egress: Egress;
  readonly labels: Labels;
  readonly library: Library;
  readonly savePaths: SavePaths;
  readonly clock: Clock;
  readonly log: Log;
}

export function composeFeeds({ collections, feedMemory: memory, notices, ...deps }: FeedsDeps) {
  const { accounts, adding, egress, labels, library, savePaths, clock, log } = deps;
  const collection = collections.feeds;
  const autoAdd = new AutoAdd({ adding, egress, labels, library, savePaths });
  const feedPoller = new FeedPoller({
    ...{ collection, memory, egress, autoAdd, accounts, clock, log },
    onAdded: (feed, owner, id) => {
      const torrent = library.find(id);
      const share = torrent && sharesByAccount(torrent).get(owner);
      if (share) notices.tell(owner, newsOfAdding(sourceOf(feed), share));
    },
    onFailing: (feed, reason) =>
      notices.tell(feed.created_by, newsOfFailing(sourceOf(feed), maskSaid(feed.url, reason))),
    random: Math.random,
  });
  const feeds = new Feeds({ collection, memory, poller: feedPoller, egress });
  return {
    feedPoller,
    feeds,
    filters: new Filters({ collection, poller: feedPoller, labels, savePaths }),
    recentItems: new RecentItems({ feeds, now: monotonicMs }),
  };
}
