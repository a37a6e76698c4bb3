// What the details list, on a phone, can be read whole, and what can be chosen is as large as a thumb.
import t from 'tap';
import type { Page } from 'playwright-core';
import { startDaemon } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { refusing, startHttpTracker } from '../support/http-tracker.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const THUMB_PX = 44;
const PIECE = 16_384;
const REFUSAL = 'This torrent is not registered with this tracker, or has been deleted by a moderator';
const NAMES = Array.from({ length: 40 }, (_, i) => `The.Same.Beginning.Of.Each.Name.In.This.Series.S01E${i + 10}.mkv`);

t.setTimeout(120_000);

void testInBrowser(t, 'what the details list, on a phone', async (t, browser) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const tracker = await startHttpTracker({ respond: refusing(REFUSAL) });
  t.teardown(() => tracker.close());
  const made = makeTorrent({
    name: 'series',
    pieceLength: PIECE,
    trackers: [tracker.announceUrl],
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

  await t.test('peers: cards with each figure under its name, in the order that is chosen', async (t) => {
    const content = { ...made, bytes: made.payload, pieceLength: PIECE };
    const seeds = [await seedContent(content, daemon.peerPort, 1), await seedContent(content, daemon.peerPort, 1)];
    t.teardown(() => seeds.forEach((seed) => seed.destroy()));
    await sheet.getByRole('tab', { name: 'Peers' }).tap();
    const cards = sheet.getByRole('table', { name: 'Connected peers' }).locator('tbody tr');
    await cards.nth(1).waitFor();
    t.same(await cutTexts(page), []);
    t.same(await namesOfFigures(page), ['Country', 'Flags', 'Progress', 'Down', 'Up', 'Downloaded', 'Uploaded']);
    await sheet.getByLabel('Sort by').selectOption('Address');
    await sheet.getByRole('button', { name: 'Ascending' }).tap();
    await sheet.getByRole('button', { name: 'Descending' }).waitFor();
    const addresses = await cards.locator('td:first-child').allInnerTexts();
    const byPort = addresses.map((address) => Number(address.split(':').at(-1)));
    t.ok(byPort[0]! > byPort[1]!, addresses.join());
    const actions = cards.first().getByRole('button', { name: /^Actions for / });
    t.ok((await actions.boundingBox())!.height >= THUMB_PX);
    await actions.tap();
    await page.getByRole('menu', { name: /^Actions for / }).waitFor();
    await page.waitForFunction(`document.querySelector('[role=menu]').closest('[aria-hidden=true]') === null`);
    await page.getByRole('menuitem', { name: 'Ban this peer…' }).tap();
    const ban = page.getByRole('dialog', { name: 'Ban this peer?' });
    await ban.getByRole('button', { name: 'Cancel' }).tap();
    await ban.waitFor({ state: 'detached' });
  });

  await t.test('trackers: cards with the whole message and the next announce', async (t) => {
    await sheet.getByRole('tab', { name: 'Trackers' }).tap();
    const card = sheet.getByRole('table', { name: 'Trackers' }).locator('tbody tr');
    await card.getByText(REFUSAL).waitFor();
    t.same(await cutTexts(page), []);
    const figures = ['Tier', 'Seeds', 'Peers', 'Times downloaded', 'Last announce', 'Next announce', 'Min. interval'];
    t.same(await namesOfFigures(page), figures);
    const remove = card.getByRole('button', { name: /^Remove / });
    t.ok((await remove.boundingBox())!.height >= THUMB_PX);
  });
  t.same(complaints, []);
});

/** Returns the names that are shown above the figures of the first card, as far as these are on the screen. */
async function namesOfFigures(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelector('[role=tabpanel] tbody tr').querySelectorAll('td')]
    .filter((cell) => cell.getBoundingClientRect().right <= innerWidth)
    .map((cell) => getComputedStyle(cell, '::before').content)
    .filter((content) => content !== 'none')
    .map((content) => content.replaceAll('"', ''))`);
}

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
