// rss/*: feeds by the path of their items, and rules, which are filters.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import t, { type Test } from 'tap';
import type { FeedDto, FilterDto } from '../../../../shared-protocol/dto/rss.js';
import type { HarnessOptions } from '../../../support/api-harness.js';
import { startToolScene, type Tool } from '../../../support/qbittorrent-scene.js';
import { startUpstream } from '../../../support/upstream.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const RSS = `<rss version="2.0"><channel>
  <item><title>The Film</title><guid>1</guid><link>magnet:?xt=urn:btih:${'a'.repeat(40)}</link>
    <pubDate>Mon, 06 Sep 2010 00:01:00 GMT</pubDate></item>
  <item><title>Another film</title><guid>2</guid></item>
  <item><title>A song</title><guid>3</guid></item></channel></rss>`;
const ONE = 'https://one.invalid/rss?passkey=secret';
const TWO = 'https://two.invalid/rss';

interface Item {
  readonly url: string;
  readonly isLoading: boolean;
  readonly hasError: boolean;
  readonly articles: readonly Record<string, unknown>[];
}

/** Nothing is polled: time stands still. */
const start = (t: Test, options: HarnessOptions = {}) =>
  startToolScene(t, { deps: { clock: new VirtualClock() }, ...options });
const feedsOf = (tool: Tool) => tool.own<FeedDto[]>('GET', '/api/feeds');
const addFeed = (tool: Tool, url: string, path: string) => tool.post('rss/addFeed', { url, path });
const setRule = (tool: Tool, ruleName: string, rule: object) =>
  tool.post('rss/setRule', { ruleName, ruleDef: JSON.stringify(rule) });
const rulesOf = (tool: Tool) => tool.read<Record<string, Record<string, unknown>>>('rss/rules');
const filtersOf = async (tool: Tool) => {
  const feeds = await feedsOf(tool);
  return (await Promise.all(feeds.map(({ id }) => tool.own<FilterDto[]>('GET', `/api/feeds/${id}/filters`)))).flat();
};

void t.test('feeds are added, renamed, moved to another address and removed', async (t) => {
  const { ann } = await start(t);
  t.match(await addFeed(ann, ONE, 'First'), { status: 200, text: '' });
  t.match(await addFeed(ann, TWO, ''), { status: 200 });
  const [one, two] = await feedsOf(ann);
  t.same(await ann.read('rss/items'), {
    First: { uid: String(one?.id), url: ONE, refreshInterval: 0 },
    'two.invalid': { uid: String(two?.id), url: TWO, refreshInterval: 0 },
  });
  t.match(await ann.post('rss/moveItem', { itemPath: 'two.invalid', destPath: 'Second' }), { status: 200 });
  t.match(await ann.post('rss/setFeedURL', { path: 'Second', url: 'https://three.invalid/' }), { status: 200 });
  t.match(await ann.post('rss/setFeedRefreshInterval', { path: 'Second', refreshInterval: '601' }), { status: 200 });
  t.match(await ann.read('rss/items'), { Second: { url: 'https://three.invalid/', refreshInterval: 660 } });
  t.match(await feedsOf(ann), [{}, { name: 'Second', interval_min: 11, enabled: true }]);
  t.match(await ann.post('rss/removeItem', { path: 'First' }), { status: 200 });
  t.same(Object.keys(await ann.read('rss/items')), ['Second']);
});

void t.test('feeds of one host without names have paths of their own', async (t) => {
  const { ann } = await start(t);
  for (const n of [1, 2]) await addFeed(ann, `https://one.invalid/${n}`, '');
  const [, second] = await feedsOf(ann);
  t.same(Object.keys(await ann.read('rss/items')), ['one.invalid', `one.invalid (${second?.id})`]);
  await ann.post('rss/removeItem', { path: `one.invalid (${second?.id})` });
  t.match(await feedsOf(ann), [{ url: 'https://one.invalid/1' }]);
});

