// When feeds are asked for and what of, over days in virtual time (docs/semantics.md sections 9 and 13).
import { setImmediate } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { magnetOf, startFeedBench, type FeedBench, type Remains } from '../../../../support/feed-bench.js';
import { rssOf } from '../../../../support/feed-server.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const URL_A = 'https://a.example/rss';
const URL_B = 'https://b.example/rss';
/** Of the steps in which the bench lets time pass. */
const STEP_MS = 10 * SECOND_MS;

async function start(t: Test, remains: Partial<Remains> = {}, seed = 1): Promise<FeedBench> {
  const bench = await startFeedBench(remains, seed);
  t.teardown(() => bench.stop());
  if (!remains.server) for (const url of [URL_A, URL_B]) bench.server.pages.set(url, { body: rssOf([]) });
  return bench;
}

/** Minutes from visit to visit. */
const gaps = ({ server }: FeedBench, url: string) =>
  server.visitsOf(url).flatMap(({ atMs }, index, all) => {
    const before = all[index - 1];
    return before ? [(atMs - before.atMs) / MINUTE_MS] : [];
  });

void t.test('each feed at its own interval with jitter of 10 %, for two days', async (t) => {
  const bench = await start(t);
  const intervals = { 0: 30, 1: 5, 5: 5, 60: 60, 600: 600 };
  for (const given of Object.keys(intervals)) {
    bench.server.pages.set(`https://${given}.example/`, { body: rssOf([]) });
    await bench.makeFeed(`https://${given}.example/`, { interval: Number(given) });
  }
  await bench.pass(48 * HOUR_MS);
  for (const [given, minutes] of Object.entries(intervals)) {
    const seen = gaps(bench, `https://${given}.example/`);
    t.ok(Math.abs(seen.length - (48 * 60) / minutes) <= (48 * 60) / minutes / 8 + 1, `${given}: ${seen.length} polls`);
    const [least, most] = [Math.min(...seen), Math.max(...seen)];
    const slack = (2 * STEP_MS) / MINUTE_MS;
    t.ok(least >= Math.max(5, minutes * 0.9) - 0.001 && most <= minutes * 1.1 + slack, `${given}: ${least} to ${most}`);
    if (seen.length > 20) t.ok(most - least > minutes * 0.08, `${given}: they do differ`);
  }
});

void t.test('a new feed is polled within 10 s, a disabled one never, a re-enabled one within 10 s', async (t) => {
  const bench = await start(t);
  const id = await bench.makeFeed(URL_A);
  await bench.pass(10 * SECOND_MS);
  t.equal(bench.server.visitsOf(URL_A).length, 1);
  const [{ last_polled = 0 } = {}] = bench.feeds.shown(bench.accounts[0]!);
  t.ok(last_polled > bench.clock.unixMs() / 1_000 - 10);
  await bench.feeds.change(bench.accounts[0]!, { id, url: URL_A, enabled: false });
  t.equal(bench.feeds.state(id).next_poll, 0);
  await bench.pass(24 * HOUR_MS);
  t.equal(bench.server.visitsOf(URL_A).length, 1);
  t.equal(bench.clock.pendingTimers, 0);
  await bench.feeds.change(bench.accounts[0]!, { id, url: URL_A, enabled: true });
  await bench.pass(10 * SECOND_MS);
  t.equal(bench.server.visitsOf(URL_A).length, 2);
});

void t.test(
  'a changed URL is polled at once, a changed name changes nothing, a changed interval holds at once',
  async (t) => {
    const bench = await start(t);
    const id = await bench.makeFeed(URL_A, { interval: 600 });
    await bench.pass(MINUTE_MS);
    await bench.feeds.change(bench.accounts[0]!, { id, url: URL_A, name: 'other' });
    await bench.pass(MINUTE_MS);
    t.equal(bench.server.visitsOf(URL_A).length, 1);
    await bench.feeds.change(bench.accounts[0]!, { id, url: URL_B });
    await bench.poller.idle();
    t.equal(bench.server.visitsOf(URL_B).length, 1);
    await bench.pass(20 * MINUTE_MS);
    await bench.feeds.change(bench.accounts[0]!, { id, url: URL_B, interval_min: 10 });
    await bench.pass(10 * SECOND_MS);
    t.equal(bench.server.visitsOf(URL_B).length, 2, 'it is overdue now');
    await bench.pass(12 * MINUTE_MS);
    t.equal(bench.server.visitsOf(URL_B).length, 3);
    t.equal(bench.server.visitsOf(URL_A).length, 1);
  },
);

