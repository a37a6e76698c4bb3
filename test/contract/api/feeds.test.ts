// Feeds, their items and filters, and torrents by URL, through the API: with --fetch-allow for servers on loopback.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import type { FeedDto, FeedStateDto } from '../../../shared-protocol/dto/rss.js';
import { startHarness, type HarnessOptions } from '../../support/api-harness.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { startUpstream, type Respond } from '../../support/upstream.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const MAGNET = `magnet:?xt=urn:btih:${'a'.repeat(40)}&dn=a`;
const RSS = `<rss version="2.0"><channel><item><title>T</title><guid>1</guid><link>${MAGNET.replace('&', '&amp;')}</link>
  <pubDate>Mon, 06 Sep 2010 00:01:00 GMT</pubDate></item></channel></rss>`;
const MIB = 1024 * 1024;
const LOOPBACK = ['--fetch-allow', '127.0.0.0/8'];

/** Nothing is polled unless the clock is moved. */
async function start(t: Test, options: HarnessOptions & { readonly password?: string } = {}) {
  const clock = new VirtualClock();
  const harness = await startHarness({ args: LOOPBACK, deps: { clock }, ...options });
  t.teardown(() => harness.close());
  const cookie = await harness.signIn(options.password ?? harness.password);
  const headers = { authorization: `Bearer ${await harness.apiKey(cookie)}` };
  const call = (method: string, path: string, body?: unknown, as: Record<string, string> = headers) =>
    harness.call(method, path, { headers: as, ...(body === undefined ? {} : { body }) });
  const made = async (path: string, body: unknown) => (await call('POST', path, body)).json<{ id: number }>().id;
  const list = async (path: string) => (await call('GET', path)).json<Record<string, unknown>[]>();
  /** Lets the feed be polled, which is to end as said. */
  const polled = async (id: number, isOver: (state: FeedStateDto, feed: FeedDto | undefined) => boolean) => {
    await clock.advance(10_000);
    for (const until = Date.now() + 20_000; ; await setTimeout(5)) {
      const state = (await call('GET', `/api/feeds/${id}/state`)).json<FeedStateDto>();
      const feed = (await call('GET', '/api/feeds')).json<FeedDto[]>().find((each) => each.id === id);
      if (isOver(state, feed)) return { state, feed };
      if (Date.now() > until) throw new Error(`not polled: ${JSON.stringify({ state, feed })}`);
    }
  };
  return { harness, clock, call, made, list, polled };
}

async function upstream(t: Test, respond: Respond) {
  const server = await startUpstream(respond);
  t.teardown(() => server.close());
  return server;
}

void t.test('a feed has exactly the fields of FeedDTO, and the server writes its own', async (t) => {
  const { call, made, list } = await start(t);
  const url = 'https://Feeds.invalid/rss?passkey=1';
  const id = await made('/api/feeds', { url, name: ' My feed ', last_polled: 5, etag: '"x"', id: 77, created_by: 9 });
  // Whether it fails is known only once it was polled.
  const shown = async () =>
    (await list('/api/feeds')).map(({ failing, ...feed }) => (t.type(failing, 'boolean'), feed));
  const feed = { id, url, name: 'My feed', interval_min: 0, last_polled: 0, etag: '', enabled: true };
  t.same(await shown(), [feed]);
  const change = { ...feed, name: '', interval_min: 3, enabled: false, last_polled: 9, etag: '"y"' };
  t.same((await call('PUT', '/api/feeds', change)).json(), { ok: true });
  t.same(await shown(), [{ ...feed, name: 'feeds.invalid', interval_min: 3, enabled: false }]);
  await call('PUT', '/api/feeds', { id, url });
  t.same(await shown(), [{ ...feed, name: 'feeds.invalid', interval_min: 3, enabled: false }], 'left out');
});

void t.test('two feeds without a name may be of one host, and be sent back as they are shown', async (t) => {
  const { call, made, list } = await start(t);
  for (const path of ['a', 'b']) await made('/api/feeds', { url: `https://feeds.invalid/${path}` });
  const feeds = await list('/api/feeds');
  t.match(feeds, [{ name: 'feeds.invalid' }, { name: 'feeds.invalid' }]);
  for (const feed of feeds) t.equal((await call('PUT', '/api/feeds', feed)).status, 200);
  const moved = { ...feeds[0], url: 'https://other.invalid/' };
  t.equal((await call('PUT', '/api/feeds', moved)).status, 200);
  t.match(await list('/api/feeds'), [{ name: 'other.invalid' }, { name: 'feeds.invalid' }]);
});

