// Whatever keeps torrents from running is told where it is looked for: in the list, beside the filters, in the details with
// the way out, and above each page where a disk is full.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { refusing, startHttpTracker } from '../support/http-tracker.js';
import { startDaemon } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { MIB, writePayload } from '../support/peers/payload.js';
import { connectSeed } from '../support/peers/scripted-seed.js';
import { makeScratch } from '../support/peers/scratch.js';
import { volumesUnavailable, withVolumes } from '../support/volumes.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

const PIECE = 16_384;
const SAID = 'Torrent not registered with this tracker.';

void testInBrowser(t, 'problems of trackers and files', async (t, browser) => {
  const tracker = await startHttpTracker({ respond: refusing(SAID) });
  t.teardown(() => tracker.close());
  const scratch = await makeScratch('browser-problems');
  t.teardown(() => scratch.remove());
  const places = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'downloads') };
  let daemon = await startDaemon(places);
  t.teardown(() => daemon.stop());
  const made = (name: string, trackers: readonly string[]) =>
    makeTorrent({ name, pieceLength: PIECE, files: seededBytes(3, 2 * PIECE), trackers: [...trackers] }).torrentBytes;
  await daemon.addTorrentFile(made('refused.iso', [tracker.announceUrl]));
  await daemon.addTorrentFile(made('unreachable.iso', ['http://127.0.0.1:9/announce']));
  await daemon.addTorrentFile(made('alone.iso', []));
  await writeFile(join(daemon.savePath, 'gone.iso'), seededBytes(3, 2 * PIECE));
  const gone = await daemon.addTorrentFile(made('gone.iso', []));
  await daemon.waitFor(gone, ({ completed }) => completed, 30_000);
  await daemon.stop();
  await rm(join(daemon.savePath, 'gone.iso'));
  daemon = await startDaemon(places);
  await daemon.waitFor(gone, ({ files_missing }) => files_missing, 30_000);

  const { page, complaints } = await openPage(browser);
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  const row = (name: string) => page.getByRole('row', { name });
  const filter = (name: string) => page.getByRole('button', { name: new RegExp(`^${name} *\\d+$`) });

  await t.test('in the list', async (t) => {
    await row('refused.iso').getByText('Stalled').hover();
    await row('refused.iso').getByTitle(SAID).waitFor();
    await row('refused.iso').getByText('The tracker does not know this torrent').waitFor({ state: 'attached' });
    await row('unreachable.iso').getByText('No tracker works').waitFor({ state: 'attached' });
    await row('gone.iso').getByText('Files missing').waitFor();
    t.equal(await row('gone.iso').getByText('100%').count(), 0, 'how much of it is there is not known');
    t.equal(await row('alone.iso').getByText('No tracker works').count(), 0);
  });

  await t.test('beside the filters, where there are any', async (t) => {
    await filter('Unregistered').click();
    await row('unreachable.iso').waitFor({ state: 'detached' });
    t.ok(await row('refused.iso').isVisible());
    t.equal(await filter('Disk').count(), 0, 'no disk is full');
    await filter('Any problem').click();
    await row('gone.iso').waitFor();
    t.equal(await row('alone.iso').count(), 0);
  });

  await t.test('in the details, with the way out', async (t) => {
    await row('refused.iso').dblclick();
    const box = page.getByRole('region', { name: 'Problems' });
    await box.getByText(SAID).waitFor();
    const announced = page.waitForResponse((response) => response.url().endsWith('/api/torrents/batch'));
    await box.getByRole('button', { name: 'Reannounce' }).click();
    t.equal((await announced).status(), 200);
    await box.getByRole('button', { name: 'Edit trackers…' }).click();
    await page.getByRole('dialog', { name: 'Edit trackers' }).getByRole('button', { name: 'Cancel' }).click();
    await row('gone.iso').click();
    await box.getByText(/^Put the files back/).waitFor();
    t.notMatch(await page.getByRole('tabpanel').innerText(), /100%|Have: |KiB of/, 'nothing is said to be there');
    await writeFile(join(daemon.savePath, 'gone.iso'), seededBytes(3, 2 * PIECE));
    await box.getByRole('button', { name: 'Force recheck' }).click();
    await box.waitFor({ state: 'detached' });
    await page.getByText('Seeding').first().waitFor();
  });
  t.same(complaints, []);
});

void testInBrowser(t, 'a full disk', async (t, browser) => {
  if (volumesUnavailable()) return t.comment(volumesUnavailable());
  const scratch = await makeScratch('browser-disk', 64 * MIB);
  t.teardown(() => scratch.remove());
  const payload = await writePayload(join(scratch.path, 'source'), 32 * MIB, MIB);
  const savePath = join(scratch.path, `volume-${'x'.repeat(80)}`);
  const daemon = await startDaemon({ savePath, launcher: withVolumes({ path: savePath, sizeMib: 16 }) });
  t.teardown(() => daemon.stop());
  await daemon.addTorrentFile(payload.torrent());
  const seed = await connectSeed(payload, daemon.peerPort, Infinity);
  t.teardown(() => seed.destroy());
  const { page, complaints } = await openPage(browser);
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  const banner = page.getByRole('status').filter({ hasText: /1 download is waiting/ });
  await banner.getByText(`${savePath}: No room left on the disk (`, { exact: false }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  t.ok(await banner.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), 'a long path is broken');
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await banner.getByRole('button', { name: 'Show' }).click();
  const row = page.getByRole('row', { name: payload.name });
  await row.getByText('Disk full').waitFor();
  await row.getByText('The disk refuses writes').waitFor({ state: 'attached' });
  t.same(complaints, []);
});
