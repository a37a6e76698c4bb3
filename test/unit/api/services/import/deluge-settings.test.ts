// What is read of the settings of Deluge and its plugins: limits that are set, and no limit, hour or rule that would be another here.
import { symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { readDelugeConfig, valuesIn } from '../../../../../api/services/import/deluge/deluge-config.js';
import { categoriesOf } from '../../../../../api/services/import/deluge/deluge-labels.js';
import { textOf, type Remark } from '../../../../../shared-protocol/import-remarks/remark.js';
import { delugeSchedule } from '../../../../../api/services/import/deluge/deluge-schedule.js';
import { delugeSettings } from '../../../../../api/services/import/deluge/deluge-settings.js';
import { yarssFeeds } from '../../../../../api/services/import/deluge/yarss.js';
import type { LeftOut } from '../../../../../api/services/import/foreign-settings.js';
import { offered } from '../../../../../api/services/import/settings/offered.js';
import { StateDirectory } from '../../../../../api/services/import/state-directory.js';
import { compileTitlePattern } from '../../../../../api/services/rss/title-pattern.js';
import { inEnglish } from '../../../../support/import/in-english.js';

const NONE = { core: {}, label: {}, blocklist: {}, scheduler: {}, yarss: {} };
const settings = (given: Partial<typeof NONE>) => delugeSettings({ ...NONE, ...given });
const namesOf = (leftOut: readonly LeftOut[]) => inEnglish(leftOut).map(({ name }) => name);
const CORE = {
  ...{ max_download_speed: 500.5, max_upload_speed: -1, max_active_downloading: 3, max_active_seeding: 0 },
  ...{ max_active_limit: 8, stop_seed_at_ratio: true, stop_seed_ratio: 2.5, remove_seed_at_ratio: false },
};

void t.test('limits, queue, seeding and blocklist', async (t) => {
  const found = settings({ core: CORE, blocklist: { url: 'https://lists.example/a.gz' } });
  t.same(found.limits, { down_kbps: 500 });
  t.same(found.queue, { max_active_downloads: 3 });
  t.same(found.seeding, { ratio_limit: 2.5 });
  t.equal(found.blocklistUrl, 'https://lists.example/a.gz');
  t.same(namesOf(found.leftOut), ['seeds at a time', 'at most 8 torrents running']);
  const { queue } = settings({ core: { ...CORE, dont_count_slow_torrents: true } });
  t.same(queue, { max_active_downloads: 3, stalled_minutes: 1 });
  const removing = settings({ core: { ...CORE, remove_seed_at_ratio: true } });
  t.same(removing.seeding, {}, 'a ratio at which torrents are removed');
});

void t.test('what is off, or of another kind', async (t) => {
  t.same(offered(settings({})), []);
  t.same(offered(settings({ core: { max_download_speed: 'x', stop_seed_ratio: 2, proxy: 3 } })), []);
  t.same(settings({ core: { max_download_speed: 0, max_upload_speed: 0.5 } }).limits, { up_kbps: 1 });
  t.same(settings({ core: { max_active_downloading: 2.5, max_active_seeding: 1e300 } }).queue, {});
});

void t.test('what cannot be said is named, without its password', async (t) => {
  const proxy = { type: 3, hostname: 'proxy.example', username: 'ann', password: 'hidden' };
  const core = { proxy, move_completed: true, move_completed_path: '/done' };
  const { leftOut } = settings({ core: { ...core, max_upload_speed_per_torrent: 5 } });
  t.same(namesOf(leftOut), [
    'speed limits of each new torrent',
    'complete torrents are moved to /done',
    'proxy proxy.example',
  ]);
  t.notMatch(JSON.stringify(leftOut), /hidden|ann/);
});

void t.test('labels', async (t) => {
  const queue = { apply_queue: true, is_auto_managed: true, stop_at_ratio: true, stop_ratio: 1.5 };
  const move = { apply_move_completed: true, move_completed: true, move_completed_path: '/films' };
  const label = {
    labels: {
      films: { ...queue, ...move },
      kept: { ...queue, stop_at_ratio: false },
      gone: { ...queue, remove_at_ratio: true, is_auto_managed: false },
      off: { ...queue, ...move, apply_queue: false, apply_move_completed: false },
      slow: { apply_max: true, max_upload_speed: 5, auto_add: true, auto_add_trackers: ['tracker.example'] },
      odd: 3,
    },
  };
  const found = settings({ label });
  t.same(found.categorySeeding, [{ category: 'films', ratioLimit: 1.5 }]);
  t.same(namesOf(found.leftOut), [
    'ratio limit of the label gone',
    'start without the queue of the label gone',
    'limits of the label slow',
    'trackers of the label slow',
  ]);
  t.same(settings({ label, core: CORE }).categorySeeding[1], { category: 'kept', ratioLimit: null });
  t.same(categoriesOf(label).slice(0, 4), [
    { name: 'films', savePath: '/films' },
    { name: 'kept', savePath: '' },
    { name: 'gone', savePath: '' },
    { name: 'off', savePath: '' },
  ]);
  t.same(categoriesOf({ labels: [] }), []);
});

/** Hours by days, Monday first. */
const grid = (state: (hour: number, day: number) => number) => ({
  ...{ low_down: 20.7, low_up: -1 },
  button_state: Array.from({ length: 24 }, (_h, hour) => Array.from({ length: 7 }, (_d, day) => state(hour, day))),
});

void t.test('a schedule', async (t) => {
  const nights = delugeSchedule(
    grid((hour, day) => (day < 5 && (hour >= 22 || hour < 6) ? 1 : 0)),
    {},
  );
  t.same(nights.limits, { alt_down_kbps: 20, alt_up_kbps: 0 });
  t.same(nights.windows, [
    { days_mask: 0b0111110, start_min: 0, end_min: 360 },
    { days_mask: 0b0111110, start_min: 1_320, end_min: 0 },
  ]);
  const sunday = delugeSchedule(
    grid((_hour, day) => (day === 6 ? 1 : 0)),
    {},
  );
  t.same(sunday.windows, [{ days_mask: 1, start_min: 0, end_min: 0 }], 'a whole day');
  const stopped = delugeSchedule(
    grid((hour) => (hour === 3 ? 2 : 0)),
    {},
  );
  t.match(inEnglish(stopped), { limits: {}, windows: [], leftOut: [{ name: /stopped/ }] });
  const queue = { ...grid((hour) => Number(hour === 3)), low_active_down: 1 };
  t.match(inEnglish(delugeSchedule(queue, { max_active_downloading: 3 })).leftOut, [{ name: /queue/ }]);
  t.same(delugeSchedule(queue, { max_active_downloading: 1 }).leftOut, []);
  for (const states of [3, [], [[0]], grid(() => 4).button_state])
    t.match(inEnglish(delugeSchedule({ button_state: states }, {})), { windows: [], leftOut: [{ name: 'schedule' }] });
});

void t.test('feeds and subscriptions of YaRSS2', async (t) => {
  const rule = { rssfeed_key: '0', regex_include: 'show.*1080p', max_download_speed: -2, auto_managed: 'Default' };
  const config = {
    email_configurations: { smtp_password: 'hidden' },
    cookies: { '0': { site: 'feeds.example', value: { uid: 'hidden' }, active: true } },
    rssfeeds: {
      '0': { name: 'Shows', url: 'https://feeds.example/a', active: true, update_interval: 30 },
      '1': { name: '', url: 'https://feeds.example/b', active: false },
      '2': { name: 'no address' },
    },
    subscriptions: {
      '0': { ...rule, name: 'Shows', label: 'tv', move_completed: '/tv' },
      '1': { ...rule, name: 'Exact', regex_include_ignorecase: false, active: false, download_location: '/all' },
      '2': { ...rule, name: 'Not', regex_exclude: '720p' },
      '3': { ...rule, name: 'Nowhere', rssfeed_key: '9' },
      '4': { ...rule, name: 'Paused', add_torrents_in_paused_state: true },
      '5': { ...rule, name: 'Slow', max_upload_speed: 10 },
      '6': { ...rule, name: 'Nothing', regex_include: '' },
      '7': 3,
    },
  };
  const { feeds, filters, leftOut } = yarssFeeds(config, {});
  t.same(feeds, [
    { url: 'https://feeds.example/a', names: ['Shows'], intervalMin: 30, isEnabled: true },
    { url: 'https://feeds.example/b', names: [], intervalMin: 0, isEnabled: false },
  ]);
  const common = { feedUrls: ['https://feeds.example/a'] };
  t.match(filters, [
    { ...common, name: 'Shows', regex: '(?i)show.*1080p', category: 'tv', savePath: '/tv', isEnabled: true },
    { ...common, name: 'Exact', regex: 'show.*1080p', category: '', savePath: '/all', isEnabled: false, note: null },
    { ...common, name: 'Not', excludeRegex: '(?i)720p', isPaused: false },
    { ...common, name: 'Paused', excludeRegex: '', isPaused: true },
  ]);
  t.equal(filters.length, 4);
  t.ok(compileTitlePattern(filters[0]!.regex)('The Show 1080P'));
  t.same(namesOf(leftOut), [...['feed 2', 'cookies for feeds', 'rule Nowhere', 'rule Slow', 'rule Nothing', 'rule 7']]);
  t.notMatch(JSON.stringify([feeds, filters, leftOut]), /hidden/);
  const ofAll = yarssFeeds({ ...config, cookies: {} }, { add_paused: true }).filters;
  t.ok(
    ofAll.every(({ isPaused }) => isPaused),
    'as for all torrents',
  );
});

void t.test('files', async (t) => {
  t.same(valuesIn('{"file": 1, "format": 1}{"a": {"b": 1}}'), { a: { b: 1 } });
  t.same(valuesIn('{\n  "a": 2\n}'), { a: 2 }, 'without a version');
  for (const text of ['', '{', '{}{', '[]', '{"file": 1}{"a"']) t.equal(valuesIn(text), null, text);

  const version = '{"file": 1, "format": 1}';
  const home = t.testdir({
    'core.conf': `${version}${JSON.stringify({ max_download_speed: 5, enabled_plugins: ['Label', 'YaRSS2', 'Blocklist'] })}`,
    'label.conf': `${version}{"torrent_labels": {"${'a'.repeat(40)}": "films"}}`,
    'scheduler.conf': `${version}{"button_state": 3}`,
    'secret.conf': `${version}{"url": "https://lists.example/"}`,
  });
  await symlink(join(home, 'secret.conf'), join(home, 'blocklist.conf'));
  await writeFile(join(home, 'yarss2.conf'), '');
  await truncate(join(home, 'yarss2.conf'), 11 * 1024 * 1024);
  const notes: Remark[] = [];
  const config = await readDelugeConfig(await StateDirectory.open(home), notes);
  t.match(config, { core: { max_download_speed: 5 }, label: { torrent_labels: {} }, blocklist: {}, yarss: {} });
  t.same(config.scheduler, {}, 'its plugin is off');
  t.same(inEnglish(notes), [
    'blocklist.conf: is a symbolic link, which is not followed: nothing of it is taken over',
    'yarss2.conf: is larger than 10 MiB: nothing of it is taken over',
  ]);

  await writeFile(join(home, 'core.conf'), `${version}{"max_`);
  const broken: Remark[] = [];
  const rest = await readDelugeConfig(await StateDirectory.open(home), broken);
  t.match(rest, { core: {}, label: { torrent_labels: {} }, scheduler: { button_state: 3 } }, 'others come without it');
  t.equal(broken[0] && textOf(broken[0]), 'core.conf: holds no values: nothing of it is taken over');
});
