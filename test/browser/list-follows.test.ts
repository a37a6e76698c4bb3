// A list that is scrolled: what one looks at stays where it is when others come above it, or go.
import t from 'tap';
import type { Locator, Page } from 'playwright-core';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { nextFrames } from './frames.js';
import { startWorld } from './world.js';

const TIMEOUT_MS = 15_000;
const MAGNETS = 60;
/** Enough above and below the view for what is done here. */
const SCROLLED_PX = 800;
const ROWS = `[...document.querySelectorAll('[role=row][aria-rowindex]:not([hidden])')]`;
const NAME = `querySelector('[data-column=name]')?.innerText.trim()`;
const TOP = 'getBoundingClientRect().top';
/** A script: of a row that is seen, with others above it. */
const NAME_IN_VIEW = `${ROWS}.filter((row) => row.${TOP} > 300).sort((a, b) => a.${TOP} - b.${TOP})[0].${NAME}`;

t.setTimeout(120_000);

void testInBrowser(t, 'a list that changes above', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { daemon } = world;
  const add = (index: number) =>
    daemon.addMagnet(`magnet:?xt=urn:btih:${hashOf(index)}&dn=${encodeURIComponent(`magnet-${index}`)}`);
  for (let index = 0; index < MAGNETS; index++) await add(index);
  const { page, context, complaints } = await openPage(browser, { viewport: { width: 1280, height: 600 } });
  await world.enter(context);
  await page.goto(daemon.url);
  const list = page.getByRole('grid', { name: 'Torrents' });
  const rows = (count: number) => list.and(page.locator(`[aria-rowcount="${count + 1}"]`)).waitFor();
  const all = (await daemon.torrents()).length;
  await rows(all);

  await t.test('at its top the newest are seen', async () => {
    await add(MAGNETS);
    await rows(all + 1);
    await page.getByText(`magnet-${MAGNETS}`, { exact: true }).waitFor();
  });

  await scroll(page, list);
  // Those of one second are in the order of their ids: which it is differs from run to run.
  const lookedAt = String(await page.evaluate(NAME_IN_VIEW));
  const row = page.getByRole('row').filter({ has: page.getByText(lookedAt, { exact: true }) });
  const before = await row.boundingBox();

  await t.test('added above', async (t) => {
    for (let index = 1; index <= 3; index++) await add(MAGNETS + index);
    await rows(all + 4);
    t.same(await row.boundingBox(), before);
  });

  await t.test('removed above', async (t) => {
    for (let index = 2; index <= 3; index++) {
      await daemon.api('DELETE', `/api/torrents/${hashOf(MAGNETS + index)}`);
    }
    await rows(all + 2);
    t.same(await row.boundingBox(), before);
  });

  await t.test('a wheel goes on from there', async (t) => {
    await list.hover();
    await page.mouse.wheel(0, 100);
    await waitFor(page, 'the row is further up', `${topOf(lookedAt)} === ${before!.y} - 100`);
    t.pass('scrolled');
  });
  t.same(complaints, []);
});

function hashOf(index: number): string {
  return (index + 1).toString(16).padStart(40, '0');
}

function topOf(name: string): string {
  return `${ROWS}.find((row) => row.${NAME} === '${name}')?.${TOP}`;
}

/** Until the list rests. */
async function scroll(page: Page, list: Locator): Promise<void> {
  await list.hover();
  const isShort = `document.querySelector('[role=grid]').scrollTop < ${SCROLLED_PX}`;
  while ((await page.evaluate(isShort)) === true) await page.mouse.wheel(0, 60);
  // Before, the page may not know yet that it is scrolled. Rows ahead of a scroll are there until it has ended.
  await nextFrames(page);
  const count = `document.querySelectorAll('[role=row][aria-rowindex]:not([hidden])').length`;
  const height = `document.querySelector('[role=grid]').clientHeight`;
  const rowHeight = `document.querySelector('[role=row][aria-rowindex]:not([hidden])').clientHeight`;
  await waitFor(page, 'the list rests', `${count} < ${height} / ${rowHeight} + 6`);
}

async function waitFor(page: Page, what: string, holds: string): Promise<void> {
  await waitUntil(what, TIMEOUT_MS, async () => ((await page.evaluate(holds)) === true ? true : undefined));
}
