// The settings that Transmission itself has written.
import { join } from 'node:path';
import t from 'tap';
import type { ImportReportDto } from '../../shared-protocol/dto/imports.js';
import { startDaemon } from '../support/daemon.js';
import { importAll } from '../support/import/import-scene.js';
import { Transmission, transmissionClient } from '../support/import/transmission.js';
import { testWith } from '../support/peers/index.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { startUpstream } from '../support/upstream.js';

t.setTimeout(120_000);

const SESSION = {
  ...{ 'speed-limit-down': 512, 'speed-limit-down-enabled': true, 'speed-limit-up': 0, 'speed-limit-up-enabled': true },
  ...{ 'alt-speed-down': 128, 'alt-speed-up': 64, 'alt-speed-time-enabled': true, 'alt-speed-time-day': 0b1000001 },
  ...{ 'alt-speed-time-begin': 22 * 60 + 30, 'alt-speed-time-end': 6 * 60 + 15 },
  ...{ 'download-queue-enabled': true, 'download-queue-size': 4, 'seed-queue-enabled': true, 'seed-queue-size': 6 },
  ...{ seedRatioLimit: 2.5, seedRatioLimited: true, 'idle-seeding-limit': 30, 'idle-seeding-limit-enabled': true },
  ...{ 'incomplete-dir': '/half', 'incomplete-dir-enabled': true },
};

void testWith(t, transmissionClient.program, 'Transmission', async (t) => {
  const scratch = await makeScratch('import-settings-transmission');
  t.teardown(() => scratch.remove());
  const server = await startUpstream((_request, response) => response.end('bad:1.2.3.4-1.2.3.4\n'));
  t.teardown(() => server.close());
  const home = join(scratch.path, 'home');
  const url = `${server.origin}/list.p2p`;
  const client = await Transmission.start(home, scratch.path);
  try {
    await client.call('session-set', { ...SESSION, 'blocklist-url': url, 'blocklist-enabled': true });
    await client.call('torrent-add', { filename: `magnet:?xt=urn:btih:${'b'.repeat(40)}`, paused: true });
    await waitUntil('added', 60_000, async () => (await client.list()).length === 1 || undefined);
  } finally {
    await client.stop();
  }
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const before = (await daemon.api<{ up_kbps: number }>('GET', '/api/settings/limits')).json.up_kbps;
  const body = { from: 'transmission', path: home, settings: true };
  const { settings, notes } = (await importAll(daemon, body)) as unknown as ImportReportDto;
  t.same(notes, []);
  t.match((await daemon.api('GET', '/api/settings/limits')).json, {
    ...{ down_kbps: 500, up_kbps: before, alt_down_kbps: 125, alt_up_kbps: 62, alt_active: false },
  });
  t.match((await daemon.api('GET', '/api/schedule_rules')).json, [
    { days_mask: 0b1000001, start_min: 22 * 60 + 30, end_min: 6 * 60 + 15, alt_only: true, enabled: true },
  ]);
  t.same((await daemon.api('GET', '/api/settings/queue_limits')).json, {
    ...{ max_active_downloads: 4, max_active_seeds: 6, stalled_minutes: 30 },
  });
  t.match((await daemon.api('GET', '/api/settings/seeding_rules')).json, {
    defaults: { ratio_limit: 2.5, inactive_min_limit: 30 },
  });
  t.match((await daemon.api('GET', '/api/settings/blocklist')).json, { url, enabled: true });
  t.same(
    settings.filter(({ result }) => result === 'left_out').map(({ name }) => name),
    ['folder of incomplete torrents /half', 'speed limit up'],
  );
  const again = (await importAll(daemon, body)) as unknown as ImportReportDto;
  t.same(
    again.settings.filter(({ result }) => result !== 'left_out' && result !== 'same'),
    [],
    'twice is as once',
  );
});
