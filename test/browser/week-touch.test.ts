// The week of the schedule under a finger: a swipe scrolls, a held finger paints, a tap makes a rule of one hour; and the
// line that shows where the server's clock is.
import type { Page } from 'playwright-core';
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { openPage, testInBrowser } from './chromium.js';

const HELD_MS = 600;

void testInBrowser(t, 'the week by touch', async (t, browser) => {
  const daemon = await startDaemon({ env: { TZ: 'Pacific/Auckland' } });
  t.teardown(() => daemon.stop());
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, timezoneId: 'UTC' };
  const { page, context, complaints } = await openPage(browser, phone);
  await page.goto(daemon.url);
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password').fill(daemon.adminPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Settings' }).first().waitFor();
  await page.goto(`${daemon.url}/settings/schedule`);

  const there = new Intl.DateTimeFormat('en', {
    ...{ timeZone: 'Pacific/Auckland', weekday: 'long', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  } as Intl.DateTimeFormatOptions);
  const shown = (await page.getByText(/^Server time: /).textContent()) ?? '';
  const [weekday = '', time = ''] = /(\w+), (\d\d:\d\d)/.exec(shown)?.slice(1) ?? [];
  const minutesAgo = [0, 1, 2].map((ago) => there.format(Date.now() - ago * 60_000));
  t.ok(
    minutesAgo.some((text) => text.includes(weekday) && text.includes(time)),
    shown,
  );

  const cdp = await context.newCDPSession(page);
  const finger = (type: string, point: { x: number; y: number } | null) =>
    cdp.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints: point ? [point] : [] });
  const cell = async (name: string) => {
    const box = (await page.locator(`[data-cell="${name}"]`).boundingBox())!;
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const stroke = async (from: string, to: string, isHeld: boolean) => {
    await page.locator('[data-cell="3-6"]').evaluate((element) => element.scrollIntoView({ block: 'center' }));
    await untilStill(page, '[data-cell="3-6"]');
    const [start, end] = [await cell(from), await cell(to)];
    await finger('touchStart', start);
    if (isHeld) await page.locator(`[data-cell="${from}"][aria-selected=true]`).waitFor();
    for (const part of [0.25, 0.5, 0.75, 1]) {
      const at = { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part };
      await finger('touchMove', at);
    }
    await finger('touchEnd', null);
  };
  const dialog = page.getByRole('dialog', { name: 'New rule' });

  await stroke('1-8', '1-3', false);
  await page.waitForTimeout(HELD_MS);
  t.equal(await dialog.count(), 0, 'a swipe paints nothing');

  await stroke('1-2', '3-5', true);
  await dialog.waitFor();
  t.equal(await dialog.getByLabel('From').inputValue(), '02:00');
  t.equal(await dialog.getByLabel('To', { exact: true }).inputValue(), '06:00');
  for (const day of ['Tuesday', 'Wednesday', 'Thursday']) t.ok(await dialog.getByLabel(day).isChecked(), day);
  t.notOk(await dialog.getByLabel('Monday').isChecked());
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });

  await page.locator('[data-cell="4-5"]').tap();
  await dialog.waitFor();
  t.equal(await dialog.getByLabel('From').inputValue(), '05:00');
  t.ok(await dialog.getByLabel('Friday').isChecked());
  t.same(complaints, []);
});

/** A page that was swiped goes on by itself for a while; a finger would come down beside where it aims. */
async function untilStill(page: Page, selector: string): Promise<void> {
  let top = NaN;
  for (let still = 0; still < 10;) {
    await page.evaluate('new Promise((shown) => requestAnimationFrame(shown))');
    const now = (await page.locator(selector).boundingBox())?.y ?? NaN;
    still = now === top ? still + 1 : 0;
    top = now;
  }
}