void t.test('back-off: ever longer up to 6 hours, and as before after a success', async (t) => {
  const bench = await start(t);
  bench.server.pages.delete(URL_A);
  const id = await bench.makeFeed(URL_A);
  await bench.pass(24 * HOUR_MS);
  const seen = gaps(bench, URL_A);
  for (const [index, hours] of [1, 2, 4, 6, 6].entries()) {
    const minutes = seen[index] ?? 0;
    t.ok(minutes >= hours * 54 && minutes <= hours * 66 + 1, `${hours} h: ${minutes} min`);
  }
  t.match(bench.feeds.state(id), { last_error: 'feed: HTTP status 404', failures: seen.length + 1 });
  t.match(bench.feeds.shown(bench.accounts[0]!), [{ last_polled: 0 }], 'failures leave it as it is');
  t.match(bench.lines.join('\n'), /warn: feed not polled .*"reason":"feed: HTTP status 404"/);
  t.notMatch(bench.lines.join('\n'), 'a.example');
  t.same(bench.told, [`failing ${id}: feed: HTTP status 404`], 'told once, when it has failed twice');
  bench.server.pages.set(URL_A, { body: rssOf([]) });
  await bench.pass(7 * HOUR_MS);
  t.match(bench.feeds.state(id), { last_error: '', failures: 0 });
  const count = bench.server.visitsOf(URL_A).length;
  await bench.pass(2 * HOUR_MS);
  t.ok(bench.server.visitsOf(URL_A).length >= count + 3);
});

void t.test('what fails keeps its last_polled of before', async (t) => {
  const bench = await start(t);
  await bench.makeFeed(URL_A);
  await bench.pass(10 * SECOND_MS);
  const shown = () => bench.feeds.shown(bench.accounts[0]!)[0]?.last_polled;
  const before = shown();
  t.ok(before);
  bench.server.pages.set(URL_A, { body: '<html>' });
  await bench.pass(3 * HOUR_MS);
  t.ok(bench.server.visitsOf(URL_A).length > 1);
  t.equal(shown(), before);
});

void t.test('ETag and Last-Modified are sent back; a 304 keeps the etag and is a poll', async (t) => {
  const bench = await start(t);
  const lastModified = 'Mon, 06 Sep 2010 00:01:00 GMT';
  bench.server.pages.set(URL_A, { body: rssOf([]), etag: 'W/"1"', lastModified });
  await bench.makeFeed(URL_A);
  await bench.pass(2 * HOUR_MS);
  const [first, ...others] = bench.server.visitsOf(URL_A);
  t.same(first?.headers, {});
  t.ok(others.length >= 3);
  for (const visit of others) {
    t.match(visit, { status: 304, headers: { 'if-none-match': 'W/"1"', 'if-modified-since': lastModified } });
  }
  const [feed] = bench.feeds.shown(bench.accounts[0]!);
  t.equal(feed?.etag, 'W/"1"');
  t.ok((feed?.last_polled ?? 0) * 1_000 > bench.clock.unixMs() - 34 * MINUTE_MS);
  bench.server.pages.set(URL_A, { body: rssOf([]), etag: '"2"' });
  await bench.pass(34 * MINUTE_MS);
  t.match(bench.feeds.shown(bench.accounts[0]!), [{ etag: '"2"' }]);
  await bench.pass(34 * MINUTE_MS);
  t.same(bench.server.visitsOf(URL_A).at(-1)?.headers, { 'if-none-match': '"2"' });
});

void t.test('validators that may not stand in a header are not sent', async (t) => {
  for (const etag of ['"\u00e9"', '"a\u0001"', `"${'x'.repeat(600)}"`]) {
    const bench = await start(t);
    bench.server.pages.set(URL_A, { body: rssOf([]), etag });
    await bench.makeFeed(URL_A);
    await bench.pass(HOUR_MS);
    for (const { headers } of bench.server.visitsOf(URL_A)) t.same(headers, {});
    t.match(bench.feeds.shown(bench.accounts[0]!), [{ etag: '' }]);
  }
});

