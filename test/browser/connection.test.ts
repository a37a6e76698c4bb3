// Swarmd stops and is there again, and its engine alone dies and is there again: the page says so while it lasts, keeps
// what it shows, and goes on by itself.
import { join } from 'node:path';
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { freePort } from '../support/free-port.js';
import { makeScratch } from '../support/peers/scratch.js';
import { evaluateInThread, INSPECTED } from '../support/thread-inspector.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

const MAGNET = `magnet:?xt=urn:btih:${'d'.repeat(40)}&dn=stays`;
/** Of somebody who is impatient. */
const PRESS_MS = 150;

t.setTimeout(120_000);

void testInBrowser(t, 'the connection', async (t, browser) => {
  const scratch = await makeScratch('browser-connection');
  t.teardown(() => scratch.remove());
  const places = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'downloads') };
  const args = ['--port', String(await freePort())];
  const start = () => startDaemon({ ...places, args, env: INSPECTED });
  let daemon = await start();
  t.teardown(() => daemon.stop());
  await daemon.addMagnet(MAGNET);
  const { page, complaints } = await openPage(browser);
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  const row = page.getByRole('row', { name: 'stays' });

  const pressPause = async () => {
    await page.keyboard.press('p');
    await page.waitForTimeout(PRESS_MS);
  };

  await t.test('without its engine it says why nothing is done', async (t) => {
    await row.click();
    await evaluateInThread(() => daemon.stderr, 'engine', 'process.exit(9)');
    const refused = page.getByText('The engine is restarting.');
    while (!(await refused.isVisible())) await pressPause();
    t.ok(await row.isVisible(), 'what is known is shown all the same');
    const isPaused = async () => (await daemon.torrent('d'.repeat(40))).paused;
    while (!(await isPaused())) await pressPause();
    await row.getByText('Paused').waitFor();
    await refused.waitFor({ state: 'detached' });
  });

  await t.test('lost, said, and there again', async (t) => {
    const banner = page.getByRole('status').filter({ hasText: /Connection lost\. Reconnecting in \d+ s…/ });
    await daemon.kill();
    await banner.waitFor();
    t.ok(await row.isVisible(), 'what is known is shown all the same');
    await page.keyboard.press('r');
    await page.getByText('Cannot reach Swarmd').waitFor();
    daemon = await start();
    // Without looking whether it is covered: the page may have tried by itself just before, and be asking for the password.
    await banner.getByRole('button', { name: 'Reconnect now' }).dispatchEvent('click');
    // Sessions are not kept over a start.
    const again = page.getByRole('dialog', { name: 'Sign in' });
    await again.getByLabel('Password').fill(daemon.adminPassword);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    await banner.waitFor({ state: 'detached' });
    await row.getByText('Paused').waitFor();
    await daemon.api('POST', `/api/torrents/${'d'.repeat(40)}/resume`);
    await row.getByText('Metadata').waitFor();
  });
  t.same(complaints, []);
});