void t.test('a deleted feed takes its filters along, and its id is not given out again', async (t) => {
  const { call, made, list } = await start(t);
  const [first, second] = [
    await made('/api/feeds', { url: 'https://a.invalid/' }),
    await made('/api/feeds', { url: 'https://b.invalid/' }),
  ];
  const filter = await made('/api/filters', { feed_id: second, regex: '' });
  await made('/api/filters', { feed_id: first, regex: '' });
  t.equal((await call('DELETE', `/api/feeds/${second}`)).status, 200);
  t.equal((await call('GET', `/api/feeds/${second}/filters`)).status, 404);
  t.match(await call('DELETE', `/api/filters/${filter}`), { status: 404, text: '{"error":"filter not found"}' });
  t.equal((await list(`/api/feeds/${first}/filters`)).length, 1);
  t.ok((await made('/api/feeds', { url: 'https://c.invalid/' })) > second);
});

void t.test('filters: what is left out stays, a category that is gone is none', async (t) => {
  const { harness, call, made, list } = await start(t);
  const feed_id = await made('/api/feeds', { url: 'https://a.invalid/' });
  const category_id = await made('/api/categories', { name: 'films', default_save_path: '', color: '' });
  const save_path = join(harness.filesDir, 'films');
  const id = await made('/api/filters', { feed_id, regex: 'a', category_id, save_path: `${save_path}/x/..` });
  const filters = () => list(`/api/feeds/${feed_id}/filters`);
  const filter = { id, feed_id, regex: 'a', category_id, save_path, enabled: true };
  t.same(await filters(), [filter]);
  await call('PUT', '/api/filters', { id, feed_id, regex: 'b' });
  t.same(await filters(), [{ ...filter, regex: 'b' }]);
  await call('DELETE', `/api/categories/${category_id}`);
  t.same(await filters(), [{ ...filter, regex: 'b', category_id: null }]);
  await call('PUT', '/api/filters', { id, feed_id, regex: '', category_id: null, save_path: '', enabled: false });
  t.same(await filters(), [{ id, feed_id, regex: '', category_id: null, save_path: '', enabled: false }]);
});

void t.test('filters: what must not match, tags and paused', async (t) => {
  const { call, made, list } = await start(t);
  const feed_id = await made('/api/feeds', { url: 'https://a.invalid/' });
  const tag = await made('/api/tags', { name: 'kept', color: '' });
  const filter = { feed_id, regex: 'a', exclude_regex: 'b', tag_ids: [tag], paused: true };
  const id = await made('/api/filters', filter);
  const filters = () => list(`/api/feeds/${feed_id}/filters`);
  const others = { id, category_id: null, save_path: '', enabled: true };
  t.same(await filters(), [{ ...others, ...filter }]);
  await call('PUT', '/api/filters', { id, feed_id, regex: 'c' });
  t.same(await filters(), [{ ...others, ...filter, regex: 'c' }], 'what is left out stays');
  for (const [wrong, status, text] of [
    [{ exclude_regex: '(' }, 400, /exclude_regex: Invalid regular expression/],
    [{ exclude_regex: 'x'.repeat(1_001) }, 400, /exclude_regex/],
    [{ tag_ids: [tag + 1] }, 404, /tag not found/],
  ] as const) {
    t.match(await call('PUT', '/api/filters', { id, feed_id, regex: 'c', ...wrong }), { status, text });
    t.match(await call('POST', '/api/filters', { feed_id, regex: 'c', ...wrong }), { status, text });
  }
  await call('DELETE', `/api/tags/${tag}`);
  t.same(await filters(), [{ ...others, feed_id, regex: 'c', exclude_regex: 'b', paused: true }], 'a tag that is gone');
  await call('PUT', '/api/filters', { id, feed_id, regex: '', exclude_regex: '', tag_ids: [], paused: false });
  t.same(await filters(), [{ ...others, feed_id, regex: '' }]);
});