void t.test('validators mean nothing at another URL or for other filters', async (t) => {
  const bench = await start(t);
  for (const url of [URL_A, URL_B]) bench.server.pages.set(url, { body: rssOf([]), etag: '"1"' });
  const id = await bench.makeFeed(URL_A);
  await bench.pass(MINUTE_MS);
  await bench.feeds.change(bench.accounts[0]!, { id, url: URL_B });
  await bench.pass(MINUTE_MS);
  t.same(bench.server.visitsOf(URL_B)[0]?.headers, {});
  const [filter] = bench.filters.ofFeed(bench.accounts[0]!, id);
  const admin = bench.accounts[0]!;
  await bench.filters.change(admin, { ...filter!, regex: 'x' });
  await bench.pass(10 * SECOND_MS);
  t.match(bench.server.visitsOf(URL_B)[1], { status: 200 }, 'polled within 10 s, in full');
  await bench.filters.change(admin, { ...filter!, regex: 'x', enabled: false });
  await bench.filters.create(admin, { feed_id: id, regex: 'y', enabled: false });
  await bench.pass(40 * MINUTE_MS);
  const disabled = bench.server.visitsOf(URL_B).length;
  await bench.filters.delete(filter!.id);
  await bench.pass(40 * MINUTE_MS);
  t.match(bench.server.visitsOf(URL_B)[disabled], { status: 304 }, 'a disabled filter that goes changes nothing');
});

void t.test('filters that change again and again bring about a poll every 10 s at the most', async (t) => {
  const bench = await start(t);
  const id = await bench.makeFeed(URL_A);
  for (let second = 0; second < 100; second++) {
    await bench.filters.create(bench.accounts[0]!, { feed_id: id, regex: `${second}` });
    await bench.pass(SECOND_MS);
  }
  const count = bench.server.visitsOf(URL_A).length;
  t.ok(count >= 8 && count <= 11, `${count}`);
});

void t.test('after a restart feeds are due by last_polled, with their validators, and not all at once', async (t) => {
  const before = await start(t);
  const urls = Array.from({ length: 30 }, (_, n) => `https://${n}.example/`);
  for (const url of urls) {
    before.server.pages.set(url, { body: rssOf([]), etag: '"1"' });
    await before.makeFeed(url, { interval: 60 });
  }
  await before.pass(MINUTE_MS);
  t.equal(before.server.visits.length, 30);
  await before.stop();
  await before.clock.advance(30 * MINUTE_MS);
  const after = await start(t, before);
  await after.pass(28 * MINUTE_MS);
  t.equal(after.server.visits.length, 30, 'none is due yet');
  await after.pass(10 * MINUTE_MS);
  t.equal(after.server.visits.length, 60);
  t.ok(after.server.visits.slice(30).every(({ status }) => status === 304));
  await after.stop();
  await after.clock.advance(24 * HOUR_MS);
  const late = await start(t, after);
  const startedMs = late.clock.nowMs();
  await late.pass(40 * SECOND_MS);
  const times = late.server.visits.slice(60).map(({ atMs }) => atMs - startedMs);
  t.equal(times.length, 30, 'overdue: all within half a minute');
  t.ok(new Set(times).size > 25 && Math.max(...times) - Math.min(...times) > 20 * SECOND_MS, 'but spread');
});

void t.test('a few polls at a time, those first that have been due for the longest', async (t) => {
  const bench = await start(t);
  const urls = Array.from({ length: 20 }, (_, n) => `https://${n}.example/`);
  let release = () => {};
  bench.server.heldBy = new Promise((resolve) => (release = resolve));
  for (const url of urls) {
    bench.server.pages.set(url, { body: rssOf([]) });
    await bench.makeFeed(url);
    await bench.clock.advance(10);
  }
  await bench.clock.advance(5 * SECOND_MS);
  t.equal(bench.server.running, 3, 'one place is for the first feed of another account');
  release();
  await bench.poller.idle();
  t.equal(bench.server.mostAtATime, 3);
  t.same(
    bench.server.visits.map(({ url }) => url),
    urls,
  );
});

