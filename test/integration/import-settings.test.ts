// Settings, feeds and rules of another program: only where they are asked for, by an administrator alone, told beside those here
// before they come, and once.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { ImportReportDto } from '../../shared-protocol/dto/imports.js';
import type { FeedDto, FilterDto } from '../../shared-protocol/dto/rss.js';
import { makeAccount } from '../support/daemon-account.js';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { inEnglish } from '../support/import/in-english.js';
import { importAll } from '../support/import/import-scene.js';
import { makeScratch } from '../support/peers/scratch.js';

t.setTimeout(120_000);

const [FEED, OTHER] = ['http://127.0.0.1:9/tv?passkey=secret', 'http://10.1.2.3/refused'];
const CONFIG = [
  '[BitTorrent]',
  ...['Session\\GlobalDLSpeedLimit=500', 'Session\\BandwidthSchedulerEnabled=true', 'Session\\GlobalMaxRatio=2.5'],
  ...['Session\\AlternativeGlobalDLSpeedLimit=20', 'Session\\QueueingSystemEnabled=true'],
  ...['Session\\MaxActiveDownloads=4', '[RSS]', 'Session\\EnableProcessing=false'],
];

async function writeState(home: string, savePath: string): Promise<void> {
  await mkdir(join(home, 'BT_backup'), { recursive: true });
  await writeFile(join(home, 'BT_backup', `${'a'.repeat(40)}.fastresume`), 'd');
  await mkdir(join(home, 'config', 'rss'), { recursive: true });
  await writeFile(join(home, 'config', 'qBittorrent.conf'), CONFIG.join('\n'));
  await writeFile(join(home, 'config', 'categories.json'), JSON.stringify({ TV: { save_path: savePath } }));
  const feeds = { Folder: { Shows: { url: FEED } }, Inside: { url: OTHER } };
  await writeFile(join(home, 'config', 'rss', 'feeds.json'), JSON.stringify(feeds));
  const rule = { mustContain: 'show', affectedFeeds: [FEED] };
  const rules = {
    Shows: { ...rule, assignedCategory: 'TV', savePath },
    Not: { ...rule, mustNotContain: '720p', torrentParams: { tags: ['kept'], stopped: true } },
    Broken: { ...rule, useRegex: true, mustContain: '(?=x)' },
    Outside: { ...rule, savePath: '/etc' },
    Refused: { ...rule, affectedFeeds: [OTHER] },
  };
  await writeFile(join(home, 'config', 'rss', 'download_rules.json'), JSON.stringify(rules));
}

type Shown = Pick<ImportReportDto, 'notes' | 'settings' | 'remarks'>;

/** Everything that an import might change. */
async function stateOf(daemon: DaemonUnderTest): Promise<unknown> {
  const paths = ['limits', 'queue_limits', 'seeding_rules', 'blocklist'].map((path) => `settings/${path}`);
  const all = [...paths, 'schedule_rules', 'feeds', 'categories'];
  return Promise.all(all.map(async (path) => (await daemon.api('GET', `/api/${path}`)).json));
}

