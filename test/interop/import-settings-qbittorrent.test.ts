// The settings, feeds and rules that qBittorrent itself has written.
import { join } from 'node:path';
import t from 'tap';
import type { ImportReportDto } from '../../shared-protocol/dto/imports.js';
import type { FeedDto, FilterDto } from '../../shared-protocol/dto/rss.js';
import { qbittorrentNox } from '../support/compatible/qbittorrent-nox.js';
import { startDaemon } from '../support/daemon.js';
import { importAll } from '../support/import/import-scene.js';
import { Qbittorrent, writeQbittorrentConfig } from '../support/import/qbittorrent.js';
import { testWith } from '../support/peers/index.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { startUpstream } from '../support/upstream.js';

t.setTimeout(120_000);

const PREFERENCES = {
  ...{ dl_limit: 500 * 1_024, up_limit: 100 * 1_024, alt_dl_limit: 20 * 1_024, alt_up_limit: 30 * 1_024 },
  ...{ scheduler_enabled: true, schedule_from_hour: 22, schedule_from_min: 30, schedule_to_hour: 6 },
  ...{ schedule_to_min: 15, scheduler_days: 0, queueing_enabled: true, max_active_downloads: 4 },
  ...{ max_active_uploads: 6, max_active_torrents: 7, max_ratio_enabled: true, max_ratio: 2.5, max_ratio_act: 0 },
  ...{ max_seeding_time_enabled: true, max_seeding_time: 600, ip_filter_enabled: true, ip_filter_path: '/list.p2p' },
  ...{ excluded_file_names_enabled: true, excluded_file_names: '*.exe\n*.r??\nä "b", c\nname;with' },
  ...{ rss_processing_enabled: true, rss_auto_downloading_enabled: true, rss_refresh_interval: 45 },
};
const FEED_TEXT = '<rss version="2.0"><channel><title>f</title></channel></rss>';

void testWith(t, qbittorrentNox, 'qBittorrent', async (t) => {
  const scratch = await makeScratch('import-settings-qbittorrent');
  t.teardown(() => scratch.remove());
  const server = await startUpstream((_request, response) => response.end(FEED_TEXT));
  t.teardown(() => server.close());
  const home = join(scratch.path, 'home');
  const url = `${server.origin}/feed`;
  await writeQbittorrentConfig(home);
  const client = await Qbittorrent.start(home);
  try {
    await client.post('app/setPreferences', { json: JSON.stringify(PREFERENCES) });
    await client.post('rss/addFolder', { path: 'Folder' });
    await client.post('rss/addFeed', { url, path: 'Folder\\Shows ä' });
    const rule = { enabled: true, mustContain: 'show 1080p', affectedFeeds: [url] };
    await client.post('rss/setRule', { ruleName: 'Words', ruleDef: JSON.stringify(rule) });
    const expression = { ...rule, useRegex: true, mustContain: '^Show\\.S\\d+' };
    await client.post('rss/setRule', { ruleName: 'Expression', ruleDef: JSON.stringify(expression) });
    const not = { ...rule, mustNotContain: '720p' };
    await client.post('rss/setRule', { ruleName: 'Not', ruleDef: JSON.stringify(not) });
    await client.post('torrents/add', { urls: `magnet:?xt=urn:btih:${'b'.repeat(40)}`, paused: 'true' });
    await waitUntil('added', 60_000, async () => (await client.list()).length === 1 || undefined);
  } finally {
    await client.stop();
  }
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const body = { from: 'qbittorrent', path: home, settings: true, force: true };
  const { settings } = (await importAll(daemon, body)) as unknown as ImportReportDto;
  t.match((await daemon.api('GET', '/api/settings/limits')).json, {
    ...{ down_kbps: 500, up_kbps: 100, alt_down_kbps: 20, alt_up_kbps: 30, alt_active: false },
  });
  t.match((await daemon.api('GET', '/api/schedule_rules')).json, [
    { days_mask: 127, start_min: 22 * 60 + 30, end_min: 6 * 60 + 15, alt_only: true, enabled: true },
  ]);
  t.same((await daemon.api('GET', '/api/settings/queue_limits')).json, {
    ...{ max_active_downloads: 4, max_active_seeds: 6 },
  });
  t.same((await daemon.api('GET', '/api/settings/seeding_defaults')).json, { ratio_limit: 2.5, time_min_limit: 600 });
  t.match((await daemon.api('GET', '/api/settings/adding')).json, {
    excluded_file_names: ['*.exe', '*.r??', 'ä "b", c', 'name;with'],
  });
  const { json: feeds } = await daemon.api<FeedDto[]>('GET', '/api/feeds');
  t.match(feeds, [{ url, name: 'Shows ä', interval_min: 45, enabled: true }]);
  const { json: filters } = await daemon.api<FilterDto[]>('GET', `/api/feeds/${feeds[0]!.id}/filters`);
  t.match(
    filters.map(({ name, enabled }) => [name, enabled]),
    [
      ['Expression', true],
      ['Not', true],
      ['Words', true],
    ],
  );
  t.match(
    filters.find(({ name }) => name === 'Not'),
    { exclude_regex: '(?i)720p' },
  );
  t.same(
    settings.filter(({ result }) => result === 'left_out').map(({ name }) => name),
    ['IP filter /list.p2p', 'at most 7 torrents running'],
  );
});
