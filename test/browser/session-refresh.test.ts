// Who is signed in is asked again after each lost connection. Pages that are open then stay as they are: nothing of
// theirs is loaded a second time, even when the answer says something new of the account.
import t from 'tap';
import type { Page } from 'playwright-core';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { startLine, type Line } from './line.js';
import { startWorld } from './world.js';

/** What an answer or a click brings about has been asked for by then. */
const SETTLED_MS = 200;
const TIMEOUT_MS = 15_000;
const SETTINGS = [
  'speed',
  'schedule',
  'queue',
  'seeding',
  'peers',
  'downloads',
  'labels',
  'web',
  'tools',
  'updates',
  'accounts',
];
/** Asked for again by the clock and by the connection. */
const ASKED_EACH_TIME = ['/api/me', '/api/ws', '/api/status', '/api/settings/limits_in_force'];
/** Code of the page, which is loaded once, also ahead of its use when there is nothing else to do. */
const CODE = '/assets/';
const TABS = ['Overview', 'Files', 'Peers', 'Trackers', 'Speed', 'Sharing', 'Limits'];
void testInBrowser(t, 'a session that is asked for again', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const line = await startLine(Number(new URL(world.daemon.url).port));
  t.teardown(() => line.close());
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context);
  let looks = 0;
  await context.route('**/api/me', async (route) => {
    const response = await route.fetch();
    const me = (await response.json()) as object;
    await route.fulfill({ response, json: { ...me, api_key_hint: `hint ${++looks}` } });
  });
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET' || pathname.startsWith(CODE) || ASKED_EACH_TIME.includes(pathname)) return;
    asked.push(pathname);
  });
  // A page that is still being loaded has not asked yet.
  let underWay = 0;
  page.on('request', () => underWay++);
  page.on('requestfinished', () => underWay--);
  page.on('requestfailed', () => underWay--);
  const nothingFollows = async (where: string) => {
    for (let seen = -1; seen !== asked.length || underWay > 0;) {
      seen = asked.length;
      await page.waitForTimeout(SETTLED_MS);
      // What has been loaded is run before a page is idle, however slow the machine is.
      await page.evaluate('new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(resolve)))');
    }
    asked.length = 0;
    await loseConnection(page, line);
    t.same(asked, [], where);
  };

  await page.goto(line.url);
  await page.getByText(world.torrentName).first().dblclick();
  for (const tab of TABS) {
    await page.getByRole('tab', { name: tab }).click();
    await nothingFollows(tab);
  }
  await page.getByRole('link', { name: 'Feeds' }).first().click();
  await page.getByText('Debian.12.5.netinst.iso').waitFor();
  await nothingFollows('feeds');
  await page.goto(`${line.url}/settings`);
  for (const name of SETTINGS) {
    await page.locator(`nav a[href="/settings/${name}"]`).click();
    await nothingFollows(name);
  }
  await page.goto(`${line.url}/account`);
  await nothingFollows('account');
  t.ok(looks > TABS.length + SETTINGS.length, 'it was asked for again each time');
  t.same(complaints, []);
});

async function loseConnection(page: Page, line: Line): Promise<void> {
  await waitUntil('a WebSocket', TIMEOUT_MS, () => line.isOpen || undefined);
  const told = page.waitForResponse('**/api/me');
  // On a slow machine the page may have connected again by then.
  const opened = line.opened();
  line.cut();
  await told;
  await page.waitForTimeout(SETTLED_MS);
  // It waits no longer for the next attempt.
  await page.evaluate(`dispatchEvent(new Event('online'))`);
  await opened;
}
