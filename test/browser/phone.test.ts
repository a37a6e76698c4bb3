// On a phone, by touch: a torrent is added, opened, paused, and left again by the way back; and its bars have one line each.
import t from 'tap';
import { t as text } from '../../api/web/src/strings/index.js';
import { startDaemon } from '../support/daemon.js';
import { speakAll } from '../support/texts.js';
import { openPage, signIn, testInBrowser } from './chromium.js';
import { tooWide } from './width.js';
import { startWorld } from './world.js';

const HASH = 'c'.repeat(40);
const TIMEOUT_MS = 15_000;
const IPHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 3 };
const NARROW = { width: 360, height: 780 };
/** Two lines of buttons are higher. */
const TWO_LINES_PX = 80;
/** A word or two. */
const MIN_SEARCH_PX = 160;
const MIN_ROOM_PX = 6;
const LANGUAGES = [
  ['en', 'en-US'],
  ['de', 'de-DE'],
] as const;

/** A script that gives the words of a bar of links, each with how far it is from the edges of its link. */
const roomBeside = (name: string) => `[...document.querySelectorAll('nav[aria-label="${name}"] a')].map((link) => {
  const text = document.createRange();
  text.selectNodeContents(link.lastChild);
  const [inner, outer] = [text.getBoundingClientRect(), link.getBoundingClientRect()];
  return [link.innerText, Math.min(inner.left - outer.left, outer.right - inner.right)];
})`;

t.setTimeout(120_000);

void testInBrowser(t, 'bars on a narrow phone', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  for (const [language, locale] of LANGUAGES) {
    await t.test(language, async (t) => {
      await speakAll(language);
      const { page, context, complaints } = await openPage(browser, { ...IPHONE, viewport: NARROW, locale });
      await world.enter(context);
      await world.open(page);
      const search = page.getByRole('combobox', { name: text('list.search') });
      const tools = page
        .locator('main')
        .locator(':scope > div')
        .filter({ has: page.getByRole('status') })
        .first();
      const heightPx = async () => (await tools.boundingBox())!.height;
      const atRest = await heightPx();
      t.ok(atRest < TWO_LINES_PX, `${atRest} px: one line`);
      t.ok((await search.boundingBox())!.width >= MIN_SEARCH_PX, 'with room to search');
      const shown = { count: 5 };
      await page
        .getByRole('status')
        .filter({ hasText: text('list.shown', shown) })
        .waitFor();
      await page.getByRole('row', { name: world.torrentName }).getByRole('gridcell').first().tap();
      await tools.getByRole('toolbar').waitFor();
      t.equal(await heightPx(), atRest, 'one as high while something is selected');
      t.same(await tooWide(page), []);
      const said = tools.getByRole('status').filter({ hasText: text('list.selected', { count: 1 }) });
      await said.waitFor();
      t.equal(await said.locator('[aria-hidden]').innerText(), '1', 'which there is room for');
      await tools.getByRole('button', { name: text('list.deselect') }).tap();
      await search.waitFor();
      t.equal(await tools.getByRole('toolbar').count(), 0, 'what has nothing to act on is not there');

      const pages = page.getByRole('navigation', { name: text('bar.pages'), exact: true });
      const last = pages.getByRole('link').last();
      await last.tap();
      await last.and(page.locator('[aria-current=page]')).waitFor();
      for (const [name, room] of (await page.evaluate(roomBeside(text('bar.pages')))) as [string, number][]) {
        t.ok(room >= MIN_ROOM_PX, `${name}: ${room} px beside it`);
      }
      t.same(complaints, []);
      await context.close();
    });
  }
});

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
  t.equal(await dialog.getByText(/Ctrl|drop them/).count(), 0, 'neither keys nor dropping are spoken of');
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
