// Every window takes the focus, and gives it back to what had it, however it is closed.
import t from 'tap';
import type { Test } from 'tap';
import type { Browser, Page } from 'playwright-core';
import { speakAll } from '../support/texts.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { DESKTOP, PHONE, type Size } from './each-view.js';
import { WINDOWS } from './windows.js';
import { startWorld } from './world.js';

/** Keeps what had the focus; menus are gone when a window is open. */
const REMEMBERS = `globalThis.focused = [];
document.addEventListener('focusin', ({ target }) => target.closest('[role="menu"]') || focused.push(target));`;
/** What had it before the window that is open; the list where nothing had. */
const TAKE_OPENER = `(() => {
  const top = [...document.querySelectorAll('[role="dialog"]')].at(-1);
  globalThis.opener = focused.filter((element) => element.isConnected && !top.contains(element)).at(-1)
    ?? document.querySelector('[role="grid"]');
})()`;
const IS_WITHIN = `[...document.querySelectorAll('[role="dialog"]')].at(-1).contains(document.activeElement)`;
/** Once the window is gone; else where it is. */
const IS_BACK = `document.activeElement === opener`;
const WHERE = `[document.activeElement, globalThis.opener].map((element) =>
  element && element.tagName + ' ' + (element.ariaLabel ?? element.textContent.slice(0, 40))).join(', not ')`;
/** A place on the page where nothing of a window is. */
const OUTSIDE = { x: 2, y: 2 };

const CLOSERS: readonly ((page: Page) => Promise<void>)[] = [
  (page) => page.keyboard.press('Escape'),
  (page) => page.getByRole('dialog').last().getByRole('button', { name: 'Close', exact: true }).first().click(),
  (page) => page.mouse.click(OUTSIDE.x, OUTSIDE.y),
];

t.setTimeout(580_000);

async function closeEach(t: Test, browser: Browser, { width, height, isPhone }: Size): Promise<void> {
  await speakAll('en');
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { page, context, complaints } = await openPage(browser, {
    ...{ viewport: { width, height }, reducedMotion: 'reduce' },
  });
  await world.enter(context);
  await context.addInitScript(REMEMBERS);
  const becomes = async (what: string, message: string) => {
    const isSo = await waitUntil(message, 5_000, async () => (await page.evaluate<boolean>(what)) || undefined).catch(
      () => false,
    );
    t.ok(isSo, isSo ? message : `${message}: ${await page.evaluate<string>(WHERE)}`);
  };
  for (const [index, view] of WINDOWS.entries()) {
    await view.open(page, { world, isPhone });
    await becomes(IS_WITHIN, `${view.name} has the focus`);
    const windows = await page.locator('[role="dialog"]').count();
    await page.evaluate(TAKE_OPENER);
    // Each way in its turn.
    await CLOSERS[index % CLOSERS.length]!(page);
    await becomes(`document.querySelectorAll('[role="dialog"]').length < ${windows}`, `${view.name} closes`);
    await becomes(IS_BACK, `${view.name} gives the focus back`);
  }
  t.same(complaints, []);
}

void testInBrowser(t, 'the focus on a desktop', (t, browser) => closeEach(t, browser, DESKTOP));
void testInBrowser(t, 'the focus on a phone', (t, browser) => closeEach(t, browser, PHONE));