void t.test("feeds whose servers do not answer hold up those of their account, and nobody else's", async (t) => {
  const bench = await start(t);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const makeFeeds = async (by: number, isHeld: boolean) => {
    const urls = Array.from({ length: 10 }, (_, n) => `https://${by}.example/${n}`);
    for (const url of urls) {
      bench.server.pages.set(url, { body: rssOf([]) });
      if (isHeld) bench.server.held.set(url, held);
      await bench.makeFeed(url, { by });
    }
    return urls;
  };
  await makeFeeds(2, true);
  await bench.clock.advance(MINUTE_MS);
  t.equal(bench.server.running, 3);
  const urls = await makeFeeds(3, false);
  await bench.clock.advance(10 * SECOND_MS);
  while (bench.server.visits.length < urls.length) await setImmediate();
  t.same(
    bench.server.visits.map(({ url }) => url),
    urls,
    'in the order in which they were due, with nothing of the other one answered',
  );
  release();
  await bench.poller.idle();
  t.equal(bench.server.visits.length, 20);
  t.equal(bench.server.mostAtATime, 4);
});

void t.test('accounts take turns, by who owns a feed now, however many feeds each has', async (t) => {
  const bench = await start(t);
  let release = () => {};
  bench.server.heldBy = new Promise((resolve) => (release = resolve));
  const page = (url: string) => bench.server.pages.set(url, { body: rssOf([]) });
  const ids: number[] = [];
  for (let n = 0; n < 12; n++) {
    page(`https://two.example/${n}`);
    ids.push(await bench.makeFeed(`https://two.example/${n}`, { by: 2 }));
  }
  await bench.clock.advance(10 * SECOND_MS);
  t.equal(bench.server.running, 3);
  for (const by of [1, 3]) {
    page(`https://${by}.example/`);
    await bench.makeFeed(`https://${by}.example/`, { by });
    await bench.clock.advance(5 * SECOND_MS);
  }
  await bench.filters.create(bench.accounts[2]!, { feed_id: ids[11]!, regex: 'x' });
  await bench.clock.advance(10 * SECOND_MS);
  t.equal(bench.server.running, 4);
  release();
  await bench.poller.idle();
  const order = bench.server.visits.map(({ url }) => url);
  t.equal(order.length, 14);
  for (const url of ['https://1.example/', 'https://3.example/', 'https://two.example/11']) {
    t.ok(order.indexOf(url) < 8, `${url}: of an account that has fewer`);
  }
});

void t.test('one timer for all feeds, and none after the stop', async (t) => {
  const bench = await start(t);
  for (let n = 0; n < 50; n++) await bench.makeFeed(`https://${n}.example/`, { interval: 525_600 });
  await bench.pass(MINUTE_MS);
  t.equal(bench.clock.pendingTimers, 1);
  await bench.poller.stop();
  t.equal(bench.clock.pendingTimers, 0);
  const { length } = bench.server.visits;
  await bench.makeFeed('https://late.example/');
  await bench.pass(24 * HOUR_MS);
  t.equal(bench.server.visits.length, length);
});

void t.test('an interval of a year is no shorter than a year', async (t) => {
  const bench = await start(t);
  const id = await bench.makeFeed(URL_A, { interval: 525_600 });
  await bench.pass(MINUTE_MS);
  const next = bench.feeds.state(id).next_poll - bench.clock.unixMs() / 1_000;
  t.ok(next > 328 * 24 * 3_600 && next < 403 * 24 * 3_600);
  await bench.clock.advance(60 * 24 * HOUR_MS);
  await bench.poller.idle();
  t.equal(bench.server.visits.length, 1);
});

void t.test('the stop does not wait for servers, and nothing is added after it', async (t) => {
  const bench = await start(t);
  bench.server.pages.set(URL_A, { body: rssOf([{ guid: '1', url: magnetOf(1) }]) });
  bench.server.heldBy = new Promise(() => undefined);
  await bench.makeFeed(URL_A);
  await bench.clock.advance(SECOND_MS);
  t.equal(bench.server.running, 1);
  await bench.poller.stop();
  t.same(bench.added(), []);
});

void t.test('a feed that is gone is forgotten, also one that was deleted when the process died', async (t) => {
  const bench = await start(t);
  const id = await bench.makeFeed(URL_A);
  await bench.pass(MINUTE_MS);
  t.same(bench.memory.feedIds(), [id]);
  await bench.feeds.delete(id);
  t.same(bench.memory.feedIds(), []);
  t.throws(() => bench.feeds.state(id), { code: 'NOT_FOUND' });
  await bench.memory.putItem(77, 'x', { kind: 'done', torrentId: null, at: 0 });
  await bench.stop();
  const after = await start(t, bench);
  await after.pass(SECOND_MS);
  t.same(after.memory.feedIds(), []);
});
