// What is read of `.rtorrent.rc` and of ruTorrent: what is said by itself, and nothing that a program would have to work out.
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { membersOfPhp, readPhp, type PhpMembers } from '../../../../../api/services/import/rtorrent/php-values.js';
import { readRc } from '../../../../../api/services/import/rtorrent/rc-file.js';
import { rcSettings } from '../../../../../api/services/import/rtorrent/rtorrent-settings.js';
import { openRtorrent } from '../../../../../api/services/import/rtorrent/rtorrent.js';
import { rutorrentFeeds } from '../../../../../api/services/import/rtorrent/rutorrent-feeds.js';
import {
  ratioGroups,
  rutorrentSchedule,
  throttlesLeftOut,
} from '../../../../../api/services/import/rtorrent/rutorrent-settings.js';
import { StateDirectory } from '../../../../../api/services/import/state-directory.js';
import { phpSerialized, type PhpInput } from '../../../../support/import/php-serialized.js';
import { inEnglish } from '../../../../support/import/in-english.js';

const rc = (...lines: string[]) => inEnglish(rcSettings(readRc(lines.join('\n'))));
const namesOf = (leftOut: readonly { name: string }[]) => leftOut.map(({ name }) => name);
const php = (value: PhpInput, className?: string): PhpMembers =>
  membersOfPhp(readPhp(Buffer.from(phpSerialized(value, className)), 'file'));

void t.test('rates, by names of now and of before', async (t) => {
  for (const [line, kbps] of [
    ['throttle.global_down.max_rate.set = 102400', 100],
    ['throttle.global_down.max_rate.set_kb = 100', 100],
    ['throttle.global_down.max_rate.set_kb=100k', 100],
    ['throttle.global_down.max_rate.set = 2M', 2_048],
    ['download_rate = 100', 100],
    ['download_rate = "100"', 100],
    ['download_rate = 5\ndownload_rate = \\\n  100', 100],
    ['throttle.global_down.max_rate.set = 1', 1],
  ] as const)
    t.same(rc(line), { limits: { down_kbps: kbps }, seeding: {}, leftOut: [] }, line);
  t.same(rc('upload_rate = 30', 'download_rate = 0').limits, { up_kbps: 30 }, '0 is no limit');
  t.same(rc('# download_rate = 5', 'download_ratex = 5', ''), { limits: {}, seeding: {}, leftOut: [] });
});

void t.test('what is computed is named, and takes the place of what was said before', async (t) => {
  for (const line of [
    'download_rate = $cat=5',
    'download_rate = (cat,5)',
    'download_rate = 5; print=x',
    'download_rate = five',
    'branch = (system.has,x), ((throttle.global_down.max_rate.set_kb, 5))',
    'method.insert = slow, simple, "throttle.global_down.max_rate.set_kb=5"',
  ]) {
    const { limits, leftOut } = rc('download_rate = 100', line);
    t.same([limits, leftOut[0]], [{}, { name: 'speed limit down', reason: 'its value is computed there' }], line);
  }
  t.same(rc('download_rate = $cat=5', 'download_rate = 7').limits, { down_kbps: 7 }, 'the last one holds');
});

void t.test('a ratio', async (t) => {
  const on = 'ratio.enable =';
  t.same(rc(on, 'ratio.min.set = 150', 'ratio.max.set = 150').seeding, { ratio_limit: 1.5 });
  t.same(rc('group.seeding.ratio.enable=', 'group2.seeding.ratio.min.set=150', 'ratio.upload.set=0').seeding, {
    ratio_limit: 1.5,
  });
  t.same(rc('ratio.min.set = 150', 'ratio.max.set = 150').seeding, {}, 'that is off');
  for (const lines of [
    ['ratio.min.set = 150'],
    ['ratio.min.set = $x', 'ratio.upload.set = 0'],
    ['ratio.min.set = 0', 'ratio.upload.set = 0'],
    ['ratio.upload.set = 0', 'method.set = group.seeding.ratio.command, d.close=, d.erase='],
  ])
    t.match(rc(on, ...lines), { seeding: {}, leftOut: [{ name: 'ratio limit' }] }, lines.join());
});

