// On a phone, by touch: a torrent is added, opened, paused, and left again by the way back.
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

const HASH = 'c'.repeat(40);
const TIMEOUT_MS = 15_000;
const IPHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 3 };

t.setTimeout(120_000);

void testInBrowser(t, 'on a phone', async (t, browser) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const { page, complaints } = await openPage(browser, IPHONE);
  const isWithin = async (where: string) =>
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, `${where}: no wider than the screen`);
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  await isWithin('the empty list');

  await page.getByRole('button', { name: 'Add', exact: true }).first().tap();
  const dialog = page.getByRole('dialog', { name: 'Add torrents' });
  await dialog.getByLabel('Magnet links').fill(`magnet:?xt=urn:btih:${HASH}&dn=carried`);
  await isWithin('adding');
  await dialog.getByRole('button', { name: 'Add', exact: true }).tap();
  await dialog.waitFor({ state: 'detached' });

  const card = page.getByRole('row', { name: 'carried' });
  await card.tap();
  const details = page.getByRole('dialog', { name: 'carried' });
  await details.getByRole('tab', { name: 'Overview' }).waitFor();
  await isWithin('the details');
  const box = await details.boundingBox();
  t.match(box, { x: 0, y: 0, width: 390, height: 844 }, 'over all of the screen');
  await details.getByRole('tab', { name: 'Limits' }).tap();
  await details.getByLabel('Download, KiB/s').waitFor();
  await isWithin('the limits');

  await page.goBack();
  await details.waitFor({ state: 'detached' });
  await card.waitFor();
  await card.getByRole('gridcell').first().tap();
  await page.getByRole('toolbar').getByRole('button', { name: 'Pause' }).tap();
  await daemon.waitFor(HASH, ({ paused }) => paused, TIMEOUT_MS);
  await card.getByText('Paused').waitFor();
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByText('Settings').tap();
  await page.waitForURL('**/settings**');
  await page.goBack();
  await card.waitFor();
  t.same(complaints, []);
});
