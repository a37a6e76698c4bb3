// Pictures of every page and window, in both themes, from a phone to a wide screen, to look at: `npm run shots`, or with
// `--out DIR`. Not a test; what a page complains about is said all the same.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { CHROMIUM, launchChromium, openPage } from './chromium.js';
import { VIEWS } from './views.js';
import { WINDOWS } from './windows.js';
import { startWorld } from './world.js';

const SIZES = {
  phone: { width: 390, height: 844 },
  tablet: { width: 768, height: 1024 },
  desktop: { width: 1440, height: 900 },
  wide: { width: 1920, height: 1080 },
} as const;
const THEMES = ['dark', 'light'] as const;
/** For what moves when it appears. */
const SETTLED_MS = 400;
/** A view that cannot be reached is said and left out. */
const TIMEOUT_MS = 8_000;

const args = process.argv.slice(2);
const out = args.includes('--out') ? args[args.indexOf('--out') + 1]! : '/tmp/swarmd-shots';
/** `--only NAME` repeats those whose name contains it. */
const only = args.includes('--only') ? args[args.indexOf('--only') + 1]! : '';

if (!CHROMIUM.isAvailable()) {
  console.error(`no Chromium: apt-get install ${CHROMIUM.debianPackage}`);
  process.exit(1);
}
await mkdir(out, { recursive: true });
const world = await startWorld();
const browser = await launchChromium();
try {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const theme of THEMES) {
      const { page, context, complaints } = await openPage(browser, { viewport, colorScheme: theme });
      context.setDefaultTimeout(TIMEOUT_MS);
      await world.enter(context);
      for (const view of [...WINDOWS, ...VIEWS]) {
        if (!view.name.includes(only) || (view.isForDesktop && size === 'phone')) continue;
        const path = join(out, `${view.name}-${theme}-${size}.png`);
        await shoot(page, path, () => view.open(page, { world, isPhone: size === 'phone' }));
      }
      for (const complaint of complaints) console.error(`${theme} ${size}: ${complaint}`);
      await context.close();
    }
  }
} finally {
  await browser.close();
  await world.stop();
}
console.log(out);

async function shoot(page: Page, path: string, open: () => Promise<void>): Promise<void> {
  try {
    await open();
    await page.waitForTimeout(SETTLED_MS);
    await page.screenshot({ path });
  } catch (error) {
    console.error(`${path}: ${String(error).split('\n')[0]}`);
  }
}
