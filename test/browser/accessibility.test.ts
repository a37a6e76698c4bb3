// axe finds nothing serious on any page or window, in either theme.
import { createRequire } from 'node:module';
import t from 'tap';
import type { Page } from 'playwright-core';
import { hasChromium, launchChromium, openPage } from './chromium.js';
import { VIEWS } from './views.js';
import { startWorld } from './world.js';

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** What moves when it appears would be measured half-way. */
const SETTLED_MS = 250;
const SIZES = [
  { theme: 'dark', viewport: { width: 1280, height: 800 }, isPhone: false },
  { theme: 'light', viewport: { width: 390, height: 844 }, isPhone: true },
  { theme: 'light', viewport: { width: 1280, height: 800 }, isPhone: false },
] as const;

t.setTimeout(600_000);

async function serious(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: AXE });
  const violations = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )) as readonly Violation[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

void t.test('no serious issue', { skip: !hasChromium }, async (t) => {
  const [world, browser] = await Promise.all([startWorld(), launchChromium()]);
  t.teardown(() => Promise.all([browser.close(), world.stop()]));
  for (const { theme, viewport, isPhone } of SIZES) {
    // The policy of the page refuses what is not its own, which axe is.
    const options = { viewport, colorScheme: theme, bypassCSP: true, reducedMotion: 'reduce' } as const;
    const { page, context, complaints } = await openPage(browser, options);
    await world.enter(context);
    for (const view of VIEWS) {
      if (view.isForDesktop && isPhone) continue;
      await view.open(page, { world, isPhone });
      await page.waitForTimeout(SETTLED_MS);
      t.same(await serious(page), [], `${view.name}, ${theme}, ${viewport.width} px`);
    }
    t.same(complaints, []);
    await context.close();
  }
});
