// What the page costs before the list is shown, as a browser counts it, headers included. What is fetched ahead, while
// nobody does anything, is not of it: here the browser is never idle.
import t from 'tap';
import type { Page } from 'playwright-core';
import { testInBrowser, openPage } from './chromium.js';
import { startWorld } from './world.js';

t.setTimeout(120_000);

const MAX_BYTES = 110_000;
/** More would be parts of one that something else imports as well: `codeSplitting` of api/web/vite.config.ts. */
const MAX_SCRIPTS = 3;
const LANGUAGES = ['en-GB', 'de-DE'];

interface Loaded {
  readonly url: string;
  readonly bytes: number;
}

void testInBrowser(t, 'the first load of the list', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  for (const locale of LANGUAGES) {
    const { page, context, complaints } = await openPage(browser, { locale });
    await context.addInitScript('window.requestIdleCallback = () => 0');
    await world.enter(context);
    const loaded = await countLoads(page);
    await world.open(page);
    await page.waitForLoadState('networkidle');
    const files = loaded.map(({ url, bytes }) => `${bytes} ${new URL(url).pathname}`);
    const sum = loaded.reduce((bytes, load) => bytes + load.bytes, 0);
    t.comment(`${locale}: ${sum} bytes\n${files.join('\n')}`);
    t.ok(sum > MAX_BYTES / 10 && sum <= MAX_BYTES, `${locale}: ${sum} bytes`, { files });
    const scripts = loaded.filter(({ url }) => url.endsWith('.js'));
    t.ok(scripts.length <= MAX_SCRIPTS, `${locale}: ${scripts.length} scripts`, { files });
    t.same(complaints, []);
    await context.close();
  }
});

void testInBrowser(
  t,
  'what the list opens comes while nobody does anything, and opens without a request',
  async (t, browser) => {
    const world = await startWorld();
    t.teardown(() => world.stop());
    const { page, context, complaints } = await openPage(browser, { locale: 'de-DE' });
    await world.enter(context);
    await page.addInitScript('window.requestIdleCallback = (run) => setTimeout(run)');
    // The last of them.
    const last = page.waitForResponse(/\/assets\/help-/);
    await world.open(page);
    await last;
    await page.waitForLoadState('networkidle');
    const loaded = await countLoads(page);
    const scripts = () => loaded.filter(({ url }) => /\/assets\//.test(url)).map(({ url }) => new URL(url).pathname);
    await page.getByText(world.torrentName).first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Anhalten' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('a');
    await page.getByRole('dialog', { name: 'Torrents hinzufügen' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Tastenkürzel' }).waitFor();
    t.same(scripts(), []);
    t.same(complaints, []);
  },
);

async function countLoads(page: Page): Promise<readonly Loaded[]> {
  const session = await page.context().newCDPSession(page);
  const urls = new Map<string, string>();
  const loaded: Loaded[] = [];
  session.on('Network.requestWillBeSent', ({ requestId, request }) => urls.set(requestId, request.url));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes }) =>
    loaded.push({ url: urls.get(requestId) ?? '', bytes }),
  );
  await session.send('Network.enable');
  return loaded;
}
