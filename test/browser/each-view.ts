// Each page, tab or window, opened once in German and in the dark: axe finds nothing, nor does it of colours once the light
// theme is put on where one stands; none of it is English; nothing is wider than the screen, whichever width it has; and boxes
// that are to be ticked have one size.
import type { Test } from 'tap';
import type { Browser, Page } from 'playwright-core';
import { speakAll } from '../support/texts.js';
import { readAxe, violations } from './accessibility.js';
import { openPage } from './chromium.js';
import { nextFrames } from './frames.js';
import { englishIn } from './german.js';
import type { View } from './views.js';
import { tooWide } from './width.js';
import { startWorld } from './world.js';

export interface Size {
  readonly width: number;
  readonly height: number;
  readonly isPhone: boolean;
}

export const DESKTOP: Size = { width: 1280, height: 800, isPhone: false };
export const PHONE: Size = { width: 390, height: 844, isPhone: true };

/** A tablet held upright, a usual screen, and a wide one: what fits one size of desktop has to fit these. */
const OTHER_WIDTHS = [768, 1440, 1920];
/** Rules of axe that a theme can break. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];
/** A script that gives the boxes that are to be ticked, and what is chosen of several, that are not as large as the others. */
const ODD_BOXES = `[...document.querySelectorAll('input:is([type=checkbox], [type=radio])')]
  .map((box) => [box.getBoundingClientRect(), box.closest('label, th, td')?.textContent ?? box.ariaLabel])
  .filter(([{ width, height }]) => width > 1 && (width !== 16 || height !== 16))
  .map(([{ width, height }, label]) => label + ': ' + width + ' x ' + height)`;

export async function lookAtEach(t: Test, browser: Browser, views: readonly View[], size: Size): Promise<void> {
  const { width, height, isPhone } = size;
  await speakAll('de');
  const axe = await readAxe();
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { page, context, complaints } = await openPage(browser, {
    ...{ viewport: { width, height }, locale: 'de-DE', colorScheme: 'dark' },
    // What moves would be measured half-way.
    reducedMotion: 'reduce',
  });
  await world.enter(context);
  for (const view of views) {
    if (view.isForDesktop && isPhone) continue;
    await view.open(page, { world, isPhone });
    const inDark = await violations(page, axe);
    await page.emulateMedia({ colorScheme: 'light' });
    const inLight = await violations(page, axe, OF_COLOURS);
    await page.emulateMedia({ colorScheme: 'dark' });
    const [english, wide] = [await englishIn(page), await wideIn(page, size)];
    const none: readonly string[] = [];
    const odd = await page.evaluate(ODD_BOXES);
    t.same(
      { inDark, inLight, english, wide, odd },
      { inDark: none, inLight: none, english: none, wide: none, odd: none },
      view.name,
    );
  }
  t.equal(await page.locator('html').getAttribute('lang'), 'de');
  t.same(complaints, []);
}

/** Ends with the page as wide as it was. */
async function wideIn(page: Page, { width, height, isPhone }: Size): Promise<string[]> {
  const wide = await tooWide(page);
  for (const other of isPhone ? [] : OTHER_WIDTHS) {
    await page.setViewportSize({ width: other, height });
    // What asks for the width is told.
    await nextFrames(page);
    wide.push(...(await tooWide(page)).map((what) => `${other}: ${what}`));
  }
  await page.setViewportSize({ width, height });
  return wide;
}
