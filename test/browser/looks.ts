// What a page must be in each of its states: without a violation of axe in both themes, and no wider than a phone or a desktop.
import type { Test } from 'tap';
import type { Page } from 'playwright-core';
import { readAxe, violations } from './accessibility.js';
import { tooWide } from './width.js';

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

/** Resolves with what looks at the page as it is then; the page is light and of a desktop afterwards. */
export async function openLooks(page: Page): Promise<(t: Test, name: string) => Promise<void>> {
  const axe = await readAxe();
  return async (t, name) => {
    const found: Record<string, readonly string[]> = {};
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      found[colorScheme] = await violations(page, axe);
    }
    for (const size of [PHONE, DESKTOP]) {
      await page.setViewportSize(size);
      found[size.width] = await tooWide(page);
    }
    t.same(found, { dark: [], light: [], 390: [], 1440: [] }, name);
  };
}
