// What is not German on a page that is: none of the English texts is left, and nothing that reads as English is.
import type { Page } from 'playwright-core';
import { allTexts } from '../support/texts.js';

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

/** Texts that are not German, of all that can be seen or heard. Fields of other programs say that they are in English. */
export async function englishIn(page: Page): Promise<string[]> {
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
  return ((await page.evaluate(script)) as string[]).filter(isEnglish);
}
