// Categories and tags: any colour by hand, and no names of what is not one's own.
import t from 'tap';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

t.setTimeout(120_000);

void testInBrowser(t, 'labels', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());

  await t.test('a colour is picked by hand, beside those that are offered', async (t) => {
    const { page, context, complaints } = await openPage(browser);
    await world.enter(context);
    await page.goto(`${world.daemon.url}/settings/labels`);
    await page.getByRole('button', { name: 'New tag' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('picked');
    await dialog.getByLabel('Another color').fill('#12ab34');
    const isStored = page.waitForResponse(
      (response) => response.url().endsWith('/api/tags') && response.request().method() === 'POST',
    );
    await dialog.getByRole('button', { name: 'Save' }).click();
    await isStored;
    const { json } = await world.daemon.api<readonly { name: string; color: string }[]>('GET', '/api/tags');
    t.equal(json.find(({ name }) => name === 'picked')?.color, '#12ab34');
    t.same(complaints, []);
    await context.close();
  });

  await t.test('an account that holds none of them is told of no category, tag or feed', async (t) => {
    const { page, context, complaints } = await openPage(browser);
    await world.enter(context, 'viewer');
    await page.goto(world.daemon.url);
    await page.getByRole('heading', { name: 'No torrents yet' }).waitFor();
    const side = page.getByRole('navigation', { name: 'Navigation and filters' });
    await side.getByRole('button', { name: 'Uncategorized' }).waitFor();
    for (const name of ['Films', 'Linux', 'keep']) t.equal(await side.getByRole('button', { name }).count(), 0, name);
    for (const path of ['/api/categories', '/api/tags', '/api/feeds']) {
      const { status, text } = (await page.evaluate(
        `fetch('${path}').then(async (answer) => ({ status: answer.status, text: await answer.text() }))`,
      )) as { status: number; text: string };
      t.notMatch(text, /Films|Linux|keep|feeds\.invalid/, `${path}: ${status}`);
    }
    t.same(complaints, []);
    await context.close();
  });
});
