// Every view in German: none of the English texts is left, nothing that reads as English is, and nothing is wider than
// the screen, whichever width it has.
import type { Test } from 'tap';
import type { Browser, Page } from 'playwright-core';
import { allTexts, speakAll } from '../support/texts.js';
import type { Size } from './accessibility.js';
import { openPage } from './chromium.js';
import type { View } from './views.js';
import { startWorld } from './world.js';

/** A tablet held upright, and a wide screen: what fits one size of desktop has to fit these. */
const OTHER_WIDTHS = [768, 1920];
/** By the second one, what asks for the width has been told. */
const NEXT_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

export async function isGerman(
  t: Test,
  browser: Browser,
  views: readonly View[],
  { width, height, isPhone }: Size,
): Promise<void> {
  await speakAll('de');
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { page, context, complaints } = await openPage(browser, {
    viewport: { width, height },
    locale: 'de-DE',
    reducedMotion: 'reduce',
  });
  await world.enter(context);
  for (const view of views) {
    if (view.isForDesktop && isPhone) continue;
    await view.open(page, { world, isPhone });
    const english = (await shownIn(page)).filter(isEnglish);
    const wide = await tooWide(page);
    for (const other of isPhone ? [] : OTHER_WIDTHS) {
      await page.setViewportSize({ width: other, height });
      await page.evaluate(NEXT_FRAMES);
      wide.push(...(await tooWide(page)).map((what) => `${other}: ${what}`));
    }
    await page.setViewportSize({ width, height });
    t.same({ english, wide }, { english: [], wide: [] }, view.name);
  }
  t.equal(await page.locator('html').getAttribute('lang'), 'de');
  t.same(complaints, []);
}

/** Words of no German sentence, and of no name in the world that is looked at. */
const ENGLISH_WORDS = /\b(?:the|and|this|your|with|not|are|is|to|for|of|no|you|yet|can)\b/i;
/** Addresses and paths. */
const NAMES = /^\/|^https?:|^magnet:/;

const leavesOf = (node: unknown): readonly string[] =>
  typeof node === 'string' ? [node] : Object.values(node as object).flatMap(leavesOf);
/** A text with its values: `{count} torrents` is what `4 torrents` shows. One that is nothing but values says nothing. */
const patternOf = (leaf: string) =>
  new RegExp(
    `^${leaf
      .split(/\{\w+\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.+')}$`,
    's',
  );
const patternsOf = (texts: unknown) =>
  leavesOf(texts)
    .filter((leaf) => /\p{L}{2}/u.test(leaf.replace(/\{\w+\}/g, '')))
    .map(patternOf);
const ENGLISH = patternsOf(await allTexts('en'));
const GERMAN = patternsOf(await allTexts('de'));

function isEnglish(shown: string): boolean {
  if (NAMES.test(shown) || GERMAN.some((pattern) => pattern.test(shown))) return false;
  return ENGLISH_WORDS.test(shown) || ENGLISH.some((pattern) => pattern.test(shown));
}

/** Texts and names of all that can be seen or heard. Fields of other programs say that they are in English. */
async function shownIn(page: Page): Promise<string[]> {
  const script = `(() => {
    const texts = new Set();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (node.nodeType === Node.TEXT_NODE) {
        if (!node.parentElement.closest('script, style, noscript, code, [lang]:not(html)')) texts.add(node.data.trim());
      } else for (const name of ['aria-label', 'title', 'placeholder', 'alt']) texts.add(node.getAttribute(name)?.trim() ?? '');
    }
    return [...texts].filter(Boolean);
  })()`;
  return (await page.evaluate(script)) as string[];
}

/** What reaches beyond the screen and cannot be scrolled to, and buttons whose text does not fit. */
async function tooWide(page: Page): Promise<string[]> {
  const script = `(() => {
    const isCut = (element) => {
      for (let box = element.parentElement; box; box = box.parentElement) {
        if (getComputedStyle(box).overflowX !== 'visible') return true;
      }
      return false;
    };
    const wide = [...document.querySelectorAll('body *')].filter((element) => {
      const { width, right, left } = element.getBoundingClientRect();
      if (width === 0 || element.closest('.visually-hidden, [inert]')) return false;
      // A drawer that is closed waits beside the screen.
      const isOutside = right > 0 && (right > innerWidth + 1 || left < -1) && !isCut(element);
      const isFull = element.matches('button, a, label') && getComputedStyle(element).overflowX === 'visible' && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
      return isOutside || isFull;
    });
    const page = document.scrollingElement;
    return [...(page.scrollWidth > innerWidth ? ['the page'] : []), ...wide.slice(0, 3).map((element) => element.outerHTML.slice(0, 200))];
  })()`;
  return (await page.evaluate(script)) as string[];
}
