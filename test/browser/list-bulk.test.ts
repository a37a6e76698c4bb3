// One thing done to many torrents: in few requests, with its progress, and with the names of those that failed.
import t from 'tap';
import type { Route } from 'playwright-core';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

/** With the five of the world more than go into a request. */
const MAGNETS = 200;
const STEP = 200;
const ALL = MAGNETS + 5;
const TIMEOUT_MS = 20_000;

t.setTimeout(180_000);

void testInBrowser(t, 'many at once', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { daemon } = world;
  for (let index = 0; index < MAGNETS; index++) {
    const hash = index.toString(16).padStart(40, '0');
    await daemon.addMagnet(`magnet:?xt=urn:btih:${hash}&dn=magnet-${index}`);
  }
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context);
  // Only the newest are on the screen.
  await page.goto(daemon.url);
  await page
    .getByRole('status')
    .filter({ hasText: `${ALL} torrents` })
    .waitFor();

  await t.test('it is said how far it is, until it is done', async (t) => {
    const requests: number[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const hold = async (route: Route) => {
      requests.push((route.request().postDataJSON() as { ids: string[] }).ids.length);
      if (requests.length === 2) await held;
      await route.continue();
    };
    await page.route('**/api/torrents/batch', hold);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('p');
    const progress = page.getByText(`Pausing: ${STEP} of ${ALL}`);
    await progress.waitFor();
    release();
    await progress.waitFor({ state: 'detached' });
    t.same(requests, [STEP, ALL - STEP]);
    await waitUntil('all are paused', TIMEOUT_MS, async () =>
      (await daemon.torrents()).every(({ paused }) => paused) ? true : undefined,
    );
    await page.unroute('**/api/torrents/batch', hold);
  });

  await t.test('what failed is named, with the reason', async (t) => {
    const refuse = async (route: Route) => {
      const answer = await route.fetch();
      const { outcomes } = (await answer.json()) as { outcomes: { id: string }[] };
      const changed = outcomes.map((one, index) => (index < 1 ? { ...one, ok: false, error: 'is being moved' } : one));
      await route.fulfill({ response: answer, json: { outcomes: changed } });
    };
    await page.route('**/api/torrents/batch', refuse);
    await page.getByRole('combobox', { name: 'Search' }).fill('whole.bin OR netinst');
    await page.getByRole('row', { name: 'whole.bin' }).click();
    await page.getByRole('row', { name: world.torrentName }).click({ modifiers: ['Control'] });
    await page.keyboard.press('r');
    await page.getByText(/^1 of 2 failed: Is being moved “(whole\.bin|Debian\.12\.5\.netinst)”$/).waitFor();
    await page.unroute('**/api/torrents/batch', refuse);
    await page.route('**/api/torrents/batch', (route) => route.abort());
    await page.keyboard.press('p');
    const note = page.getByText(/^2 of 2 failed: Cannot reach Swarmd. /);
    await note.waitFor();
    for (const name of ['whole.bin', world.torrentName]) t.match(await note.innerText(), `“${name}”`);
    await page.unroute('**/api/torrents/batch');
  });
  t.same(complaints, []);
});
