// The tables of the details: of trackers nothing is cut off on a laptop, in either language, and below that the table
// scrolls by itself; heads of peers stand flush with their figures.
import t from 'tap';
import { t as text } from '../../api/web/src/strings/index.js';
import { refusing, startHttpTracker } from '../support/http-tracker.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { speakAll } from '../support/texts.js';
import { openPage, testInBrowser } from './chromium.js';
import { cutIn, tooWide } from './width.js';
import { startWorld } from './world.js';

const LAPTOP = { width: 1440, height: 900 };
const NARROWER_PX = [1024, 768];
const PIECE = 16_384;
const REFUSAL = 'This torrent is not registered with this tracker, or has been deleted by a moderator';
const LONG_URL = `http://a-tracker-with-a-long-name.example:6969/announce?passkey=${'0123456789abcdef'.repeat(2)}`;
const LANGUAGES = [
  ['en', 'en-US'],
  ['de', 'de-DE'],
] as const;

/** A script that gives the heads of figures that do not end where the text below them does. */
const UNEVEN_HEADS = `(() => {
  const endOf = (node) => {
    const text = document.createRange();
    text.selectNodeContents(node);
    return text.getBoundingClientRect().right;
  };
  const table = document.querySelector('[role=tabpanel] table');
  const cells = [...table.querySelector('tbody tr').cells];
  return [...table.querySelectorAll('th')].flatMap((head, place) => {
    const isEven = Math.abs(endOf(head.querySelector('button').firstChild) - endOf(cells[place])) <= 1;
    return head.dataset.numeric === 'false' || cells[place].innerText === '' || isEven ? [] : [head.innerText];
  });
})()`;

t.setTimeout(180_000);

void testInBrowser(t, 'tables of the details', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { daemon } = world;
  const tracker = await startHttpTracker({ respond: refusing(REFUSAL) });
  t.teardown(() => tracker.close());
  const made = makeTorrent({
    name: 'listed.bin',
    pieceLength: PIECE,
    files: seededBytes(3, 8 * PIECE),
    trackers: [tracker.announceUrl, LONG_URL],
  });
  await daemon.addTorrentFile(made.torrentBytes);

  await t.test('heads of peers stand flush with their figures, sorted by or not', async (t) => {
    const content = { ...made, bytes: made.payload, pieceLength: PIECE };
    const seed = await seedContent(content, daemon.peerPort, 1);
    t.teardown(() => seed.destroy());
    const { page, context, complaints } = await openPage(browser, { viewport: LAPTOP });
    await world.enter(context);
    await world.open(page);
    await page.getByRole('row', { name: 'listed.bin' }).dblclick();
    await page.getByRole('tab', { name: 'Peers' }).click();
    const table = page.getByRole('table', { name: 'Connected peers' });
    await table.getByText('100%').waitFor();
    t.same(await page.evaluate(UNEVEN_HEADS), [], 'sorted by progress');
    await table.getByRole('button', { name: 'Uploaded' }).click();
    await table.locator('[aria-sort=descending]').filter({ hasText: 'Uploaded' }).waitFor();
    t.same(await page.evaluate(UNEVEN_HEADS), [], 'sorted by another');
    t.same(complaints, []);
    await context.close();
  });

  for (const [language, locale] of LANGUAGES) {
    await t.test(`trackers in ${language}`, async (t) => {
      await speakAll(language);
      const { page, context, complaints } = await openPage(browser, { viewport: LAPTOP, locale });
      await world.enter(context);
      await world.open(page);
      await page.getByRole('row', { name: 'listed.bin' }).dblclick();
      await page.getByRole('tab', { name: text('details.tabs.trackers') }).click();
      const table = page.getByRole('table', { name: text('details.trackers.title') });
      await table.getByText(REFUSAL).waitFor();
      t.same(await cutIn(page, '[role=tabpanel] table'), [], 'nothing is cut off on a laptop');
      const remove = table.getByRole('button', { name: text('details.trackers.remove', { url: LONG_URL }) });
      for (const width of NARROWER_PX) {
        await page.setViewportSize({ ...LAPTOP, width });
        await remove.scrollIntoViewIfNeeded();
        t.same(await tooWide(page), [], `${width} px: the page is no wider`);
        const { x, width: wide } = (await remove.boundingBox())!;
        t.ok(x + wide <= width, `${width} px: the last column can be scrolled to`);
      }
      t.same(complaints, []);
      await context.close();
    });
  }
});
