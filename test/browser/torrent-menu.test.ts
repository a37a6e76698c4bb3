// The menu of torrents: labels in their colours, and the queue by one request for however many.
import t from 'tap';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

const TIMEOUT_MS = 30_000;

t.setTimeout(120_000);

void testInBrowser(t, 'the menu of torrents', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context);
  await world.open(page);
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
  const open = () => page.getByRole('row', { name: world.torrentName }).click({ button: 'right' });

  await t.test('categories and tags have their colours', async (t) => {
    await open();
    for (const [menu, entry, color] of [
      ['Category', 'Films', 'rgb(194, 65, 12)'],
      ['Tags', 'keep', 'rgb(21, 128, 61)'],
    ] as const) {
      await item(menu).click();
      await item(entry).waitFor();
      const colors = item(entry)
        .locator('span')
        .evaluateAll((spans) =>
          spans.map((span) => (span as unknown as { style: { background: string } }).style.background),
        );
      t.ok((await colors).includes(color), entry);
    }
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').first().waitFor({ state: 'detached' });
  });

  await t.test('a submenu stays while the mouse comes to it over other entries', async (t) => {
    await open();
    await item('Category').hover();
    await item('Films').waitFor();
    const [from, to] = [(await item('Category').boundingBox())!, (await item('New category…').boundingBox())!];
    const over = (await item('Tags').boundingBox())!;
    // Straight on, below the edge of its own entry.
    await page.mouse.move(from.x + from.width - 30, from.y + from.height / 2);
    await page.mouse.move(over.x + over.width - 10, over.y + 4);
    await page.mouse.move(to.x + 20, over.y + over.height / 2);
    await page.mouse.move(to.x + 40, to.y + to.height / 2);
    t.ok(await item('Films').isVisible());
    await page.mouse.click(to.x + 40, to.y + to.height / 2);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  await t.test('many are moved in the queue at once', async (t) => {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET' && /torrents|queue/.test(request.url())) asked.push(request.url());
    });
    const names = ['Arch Linux 2024.05.01', 'Ubuntu 24.04 desktop amd64'];
    await page.getByRole('row', { name: names[0]! }).click();
    await page.getByRole('row', { name: names[1]! }).click({ modifiers: ['Control'] });
    await page.getByRole('row', { name: names[1]! }).click({ button: 'right' });
    await item('Queue').hover();
    await item('Move to top').click();
    await waitUntil('both are at the top', TIMEOUT_MS, async () => {
      const first = (await world.daemon.torrents()).filter(
        (torrent) => 'queue_position' in torrent && Number(torrent.queue_position) < 2,
      );
      return (
        first
          .map(({ name }) => name)
          .sort()
          .join() === names.join() || undefined
      );
    });
    t.equal(asked.length, 1, asked.join(' '));
  });
  t.same(complaints, []);
});

void testInBrowser(t, 'the menu of torrents where there is no room beside it', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { page, context, complaints } = await openPage(browser, { viewport: { width: 390, height: 844 } });
  await world.enter(context);
  await world.open(page);
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
  await page.getByRole('row', { name: world.torrentName }).getByRole('gridcell').first().click();
  await page.getByRole('button', { name: 'More actions' }).click();

  await t.test('a submenu that would come under the mouse waits for a click', async (t) => {
    await item('Queue').hover();
    await item('Queue').and(page.locator('[data-highlighted]')).waitFor();
    await item('Category').hover();
    await item('Category').click();
    await item('Films').waitFor();
    t.equal(await page.getByRole('menu').count(), 2, 'that of the queue was not opened by the mouse');
  });

  await t.test('and stays when it lies over its entry', async () => {
    await item('Films').hover();
    const changed = page.waitForResponse((response) => response.request().method() !== 'GET');
    await item('Uncategorized').click();
    await changed;
    await page.getByRole('menu').first().waitFor({ state: 'detached' });
  });
  t.same(complaints, []);
});
