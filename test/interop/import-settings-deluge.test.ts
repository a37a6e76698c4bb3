// The settings that Deluge itself and its plugins have written.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { ImportReportDto } from '../../shared-protocol/dto/imports.js';
import type { CategoryDto } from '../../shared-protocol/dto/labels.js';
import type { SeedingRulesDto } from '../../shared-protocol/dto/seeding.js';
import { startDaemon } from '../support/daemon.js';
import { Deluge, delugeClient, writeDelugeConfig } from '../support/import/deluge.js';
import { importAll } from '../support/import/import-scene.js';
import { makeTorrent } from '../support/make-torrent.js';
import { testWith } from '../support/peers/index.js';
import { makeScratch } from '../support/peers/scratch.js';
import { startUpstream } from '../support/upstream.js';

t.setTimeout(120_000);

const CORE = {
  ...{ max_download_speed: 500, max_upload_speed: 100.5, max_active_downloading: 4, max_active_seeding: 6 },
  ...{ max_active_limit: 7, stop_seed_at_ratio: true, stop_seed_ratio: 2.5, remove_seed_at_ratio: false },
};
/** Nights before working days are slow, and noon of Sunday is without transfers. */
const SLOW = Array.from({ length: 24 }, (_h, hour) =>
  Array.from({ length: 7 }, (_d, day) => (day < 5 && hour < 6 ? 1 : day === 6 && hour === 12 ? 2 : 0)),
);
const { torrentBytes, infoHash } = makeTorrent({ name: 'one', pieceLength: 16_384, files: Buffer.alloc(9) });

void testWith(t, delugeClient.program, 'Deluge', async (t) => {
  const scratch = await makeScratch('import-settings-deluge');
  t.teardown(() => scratch.remove());
  const server = await startUpstream((_request, response) => response.end('bad:1.2.3.4-1.2.3.4\n'));
  t.teardown(() => server.close());
  const [home, films] = [join(scratch.path, 'home'), join(scratch.path, 'films')];
  await Promise.all([mkdir(home), mkdir(films)]);
  await writeDelugeConfig(home);
  const client = await Deluge.start(home);
  try {
    await client.call('core.set_config', CORE);
    for (const plugin of ['Label', 'Scheduler', 'Blocklist']) await client.call('core.enable_plugin', plugin);
    await client.call('blocklist.set_config', { url: `${server.origin}/list.p2p` });
    const slow = { low_down: 20, low_up: 30, low_active: 7, low_active_down: 4, low_active_up: 6 };
    await client.call('scheduler.set_config', { ...slow, button_state: SLOW });
    for (const name of ['films', 'gone']) await client.call('label.add', name);
    const queue = { apply_queue: true, is_auto_managed: true, stop_at_ratio: true, stop_ratio: 1.5 };
    const move = { apply_move_completed: true, move_completed: true, move_completed_path: films };
    await client.call('label.set_options', 'films', { ...queue, ...move });
    await client.call('label.set_options', 'gone', { ...queue, remove_at_ratio: true });
    const options = { add_paused: true, download_location: scratch.path, stop_at_ratio: false };
    await client.call('core.add_torrent_file', 'one.torrent', Buffer.from(torrentBytes).toString('base64'), options);
  } finally {
    await client.stop();
  }
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const body = { from: 'deluge', path: home, settings: true };
  const { settings, notes } = (await importAll(daemon, body)) as unknown as ImportReportDto;
  t.same(notes, []);
  t.match((await daemon.api('GET', '/api/settings/limits')).json, {
    ...{ down_kbps: 500, up_kbps: 100, alt_down_kbps: 20, alt_up_kbps: 30, alt_active: false },
  });
  t.match((await daemon.api('GET', '/api/schedule_rules')).json, [
    { days_mask: 0b0111110, start_min: 0, end_min: 360, alt_only: true, enabled: true },
  ]);
  t.same((await daemon.api('GET', '/api/settings/queue_limits')).json, {
    ...{ max_active_downloads: 4, max_active_seeds: 6 },
  });
  t.match((await daemon.api('GET', '/api/settings/seeding_defaults')).json, { ratio_limit: 2.5 });
  t.match((await daemon.api('GET', '/api/settings/blocklist')).json, {
    ...{ url: `${server.origin}/list.p2p`, enabled: true },
  });
  const { json: categories } = await daemon.api<CategoryDto[]>('GET', '/api/categories');
  t.match(categories, [{ name: 'films', default_save_path: films }]);
  const { json: rules } = await daemon.api<SeedingRulesDto>('GET', '/api/settings/seeding_rules');
  t.same(rules.categories, [{ category_id: categories[0]!.id, ratio_limit: 1.5 }]);
  t.match(
    (await daemon.api('GET', `/api/torrents/${infoHash}/seeding_rule`)).json,
    { own: { ratio_limit: null } },
    'a torrent without the ratio of all there',
  );
  t.same(
    settings.filter(({ result }) => result === 'left_out').map(({ name }) => name),
    ['at most 7 torrents running', 'hours in which transfers are stopped', 'ratio limit of the label gone'],
  );
  const again = (await importAll(daemon, body)) as unknown as ImportReportDto;
  t.same([...new Set(again.settings.map(({ result }) => result))].sort(), ['left_out', 'same'], 'twice is as once');
});
