// The details of a torrent on a phone: Back closes them and only them, and what the flags of peers mean can be read
// without a pointer.
import t from 'tap';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

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

  await page.goBack();
  await page.waitForURL('**/feeds');
  t.pass('and nothing of them is left in the way back');
  t.same(complaints, []);
});
