// Somebody who clicks through the list: how long each click takes until what it did is painted, as Chromium's Event Timing
// tells it (the duration of the slowest event of an interaction, in steps of 8 ms).
import type { Locator, Page } from 'playwright-core';
import { pause } from '../support/wait.js';

/** W3C Event Timing: events that took less are not told. */
export const LEAST_TOLD_MS = 16;
/** Longer than anybody takes to see what a click did, and than Chromium to tell of it. */
const BETWEEN_MS = 400;
const ROUNDS = 4;

/** Runs in the page before its own scripts. */
export const CLICKS_SCRIPT = `{
  const interactions = (window.benchInteractions = new Map());
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      if (interactionId) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0));
    }
  }).observe({ type: 'event', durationThreshold: ${LEAST_TOLD_MS}, buffered: true });
}`;

/** Returns what each took, in milliseconds; of those that are not told, what is the least that is. */
export async function clickThrough(page: Page): Promise<number[]> {
  const clicks = clicksOn(page);
  const before = (await told(page)).length;
  let clicked = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const click of clicks) {
      await click();
      await pause(BETWEEN_MS);
      clicked++;
    }
  }
  const durations = (await told(page)).slice(before);
  const quick = Math.max(0, clicked - durations.length);
  return [...durations, ...Array.from({ length: quick }, () => LEAST_TOLD_MS)];
}

async function told(page: Page): Promise<readonly number[]> {
  return page.evaluate('[...window.benchInteractions.values()]');
}

/** What people press most: filters, heads, rows, the details and all there are. */
function clicksOn(page: Page): readonly (() => Promise<void>)[] {
  const side = page.getByRole('navigation', { name: 'Navigation and filters' });
  const filter = (name: string) => () => press(side.getByRole('button', { name: new RegExp(`^${name}`) }).first());
  const head = (name: string) => () => press(page.getByRole('columnheader', { name }).getByRole('button'));
  const row = (index: number) => () => press(page.getByRole('row').nth(index));
  const key = (name: string) => () => page.keyboard.press(name);
  return [
    ...[filter('Seeding'), row(3), head('Size'), filter('Downloading'), head('Progress'), row(5)],
    ...[filter('Films'), filter('All'), head('Name'), head('Down'), row(2), key('ArrowDown'), key('Enter')],
    ...[row(4), key('Escape'), key('Control+a'), row(6), key('Escape')],
  ];
}

/** By the mouse, at once: what moves below it meanwhile is pressed. */
async function press(target: Locator): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error('bench: what is to be clicked is not seen');
  await target.page().mouse.click(box.x + Math.min(box.width / 2, 40), box.y + box.height / 2);
}
