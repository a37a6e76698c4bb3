// Seeding rules in the hands of accounts that are not administrators: what reaches into torrents of others never removes
// them, whoever sets a limit, a category or a tracker; then that the rules do what they say, to each share by itself.
import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { parseInfoHash, type TorrentId } from '../../../shared-protocol/ids.js';
import { TORRENT_FLAGS } from '../../../shared-protocol/stats-table.js';
import { startHarness } from '../../support/api-harness.js';
import { openBrowser, scriptOf, THROUGH_A_PROXY, type Client } from '../../support/browser.js';

const PASSWORD = 'correct horse';
const A = parseInfoHash('a'.repeat(40));
const B = parseInfoHash('b'.repeat(40));
const C = parseInfoHash('c'.repeat(40));
const FOR_ALL = { ratio_limit: 5, time_min_limit: null, inactive_min_limit: null, action: 'pause' };
const REFUSED = [
  403,
  'seeding rules: only an administrator has torrents removed by them, or changes them while one does so',
];
const CHECK_MS = 30_000;

interface Shown {
  readonly id: string;
  readonly paused: boolean;
}

/** ann, who owns torrents, and those whom she should not have to fear. */
async function start(t: Test) {
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
  const harness = await startHarness({ args: THROUGH_A_PROXY });
  t.teardown(() => harness.close());
  const admin = await scriptOf(harness, await openBrowser(harness, 'admin', harness.password));
  const account = async (username: string, rights: object = {}) => {
    const user = { username, password: PASSWORD, ...rights };
    const { id } = await admin.ask<{ id: number }>('POST', '/api/users', user);
    return { id, client: await scriptOf(harness, await openBrowser(harness, username, PASSWORD)) };
  };
  const ann = await account('ann', { perm_add_torrents: true, perm_share: true });
  const make = async (client: Client, path: string, body: object) =>
    (await client.ask<{ id: number }>('POST', path, body)).id;
  /** Complete, and over every limit that a test sets. */
  const add = async (client: Client, id: TorrentId, tracker = '') => {
    const tr = tracker === '' ? '' : `&tr=${encodeURIComponent(tracker)}`;
    await client.ask('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${id}${tr}` });
    harness.engine.setStats(id, { flags: TORRENT_FLAGS.completed, bytesDone: 100, totalUp: 1_000 });
  };
  const category = (name: string) => make(admin, '/api/categories', { name, default_save_path: '', color: '' });
  /** What is left to see of ann's torrents once two checks are over: one notes that they seed, one acts. */
  const afterChecks = async () => {
    const see = async () => Object.fromEntries((await ann.client.ask<Shown[]>('GET', '/api/torrents')).map(({ id, paused }) => [id[0], paused])); // prettier-ignore
    for (let round = 0; round < 2; round++) {
      mock.timers.tick(CHECK_MS);
      for (let turn = 0; turn < 10; turn++) await see();
    }
    return see();
  };
  return { harness, admin, ann, account, make, add, category, afterChecks };
}

async function say(client: Client, method: string, path: string, body?: unknown): Promise<[number, string]> {
  const { status, json } = await client.call(method, path, body).then((answer) => ({ status: answer.status, json: answer.json<{ error?: string }>() })); // prettier-ignore
  return [status, json.error ?? ''];
}

const RULES = '/api/settings/seeding_rules';

void t.test('labels are names: who manages them sets no rule, and takes none away that spares a torrent', async (t) => {
  const { admin, ann, account, add, category, afterChecks } = await start(t);
  const { client: labeller } = await account('labeller', { perm_manage_cat_tags: true });
  const [kept, plain] = [await category('kept'), await category('plain')];
  await add(ann.client, A);
  await ann.client.ask('POST', '/api/torrents/category', { infohash: A, category_id: kept });
  const rule = { category_id: kept, rule: { ratio_limit: null } };
  t.same(await say(labeller, 'PUT', `${RULES}/category`, rule), [403, 'forbidden']);
  t.same(await say(labeller, 'PUT', `${RULES}/tracker`, { host: 'a.example', rule: null }), [403, 'forbidden']);
  t.same(await say(labeller, 'PUT', `${RULES}/defaults`, FOR_ALL), [403, 'forbidden']);
  await admin.ask('PUT', `${RULES}/category`, rule);
  await admin.ask('PUT', `${RULES}/defaults`, { ...FOR_ALL, action: 'remove_with_data' });
  const change = (name: string, color: string) =>
    say(labeller, 'PUT', '/api/categories', { id: kept, name, default_save_path: '', color });
  t.same(await say(labeller, 'DELETE', `/api/categories/${kept}`), REFUSED);
  t.same(await change('purge', ''), REFUSED);
  t.same(await change('kept', '#09f'), [200, ''], 'a colour spares nothing');
  t.same(await say(labeller, 'DELETE', `/api/categories/${plain}`), [200, ''], 'nor does a category without a rule');
  t.same(await afterChecks(), { a: false });
  await admin.ask('PUT', `${RULES}/defaults`, FOR_ALL);
  t.same(await say(labeller, 'DELETE', `/api/categories/${kept}`), [200, '']);
});

void t.test('who changes settings has others’ torrents pause, never go', async (t) => {
  const { admin, ann, account, add, make, category, afterChecks } = await start(t);
  const { client: settler } = await account('settler', { perm_change_settings: true });
  const [films, tag] = [await category('films'), await make(admin, '/api/tags', { name: 'seeded', color: '' })];
  await add(ann.client, A, 'http://t.example/announce');
  await add(ann.client, B);
  const puts = (action: string): [string, object][] => [
    ['defaults', { ...FOR_ALL, action }],
    ['category', { category_id: films, rule: { action } }],
    ['tracker', { host: 't.example', rule: { action } }],
  ];
  for (const action of ['remove', 'remove_with_data']) {
    for (const [what, body] of puts(action)) {
      t.same(await say(settler, 'PUT', `${RULES}/${what}`, body), REFUSED, `${what} ${action}`);
    }
  }
  for (const [what, body] of puts('pause')) t.same(await say(settler, 'PUT', `${RULES}/${what}`, body), [200, '']);
  t.same(await say(settler, 'PUT', `${RULES}/tracker`, { host: 't.example', rule: { action: 'tag', tag_id: tag } }), [200, '']); // prettier-ignore
  t.same(await afterChecks(), { a: false, b: true });
  t.match(await ann.client.ask('GET', `/api/torrents`), [{}, {}]);

  // One rule of an administrator removes: from here on limits are a matter of life and death.
  await admin.ask('POST', '/api/torrents/' + B + '/resume');
  await admin.ask('PUT', `${RULES}/category`, { category_id: films, rule: { ratio_limit: 99, action: 'remove' } });
  for (const [what, body] of puts('pause')) t.same(await say(settler, 'PUT', `${RULES}/${what}`, body), REFUSED);
  t.same(await say(settler, 'PUT', `${RULES}/tracker`, { host: 't.example', rule: null }), REFUSED);
  const limits = { ratio_limit: 0, time_min_limit: 0 };
  t.same(
    await say(settler, 'PUT', '/api/settings/seeding_defaults', limits),
    REFUSED,
    'by the route of before as well',
  );
  t.same(await admin.ask('GET', '/api/settings/seeding_defaults'), { ratio_limit: 5, time_min_limit: null });
  await admin.ask('PUT', `${RULES}/category`, { category_id: films, rule: null });
  t.same(await say(settler, 'PUT', '/api/settings/seeding_defaults', limits), [200, '']);
});

void t.test(
  'an editor of a torrent leads it to no removal, by whatever it may change, also when it is none any more',
  async (t) => {
    const { harness, admin, ann, account, add, category, afterChecks } = await start(t);
    const { client: bob, id: user_id } = await account('bob');
    const purge = await category('purge');
    const gone = { ratio_limit: 1, action: 'remove_with_data' };
    await admin.ask('PUT', `${RULES}/category`, { category_id: purge, rule: gone });
    await admin.ask('PUT', `${RULES}/tracker`, { host: 'purge.example', rule: gone });
    for (const id of [A, B, C]) {
      await add(ann.client, id);
      await ann.client.ask('POST', `/api/torrents/${id}/shares`, { user_id, access: 'editor' });
    }
    const only = [403, 'action: only the owner of the torrent may have it removed'];
    t.same(await say(bob, 'PUT', `/api/torrents/${A}/seeding_rule`, { rule: gone }), only);
    t.same(await say(bob, 'PUT', `/api/torrents/${A}/seeding_rule`, { rule: { ratio_limit: 0 } }), [200, '']);
    t.same(await say(bob, 'POST', '/api/torrents/category', { infohash: A, category_id: purge }), [200, '']);
    t.same(await say(bob, 'POST', '/api/torrents/category', { infohash: B, category_id: purge }), [200, '']);
    const tiers = [['http://purge.example/announce']];
    t.same(await say(bob, 'PUT', `/api/torrents/${C}/trackers`, { tiers }), [200, '']);
    harness.engine.setFacts(C, { trackers: tiers.flat().join('\n') });
    await ann.client.ask('DELETE', `/api/torrents/${B}/shares/${user_id}`);
    await ann.client.ask('DELETE', `/api/torrents/${C}/shares/${user_id}`);
    t.match(await ann.client.ask('GET', `/api/torrents/${B}/seeding_rule`), { in_force: { action: 'pause' } });
    t.same(await afterChecks(), { a: true, b: true, c: true });
    t.equal(harness.engine.deletedData.size, 0);
    // Its owner may: by a rule of its own.
    t.same(await say(ann.client, 'PUT', `/api/torrents/${B}/seeding_rule`, { rule: gone }), [200, '']);
    await ann.client.ask('POST', `/api/torrents/${B}/resume`);
    t.same(await afterChecks(), { a: true, c: true });
    t.ok(harness.engine.deletedData.has(B));
  },
);

void t.test(
  'a torrent that is added again, by a magnet or feed of whoever it may be, does not go by its trackers',
  async (t) => {
    const { harness, admin, ann, add, afterChecks } = await start(t);
    const gone = { ratio_limit: 1, action: 'remove_with_data' };
    await admin.ask('PUT', `${RULES}/tracker`, { host: 'purge.example', rule: gone });
    const again = (id: string, tracker: string) =>
    ann.client.ask('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${id}&tr=${encodeURIComponent(tracker)}` }); // prettier-ignore
    const [mine, purge] = ['http://mine.example/announce', 'http://purge.example/announce'];
    await add(ann.client, A, mine);
    await again(A, purge);
    harness.engine.setFacts(A, { trackers: `${mine}\n${purge}` });
    await add(ann.client, B, purge);
    await again(B, purge);
    t.same(await afterChecks(), { a: true }, 'one that had the tracker from the first goes by the rule');
    t.same([...harness.engine.deletedData], [B]);
  },
);

void t.test('a rule removes the share of who is under it, and data that another holds stay', async (t) => {
  const { harness, admin, ann, account, add, category, afterChecks } = await start(t);
  const { client: bob } = await account('bob', { perm_add_torrents: true });
  const purge = await category('purge');
  await admin.ask('PUT', `${RULES}/category`, { category_id: purge, rule: { ratio_limit: 1, action: 'remove_with_data' } }); // prettier-ignore
  await add(bob, A);
  await add(ann.client, A);
  await bob.ask('POST', '/api/torrents/category', { infohash: A, category_id: purge });
  t.same(await afterChecks(), { a: false });
  t.same(await bob.ask('GET', '/api/torrents'), []);
  t.equal(harness.engine.deletedData.size, 0);
  await ann.client.ask('POST', '/api/torrents/category', { infohash: A, category_id: purge });
  t.same(await afterChecks(), {});
  t.ok(harness.engine.deletedData.has(A));
});

void t.test('rules are shown to those they concern, and trackers to those who may change them', async (t) => {
  const { admin, ann, account, add, category } = await start(t);
  const { client: bob } = await account('bob');
  const { client: settler } = await account('settler', { perm_change_settings: true });
  const films = await category('films');
  await admin.ask('PUT', `${RULES}/category`, { category_id: films, rule: { time_min_limit: 5 } });
  await admin.ask('PUT', `${RULES}/tracker`, { host: 'T.example', rule: { ratio_limit: 2 } });
  const defaults = { ratio_limit: null, time_min_limit: null, inactive_min_limit: null, action: 'pause' };
  const all = {
    defaults,
    categories: [{ time_min_limit: 5, category_id: films }],
    trackers: [{ ratio_limit: 2, host: 't.example' }],
  };
  t.same(await admin.ask('GET', RULES), all);
  t.same(await settler.ask('GET', RULES), all);
  t.same(await ann.client.ask('GET', RULES), { ...all, trackers: [] });
  t.same(await bob.ask('GET', RULES), { defaults, categories: [], trackers: [] });
  await add(ann.client, A, 'http://a.t.example/announce');
  await ann.client.ask('POST', '/api/torrents/category', { infohash: A, category_id: films });
  await ann.client.ask('PUT', `/api/torrents/${A}/seeding_rule`, { rule: { inactive_min_limit: 7 } });
  t.same(await ann.client.ask('GET', `/api/torrents/${A}/seeding_rule`), {
    own: { inactive_min_limit: 7 },
    in_force: { ratio_limit: 2, time_min_limit: 5, inactive_min_limit: 7, action: 'pause' },
    from: { ratio_limit: 'tracker', time_min_limit: 'category', inactive_min_limit: 'torrent', action: 'global' },
  });
  await admin.ask('DELETE', `/api/categories/${films}`);
  t.match(await admin.ask('GET', RULES), { categories: [] });
  t.match(await ann.client.ask('GET', `/api/torrents/${A}/seeding_rule`), {
    in_force: { time_min_limit: null },
    from: { time_min_limit: 'global' },
  });
});
