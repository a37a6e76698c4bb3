// What the details list, on a phone, can be read whole, and what can be chosen is as large as a thumb.
import t from 'tap';
import type { Page } from 'playwright-core';
import { startDaemon } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const THUMB_PX = 44;
const NAMES = Array.from({ length: 40 }, (_, i) => `The.Same.Beginning.Of.Each.Name.In.This.Series.S01E${i + 10}.mkv`);

t.setTimeout(120_000);

void testInBrowser(t, 'what the details list, on a phone', async (t, browser) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const made = makeTorrent({
    name: 'series',
    pieceLength: 16_384,
    files: NAMES.map((name, i) => ({ path: ['season', name], bytes: seededBytes(i, 3000) })),
  });
  await daemon.addTorrentFile(made.torrentBytes);
  const { page, complaints } = await openPage(browser, PHONE);
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  await page.getByRole('row', { name: 'series' }).tap();
  const sheet = page.getByRole('dialog', { name: 'series' });

  await t.test('files: whole names, in rows that do not overlap, down to the last', async (t) => {
    await sheet.getByRole('tab', { name: 'Files' }).tap();
    const rowOf = (name: string) => sheet.getByRole('row', { name });
    const first = rowOf(NAMES[0]!);
    await first.waitFor();
    t.same(await cutTexts(page), []);
    await first.getByText('2.93 KiB').waitFor();
    const [above, below] = [(await first.boundingBox())!, (await rowOf(NAMES[1]!).boundingBox())!];
    t.ok(below.y >= above.y + above.height, 'the next is below');
    await page.evaluate(`document.querySelector('[role=treegrid]').scrollTo(0, 1e6)`);
    const last = rowOf(NAMES.at(-1)!);
    await last.scrollIntoViewIfNeeded();
    t.same(await cutTexts(page), []);
    const priority = last.getByLabel(`Priority of ${NAMES.at(-1)}`);
    t.ok((await priority.boundingBox())!.height >= THUMB_PX);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/file_priorities')),
      priority.selectOption('Do not download'),
    ]);
    t.equal(answer.status(), 200);
  });
  t.same(complaints, []);
});

/** Returns the texts of the open tab that are cut off, or not within the width of the screen. */
async function cutTexts(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('[role=tabpanel] :is(span, td, select, button)')]
    .filter((element) => !element.closest('thead, [role=columnheader]') && element.innerText && element.clientWidth > 0)
    .filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return left < 0 || right > innerWidth || element.scrollWidth > element.clientWidth + 1;
    })
    .map((element) => element.innerText)`);
}
