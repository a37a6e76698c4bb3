// The other end falls silent without closing anything: a process that stands still, a link that is gone, a machine that
// slept. The page says so within 4 s, shows no figure for what is live, and goes on by itself.
import t from 'tap';
import type { Browser, Page } from 'playwright-core';
import { openPage, signIn, testInBrowser } from './chromium.js';
import { startLine } from './line.js';
import { startWorld } from './world.js';

const HASH = 'e'.repeat(40);
const SAID_WITHIN_MS = 4_000;
/** Of a machine full of other programs, besides what its timers are seen to be late. */
const SPARE_MS = 1_000;
/** Longer than the page waits before it asks, shorter than it takes it to give up a socket. */
const ASLEEP_MS = 6_000;

t.setTimeout(180_000);

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
    const heard = await listen(page);
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
    const { tookMs, lateMs } = await heard();
    t.ok(tookMs - lateMs <= SAID_WITHIN_MS + SPARE_MS, `said after ${tookMs} ms`);
    await said.or(lost).waitFor({ state: 'detached' });
    await world.daemon.addMagnet(`magnet:?xt=urn:btih:${HASH}&dn=comes-after`);
    await page.getByText('comes-after').waitFor();
    t.match(await rates.textContent(), /B\/s/);
  });

  await t.test('of a link that is gone', async (t) => {
    const heard = await listen(page);
    line.stall();
    await said.waitFor();
    await lost.waitFor();
    line.restore();
    const { tookMs, lateMs } = await heard();
    t.ok(tookMs - lateMs <= SAID_WITHIN_MS + SPARE_MS, `said after ${tookMs} ms`);
    await said.or(lost).waitFor({ state: 'detached' });
    await world.daemon.api('POST', `/api/torrents/${HASH}/pause`);
    await page.getByRole('row', { name: 'comes-after' }).getByText('Paused').waitFor();
    t.pass('by another connection');
  });

  await t.test('of a machine that slept while its connection went', async (t) => {
    const processes = await processesOf(browser);
    processes.forEach((id) => process.kill(id, 'SIGSTOP'));
    try {
      line.stall();
      await new Promise((resolve) => setTimeout(resolve, ASLEEP_MS));
      line.restore();
    } finally {
      processes.forEach((id) => process.kill(id, 'SIGCONT'));
    }
    const heard = await listen(page);
    const { tookMs, lateMs } = await heard();
    t.ok(tookMs - lateMs <= SAID_WITHIN_MS + SPARE_MS, `said ${tookMs} ms after it woke`);
    await world.daemon.api('POST', `/api/torrents/${HASH}/resume`);
    await page.getByRole('row', { name: 'comes-after' }).getByText('Metadata').waitFor();
    await page.locator('[role=status]').filter({ hasText: SPEAKS }).waitFor({ state: 'detached' });
  });
});

/** The banner, in each of its states. */
const SPEAKS = /No data from Swarmd|Connection lost|Reconnecting/;

/**
 * Begins to listen for the banner. Calling the result waits until it has said anything and returns how long that took, by
 * the clock of the page, and how late its timers were meanwhile.
 */
async function listen(page: Page): Promise<() => Promise<{ readonly tookMs: number; readonly lateMs: number }>> {
  await page.evaluate(`{
    const beganMs = Date.now();
    const EVERY_MS = 100;
    let lookedMs = beganMs;
    let lateMs = 0;
    window.heard = new Promise((resolve) => {
      const timer = setInterval(() => {
        const nowMs = Date.now();
        lateMs += Math.max(0, nowMs - lookedMs - EVERY_MS);
        lookedMs = nowMs;
        const speaks = [...document.querySelectorAll('[role=status]')].some((each) => ${String(SPEAKS)}.test(each.innerText));
        if (!speaks) return;
        clearInterval(timer);
        resolve({ tookMs: nowMs - beganMs, lateMs });
      }, EVERY_MS);
    });
    // What would be waited for.
    undefined;
  }`);
  return async () => (await page.evaluate('window.heard')) as { readonly tookMs: number; readonly lateMs: number };
}

/** All of a browser's processes: what stands still when its machine sleeps. */
async function processesOf(browser: Browser): Promise<readonly number[]> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.map(({ id }) => id);
}
