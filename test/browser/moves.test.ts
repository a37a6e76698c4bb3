// A move in the details: how far it is and how it is ended, and why one has failed.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { askMove, moveEnded, moveOf } from '../support/moves.js';
import { MIB, writePayload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { volumesUnavailable, withVolumes } from '../support/volumes.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

const TIMEOUT_MS = 60_000;
const BYTES = 32 * MIB;

t.setTimeout(180_000);

void testInBrowser(t, 'moves in the details', async (t, browser) => {
  if (volumesUnavailable()) return t.comment(volumesUnavailable());
  const scratch = await makeScratch('browser-moves', 2 * BYTES);
  t.teardown(() => scratch.remove());
  const payload = await writePayload(join(scratch.path, 'source'), BYTES, MIB);
  const target = join(scratch.path, 'volume');
  const home = join(scratch.path, 'home');
  await mkdir(target);
  const launcher = withVolumes({ path: target, sizeMib: 16 });
  const daemon = await startDaemon({ launcher, savePath: home, bytes: BYTES });
  t.teardown(() => daemon.stop());
  const id = await daemon.addTorrentFile(payload.torrent(), payload.directory);
  await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  const { page, complaints } = await openPage(browser);
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  const showDetails = async () => {
    await page.getByRole('row', { name: payload.name }).first().dblclick();
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
  };
  const closeDetails = async () => {
    await page.getByRole('button', { name: 'Close' }).first().click();
    await page.getByRole('tab', { name: 'Overview' }).waitFor({ state: 'detached' });
  };

  await t.test('one that has failed says why, until that was read', async (t) => {
    t.equal((await askMove(daemon, id, { path: target })).status, 200);
    t.match(await moveEnded(daemon, id), { state: 'failed' });
    await showDetails();
    const failed = page.getByRole('region', { name: 'The move failed' });
    await failed.getByText(/no room left/).waitFor();
    await failed.getByRole('button', { name: 'Dismiss' }).click();
    await failed.waitFor({ state: 'detached' });
    t.match(await moveOf(daemon, id), { state: 'none', error: null });
    await closeDetails();
  });

  await t.test('one that goes on says how far it is, and is ended', async (t) => {
    // Copying these few bytes is over before it is seen: what the server says while it copies is said for it.
    const copying = { state: 'copying', path: target, bytes_done: BYTES / 4, bytes_total: BYTES, error: null };
    let isEnded = false;
    await page.route('**/move', async (route) => {
      if (route.request().method() !== 'GET' || isEnded) return route.continue();
      return route.fulfill({ json: copying });
    });
    await showDetails();
    const moving = page.getByRole('region', { name: 'Moving 25.0%' });
    await moving.getByText(target).waitFor();
    await moving.getByText('8.00 MiB / 32.0 MiB').waitFor();
    t.equal(await moving.getByRole('progressbar').getAttribute('value'), '0.25');
    isEnded = true;
    const asked = page.waitForRequest((request) => request.method() === 'DELETE' && request.url().endsWith('/move'));
    await moving.getByRole('button', { name: 'Cancel move' }).click();
    await asked;
    await page.getByText('Move cancelled.').waitFor();
    await moving.waitFor({ state: 'detached' });
  });
  t.same(complaints, []);
});
