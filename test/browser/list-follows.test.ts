// A list that is scrolled: what one looks at stays where it is when others come above it, or go.
import t from 'tap';
import type { Page } from 'playwright-core';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

const TIMEOUT_MS = 15_000;
const MAGNETS = 60;
/** The newest are first. */
const LOOKED_AT = `magnet-${MAGNETS - 30}`;

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
  const row = page.getByRole('row').filter({ has: page.getByText(LOOKED_AT, { exact: true }) });

  await t.test('at its top the newest are seen', async () => {
    await add(MAGNETS);
    await rows(all + 1);
    await page.getByText(`magnet-${MAGNETS}`, { exact: true }).waitFor();
  });

  await scrollTo(page, LOOKED_AT);
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
    await waitFor(page, 'the row is further up', `${topOf(LOOKED_AT)} === ${before!.y} - 100`);
    t.pass('scrolled');
  });
  t.same(complaints, []);
});

function hashOf(index: number): string {
  return (index + 1).toString(16).padStart(40, '0');
}

function topOf(name: string): string {
  const rows = `[...document.querySelectorAll('[role=row]:not([hidden])')]`;
  return `${rows}.find((row) => row.querySelector('[data-column=name]')?.innerText.trim() === '${name}')?.getBoundingClientRect().top`;
}

/** Until the row is in the middle of the view, and the list rests. */
async function scrollTo(page: Page, name: string): Promise<void> {
  const list = page.getByRole('grid', { name: 'Torrents' });
  await list.hover();
  while ((await page.evaluate(`(${topOf(name)} ?? Infinity) > 300`)) === true) await page.mouse.wheel(0, 60);
  // Rows ahead of a scroll are there until it has ended.
  const count = `document.querySelectorAll('[role=row][aria-rowindex]:not([hidden])').length`;
  const height = `document.querySelector('[role=grid]').clientHeight`;
  const rowHeight = `document.querySelector('[role=row][aria-rowindex]:not([hidden])').clientHeight`;
  await waitFor(page, 'the list rests', `${count} < ${height} / ${rowHeight} + 6`);
}

async function waitFor(page: Page, what: string, holds: string): Promise<void> {
  await waitUntil(what, TIMEOUT_MS, async () => ((await page.evaluate(holds)) === true ? true : undefined));
}
