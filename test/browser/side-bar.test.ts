// The way to the list by keys: past the bars in one step, and through the filters by arrows, which are one stop.
import t from 'tap';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

/** One to skip, two in the bar at the top, three pages, one for all filters, five tools, and the search. */
const MAX_TABS = 13;

t.setTimeout(120_000);

void testInBrowser(t, 'the side bar by keys', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context);
  await world.open(page);
  const focused = page.locator(':focus');
  const press = (key: string) => page.keyboard.press(key);

  await t.test('the first stop skips to the list', async () => {
    await press('Tab');
    await focused.and(page.getByRole('link', { name: 'Skip to the content' })).waitFor();
    await press('Enter');
    await focused.and(page.getByRole('grid')).waitFor();
  });

  await t.test('the toolbar is a few stops away, whatever filters there are', async (t) => {
    await world.open(page);
    let tabs = 0;
    while (tabs <= MAX_TABS && (await focused.and(page.getByRole('searchbox')).count()) === 0) {
      await press('Tab');
      tabs++;
    }
    t.ok(tabs <= MAX_TABS, `${tabs} stops`);
  });

  await t.test('arrows go through the filters, and Tab comes back to the last', async (t) => {
    const side = page.getByRole('navigation', { name: 'Navigation and filters' });
    await side.locator('[data-stop][tabindex="0"]').focus();
    for (let step = 0; step < 3; step++) await press('ArrowDown');
    await focused.and(side.getByRole('button', { name: 'Seeding' })).waitFor();
    await press('Enter');
    await page.getByRole('status').filter({ hasText: '1 torrent' }).waitFor();
    await press('Control+a');
    await page.getByRole('row', { name: 'whole.bin', selected: true }).waitFor();
    await press('Tab');
    await press('Shift+Tab');
    await focused.and(side.getByRole('button', { name: 'Seeding' })).waitFor();
    t.equal(await side.locator('[data-stop][tabindex="0"]').count(), 1);
  });

  await t.test('a group that is closed stays closed', async (t) => {
    const side = page.getByRole('navigation', { name: 'Navigation and filters' });
    await side.getByText('Tags', { exact: true }).click();
    await side.getByRole('button', { name: 'keep' }).waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByRole('grid').waitFor();
    t.equal(await side.getByRole('button', { name: 'keep' }).count(), 0);
    t.equal(await side.getByRole('button', { name: 'Films' }).count(), 1);
  });
  t.same(complaints, []);
});
