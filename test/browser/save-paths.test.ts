// Where torrents are saved, as it is chosen in forms: what cannot be used is said at its field, and nothing is saved.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

const NOWHERE = '/proc/nope';
const REFUSAL = 'This folder does not exist, and Swarmd cannot create it (nothing can be created there).';

t.setTimeout(120_000);

void testInBrowser(t, 'save paths', async (t, browser) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const { page, complaints } = await openPage(browser);
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);

  await t.test('a folder that cannot be made is no default', async (t) => {
    await page.goto(`${daemon.url}/settings/downloads`);
    const field = page.getByLabel('Folder', { exact: true });
    await field.fill(NOWHERE);
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText(REFUSAL).waitFor();
    t.equal(await field.getAttribute('aria-invalid'), 'true');
    t.same((await daemon.api('GET', '/api/settings/save_path')).json, { path: daemon.savePath });
    await field.fill(join(daemon.savePath, 'new'));
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Saved.').waitFor();
  });

  await t.test('nor is it of a category', async (t) => {
    await page.goto(`${daemon.url}/settings/labels`);
    await page.getByRole('button', { name: 'New category' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Films');
    await dialog.getByLabel('Save path').fill(NOWHERE);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(REFUSAL).waitFor();
    t.same((await daemon.api('GET', '/api/categories')).json, []);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  await t.test('a path is completed by the folders of the server, by key and by mouse', async (t) => {
    for (const folder of ['films-a', 'films-b/inner', '.hidden', 'other'])
      await mkdir(join(daemon.savePath, folder), { recursive: true });
    await writeFile(join(daemon.savePath, 'films-file'), '');
    await page.getByRole('button', { name: 'New category' }).click();
    const dialog = page.getByRole('dialog');
    const field = dialog.getByRole('combobox', { name: 'Save path' });
    await field.fill(join(daemon.savePath, 'fil'));
    const options = dialog.getByRole('option');
    await options.nth(1).waitFor();
    t.same(await options.allTextContents(), [join(daemon.savePath, 'films-a'), join(daemon.savePath, 'films-b')]);
    t.equal(await field.getAttribute('aria-expanded'), 'true');
    await field.press('ArrowDown');
    await field.press('ArrowDown');
    const active = await options.nth(1).getAttribute('id');
    t.equal(await field.getAttribute('aria-activedescendant'), active);
    await field.press('Enter');
    t.equal(await field.inputValue(), `${join(daemon.savePath, 'films-b')}/`);
    await options.getByText('inner').click();
    t.equal(await field.inputValue(), `${join(daemon.savePath, 'films-b', 'inner')}/`, 'it goes on inside');
    await options.first().waitFor({ state: 'detached' });
    await dialog.getByText(/ free of /).waitFor();
    await field.fill(join(daemon.savePath, 'films'));
    await options.first().waitFor();
    await field.press('Escape');
    await options.first().waitFor({ state: 'detached' });
    t.equal(await field.inputValue(), join(daemon.savePath, 'films'), 'the list closes, the window stays');
    await dialog.getByText('This folder will be created.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  t.same(complaints, []);
});
