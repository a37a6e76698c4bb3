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
  t.same(complaints, []);
});