void t.test('what cannot be said is named, without its passwords', async (t) => {
  const { limits, leftOut } = rc(
    ...['network.port_range.set = 6890-6999', 'port_random = no', 'dht.mode.set = auto', 'protocol.pex.set = yes'],
    ...['protocol.encryption.set = allow_incoming,try_outgoing', 'use_udp_trackers = yes', 'max_peers = 100'],
    ...['throttle.max_uploads.set = 15', 'directory.default.set = /downloads', 'proxy_address = ann:hidden@proxy:1'],
    'schedule2 = watch_start, 10, 10, ((load.start, (cat, "/watch/start/*.torrent")))',
    'schedule = watch_directory,5,5,load_start=/watch/*.torrent',
    'schedule2 = night, 22:00:00, 24:00:00, ((throttle.global_down.max_rate.set_kb, 5))',
    ...['throttle.up = slow, 10', 'import = ~/more.rc', 'download_rate = 9'],
    'method.set_key = event.download.finished, move, "execute=mv,$d.base_path=,hidden"',
  );
  t.same(limits, { down_kbps: 9 }, 'besides what a schedule does');
  t.same(namesOf(leftOut), [
    ...['ports 6890-6999', 'port by chance no', 'DHT auto', 'peer exchange yes'],
    ...['encryption allow_incoming,try_outgoing', 'UDP trackers yes', 'peers of a download 100'],
    ...['uploads of a torrent 15', 'folder of new torrents /downloads', 'proxy'],
    ...['schedule watch_start', 'watch folder /watch/*.torrent', 'schedule night', 'throttle slow', 'file ~/more.rc'],
    'commands at event.download.finished',
  ]);
  t.notMatch(JSON.stringify(leftOut), /hidden|ann/);
});

void t.test('values of PHP', async (t) => {
  const written = 'O:1:"X":4:{s:4:"\0*\0a";i:-1;s:2:"ä";d:0.5;s:1:"b";b:1;s:1:"n";a:2:{i:0;N;i:1;R:1;}}';
  const read = readPhp(Buffer.from(written), 'x.dat');
  t.same(
    read,
    new Map<string, unknown>([
      ['a', -1],
      ['ä', 0.5],
      ['b', true],
      [
        'n',
        new Map([
          ['0', null],
          ['1', null],
        ]),
      ],
    ]),
  );
  const whole = Buffer.from(written);
  for (let at = 0; at < whole.length; at++)
    t.throws(() => readPhp(whole.subarray(0, at), 'x.dat'), { code: 'IMPORT_UNREADABLE', message: /^x\.dat: / });
  for (const odd of [
    'a:1:{i:0;'.repeat(100_000),
    's:-1:"";',
    's:9:"a";',
    'a:1e9:{',
    'C:1:"X":0:{}',
    'i:0x1;',
    'a:1:{a:0:{}i:1;}',
  ])
    t.throws(() => readPhp(Buffer.from(odd), 'x.dat'), { code: 'IMPORT_UNREADABLE' }, odd.slice(0, 20));
});

const FEED = 'https://feeds.example/a';
const FILTER = {
  ...{ name: 'Shows', pattern: '/^show.*1080p/i', exclude: '', enabled: 1, rssHash: 'h1', start: 1, addPath: 1 },
  ...{ directory: '/tv', label: 'TV', titleCheck: 1, descCheck: 0, linkCheck: 0, interval: -1, no: 3 },
};
const list = (members: PhpInput, hash: string) => php({ hash, lst: members }, 'rRSSList');
const FEEDS = {
  h1: { label: 'A', auto: 1, enabled: 1, url: FEED },
  h2: { label: '', auto: 0, enabled: '0', url: 'https://feeds.example/b' },
  h3: { label: 'Secret', enabled: 1, url: 'https://feeds.example/c:COOKIE:uid=hidden' },
  h4: { label: 'Old', enabled: 1 },
};
const filtered = (...filters: PhpInput[]) =>
  inEnglish(
    rutorrentFeeds({
      feeds: list(FEEDS, 'info'),
      filters: list(filters, 'filters'),
      groups: list({ grp_1: { name: 'both', lst: ['h2', 'h1', 'gone'] } }, 'groups'),
    }),
  );

