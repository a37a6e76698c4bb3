// The other end falls silent without closing anything: a process that stands still, a link that is gone. The page says so,
// shows no figure for what is live, and goes on by itself.
import t from 'tap';
import { openPage, signIn, testInBrowser } from './chromium.js';
import { startLine } from './line.js';
import { startWorld } from './world.js';

const HASH = 'e'.repeat(40);

void testInBrowser(t, 'silence', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const line = await startLine(Number(new URL(world.daemon.url).port));
  t.teardown(() => line.close());
  const { page } = await openPage(browser);
  await signIn(page, line.url, 'admin', world.daemon.adminPassword);
  await page.getByText(world.torrentName).first().waitFor();
  const said = page.getByText(/No data from Swarmd for \d+ s/);
  const lost = page.getByText(/Connection lost/);
  const rates = page.getByTitle('Total download speed');

  await t.test('of a process that stands still', async (t) => {
    process.kill(world.daemon.pid, 'SIGSTOP');
    try {
      await said.waitFor();
      t.match(await rates.textContent(), /–/, 'no rate is shown for that of now');
      t.match(await page.title(), /Not connected/);
      t.ok(await page.getByText(world.torrentName).first().isVisible(), 'what is known is shown all the same');
      await lost.waitFor();
    } finally {
      process.kill(world.daemon.pid, 'SIGCONT');
    }
    await said.or(lost).waitFor({ state: 'detached' });
    await world.daemon.addMagnet(`magnet:?xt=urn:btih:${HASH}&dn=comes-after`);
    await page.getByText('comes-after').waitFor();
    t.match(await rates.textContent(), /B\/s/);
  });

  await t.test('of a link that is gone', async (t) => {
    line.stall();
    await said.waitFor();
    await lost.waitFor();
    line.restore();
    await said.or(lost).waitFor({ state: 'detached' });
    await world.daemon.api('POST', `/api/torrents/${HASH}/pause`);
    await page.getByRole('row', { name: 'comes-after' }).getByText('Paused').waitFor();
    t.pass('by another connection');
  });
});
