// The details of a torrent on a phone: Back closes them and only them, and what the flags of peers mean can be read
// without a pointer.
import t from 'tap';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

const TIMEOUT_MS = 30_000;

void testInBrowser(t, 'details on a phone', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const { page, context, complaints } = await openPage(browser, phone);
  await world.enter(context);
  await page.goto(`${world.daemon.url}/feeds`);
  await page.getByRole('link', { name: 'Torrents' }).first().click();
  const sheet = page.getByRole('dialog', { name: world.torrentName });
  const open = async () => {
    await page.getByText(world.torrentName).first().tap();
    await sheet.waitFor();
  };
  const isList = () => new URL(page.url()).pathname === '/';

  await open();
  await page.goBack();
  await sheet.waitFor({ state: 'detached' });
  t.ok(isList(), 'Back closes it and stays');

  await open();
  await sheet.getByRole('button', { name: 'Close' }).tap();
  await sheet.waitFor({ state: 'detached' });
  await open();
  await page.reload();
  await page.getByText(world.torrentName).first().waitFor();
  await open();
  await sheet.getByRole('tab', { name: 'Peers' }).tap();
  await sheet.getByRole('button', { name: 'Flag legend' }).tap();
  const legend = page.getByRole('dialog', { name: 'Peer flags' });
  await legend.getByText('Downloading').waitFor();
  t.equal(await legend.getByRole('term').count(), 15);
  await legend.getByRole('button', { name: 'Close' }).tap();
  await legend.waitFor({ state: 'detached' });
  await page.goBack();
  await sheet.waitFor({ state: 'detached' });
  t.ok(isList());

  await open();
  const { id } = (await world.daemon.torrents()).find(({ name }) => name === world.torrentName)!;
  await sheet.getByRole('button', { name: 'Pause' }).tap();
  await world.daemon.waitFor(id, ({ paused }) => paused, TIMEOUT_MS);
  await sheet.getByRole('button', { name: 'Resume' }).tap();
  await world.daemon.waitFor(id, ({ paused }) => !paused, TIMEOUT_MS);
  await sheet.getByRole('button', { name: 'More actions' }).tap();
  await page.getByRole('menuitem', { name: 'Force recheck' }).waitFor();
  t.equal(await page.locator('kbd:visible').count(), 0, 'no keys where there are none');
  await page.keyboard.press('Escape');
  await sheet.getByRole('button', { name: 'Remove' }).tap();
  await page
    .getByRole('dialog', { name: /Remove/ })
    .getByRole('button', { name: 'Remove' })
    .tap();
  await sheet.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).tap();
  await page.getByText(world.torrentName).first().waitFor();
  t.ok(isList(), 'a torrent is paused, resumed and removed where it is looked at');

  await page.goBack();
  await page.waitForURL('**/feeds');
  t.pass('and nothing of them is left in the way back');
  t.same(complaints, []);
});