void t.test('feeds and filters of ruTorrent', async (t) => {
  const { feeds, leftOut } = filtered();
  t.same(feeds, [
    { url: FEED, names: ['A'], intervalMin: 0, isEnabled: true },
    { url: 'https://feeds.example/b', names: [], intervalMin: 0, isEnabled: false },
  ]);
  t.same(namesOf(leftOut), ['feed Secret', 'feed Old']);
  t.notMatch(JSON.stringify([feeds, leftOut]), /hidden/);
  const plain = { excludeRegex: '', tags: [], isPaused: false };
  const common = { ...plain, category: 'TV', savePath: '/tv', isEnabled: true, note: null };
  t.same(filtered(FILTER).filters, [{ ...common, name: 'Shows', regex: '(?i)^show.*1080p', feedUrls: [FEED] }]);
  t.match(filtered({ ...FILTER, exclude: '/720p|cam/i', start: 0 }).filters, [
    { excludeRegex: '(?i)720p|cam', isPaused: true },
  ]);
  t.match(filtered({ ...FILTER, rssHash: '' }).filters, [{ feedUrls: [FEED, 'https://feeds.example/b'] }]);
  t.match(filtered({ ...FILTER, rssHash: 'grp_1' }).filters, [{ feedUrls: ['https://feeds.example/b', FEED] }]);
  t.match(filtered({ ...FILTER, pattern: '{s\\d+}', enabled: 0 }).filters, [
    { regex: 's\\d+', isEnabled: false, note: /ASCII/ },
  ]);
});

void t.test('filters that those here cannot say are left out', async (t) => {
  for (const odd of [
    ...[{ exclude: 'x' }, { pattern: '' }, { pattern: 'show' }, { pattern: '/show' }, { pattern: '/show/x' }],
    ...[{ descCheck: 1 }, { linkCheck: 1 }, { titleCheck: 0 }, { addPath: 0 }, { interval: 24 }],
    ...[{ throttle: 'thr_1' }, { ratio: 'rat_1' }, { rssHash: 'gone' }, { pattern: `/${'x'.repeat(5_000)}/` }],
  ]) {
    const { filters, leftOut } = filtered({ ...FILTER, ...odd });
    t.same([filters, leftOut.at(-1)?.name], [[], 'rule Shows'], JSON.stringify(odd).slice(0, 60));
    t.match(leftOut.at(-1)?.reason, /^\S.+/);
  }
});

void t.test('ratio groups and throttles of ruTorrent', async (t) => {
  const group = { action: 0, min: 150, max: 150, upload: 20, name: 'once' };
  const rat = [
    ...[group, { ...group, name: '' }, { ...group, max: 300, upload: '0' }, { ...group, max: 300 }],
    { ...group, action: 2 },
  ];
  t.match(inEnglish([...ratioGroups(php({ hash: 'ratio.dat', rat }, 'rRatio'))]), [
    ['rat_0', 1.5],
    ['rat_2', 1.5],
    ['rat_3', { name: 'once', reason: /uploaded/ }],
    ['rat_4', { reason: /removed/ }],
  ]);
  const thr = [
    { up: 16, down: 0, name: 'up16' },
    { up: 0, down: 0, name: 'none' },
    { up: 1, down: 0, name: '' },
  ];
  t.same(namesOf(inEnglish(throttlesLeftOut(php({ thr }, 'rThrottle')))), ['throttle up16']);
});