void t.test('feeds and filters outlive a restart', async (t) => {
  const first = await start(t, { dataDir: t.testdir() });
  const feed_id = await first.made('/api/feeds', { url: 'https://a.invalid/', name: 'kept' });
  await first.made('/api/filters', { feed_id, regex: 'x' });
  await first.harness.daemon.close();
  const second = await startHarness({ dataDir: first.harness.dataDir, args: LOOPBACK });
  t.teardown(() => second.close());
  const headers = { cookie: await second.signIn(first.harness.password) };
  t.match((await second.call('GET', '/api/feeds', { headers })).json(), [{ id: feed_id, name: 'kept' }]);
  t.match((await second.call('GET', `/api/feeds/${feed_id}/filters`, { headers })).json(), [{ regex: 'x' }]);
});

void t.test('secrets of feeds are for those who manage them', async (t) => {
  const { harness, call, made } = await start(t);
  const url = 'https://me:secret@a.invalid/rss?passkey=secret';
  const feed_id = await made('/api/feeds', { url });
  await made('/api/filters', { feed_id, regex: 'secret' });
  const keyOf = async (username: string, perm_manage_rss: boolean) => {
    const password = 'correct horse';
    await call('POST', '/api/users', {
      ...{ username, password, role: 'user', disabled: false, perm_manage_rss },
      ...{ perm_add_torrents: true, perm_manage_cat_tags: true, perm_change_settings: true, perm_share: true },
    });
    const answer = await harness.call('POST', '/api/login', { body: { username, password } });
    return { cookie: (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '' };
  };
  const [manager, other] = [await keyOf('manager', true), await keyOf('other', false)];
  t.match((await call('GET', '/api/feeds', undefined, manager)).json(), [{ url }]);
  t.match((await call('GET', `/api/feeds/${feed_id}/filters`, undefined, manager)).json(), [{ regex: 'secret' }]);
  for (const path of ['/api/feeds', `/api/feeds/${feed_id}/filters`, `/api/feeds/${feed_id + 1}/filters`]) {
    const answer = await call('GET', path, undefined, other);
    t.same([answer.status, answer.json()], [200, []], path);
  }
  t.equal((await call('GET', `/api/feeds/${feed_id}/state`, undefined, other)).status, 403);
});

void t.test('who made a feed and may not manage them any more sees it without secrets', async (t) => {
  const { harness, call } = await start(t);
  const password = 'correct horse';
  const signIn = async () => {
    const answer = await harness.call('POST', '/api/login', { body: { username: 'bob', password } });
    return { cookie: (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '', origin: harness.daemon.url };
  };
  const bob = { username: 'bob', password, perm_manage_rss: true };
  const { id } = (await call('POST', '/api/users', bob)).json<{ id: number }>();
  const feed = { url: 'https://me:secret@a.invalid/rss?passkey=secret' };
  const made = (await call('POST', '/api/feeds', feed, await signIn())).json<{ id: number }>();
  await call('POST', '/api/filters', { feed_id: made.id, regex: 'x' });
  await call('PUT', `/api/users/${id}`, { perm_manage_rss: false });
  const headers = await signIn();
  const shown = await call('GET', '/api/feeds', undefined, headers);
  t.match(shown.json(), [{ id: made.id, url: 'https://***@a.invalid/rss?passkey=***' }]);
  t.notMatch(shown.text, 'secret');
  t.match((await call('GET', `/api/feeds/${made.id}/filters`, undefined, headers)).json(), [{ regex: 'x' }]);
});

void t.test('items are fetched anew each time and remembered nowhere', async (t) => {
  const { call, made, list } = await start(t);
  const server = await upstream(t, (_request, response) =>
    response.writeHead(200, { etag: '"1"', 'content-encoding': 'gzip' }).end(gzipSync(RSS)),
  );
  const id = await made('/api/feeds', { url: `${server.origin}/rss` });
  const items = [{ guid: '1', title: 'T', pub_date: '2010-09-06', torrent_url: MAGNET, published_at: 1_283_731_260 }];
  for (const time of ['first', 'second']) t.same((await call('GET', `/api/feeds/${id}/items`)).json(), items, time);
  t.equal(server.requests.length, 2);
  t.equal(server.requests[1]?.headers['if-none-match'], undefined);
  t.match(server.requests[0]?.headers['user-agent'], /^swarmd\/\d/);
  t.match(await list('/api/feeds'), [{ last_polled: 0, etag: '' }]);
});

void t.test('a feed that cannot be got answers 502 and says why', async (t) => {
  const { call, made } = await start(t, { args: ['--fetch-allow', '127.0.0.1'] });
  const server = await upstream(t, ({ url }, response) => {
    if (url === '/500') return response.writeHead(500).end();
    if (url === '/page') return response.end('<html></html>');
    if (url === '/large') return response.end(Buffer.alloc(5_000_001));
    if (url === '/doctype') return response.end('<!DOCTYPE rss [<!ENTITY a "b">]><rss/>');
    if (url === '/inside') return response.writeHead(302, { location: 'http://127.0.0.2/' }).end();
    return response.writeHead(302, { location: MAGNET }).end();
  });
  const invalid = (detail: string) => ({ code: 'FEED_INVALID', data: { detail } });
  for (const [path, reason, told] of [
    ['/500', 'Download failed: HTTP 500', { code: 'HTTP_STATUS', data: { status: 500 } }],
    ['/page', 'Not an RSS or Atom feed.', invalid('Not an RSS or Atom feed.')],
    ['/large', 'larger than 5000000 bytes', {}],
    ['/doctype', 'document types are not read', invalid('document types are not read')],
    ['/inside', 'This URL points to a private address. Allow it with --fetch-allow.', { code: 'URL_PRIVATE' }],
    ['/magnet', 'redirect to a magnet', {}],
  ] as const) {
    const id = await made('/api/feeds', { url: `${server.origin}${path}` });
    t.match(
      await call('GET', `/api/feeds/${id}/items`),
      { status: 502, text: JSON.stringify({ error: `feed: ${reason}`, ...told }) },
      path,
    );
  }
});

void t.test('torrents by URL: a magnet, a file, a redirect to either', async (t) => {
  const { call, harness } = await start(t);
  const torrent = makeTorrent({ name: 'a', pieceLength: 16_384, files: seededBytes(1, 100) });
  const server = await upstream(t, ({ url }, response) => {
    if (url === '/file') return response.end(torrent.torrentBytes);
    return response.writeHead(302, { location: url === '/to-file' ? '/file' : MAGNET }).end();
  });
  const add = (url: string) => call('POST', '/api/torrents/url', { url });
  for (const [url, id, text] of [
    [MAGNET, 'a'.repeat(40), '{"ok":true}'],
    [`${server.origin}/to-file`, torrent.infoHash, '{"ok":true}'],
    [`${server.origin}/to-magnet`, 'a'.repeat(40), '{"ok":true,"existed":true}'],
  ] as const) {
    t.match(await add(url), { status: 200, text }, url);
    t.ok(harness.engine.ids.some((added) => added === id));
  }
});

void t.test('torrents by URL: what cannot be had is 400 with the reason, and nothing is added', async (t) => {
  const { call, harness } = await start(t);
  const server = await upstream(t, ({ url }, response) => {
    if (url === '/404') return response.writeHead(404).end();
    if (url === '/large') return response.end(Buffer.alloc(10 * MIB + 1));
    return response.end('<html>sign in</html>');
  });
  const add = (url: string, save_path?: string) => call('POST', '/api/torrents/url', { url, save_path });
  for (const [url, error] of [
    [`${server.origin}/404`, 'url: Download failed: HTTP 404'],
    [`${server.origin}/large`, `url: larger than ${10 * MIB} bytes`],
    ['http://10.0.0.1/a.torrent', 'url: This URL points to a private address. Allow it with --fetch-allow.'],
    ['http://169.254.169.254/latest', 'url: This URL points to a private address. Allow it with --fetch-allow.'],
    ['ftp://a.invalid/a.torrent', 'url: expected an http or https URL'],
    ['a.torrent', 'url: not a URL'],
  ] as const) {
    t.match(await add(url), { status: 400, text: JSON.stringify({ error }) }, url);
  }
  t.equal((await add(`${server.origin}/page`)).status, 400);
  const asked = server.requests.length;
  t.equal((await add(`${server.origin}/page`, 'a\0b')).status, 400);
  t.equal(server.requests.length, asked, 'the path is judged before anything is fetched');
  t.same(harness.engine.ids, []);
});

void t.test('a feed is polled: what its filter matches is added with category and path, once', async (t) => {
  const { call, made, list, polled, harness } = await start(t, { dataDir: t.testdir() });
  const server = await upstream(t, (request, response) => {
    if (request.headers['if-none-match'] === '"1"') return response.writeHead(304).end();
    return response.writeHead(200, { etag: '"1"' }).end(RSS);
  });
  const default_save_path = join(harness.filesDir, 'films');
  const category_id = await made('/api/categories', { name: 'films', default_save_path, color: '' });
  const feed_id = await made('/api/feeds', { url: `${server.origin}/rss` });
  await made('/api/filters', { feed_id, regex: '^T$', category_id });
  const { state, feed } = await polled(feed_id, ({ added }, shown) => added > 0 && (shown?.last_polled ?? 0) > 0);
  t.match(state, { last_error: '', failures: 0, added: 1 });
  t.match(feed, { etag: '"1"' });
  t.match(await list('/api/torrents'), [{ id: 'a'.repeat(40), category_id, save_path: default_save_path }]);
  t.equal(server.requests.length, 1);
  await call('DELETE', `/api/torrents/${'a'.repeat(40)}`);
  await harness.daemon.close();

  const after = await start(t, { dataDir: harness.dataDir, password: harness.password });
  t.match(await after.list('/api/feeds'), [{ etag: '"1"', last_polled: Number }]);
  await after.clock.advance(2 * 3_600_000);
  for (let wait = 0; server.requests.length < 2 && wait < 1_000; wait++) await setTimeout(5);
  t.equal(server.requests[1]?.headers['if-none-match'], '"1"');
  t.match((await after.call('GET', `/api/feeds/${feed_id}/state`)).json(), { added: 1 });
  t.same(await after.list('/api/torrents'), [], 'removed is removed');
});

void t.test('hostile feeds are refused cheaply, with a clear error, and change nothing', async (t) => {
  const { made, polled, harness } = await start(t);
  const entities = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');
  const laughs = `<!DOCTYPE rss [<!ENTITY l0 "lol">${entities}]>`;
  const bodies: Record<string, string | Buffer> = {
    '/billion-laughs': `${laughs}<rss version="2.0"><channel><item><title>&l9;</title></item></channel></rss>`,
    '/deep': `<rss version="2.0">${'<a>'.repeat(1_000_000)}`,
    '/large': Buffer.alloc(5_000_001, 'x'),
    '/gzip-bomb': gzipSync(Buffer.alloc(200 * MIB)),
  };
  const server = await upstream(t, ({ url = '' }, response) => {
    if (url === '/inside')
      return response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end();
    if (url === '/gzip-bomb') response.setHeader('content-encoding', 'gzip');
    return response.end(bodies[url]);
  });
  for (const [path, reason] of Object.entries({
    '/billion-laughs': 'document types are not read',
    '/deep': 'nested too deeply',
    '/large': 'larger than 5000000 bytes',
    '/gzip-bomb': 'larger than 5000000 bytes',
    '/inside': 'This URL points to a private address. Allow it with --fetch-allow.',
  })) {
    const feed_id = await made('/api/feeds', { url: `${server.origin}${path}` });
    await made('/api/filters', { feed_id, regex: '' });
    const started = performance.now();
    const { state, feed } = await polled(feed_id, ({ failures }) => failures > 0);
    t.ok(performance.now() - started < 5_000, path);
    t.match(state, { last_error: `feed: ${reason}`, failures: 1, added: 0 });
    t.match(feed, { last_polled: 0, etag: '' });
  }
  t.same(harness.engine.ids, []);
});

void t.test('(a+)+$ as a filter on a 10,000-character title is cheap', async (t) => {
  const { made, polled, harness } = await start(t);
  const item = RSS.replace('<title>T</title>', `<title>${`${'a'.repeat(99)}!`.repeat(100)}</title>`);
  const server = await upstream(t, (_request, response) => response.end(item));
  const feed_id = await made('/api/feeds', { url: server.origin });
  await made('/api/filters', { feed_id, regex: '(a+)+$' });
  const started = performance.now();
  await polled(feed_id, (_state, feed) => (feed?.last_polled ?? 0) > 0);
  t.ok(performance.now() - started < 3_000);
  t.same(harness.engine.ids, []);
});

void t.test('the state of a feed says when it is polled next', async (t) => {
  const { call, made, clock } = await start(t);
  const id = await made('/api/feeds', { url: 'https://a.invalid/', enabled: false });
  const state = async () => (await call('GET', `/api/feeds/${id}/state`)).json();
  t.same(await state(), { last_error: '', last_reason: null, next_poll: 0, failures: 0, added: 0 });
  await call('PUT', '/api/feeds', { id, url: 'https://a.invalid/', enabled: true });
  t.same(await state(), {
    last_error: '',
    last_reason: null,
    next_poll: clock.unixMs() / 1_000 + 1,
    failures: 0,
    added: 0,
  });
});
