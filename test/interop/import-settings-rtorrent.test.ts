// The settings that rTorrent itself has read, in the file from which it read them.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { ImportReportDto } from '../../shared-protocol/dto/imports.js';
import { startDaemon } from '../support/daemon.js';
import { importAll } from '../support/import/import-scene.js';
import { Rtorrent, rtorrentClient } from '../support/import/rtorrent.js';
import { makeTorrent } from '../support/make-torrent.js';
import { testWith } from '../support/peers/index.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

t.setTimeout(120_000);

const LINES = [
  ...[
    '# download_rate = 1',
    'download_rate = 7',
    'throttle.global_down.max_rate.set = \\',
    '  500k',
    'upload_rate = 100',
  ],
  ...['ratio.enable =', 'ratio.min.set = 150', 'ratio.max.set = 150', 'ratio.upload.set = 20M'],
  ...['throttle.max_uploads.set = 15', 'schedule2 = night, 22:00:00, 24:00:00, ((print, "upload_rate"))'],
];
const { torrentBytes } = makeTorrent({
  ...{ name: 'one', pieceLength: 16_384, files: Buffer.alloc(9) },
  trackers: ['http://127.0.0.1:9/announce'],
});

void testWith(t, rtorrentClient.program, 'rTorrent', async (t) => {
  const scratch = await makeScratch('import-settings-rtorrent');
  t.teardown(() => scratch.remove());
  const home = join(scratch.path, 'home');
  await mkdir(join(home, '.session'), { recursive: true });
  const client = await Rtorrent.start(home, scratch.path, LINES);
  try {
    for (const [method, there] of [
      ['throttle.global_down.max_rate', 500 * 1_024],
      ['throttle.global_up.max_rate', 100 * 1_024],
      ['group.seeding.ratio.min', 150],
      ['group.seeding.ratio.max', 150],
      ['group.seeding.ratio.upload', 20 * 1_024 * 1_024],
    ] as const)
      t.equal(Number(await client.call(method, '')), there, `as rTorrent took it: ${method}`);
    await client.call('load.raw', '', { base64: Buffer.from(torrentBytes).toString('base64') });
    await waitUntil('added', 60_000, async () => (await client.hashes()).length === 1 || undefined);
    await client.call('session.save', '');
  } finally {
    await client.stop();
  }
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const body = { from: 'rtorrent', path: home, settings: true, force: true };
  const { settings, notes } = (await importAll(daemon, body)) as unknown as ImportReportDto;
  t.same(notes, []);
  t.match((await daemon.api('GET', '/api/settings/limits')).json, { down_kbps: 500, up_kbps: 100 });
  t.match((await daemon.api('GET', '/api/settings/seeding_defaults')).json, { ratio_limit: 1.5 });
  const leftOut = settings.filter(({ result }) => result === 'left_out').map(({ name }) => name.replace(/\d.*$/, ''));
  t.same(leftOut, [
    ...['ports ', 'DHT disable', 'peer exchange no', 'address of peers ', 'uploads of a torrent '],
    ...[`folder of new torrents ${scratch.path}`.replace(/\d.*$/, ''), 'schedule night'],
  ]);
});