void t.test('the schedule of ruTorrent', async (t) => {
  const schedule = (state: (day: number, hour: number) => number | string, more: object = {}) =>
    inEnglish(
      rutorrentSchedule(
        php({
          ...{ hash: 'scheduler.dat', enabled: '1', UL: [10, 20, 0], DL: [30, 40, 50], ...more },
          week: Array.from({ length: 7 }, (_d, day) => Array.from({ length: 24 }, (_h, hour) => state(day, hour))),
        }),
      ),
    );
  t.same(
    schedule((day, hour) => (day < 5 && hour < 6 ? '4' : 0)),
    {
      limits: { alt_down_kbps: 40, alt_up_kbps: 20 },
      windows: [{ days_mask: 0b0111110, start_min: 0, end_min: 360 }],
      leftOut: [],
    },
  );
  t.match(
    schedule((day) => (day === 6 ? 5 : 1)),
    {
      limits: { alt_down_kbps: 50, alt_up_kbps: 0 },
      windows: [{ days_mask: 1, start_min: 0, end_min: 0 }],
      leftOut: [{ name: /stopped/ }],
    },
  );
  t.match(
    schedule((day) => 3 + (day % 2)),
    { limits: {}, windows: [], leftOut: [{ reason: /several/ }] },
  );
  t.match(
    schedule(() => 3, { DL: [] }),
    { limits: {}, windows: [], leftOut: [{ reason: /limits/ }] },
  );
  t.match(
    schedule(() => 9),
    { windows: [], leftOut: [{ name: 'schedule' }] },
  );
  t.same(
    schedule(() => 3, { enabled: 0 }),
    { limits: {}, windows: [], leftOut: [] },
  );
});

void t.test('a file that cannot be read costs itself', async (t) => {
  const [hash, secret] = [`${'A'.repeat(40)}.torrent`, 'download_rate = 5'];
  const settings = {
    'ratio.dat': 'O:6:"rRatio":1:{',
    'throttle.dat': phpSerialized({ thr: [{ up: 16, down: 0, name: 'up16' }] }, 'rThrottle'),
    rss: { cache: { info: phpSerialized({ lst: FEEDS }, 'rRSSMetaList') } },
  };
  const home = t.testdir({ session: { [hash]: 'de' }, 'secret.rc': secret, share: { users: { ann: { settings } } } });
  await symlink(join(home, 'secret.rc'), join(home, '.rtorrent.rc'));
  const giant = join(home, 'share', 'users', 'ann', 'settings', 'scheduler.dat');
  await writeFile(giant, '');
  await truncate(giant, 11 * 1024 * 1024);
  const open = async () => openRtorrent(await StateDirectory.open(home));
  const library = await open();
  t.same(library.entries, [hash]);
  t.same(library.settings.limits, {});
  t.equal(library.settings.feeds.length, 2);
  t.same(namesOf(inEnglish(library.settings.leftOut)), ['throttle up16', 'feed Secret', 'feed Old']);
  t.match(inEnglish(library.notes), [
    /^\.rtorrent\.rc: is a symbolic link/,
    /^ratio\.dat: is not as PHP/,
    /^scheduler\.dat: is larger/,
  ]);
  await mkdir(join(home, 'share', 'users', 'bob'));
  t.match(inEnglish((await open()).notes), [/symbolic link/, /^users: ruTorrent has 2 of them/]);
  t.same((await open()).settings.feeds, [], 'whose settings they are is not known');
});

void t.test('lines that are made to be slow are read as any others', async (t) => {
  const watched = `schedule2 = a, 5, 5, "load${'.start_verbose'.repeat(10_000)}`;
  t.same(namesOf(rc(watched).leftOut), ['schedule a'], 'each of its parts in two ways');
  const spaces = ' '.repeat(1024 * 1024);
  t.same(readRc(`download_rate =${spaces}x${spaces}\u2028x`)[0]?.name, 'download_rate');
});
