// Where torrents are saved, as it is chosen in forms: what cannot be used is said at its field, and nothing is saved.
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

  t.same(complaints, []);
});
