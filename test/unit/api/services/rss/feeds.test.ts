// What only a poller can bring about: the server's own fields of a feed that has been polled.
import t from 'tap';
import { Feeds, type FeedsData } from '../../../../../api/services/rss/feeds.js';
import { ADMIN_ACCOUNT_ID } from '../../../../../shared-protocol/ids.js';
import type { Collection } from '../../../../../storage/types.js';

const URL_BEFORE = 'https://a.example/rss';

function polledFeeds() {
  const data: FeedsData = {
    next_feed_id: 2,
    next_filter_id: 1,
    filters: [],
    feeds: [
      {
        ...{ id: 1, url: URL_BEFORE, name: 'a', interval_min: 0, last_polled: 5, etag: '"1"', enabled: true },
        created_by: ADMIN_ACCOUNT_ID,
      },
    ],
  };
  const collection: Collection<FeedsData> = { data, update: async (change) => change(data) };
  const egress = { check: async () => undefined, fetch: () => Promise.reject(new Error('nothing is fetched')) };
  return new Feeds({ collection, egress });
}

void t.test('another URL forgets the etag, and nothing else does', async (t) => {
  const feeds = polledFeeds();
  await feeds.change({ id: 1, url: URL_BEFORE, name: 'b', enabled: false });
  t.match(feeds.shown({ withSecrets: true }), [{ etag: '"1"', last_polled: 5 }]);
  await feeds.change({ id: 1, url: 'https://b.example/rss' });
  t.match(feeds.shown({ withSecrets: true }), [{ etag: '', last_polled: 5, name: 'b', enabled: false }]);
});

void t.test('whose feed it is, is shown to nobody', async (t) => {
  for (const withSecrets of [true, false]) {
    t.notOk('created_by' in (polledFeeds().shown({ withSecrets })[0] ?? {}));
  }
});
