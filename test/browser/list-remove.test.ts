// Removing: Enter answers the question, which says how much goes or stays; the note names what was removed.
import t from 'tap';
import { waitUntil } from '../support/peers/wait-until.js';
import { launchChromium, openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

const LONG = `Long.${'name.of.a.torrent.'.repeat(10)}mkv`;
const ONE_LINE_PX = 30;

t.setTimeout(120_000);

void testInBrowser(t, 'removing', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  await world.daemon.addMagnet(`magnet:?xt=urn:btih:${'e'.repeat(40)}&dn=${LONG}`);
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context);
  await world.open(page);
  const row = (name: string) => page.getByRole('row', { name });
  const dialog = page.getByRole('dialog');
  const says = (text: string) => dialog.getByText(text).waitFor();

  await t.test('the name of a button that cannot be pressed stays with it', async (t) => {
    const button = page.getByRole('toolbar').getByRole('button', { name: 'Remove…' });
    t.equal(await button.getAttribute('title'), 'Remove…\nSelect torrents first.');
  });

  await t.test('the question says what goes and what stays, of each and of all', async (t) => {
    await row('whole.bin').click();
    await row(LONG).click({ modifiers: ['Control'] });
    await page.keyboard.press('Delete');
    await dialog.getByRole('listitem').filter({ hasText: 'whole.bin' }).getByText('48.0 KiB').waitFor();
    await says('48.0 KiB will stay on disk.');
    await page.keyboard.press('Space');
    await says(`Frees 48.0 KiB in ${world.daemon.savePath}.`);
    const box = await dialog.getByRole('listitem').filter({ hasText: LONG }).boundingBox();
    t.ok(box && box.height < ONE_LINE_PX, 'a long name takes one line');
    await page.keyboard.press('Space');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  await t.test('Enter removes, and the note names it', async () => {
    await row('whole.bin').click();
    await page.keyboard.press('Delete');
    await dialog.waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await row('whole.bin').waitFor({ state: 'detached' });
    await page.getByText('Removed “whole.bin”.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('whole.bin').waitFor();
  });

  await t.test('the next question begins with the answer of the last', async (t) => {
    await row('whole.bin').click();
    await page.keyboard.press('Delete');
    await dialog.getByRole('checkbox').check();
    await page.keyboard.press('Enter');
    await page.getByText('Removed “whole.bin” and its files.').waitFor();
    await page.keyboard.press('Control+z');
    await row('whole.bin').click();
    await page.keyboard.press('Delete');
    t.ok(await dialog.getByRole('checkbox').isChecked());
    await page.keyboard.press('Escape');
  });

  await t.test('undone, nothing is left to be carried out', async () => {
    await waitUntil('nothing pending', 10_000, async () => {
      const { json } = await world.daemon.api<unknown[]>('GET', '/api/removals');
      return json.length === 0 || undefined;
    });
    await row('whole.bin').waitFor();
  });

  await t.test('a browser that is killed has removed what it said it had', async () => {
    const another = await launchChromium();
    const { page: doomed, context: its } = await openPage(another);
    await world.enter(its);
    await world.open(doomed);
    await doomed.getByRole('row', { name: LONG }).click();
    await doomed.keyboard.press('Delete');
    await doomed.getByRole('dialog').waitFor();
    const handed = doomed.waitForResponse('**/api/removals');
    await doomed.keyboard.press('Enter');
    await handed;
    const isGone = new Promise((resolve) => another.on('disconnected', resolve));
    const devTools = await another.newBrowserCDPSession();
    devTools.send('Browser.crash').catch(() => undefined);
    await isGone;
    await row(LONG).waitFor({ state: 'detached' });
  });

  await t.test('the note names what was added', async () => {
    await page.keyboard.press('a');
    await dialog.getByLabel('Magnet links').fill(`magnet:?xt=urn:btih:${'f'.repeat(40)}&dn=newcomer`);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Added “newcomer”.').waitFor();
  });
  t.same(complaints, []);
});
