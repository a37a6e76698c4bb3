// A user signs in again while the page still waits for answers to what it asked before: their 401 ends nothing.
import t from 'tap';
import { openPage, signIn, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

void testInBrowser(t, 'an answer to the session before', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { page, context, complaints } = await openPage(browser);
  await signIn(page, world.daemon.url, 'admin', world.daemon.adminPassword);
  await page.getByText(world.torrentName).first().waitFor();
  const held: (() => Promise<void>)[] = [];
  let holdsFeeds = () => {};
  const isHeld = new Promise<void>((resolve) => (holdsFeeds = resolve));
  // Refusals come late, of what the page asks for by the clock as well; those of the details ask who it is.
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch();
    const { pathname } = new URL(route.request().url());
    if (response.status() !== 401 || pathname.startsWith('/api/torrents/')) return route.fulfill({ response });
    held.push(() => route.fulfill({ response }));
    if (pathname === '/api/feeds') holdsFeeds();
  });
  await context.clearCookies();
  await page.getByRole('link', { name: 'Feeds' }).first().click();
  await isHeld;
  await page.getByRole('link', { name: 'Torrents' }).first().click();
  await page.getByText(world.torrentName).first().dblclick();
  const again = page.getByRole('dialog', { name: 'Sign in' });
  await again.getByLabel('Password').fill(world.daemon.adminPassword);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.waitFor({ state: 'detached' });
  const late = page.waitForResponse('**/api/feeds');
  await Promise.all(held.map((answerLate) => answerLate()));
  await late;
  await page.evaluate(`new Promise((resolve) => setTimeout(resolve))`);
  t.equal(await again.count(), 0, 'who has signed in stays');
  // The page goes on asking.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  t.same(
    complaints.filter((complaint) => !complaint.includes('401')),
    [],
  );
});
