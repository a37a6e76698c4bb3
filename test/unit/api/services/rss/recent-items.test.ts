// Items of feeds that are kept: how often a feed is fetched, for whom, and how much is remembered.
import t from 'tap';
import type { FeedItemDto } from '../../../../../shared-protocol/dto/rss.js';
import { MAX_RECENT_FEEDS, RecentItems } from '../../../../../api/services/rss/recent-items.js';
import { account } from '../../../../support/feed-bench.js';

const MINUTE_MS = 60_000;
const ANN = account(2);
const BOB = account(3);
const feed = (id: number, url = `https://feeds.invalid/${id}`) => ({ id, url });
const items = (count: number, length = 10): FeedItemDto[] =>
  Array.from({ length: count }, (_, n) => ({ guid: `${n}`, title: 'x'.repeat(length), pub_date: '', torrent_url: '' }));

function start(answer: (id: number) => FeedItemDto[] = () => items(3)) {
  const asked: string[] = [];
  let nowMs = 0;
  const feeds = {
    items: async ({ id: who }: { readonly id: number }, id: number) => {
      asked.push(`${who} ${id}`);
      return answer(id);
    },
  };
  const recent = new RecentItems({ feeds, now: () => nowMs });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { asked, recent, settled, pass: (ms: number) => (nowMs += ms) };
}

void t.test('a feed is fetched once in five minutes, and sooner where it is asked for', async (t) => {
  const { asked, recent, settled, pass } = start();
  t.match(recent.of(ANN, feed(1)), { isLoading: true, items: [] });
  await settled();
  t.match(recent.of(ANN, feed(1)), { isLoading: false, error: '', items: [{}, {}, {}] });
  pass(5 * MINUTE_MS - 1);
  recent.of(ANN, feed(1));
  t.equal(asked.length, 1);
  pass(1);
  t.match(recent.of(ANN, feed(1)), { isLoading: true, items: [{}, {}, {}] });
  await settled();
  recent.forget(ANN, feed(1));
  t.match(recent.of(ANN, feed(1)), { isLoading: true });
  await settled();
  t.match(recent.of(ANN, feed(1, 'https://other.invalid/')), { isLoading: true, items: [] }, 'another address');
  t.equal(asked.length, 4);
});

void t.test('one feed of an account at a time, of each account by itself', async (t) => {
  const { asked, recent, settled } = start();
  for (const id of [1, 2]) for (const who of [ANN, BOB]) recent.of(who, feed(id));
  t.same(asked, ['2 1', '3 1']);
  await settled();
  t.same(recent.of(BOB, feed(2)).items, []);
  t.same(asked, ['2 1', '3 1', '3 2']);
});

void t.test('a feed that cannot be got is tried again as seldom, and keeps what it had', async (t) => {
  let isBroken = false;
  const { asked, recent, settled, pass } = start(() => {
    if (isBroken) throw new Error('gone');
    return items(2);
  });
  recent.of(ANN, feed(1));
  await settled();
  isBroken = true;
  pass(5 * MINUTE_MS);
  recent.of(ANN, feed(1));
  await settled();
  t.match(recent.of(ANN, feed(1)), { error: 'gone', isLoading: false, items: [{}, {}] });
  t.equal(asked.length, 2);
});

void t.test('so many feeds and items are kept, and no more', async (t) => {
  const { recent, settled } = start((id) => (id === 1 ? items(80) : items(40, 4_000)));
  for (const id of [1, 2]) {
    recent.of(ANN, feed(id));
    await settled();
  }
  t.equal(recent.of(ANN, feed(1)).items.length, 50);
  t.equal(recent.of(ANN, feed(2)).items.length, 16);
  for (let id = 3; id < 8 * MAX_RECENT_FEEDS; id++) {
    recent.of(ANN, feed(id));
    await settled();
  }
  t.equal(recent.size, 200);
});
