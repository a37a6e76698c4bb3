// The rows of the list, as one sees them from top to bottom.
import type { Page } from 'playwright-core';
import { waitUntil } from '../support/peers/wait-until.js';

const TIMEOUT_MS = 15_000;

/** Returns the names, or what else the column says, of the rows that are shown. */
export async function cellsOf(page: Page, column: string): Promise<readonly string[]> {
  const script = `[...document.querySelectorAll('[role=row][aria-rowindex]:not([hidden])')]
    .sort((a, b) => a.ariaRowIndex - b.ariaRowIndex)
    .flatMap((row) => row.querySelector('[role=gridcell][data-column=${column}]')?.innerText.trim() ?? [])`;
  return (await page.evaluate(script)) as readonly string[];
}

/** Waits until the column says that, from top to bottom. */
export async function waitForCells(page: Page, column: string, expected: readonly string[]): Promise<void> {
  let seen: readonly string[] = [];
  await waitUntil(
    `${column}: ${expected.join(' | ')}`,
    TIMEOUT_MS,
    async () => {
      seen = await cellsOf(page, column);
      return seen.join('\n') === expected.join('\n') || undefined;
    },
    () => seen.join(' | '),
  );
}
