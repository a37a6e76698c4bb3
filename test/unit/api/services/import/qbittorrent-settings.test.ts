// What is read of the settings, feeds and rules of qBittorrent: what was set there, and no rule that filters would take otherwise.
import { symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { readIni } from '../../../../../api/services/import/ini-file.js';
import { feedsThere } from '../../../../../api/services/import/qbittorrent/feeds-there.js';
import { openQbittorrent } from '../../../../../api/services/import/qbittorrent/qbittorrent.js';
import { qbittorrentSettings } from '../../../../../api/services/import/qbittorrent/qbittorrent-settings.js';
import { rulesThere } from '../../../../../api/services/import/qbittorrent/rules-there.js';
import { offered } from '../../../../../api/services/import/settings/offered.js';
import { StateDirectory } from '../../../../../api/services/import/state-directory.js';
import { compileTitlePattern } from '../../../../../api/services/rss/title-pattern.js';
import { inEnglish } from '../../../../support/import/in-english.js';

const read = (lines: string) => qbittorrentSettings(readIni(lines));
const scheduled = (lines: string) =>
  inEnglish(read(`[BitTorrent]\nSession\\BandwidthSchedulerEnabled=true\n[Preferences]\n${lines}`));
const FEED = 'https://feeds.example/tv';

void t.test('nothing was set', async (t) => {
  t.match(read(''), { limits: {}, queue: {}, seeding: {}, schedule: [], leftOut: [] });
  t.same(offered(read('')), []);
});

void t.test('limits, queue and seeding', async (t) => {
  const lines = [
    '[BitTorrent]',
    ...['Session\\GlobalDLSpeedLimit=500', 'Session\\GlobalUPSpeedLimit=0', 'Session\\QueueingSystemEnabled=true'],
    ...['Session\\MaxActiveDownloads=4', 'Session\\MaxActiveUploads=-1', 'Session\\MaxActiveTorrents=7'],
    ...['Session\\GlobalMaxRatio=2.5', 'Session\\GlobalMaxSeedingMinutes=600', 'Session\\IPFilteringEnabled=true'],
    ...['Session\\IPFilter=/etc/list.p2p', '[State]', 'BannedIPs=1.2.3.4, 1.2.3.5'],
  ];
  const settings = read(lines.join('\n'));
  t.same(settings.limits, { down_kbps: 500 });
  t.same(settings.queue, { max_active_downloads: 4 });
  t.same(settings.seeding, { ratio_limit: 2.5, time_min_limit: 600 });
  t.same(
    inEnglish(settings.leftOut).map(({ name }) => name),
    ['IP filter /etc/list.p2p', '2 banned addresses', 'at most 7 torrents running'],
  );
  t.match(inEnglish(offered(settings)), [/speed limit down 500 KiB\/s, downloads at a time 4, ratio limit 2\.5/]);
  const removing = read('[BitTorrent]\nMaxRatioAction=1\nSession\\GlobalMaxRatio=2');
  t.same(removing.seeding, {}, 'a limit at which torrents are removed');
  t.match(inEnglish(removing.leftOut), [{ name: 'seeding limits' }]);
  const queued = '[BitTorrent]\nSession\\QueueingSystemEnabled=true\nSession\\MaxActiveDownloads=0';
  t.same(read(queued).queue, { max_active_seeds: 3 });
  const uncounted = `${queued}\nSession\\IgnoreSlowTorrentsForQueueing=true`;
  t.same(read(uncounted).queue, { max_active_seeds: 3, stalled_minutes: 1 });
  const later = `${uncounted}\nSession\\SlowTorrentsInactivityTimer=90`;
  t.same(read(later).queue, { max_active_seeds: 3, stalled_minutes: 2 });
});

void t.test('file names that are excluded', async (t) => {
  const lines = (patterns: string) => `[BitTorrent]\nSession\\ExcludedFileNames=${patterns}`;
  t.same(read(lines('*.exe')).excludedNames, [], 'they are switched off there');
  const on = read(`${lines('*.exe, "a, \\"b\\"", [ab].txt, Extras,')}\nSession\\ExcludedFileNamesEnabled=true`);
  t.same(on.excludedNames, ['*.exe', 'a, "b"', 'Extras']);
  t.match(inEnglish(on.leftOut), [{ name: 'excluded file name [ab].txt', reason: /ranges of characters/ }]);
  t.match(inEnglish(offered(on)), [/file names that are excluded \*\.exe, a, "b", Extras/]);
});

void t.test('a schedule', async (t) => {
  const usual = scheduled('');
  t.same(usual.schedule, [{ days_mask: 127, start_min: 480, end_min: 1_200 }], 'hours where none were set');
  t.same(usual.limits, { alt_down_kbps: 10, alt_up_kbps: 10 }, 'alternative limits where none were set');
  const night =
    'Scheduler\\end_time=@Variant(\\0\\0\\0\\xf\\x1WR\\xa0)\nScheduler\\start_time=@Variant(\\0\\0\\0\\xf\\x4\\xd3\\xf6@)';
  t.same(scheduled(night).schedule, [{ days_mask: 127, start_min: 22 * 60 + 30, end_min: 6 * 60 + 15 }]);
  t.match(scheduled(`${night}\nScheduler\\days=Weekend`), { schedule: [], leftOut: [{ name: 'schedule' }] });
  t.match(scheduled('Scheduler\\days=Weekday').schedule, [{ days_mask: 0b0111110 }]);
  t.match(scheduled('Scheduler\\days=9').schedule, [{ days_mask: 1 }], 'by its number, as older versions write it');
  const same = '@Variant(\\0\\0\\0\\xf\\x1WR\\xa0)';
  for (const lines of [
    `Scheduler\\start_time=${same}\nScheduler\\end_time=${same}`,
    'Scheduler\\start_time=8:00',
    'Scheduler\\start_time=@Variant(\\0\\0\\0\\x10\\x1WR\\xa0)',
    'Scheduler\\start_time=@Variant(\\0\\0\\0\\xf\\xff\\xff\\xff\\xff)',
    'Scheduler\\days=Someday',
  ])
    t.match(scheduled(lines), { schedule: [], leftOut: [{ name: 'schedule' }] }, lines);
});

void t.test('feeds, in folders too', async (t) => {
  const ini = readIni('[RSS]\nSession\\EnableProcessing=true\nSession\\RefreshInterval=45');
  const tree = {
    Folder: { Shows: { uid: '{1}', url: FEED, refreshInterval: 600 } },
    'https://a.example/': '',
    Old: 'https://b.example/',
  };
  t.same(feedsThere(tree, ini), [
    { url: FEED, names: ['Shows', 'Folder / Shows'], intervalMin: 10, isEnabled: true },
    { url: 'https://a.example/', names: [], intervalMin: 45, isEnabled: true },
    { url: 'https://b.example/', names: ['Old', 'Old'], intervalMin: 45, isEnabled: true },
  ]);
  t.match(feedsThere(tree, readIni('')), [{ isEnabled: false }, {}, {}]);
  let deep: object = { url: FEED };
  for (let depth = 0; depth < 10_000; depth++) deep = { a: deep };
  t.same(feedsThere(deep as Record<string, unknown>, ini), []);
});

const ON = readIni('[RSS]\nAutoDownloader\\EnableProcessing=true');
const rule = (given: object) => inEnglish(rulesThere({ R: { affectedFeeds: [FEED], ...given } }, ON));

void t.test('rules that filters can say', async (t) => {
  const { filters } = rulesThere(
    {
      B: { affectedFeeds: [FEED], mustContain: 'show 1080p', priority: 1 },
      C: {
        ...{ affectedFeeds: [FEED], useRegex: true, mustContain: '^Show.S\\d+' },
        ...{ assignedCategory: 'TV', savePath: '/srv/tv', enabled: false },
      },
      A: { affectedFeeds: [FEED], torrentParams: { category: 'Films', save_path: '/srv/films', ratio_limit: -2 } },
    },
    ON,
  );
  t.match(filters, [
    { name: 'A', regex: '', category: 'Films', savePath: '/srv/films', isEnabled: true, note: null },
    { name: 'C', regex: '(?i)^Show.S\\d+', category: 'TV', savePath: '/srv/tv', isEnabled: false },
    { name: 'B', feedUrls: [FEED], isEnabled: true },
  ]);
  const finds = compileTitlePattern(filters[2]!.regex);
  t.same(['Show S01 1080P', '1080p show', 'show 720p'].map(finds), [true, true, false]);
  t.match(inEnglish(rulesThere({ R: { affectedFeeds: [FEED] } }, readIni(''))).filters, [
    { isEnabled: false, note: /^it is off/ },
  ]);
});

void t.test('stars', async (t) => {
  const [outer] = rule({ mustContain: '*show* 1080p*' }).filters;
  t.equal(outer?.note, null);
  t.ok(compileTitlePattern(outer!.regex)('a / show / 1080p'));
  const [inner] = rule({ mustContain: 'show*1080p' }).filters;
  t.match(inner?.note, /slash/);
  t.same(['Show S01 1080p', 'Show / 1080p'].map(compileTitlePattern(inner!.regex)), [true, false]);
  t.match(rule({ mustContain: 'a*b b*c' }), { filters: [], leftOut: [{ reason: /several words/ }] });
});

void t.test('what must not be in a title, tags and paused', (t) => {
  const [words] = rule({ mustContain: 'show', mustNotContain: '*720p*|cam' }).filters;
  t.match(words, { regex: '(?i)show', excludeRegex: '(?i)720p|cam', tags: [], isPaused: false });
  const expression = { useRegex: true, mustNotContain: 'x$', addPaused: true, torrentParams: { tags: ['a', 'b'] } };
  t.match(rule(expression).filters, [{ excludeRegex: '(?i)x$', tags: ['a', 'b'], isPaused: true }]);
  t.match(rule({ torrentParams: { stopped: true } }).filters, [{ isPaused: true }]);
  t.end();
});

void t.test('rules that filters cannot say are left out', async (t) => {
  for (const given of [
    ...[
      { mustNotContain: '[a]' },
      { mustNotContain: 'a*b b*c' },
      { episodeFilter: '1x1-;' },
      { smartFilter: true },
      { ignoreDays: 3 },
    ],
    ...[{ torrentContentLayout: 'NoSubfolder' }, { affectedFeeds: [] }, { mustContain: '[a] b' }],
    ...[{ mustContain: 'a b c d e' }, { mustContain: 3 }, { useRegex: true, mustContain: 'x'.repeat(2_000) }],
    ...[{ ratio_limit: 1 }, { upload_limit: 5 }, { skip_checking: true }].map((torrentParams) => ({ torrentParams })),
  ]) {
    const { filters, leftOut } = rule(given);
    t.same(filters, [], JSON.stringify(given).slice(0, 60));
    t.match(leftOut, [{ name: 'rule R', reason: /^\S.+/ }]);
  }
});

void t.test('a file that cannot be read costs itself', async (t) => {
  const home = t.testdir({
    BT_backup: { 'a.fastresume': 'de' },
    config: { 'categories.json': '{"Films":{"save_path":"/films"}}', rss: { 'download_rules.json': '[' } },
    'secret.conf': '[BitTorrent]\nSession\\GlobalDLSpeedLimit=500',
  });
  await symlink(join(home, 'secret.conf'), join(home, 'config', 'qBittorrent.conf'));
  await writeFile(join(home, 'config', 'rss', 'feeds.json'), '');
  await truncate(join(home, 'config', 'rss', 'feeds.json'), 11 * 1024 * 1024);
  const library = await openQbittorrent(await StateDirectory.open(home), tmpdir());
  t.same(library.entries, ['a.fastresume']);
  t.same(library.categories, [{ name: 'Films', savePath: '/films' }]);
  t.match(library.settings, { limits: {}, feeds: [], filters: [] });
  t.same(inEnglish(library.notes), [
    'qBittorrent.conf: is a symbolic link, which is not followed: nothing of it is taken over',
    'feeds.json: is larger than 10 MiB: nothing of it is taken over',
    'download_rules.json: holds no JSON object: nothing of it is taken over',
  ]);
});