void t.test('what there is none of, or is taken, is refused with a sentence', async (t) => {
  const { ann } = await start(t);
  await addFeed(ann, ONE, 'First');
  await addFeed(ann, TWO, 'Second');
  const before = [await feedsOf(ann), await filtersOf(ann)];
  const refused = async (path: string, fields: Record<string, string>, status = 409, text = /: |^there is no /) =>
    t.match(await ann.post(`rss/${path}`, fields), { status, text }, `${path} ${JSON.stringify(fields)}`);
  await refused('addFeed', { url: ONE, path: 'Third' }, 409, /^url: /);
  await refused('addFeed', { url: 'https://three.invalid/', path: 'First' }, 409, /^path: /);
  await refused('addFeed', { url: 'https://three.invalid/', path: 'Folder\\Third' }, 409, /folders/);
  await refused('addFeed', { url: 'https://three.invalid/', path: 'x'.repeat(101) }, 400, /^path: at most/);
  await refused('addFeed', { path: 'Third' }, 400, /^url: required/);
  await refused('addFeed', { url: 'http://127.0.0.1/rss', path: 'Third' }, 400, /^url: /);
  await refused('addFeed', { url: 'file:///etc/passwd', path: 'Third' }, 400, /^url: /);
  await refused('addFolder', { path: 'Folder' });
  await refused('markAsRead', { itemPath: 'First' });
  await refused('removeItem', { path: 'None' });
  await refused('moveItem', { itemPath: 'None', destPath: 'Other' });
  await refused('moveItem', { itemPath: 'First', destPath: 'Second' });
  await refused('setFeedURL', { path: 'First', url: 'http://[::1]/' }, 400, /^url: /);
  await refused('setFeedRefreshInterval', { path: 'First', refreshInterval: '-1' }, 400, /^refreshInterval: /);
  await refused('setFeedRefreshInterval', { path: 'First', refreshInterval: 'soon' }, 400, /^refreshInterval: /);
  const rule = async (def: object, text: RegExp, status = 409) =>
    t.match(await setRule(ann, 'R', { affectedFeeds: [ONE], ...def }), { status, text }, JSON.stringify(def));
  await rule({ episodeFilter: '1x2;' }, /^episodeFilter: /);
  await rule({ smartFilter: true }, /^smartFilter: /);
  await rule({ ignoreDays: 3 }, /^ignoreDays: /);
  await rule({ torrentParams: { tags: ['a'] } }, /^torrentParams.tags: there is no such tag/);
  await rule({ useRegex: true, mustNotContain: '(' }, /^exclude_regex: /, 400);
  await rule({ affectedFeeds: [] }, /^affectedFeeds: /);
  await rule({ affectedFeeds: [ONE, 'https://four.invalid/'] }, /^affectedFeeds: /);
  await rule({ assignedCategory: 'none' }, /^assignedCategory: /);
  await rule({ savePath: '/elsewhere' }, /may not do that/);
  await rule({ savePath: 'relative' }, /^save_path: Enter an absolute path/, 400);
  await rule({ useRegex: true, mustContain: '(' }, /^regex: /, 400);
  await rule({ mustContain: 'a b c d e' }, /^mustContain: at most 4 words/);
  await rule({ mustContain: 5 }, /^mustContain: expected string/, 400);
  t.match(await ann.post('rss/setRule', { ruleName: 'R', ruleDef: '{' }), { status: 400, text: /^ruleDef: / });
  t.match(await ann.post('rss/setRule', { ruleDef: '{}' }), { status: 400, text: /^ruleName: / });
  t.same([await feedsOf(ann), await filtersOf(ann)], before);
});

void t.test('what must not be in a title, tags and paused are there both ways', async (t) => {
  const { ann } = await start(t);
  await addFeed(ann, ONE, 'First');
  const { id } = await ann.own<{ id: number }>('POST', '/api/tags', { name: 'Kept', color: '' });
  const rule = { mustContain: 'show', mustNotContain: 'cam|720p ts', affectedFeeds: [ONE] };
  await setRule(ann, 'R', { ...rule, torrentParams: { tags: ['kept'], stopped: true } });
  const exclude_regex = '(?i)cam|720p.*ts|ts.*720p';
  t.match(await filtersOf(ann), [{ regex: '(?i)show', exclude_regex, tag_ids: [id], paused: true }]);
  t.match(await rulesOf(ann), {
    R: {
      ...{ mustContain: 'show', mustNotContain: exclude_regex.slice(4), useRegex: true, addPaused: true },
      torrentParams: { tags: ['Kept'], stopped: true },
    },
  });
  await setRule(ann, 'R', { ...rule, mustNotContain: 'cam|', addPaused: true });
  t.match(await filtersOf(ann), [{ exclude_regex: '.*', paused: true }], 'qBittorrent lets nothing through then');
  await setRule(ann, 'R', { affectedFeeds: [ONE] });
  const [last] = await filtersOf(ann);
  for (const field of ['exclude_regex', 'tag_ids', 'paused']) t.notOk(field in last!, field);
  t.match(await rulesOf(ann), { R: { mustNotContain: '', addPaused: null, torrentParams: { tags: [] } } });
});

