// What a feed shows of having been polled, and that the poller is told of every change before it is answered.
import t from 'tap';
import type { Account } from '../../../../../api/auth/account.js';
import { feedsSchema, Feeds, NO_FEEDS, type FeedsData } from '../../../../../api/services/rss/feeds.js';
import { ADMIN_ACCOUNT_ID } from '../../../../../shared-protocol/ids.js';
import { createMemoryFeedMemory } from '../../../../support/memory-feed-memory.js';
import { account, startFeedBench } from '../../../../support/feed-bench.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';

const URL_BEFORE = 'https://a.example/rss';
const POLL = { url: URL_BEFORE, etag: '"1"', lastModified: '', judgedBy: '', lastPolled: 5 };

async function polledFeeds() {
  const feed = { id: 1, url: URL_BEFORE, name: 'a', interval_min: 0, enabled: true, created_by: ADMIN_ACCOUNT_ID };
  const data: FeedsData = { ...NO_FEEDS, next_feed_id: 2, feeds: [feed] };
  const collection = new MemoryCollection(data, (given) => feedsSchema.parse(given));
  const memory = createMemoryFeedMemory();
  await memory.putPoll(1, POLL);
  const told: string[] = [];
  const poller = {
    feedChanged: async (id: number) => void told.push(`${id} of ${collection.data.feeds.map((each) => each.id)}`),
    isFailing: () => false,
    state: () => ({ last_error: '', last_reason: null, next_poll: 0, failures: 0, added: 0 }),
  };
  const egress = { check: async () => undefined, fetch: () => Promise.reject(new Error('nothing is fetched')) };
  return { feeds: new Feeds({ collection, memory, poller, egress }), told };
}

void t.test('another URL forgets the etag, and nothing else does', async (t) => {
  const { feeds } = await polledFeeds();
  await feeds.change(account(1), { id: 1, url: URL_BEFORE, name: 'b', enabled: false });
  t.match(feeds.shown(account(1)), [{ etag: '"1"', last_polled: 5 }]);
  await feeds.change(account(1), { id: 1, url: 'https://b.example/rss' });
  t.match(feeds.shown(account(1)), [{ etag: '', last_polled: 5, name: 'b', enabled: false }]);
});

void t.test('whose feed it is, is shown to nobody', async (t) => {
  const { feeds } = await polledFeeds();
  const [shown = {}] = feeds.shown(account(1));
  t.notOk('created_by' in shown || 'shaped_by' in shown);
});

void t.test('the poller is told once a change is stored', async (t) => {
  const { feeds, told } = await polledFeeds();
  await feeds.create(account(1), { url: 'https://b.example/' });
  await feeds.change(account(1), { id: 2, url: 'https://c.example/' });
  await feeds.delete(1);
  t.same(told, ['2 of 1,2', '2 of 1,2', '1 of 2']);
});

void t.test('a stored file with what polling used to write there is read', async (t) => {
  const feed = { id: 1, url: URL_BEFORE, name: 'a', interval_min: 0, enabled: true, created_by: ADMIN_ACCOUNT_ID };
  const stored = { ...NO_FEEDS, feeds: [{ ...feed, last_polled: 5, etag: '"1"' }] };
  t.same(feedsSchema.parse(stored).feeds, [feed]);
});

void t.test('an account that has as many feeds and filters as may be leaves those of others alone', async (t) => {
  const most = 1_000;
  const [admin, bob, eve] = [account(1), account(2), account(3)];
  const bobs = (id: number) => ({
    ...{ id, url: URL_BEFORE, name: `${id}`, interval_min: 0, enabled: false },
    created_by: bob.id,
  });
  const filterOf = (feed_id: number, id: number) => ({
    ...{ id, feed_id, regex: 'x', category_id: null, save_path: '', enabled: true },
  });
  const feedsOfBob = Array.from({ length: most - 1 }, (_, n) => bobs(n + 1));
  const filters = Array.from({ length: most - 1 }, (_, n) => filterOf(1 + (n % 3), n + 1));
  const collection = new MemoryCollection<FeedsData>(
    { ...NO_FEEDS, next_feed_id: most, feeds: feedsOfBob, next_filter_id: most, filters },
    (given) => feedsSchema.parse(given),
  );
  const bench = await startFeedBench({ collection });
  t.teardown(() => bench.stop());
  const newFeed = { url: 'https://b.example/rss', enabled: false };
  const tooMany = (field: string) => ({ code: 'BODY_INVALID', message: `${field}: at most ${most} of an account` });
  await bench.feeds.create(bob, newFeed);
  await t.rejects(bench.feeds.create(bob, newFeed), tooMany('feeds'));
  const [evesFeed, admins] = [await bench.feeds.create(eve, newFeed), await bench.feeds.create(admin, newFeed)];

  const make = (by: Account, feed_id: number) => bench.filters.create(by, { feed_id, regex: 'y' });
  await make(bob, 4);
  for (const by of [bob, admin]) await t.rejects(make(by, 4), tooMany('filters'), 'whoever makes it');
  await make(eve, evesFeed);
  await make(admin, admins);
  await make(eve, 1);
  await make(bob, 4);
  t.match(
    collection.data.feeds[0],
    { created_by: eve.id },
    'with a feed its filters are the account’s that took it over',
  );
});
