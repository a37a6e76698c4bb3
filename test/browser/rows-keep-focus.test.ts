// What is done to an item of a list leaves the focus where it was, though the list is read anew.
import t from 'tap';
import type { Page } from 'playwright-core';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

interface Deed {
  readonly path: string;
  /** The route that lists the items. */
  readonly list: string;
  /** What it is done by, by its name. */
  readonly by: string;
  readonly act: (page: Page) => Promise<void>;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();

const DEEDS: readonly Deed[] = [
  {
    ...{ path: '/settings/labels', list: '/api/categories', by: 'Edit Linux' },
    async act(page) {
      await press(page, 'Edit Linux');
      await page.getByRole('dialog').getByRole('textbox', { name: 'Color', exact: true }).fill('#123456');
      await save(page);
    },
  },
  {
    ...{ path: '/settings/schedule', list: '/api/schedule_rules', by: 'Enable rule 1' },
    act: (page) => page.getByRole('checkbox', { name: 'Enable rule 1' }).click(),
  },
  {
    ...{ path: '/settings/accounts', list: '/api/users', by: 'Actions for viewer' },
    async act(page) {
      await press(page, 'Actions for viewer');
      await page.getByRole('menuitem', { name: 'Disable' }).click();
    },
  },
];

t.setTimeout(180_000);

void testInBrowser(t, 'items of lists', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { page, context, complaints } = await openPage(browser, { reducedMotion: 'reduce' });
  await world.enter(context);
  for (const { path, list, by, act } of DEEDS) {
    await page.goto(world.daemon.url + path);
    await page.getByLabel(by, { exact: true }).waitFor();
    const again = page.waitForResponse(
      (response) => new URL(response.url()).pathname === list && response.ok() && response.request().method() === 'GET',
    );
    await act(page);
    await again;
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const label = () => page.evaluate<string | null>('document.activeElement.ariaLabel');
    await waitUntil(`the focus on ${by}`, 3_000, async () => (await label()) === by || undefined);
    t.equal(await label(), by, path);
  }
  await t.test('an item that goes gives it to the one beside it, the last one to the page', async (t) => {
    for (const name of ['new', 'old']) await world.daemon.api('POST', '/api/tags', { name, color: '' });
    await page.goto(`${world.daemon.url}/settings/labels`);
    const tags = page.getByRole('list', { name: 'Tags' });
    await tags.getByRole('listitem').first().waitFor();
    const found = await tags.getByRole('button', { name: /^Delete / }).all();
    const names = await Promise.all(found.map(async (one) => (await one.getAttribute('aria-label')) ?? ''));
    t.equal(names.length, 3, names.join(', '));
    const focused = () => page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.localName');
    for (const [index, name] of names.entries()) {
      await press(page, name);
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByLabel(name, { exact: true }).waitFor({ state: 'detached' });
      const next = names[index + 1] ?? 'main';
      await waitUntil(next, 3_000, async () => (await focused()) === next || undefined);
      t.pass(next);
    }
  });
  t.same(complaints, []);
});
