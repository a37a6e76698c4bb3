// Frames of a page: what they bring about.
import type { Page } from 'playwright-core';

/** Two of them: by the second one all that was asked for before is drawn, and all that has been scrolled is told of. */
export async function nextFrames(page: Page): Promise<void> {
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
}