void t.test('settings of qBittorrent', async (t) => {
  const scratch = await makeScratch('import-settings');
  t.teardown(() => scratch.remove());
  const [home, savePath] = [join(scratch.path, 'old'), join(scratch.path, 'downloads')];
  await mkdir(savePath);
  const daemon = await startDaemon({ savePath, args: ['--allowed-paths', savePath] });
  t.teardown(() => daemon.stop());
  await writeState(home, savePath);
  const body = { from: 'qbittorrent', path: home };
  const bring = (more: object) => importAll(daemon, { ...body, ...more }) as unknown as Promise<Shown>;
  const limits = { down_kbps: 7, up_kbps: 8, alt_down_kbps: 9, alt_up_kbps: 9, alt_active: false };
  await daemon.api('PUT', '/api/settings/limits', limits);
  const before = await stateOf(daemon);

  await t.test('not by an account that is no administrator', async (t) => {
    const all = { perm_change_settings: true, perm_manage_rss: true, perm_add_torrents: true };
    const { client } = await makeAccount(daemon, 'manager', all);
    t.equal((await client.api('POST', '/api/import', { ...body, settings: true })).status, 403);
  });

  await t.test('not unasked, and not by a dry run', async (t) => {
    const unasked = await bring({});
    t.same(unasked.settings, []);
    t.same(inEnglish(unasked.remarks.notes), unasked.notes);
    t.match(unasked.notes.join('\n'), /speed limit down 500 KiB\/s.*2 feeds, 5 rules of feeds/);
    const dry = await bring({ settings: true, dry_run: true });
    await compare(t, dry, { changed: 'changed', made: 'made' });
    t.notMatch(JSON.stringify(dry), /passkey=secret/);
    t.same(await stateOf(daemon), before);
  });

  await t.test('on request', async (t) => {
    await compare(t, await bring({ settings: true }), { changed: 'changed', made: 'made' });
    const { json } = await daemon.api('GET', '/api/settings/limits');
    t.same(json, { ...limits, down_kbps: 500, alt_down_kbps: 20, alt_up_kbps: 10 }, 'what was not set there stays');
    t.match((await daemon.api('GET', '/api/schedule_rules')).json, [
      { days_mask: 127, start_min: 480, end_min: 1_200, alt_only: true, enabled: true },
    ]);
    t.match((await daemon.api('GET', '/api/settings/seeding_defaults')).json, { ratio_limit: 2.5 });
    const { json: feeds } = await daemon.api<FeedDto[]>('GET', '/api/feeds');
    t.match(feeds, [{ url: FEED, name: 'Shows', enabled: false }]);
    t.equal(feeds.length, 1);
    const { json: filters } = await daemon.api<FilterDto[]>('GET', `/api/feeds/${feeds[0]!.id}/filters`);
    const { json: categories } = await daemon.api<{ id: number; name: string }[]>('GET', '/api/categories');
    const category_id = categories.find(({ name }) => name === 'TV')?.id;
    const { json: tags } = await daemon.api<{ id: number; name: string }[]>('GET', '/api/tags');
    const tag_ids = tags.filter(({ name }) => name === 'kept').map(({ id }) => id);
    t.match(filters, [
      { name: 'Not', regex: '(?i)show', exclude_regex: '(?i)720p', tag_ids, paused: true, enabled: false },
      { name: 'Shows', regex: '(?i)show', save_path: savePath, category_id, enabled: false },
    ]);
    t.same([filters.length, tag_ids.length], [2, 1]);
  });

  await t.test('twice is as once', async (t) => {
    const after = await stateOf(daemon);
    await compare(t, await bring({ settings: true }), { changed: 'same', made: 'same' });
    t.same(await stateOf(daemon), after);
  });

  await t.test('not where they would have torrents removed', async (t) => {
    const rule = { ratio_limit: 9, time_min_limit: null, inactive_min_limit: null, action: 'remove' };
    await daemon.api('PUT', '/api/settings/seeding_rules/defaults', rule);
    const { settings } = await bring({ settings: true });
    t.match(settings.find(({ name }) => name === 'seeding limits')?.reason, /removed here/);
    t.match((await daemon.api('GET', '/api/settings/seeding_defaults')).json, { ratio_limit: 9 });
  });

  await t.test('feeds are those of the account that is to own the torrents', async (t) => {
    const { id, client } = await makeAccount(daemon, 'maria');
    await bring({ settings: true, user_id: id });
    t.match((await client.api('GET', '/api/feeds')).json, [{ name: 'Folder / Shows' }], 'by a name that is free');
  });
});

async function compare(t: Test, { settings }: Shown, results: { changed: string; made: string }): Promise<void> {
  for (const { remarks, result, ...words } of settings)
    t.same(inEnglish(remarks), words, `the remarks of ${words.name} (${result}) say the same`);
  const told = new Map(settings.map(({ name, ...rest }) => [name, rest]));
  const { changed, made } = results;
  t.match(told.get('speed limit down'), { to: '500 KiB/s', result: changed });
  if (changed === 'changed') t.match(told.get('speed limit down'), { from: '7 KiB/s' });
  t.match(told.get('ratio limit'), { to: '2.5', result: changed });
  t.match(told.get('downloads at a time'), { to: '4', result: changed });
  t.match(told.get('schedule of the alternative limits'), { to: 'every day, 08:00 to 20:00', result: made });
  t.match(told.get('feed Shows'), { result: made });
  t.match(told.get('rule Shows'), { to: '(?i)show', result: made });
  t.match(told.get('rule Not'), { to: '(?i)show, but not (?i)720p', result: made });
  for (const [name, reason] of [
    ['feed Inside', /^url: /],
    ['rule Broken', /regular expression/],
    ['rule Outside', /^save_path: /],
    ['rule Refused', /feeds are not there/],
  ] as const)
    t.match(told.get(name), { result: 'left_out', to: null, reason }, name);
}
