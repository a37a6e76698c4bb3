// What axe finds on a page that is open.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Where a rule has been broken more often, the first places say enough. */
const PLACES = 3;

/** Returns the source of axe. */
export function readAxe(): Promise<string> {
  return readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
}

/** `axe`: its source. `rules`: all, if not given. */
export async function violations(page: Page, axe: string, rules?: readonly string[]): Promise<string[]> {
  // A menu is in no part of the page: it is opened over all of them.
  const region = { enabled: (await page.getByRole('menu').count()) === 0 };
  const options = JSON.stringify({
    resultTypes: ['violations'],
    ...(rules ? { runOnly: rules } : { rules: { region } }),
  });
  // As if typed into the console, whose scripts the policy of the page does not concern.
  const script = `window.axe || (() => { ${axe} })(); axe.run(document, ${options}).then(({ violations }) => violations)`;
  const found = (await page.evaluate(script)) as readonly Violation[];
  return found.flatMap(({ id, nodes }) => nodes.slice(0, PLACES).map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** The part of a script that defines `contrast(a, b)`, the ratio of two colours as `getComputedStyle` gives them (WCAG 1.4.11). */
export const CONTRAST = `const light = (color) => {
  const parts = color.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255);
  const [r, g, b] = parts.map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
  const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};`;
