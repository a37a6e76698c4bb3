// With hundreds of labels, and names as long as they may be, menus stay on the screen, and what stands below tags stays in reach.
import t from 'tap';
import { openPage, testInBrowser } from './chromium.js';
import { tooWide } from './width.js';
import { startWorld } from './world.js';

const MANY = 300;
const LONG = 'A-name-without-a-space-'.repeat(5).slice(0, 100);
const TABLET = { width: 768, height: 1024 };

t.setTimeout(180_000);

void testInBrowser(t, 'many labels', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { daemon } = world;
  for (let index = 0; index < MANY; index++) {
    const name = index === 0 ? LONG : `Label ${index}`;
    await daemon.api('POST', '/api/categories', { name, default_save_path: '', color: '#2563eb' });
    await daemon.api('POST', '/api/tags', { name, color: '#15803d' });
  }
  const { page, context, complaints } = await openPage(browser, { viewport: TABLET, reducedMotion: 'reduce' });
  await world.enter(context);
  await world.open(page);

  for (const kind of ['Category', 'Tags']) {
    await page.getByRole('row', { name: world.torrentName }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: kind, exact: true }).click();
    const last = page.getByRole('menuitem', { name: kind === 'Tags' ? 'New tag…' : 'New category…' });
    await last.waitFor();
    t.same(await tooWide(page), [], kind);
    await last.click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  await page.keyboard.press('a');
  const tags = page.getByRole('dialog').getByRole('group', { name: 'Tags' });
  await tags.getByText('Label 299').waitFor();
  t.ok((await tags.boundingBox())!.height < 200, 'the list of tags is scrolled by itself');
  t.same(await tooWide(page), []);
  t.same(complaints, []);
});
