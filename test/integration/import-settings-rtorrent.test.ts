// Settings of rTorrent and ruTorrent: limits, a schedule, feeds and filters come where they are asked for, and once; of torrents in a ratio
// group each has its ratio.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import bencode from 'bencode';
import t from 'tap';
import type { ImportReportDto } from '../../shared-protocol/dto/imports.js';
import type { FeedDto } from '../../shared-protocol/dto/rss.js';
import { startDaemon } from '../support/daemon.js';
import { importAll } from '../support/import/import-scene.js';
import { phpSerialized } from '../support/import/php-serialized.js';
import { makeTorrent } from '../support/make-torrent.js';
import { makeScratch } from '../support/peers/scratch.js';

t.setTimeout(120_000);

const FEED = 'http://127.0.0.1:9/tv?passkey=secret';
const RC = ['throttle.global_down.max_rate.set_kb = 500', 'upload_rate = $cat=5', 'network.port_range.set = 6890-6890'];
const NIGHTS = Array.from({ length: 7 }, () => Array.from({ length: 24 }, (_h, hour) => (hour < 6 ? 3 : 0)));

void t.test('settings of rTorrent and ruTorrent', async (t) => {
  const scratch = await makeScratch('import-settings-rtorrent');
  t.teardown(() => scratch.remove());
  const [home, savePath] = [join(scratch.path, 'old'), join(scratch.path, 'downloads')];
  const [session, settingsPath] = [
    join(home, '.session'),
    join(home, 'rutorrent', 'share', 'users', 'ann', 'settings'),
  ];
  await mkdir(session, { recursive: true });
  await mkdir(join(settingsPath, 'rss', 'cache'), { recursive: true });
  await mkdir(savePath);
  const made = makeTorrent({ name: 'one', pieceLength: 16_384, files: Buffer.alloc(9) });
  const name = `${String(made.infoHash).toUpperCase()}.torrent`;
  await writeFile(join(session, name), made.torrentBytes);
  const record = { directory: savePath, state: 0, custom1: 'TV', views: ['main', 'rat_1'], throttle_name: 'thr_0' };
  await writeFile(join(session, `${name}.rtorrent`), bencode.encode(record));
  await writeFile(join(home, '.rtorrent.rc'), RC.join('\n'));
  const write = async (file: string, className: string, value: Parameters<typeof phpSerialized>[0]) =>
    writeFile(join(settingsPath, file), phpSerialized(value, className));
  const group = { action: 0, min: 150, max: 150, upload: 20, name: 'half more' };
  await write('ratio.dat', 'rRatio', { hash: 'ratio.dat', rat: [{ ...group, name: '' }, group] });
  await write('scheduler.dat', 'rScheduler', { enabled: 1, UL: [20, 1, 1], DL: [30, 1, 1], week: NIGHTS });
  await write('rss/cache/info', 'rRSSMetaList', { lst: { h1: { label: 'Shows', auto: 0, enabled: 0, url: FEED } } });
  const filter = {
    pattern: '/^show/i',
    enabled: 1,
    rssHash: 'h1',
    start: 1,
    addPath: 1,
    label: 'TV',
    directory: savePath,
  };
  await write('rss/cache/filters', 'rRSSFilterList', {
    lst: [
      { ...filter, name: 'Shows' },
      { ...filter, name: 'Not', exclude: '/720p/' },
      { ...filter, name: 'Outside', directory: '/etc' },
    ],
  });

  const daemon = await startDaemon({ savePath, args: ['--allowed-paths', savePath] });
  t.teardown(() => daemon.stop());
  const limits = { down_kbps: 7, up_kbps: 8, alt_down_kbps: 9, alt_up_kbps: 9, alt_active: false };
  await daemon.api('PUT', '/api/settings/limits', limits);
  const bring = async (more: object) =>
    (await importAll(daemon, { from: 'rtorrent', path: home, ...more })) as unknown as ImportReportDto;

  const unasked = await bring({ dry_run: true });
  t.same(unasked.settings, []);
  t.match(unasked.notes.join('\n'), /speed limit down 500 KiB\/s.*schedule, 1 feed, 3 rules of feeds.*speed limit up/);

  const { settings, torrents } = await bring({ settings: true });
  t.match(torrents, [{ result: 'imported', notes: [/throttle thr_0 is shared/] }]);
  t.match((await daemon.api('GET', '/api/settings/limits')).json, {
    ...{ down_kbps: 500, up_kbps: 8, alt_down_kbps: 30, alt_up_kbps: 20 },
  });
  t.match((await daemon.api('GET', '/api/schedule_rules')).json, [
    { days_mask: 127, start_min: 0, end_min: 360, alt_only: true, enabled: true },
  ]);
  const { json: feeds } = await daemon.api<FeedDto[]>('GET', '/api/feeds');
  t.match(feeds, [{ name: 'Shows', enabled: false }]);
  t.match((await daemon.api('GET', `/api/feeds/${feeds[0]!.id}/filters`)).json, [
    { name: 'Shows', regex: '(?i)^show', save_path: savePath, enabled: true },
    { name: 'Not', exclude_regex: '720p' },
  ]);
  t.same(
    settings.filter(({ result }) => result === 'left_out').map((each) => each.name),
    ['rule Outside', 'speed limit up', 'ports 6890-6890'],
  );
  t.notMatch(JSON.stringify(settings), /passkey=secret/);
  const { json: shown } = await daemon.api('GET', `/api/torrents/${made.infoHash}/seed_policy`);
  t.match(shown, { ratio_limit: 1.5 }, 'the ratio of its group');
  const again = await bring({ settings: true });
  t.same(
    again.settings.filter(({ result }) => result !== 'left_out' && result !== 'same'),
    [],
    'twice is as once',
  );
});