void t.test('a rule is a filter of each of its feeds', async (t) => {
  const { harness, ann } = await start(t);
  await addFeed(ann, ONE, 'First');
  await addFeed(ann, TWO, 'Second');
  const [one, two] = await feedsOf(ann);
  const category = { name: 'Films', default_save_path: '', color: '' };
  const { id: category_id } = await ann.own<{ id: number }>('POST', '/api/categories', category);
  const rule = { enabled: true, useRegex: true, mustContain: 'film$', affectedFeeds: [ONE, TWO] };
  t.match(await setRule(ann, 'Films', { ...rule, assignedCategory: 'films' }), { status: 200, text: '' });
  t.match(await filtersOf(ann), [
    { feed_id: one?.id, regex: '(?i)film$', category_id, save_path: '', enabled: true, name: 'Films' },
    { feed_id: two?.id, regex: '(?i)film$', category_id, save_path: '', enabled: true, name: 'Films' },
  ]);
  t.match(await rulesOf(ann), {
    Films: { ...rule, assignedCategory: 'Films', torrentParams: { category: 'Films' }, smartFilter: false },
  });
  const ids = (await filtersOf(ann)).map(({ id }) => id);
  const changed = { enabled: false, mustContain: 'the film|a*g', affectedFeeds: [TWO], savePath: harness.filesDir };
  await setRule(ann, 'Films', changed);
  const regex = '(?i)the.*film|film.*the|a.*g';
  t.match(await filtersOf(ann), [
    { id: ids[1], regex, category_id: null, enabled: false, save_path: harness.filesDir },
  ]);
  t.match(await rulesOf(ann), { Films: { useRegex: true, mustContain: regex.slice(4), affectedFeeds: [TWO] } });
  t.match(await ann.post('rss/renameRule', { ruleName: 'Films', newRuleName: 'Other' }), { status: 200 });
  t.same(Object.keys(await rulesOf(ann)), ['Other']);
  t.match(await filtersOf(ann), [{ id: ids[1], regex, enabled: false }], 'the rest stays');
  await ann.own('POST', '/api/filters', { feed_id: one?.id, regex: 'Exact', category_id: null });
  const [nameless] = (await filtersOf(ann)).filter(({ name }) => name === undefined);
  t.match((await rulesOf(ann))[`filter ${nameless?.id}`], { mustContain: '(?-i)Exact', affectedFeeds: [ONE] });
  t.equal((await ann.post('rss/renameRule', { ruleName: 'Other', newRuleName: `filter ${nameless?.id}` })).status, 409);
  await setRule(ann, `filter ${nameless?.id}`, { useRegex: true, mustContain: '(?-i)Exact', affectedFeeds: [ONE] });
  t.match((await rulesOf(ann))[`filter ${nameless?.id}`], { mustContain: '(?-i)Exact' }, 'sent back as it was shown');
  for (const ruleName of ['Other', 'none']) t.equal((await ann.post('rss/removeRule', { ruleName })).status, 200);
  t.same(Object.keys(await rulesOf(ann)), [`filter ${nameless?.id}`]);
});

void t.test('articles come with what was fetched for the account last', async (t) => {
  const upstream = await startUpstream((_request, response) => {
    response.setHeader('content-type', 'application/rss+xml');
    response.end(RSS);
  });
  t.teardown(() => upstream.close());
  const { ann, bob, admin } = await start(t, { args: ['--fetch-allow', '127.0.0.0/8'] });
  await addFeed(ann, `${upstream.origin}/rss`, 'First');
  const item = async (tool: Tool) =>
    (await tool.read<Record<string, Item>>('rss/items', { withData: 'true' }))['First'];
  t.match(await item(ann), { isLoading: true, hasError: false, articles: [], title: 'First' }, 'at once');
  const loaded = async (tool: Tool): Promise<Item> => {
    for (;;) {
      const now = await item(tool);
      if (!now || now.hasError) throw new Error(`not loaded: ${JSON.stringify(now)}`);
      if (!now.isLoading && now.articles.length > 0) return now;
    }
  };
  t.match((await loaded(ann)).articles, [
    { id: '1', title: 'The Film', date: '06 Sep 2010 00:00:00 +0000', torrentURL: /^magnet:/ },
    { id: '2', title: 'Another film', date: '', torrentURL: '' },
    { id: '3' },
  ]);
  await item(ann);
  t.equal(upstream.requests.length, 1, 'fetched once');
  await setRule(ann, 'Films', { mustContain: 'FILM', affectedFeeds: [`${upstream.origin}/rss`] });
  t.same(await ann.read('rss/matchingArticles', { ruleName: 'Films' }), { First: ['The Film', 'Another film'] });
  t.same(await ann.read('rss/matchingArticles', { ruleName: 'none' }), {});
  t.same(await admin.read('rss/matchingArticles', { ruleName: 'Films' }), {}, 'what one fetched is shown to no other');
  await loaded(admin);
  t.equal(upstream.requests.length, 2);
  t.match(await ann.post('rss/refreshItem', { itemPath: 'First' }), { status: 200 });
  t.match(await item(ann), { isLoading: true, articles: [{}, {}, {}] }, 'those of before meanwhile');
  await loaded(ann);
  t.equal(upstream.requests.length, 3);
  t.same(await bob.read('rss/items', { withData: 'true' }), {});
});

void t.test('a rule of one account keeps no other waiting, whatever its pattern and the titles are', async (t) => {
  const titles = Array.from(
    { length: 50 },
    (_, n) => `<item><title>${'a'.repeat(1_000)}</title><guid>${n}</guid></item>`,
  );
  const upstream = await startUpstream((_request, response) => {
    response.setHeader('content-type', 'application/rss+xml');
    response.end(`<rss version="2.0"><channel>${titles.join('')}</channel></rss>`);
  });
  t.teardown(() => upstream.close());
  const { join } = await start(t, { args: ['--fetch-allow', '127.0.0.0/8'] });
  const cleo = await join('cleo', { perm_manage_rss: true });
  const url = `${upstream.origin}/rss`;
  await addFeed(cleo, url, 'First');
  const loaded = async (): Promise<boolean> => {
    const { First } = await cleo.read<Record<string, Item>>('rss/items', { withData: 'true' });
    return First?.articles.length === titles.length;
  };
  while (!(await loaded()));
  for (const mustContain of ['.{0,1000}'.repeat(10), '(?:a?){99}'.repeat(90)]) {
    t.match(await setRule(cleo, 'R', { useRegex: true, mustContain, affectedFeeds: [url] }), { status: 400 });
  }
  await setRule(cleo, 'R', { useRegex: true, mustContain: '(?:a|b|c|d|ee)*'.repeat(60) + 'x', affectedFeeds: [url] });
  const delay = monitorEventLoopDelay();
  delay.enable();
  const looks = Array.from({ length: 6 }, () => cleo.get('rss/matchingArticles', { ruleName: 'R' }));
  for (const { status, text } of await Promise.all(looks)) t.ok([200, 409, 502].includes(status), `${status} ${text}`);
  // Six times 50 titles in one go were more than ten seconds; one of them is some 0.1.
  t.ok(delay.max < 2e9, `${delay.max / 1e6} ms`);
});

void t.test('who does not manage feeds is shown its own alone, without secrets, and changes none', async (t) => {
  const { admin, ann, bob, join } = await start(t);
  const cleo = await join('cleo', { perm_manage_rss: true, perm_add_torrents: true });
  await addFeed(cleo, ONE, 'First');
  await setRule(cleo, 'R', { mustContain: 'film', affectedFeeds: [ONE] });
  await addFeed(ann, TWO, 'Second');
  const user = { username: 'cleo', role: 'user', perm_manage_rss: false };
  await admin.own('PUT', `/api/users/${cleo.accountId}`, user);
  const seen = [await cleo.get('rss/items', { withData: 'true' }), await cleo.get('rss/rules')];
  t.same(Object.keys(seen[0]!.json()), ['First']);
  t.match(seen[0]!.json(), { First: { articles: [], isLoading: false } });
  t.same(Object.keys(seen[1]!.json()), ['R']);
  for (const { text } of seen) t.notMatch(text, /secret/);
  t.same(await bob.read('rss/items'), {});
  t.same(await bob.read('rss/rules'), {});
  const before = [await feedsOf(ann), await filtersOf(ann)];
  const fields = { path: 'First', url: 'https://x.invalid/', itemPath: 'First', destPath: 'x', refreshInterval: '1' };
  const changes = ['addFeed', 'removeItem', 'moveItem', 'setFeedURL', 'setFeedRefreshInterval', 'refreshItem'];
  const rules = ['setRule', 'renameRule', 'removeRule', 'addFolder', 'markAsRead'];
  for (const path of [...changes, ...rules]) {
    const answer = await cleo.post(`rss/${path}`, { ...fields, ruleName: 'R', newRuleName: 'S', ruleDef: '{}' });
    t.match(answer, { status: 409, text: 'this account may not do that' }, path);
    t.equal((await ann.get(`rss/${path}`, fields)).status, 405, path);
  }
  t.same([await feedsOf(ann), await filtersOf(ann)], before);
});
