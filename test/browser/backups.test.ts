// Backups on the page: none yet, one made, listed, saved byte for byte and deleted by keys alone; one that fails says why, and what
// is in the way is told before; what is made elsewhere or by itself comes without a click; accounts that are no administrator's see none of it.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { Page } from 'playwright-core';
import { t as text } from '../../api/web/src/strings/index.js';
import { MAX_BACKUPS_ON_DEMAND } from '../../shared-protocol/backup-bounds.js';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { ACCOUNT_PASSWORD, makeAccount } from '../support/daemon-account.js';
import { speakAll } from '../support/texts.js';
import { openPage, signIn, testInBrowser } from './chromium.js';
import { hasFocus, tabTo } from './keys.js';
import { openLooks, PHONE } from './looks.js';
import { tooWide } from './width.js';

const OLD = 'swarmd-2020-02-03T04-05-06Z.tar.gz';
const AUTOMATIC = 'swarmd-2021-02-03T04-05-06Z-auto.tar.gz';

await speakAll('en');
t.setTimeout(180_000);

const makeButton = (page: Page) => page.getByRole('button', { name: text('backups.make') });
const items = (page: Page) => page.getByRole('list', { name: text('backups.list') }).getByRole('listitem');
const folderOf = (daemon: DaemonUnderTest) => join(daemon.dataDir, 'backups');
const archivesOf = async (daemon: DaemonUnderTest) => (await readdir(folderOf(daemon))).sort();

async function open(page: Page, daemon: DaemonUnderTest): Promise<void> {
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  await page.goto(`${daemon.url}/settings/backups`);
}

void testInBrowser(t, 'a backup from the first click to the last', async (t, browser) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const { page, complaints } = await openPage(browser);
  await open(page, daemon);
  const dialog = page.getByRole('dialog');
  const status = page.locator('main').getByRole('status');
  const problem = page.locator('main').getByRole('alert');
  const looksWell = await openLooks(page);

  await t.test('none yet: what would be in one, when, where, and how it is restored', async (t) => {
    await page.getByText(text('backups.emptyTitle')).waitFor();
    for (const said of ['about', 'secret', 'emptyHow', 'never', 'restore.how', 'restore.command'] as const) {
      await page.getByText(text(`backups.${said}`), { exact: true }).waitFor();
    }
    await page.getByText(folderOf(daemon), { exact: true }).waitFor();
    t.equal(await items(page).count(), 0);
    await looksWell(t, 'none');
  });

  await t.test('one that fails says why, until the next one', async (t) => {
    await writeFile(folderOf(daemon), '');
    await makeButton(page).click();
    await problem.getByText('The last backup failed. The folder for backups cannot be used').waitFor();
    t.equal(await status.textContent(), '');
    await page.getByText(text('backups.emptyTitle')).waitFor();
    await looksWell(t, 'one that failed');
    await page.reload();
    await problem.getByText('The last backup failed.').waitFor();
    await rm(folderOf(daemon));
  });

  await t.test('one is made while the page says so, by keys', async (t) => {
    let answer = (): void => undefined;
    const isHeld = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/backups', async (route) => {
      if (route.request().method() === 'POST') await isHeld;
      await route.continue();
    });
    await makeButton(page).focus();
    await page.keyboard.press('Enter');
    const making = page.getByRole('button', { name: text('backups.making'), disabled: true });
    await hasFocus(making);
    t.equal(await making.getAttribute('title'), text('backups.running'));
    await status.getByText(text('backups.running')).waitFor();
    t.equal(await problem.count(), 0);
    await looksWell(t, 'one under way');
    answer();
    await status.getByText(/^Backup made: .+ KiB\.$/).waitFor();
    await page.unroute('**/api/backups');
    await hasFocus(makeButton(page));
    const [name = ''] = await archivesOf(daemon);
    await items(page).getByText(name, { exact: true }).waitFor();
    await page.getByText(text('backups.emptyTitle')).waitFor({ state: 'detached' });
    t.equal(await problem.count(), 0);
    await looksWell(t, 'one that is there');
  });

  await t.test('it is saved byte for byte', async (t) => {
    const [name = ''] = await archivesOf(daemon);
    const link = page.getByRole('link', { name: text('backups.downloadOf', { name }) });
    await link.focus();
    const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    t.equal(saved.suggestedFilename(), name);
    const [got, stored] = await Promise.all([readFile(await saved.path()), readFile(join(folderOf(daemon), name))]);
    t.ok(got.length > 0 && got.equals(stored), `${got.length} bytes`);
  });

  await t.test('what comes from elsewhere is listed as well, the newest first', async (t) => {
    const [name = ''] = await archivesOf(daemon);
    for (const each of [OLD, AUTOMATIC]) await writeFile(join(folderOf(daemon), each), 'archive');
    await items(page).nth(2).waitFor();
    for (const [index, each] of [name, AUTOMATIC, OLD].entries()) {
      await items(page).nth(index).getByText(each, { exact: true }).waitFor();
    }
    await items(page).filter({ hasText: /2021/ }).getByText(text('backups.automatic'), { exact: true }).waitFor();
    t.equal(await items(page).getByText(text('backups.automatic'), { exact: true }).count(), 1);
    t.equal(await items(page).last().getByText('7 B', { exact: true }).count(), 1);
  });

  await t.test('it is deleted by keys alone, after a question that names it', async (t) => {
    const remove = page.getByRole('button', { name: text('backups.deleteOf', { name: OLD }) });
    await remove.focus();
    await page.keyboard.press('Enter');
    await dialog.getByText(OLD).waitFor();
    await looksWell(t, 'the question');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await hasFocus(remove);
    t.ok((await archivesOf(daemon)).includes(OLD), 'as long as it was not meant');
    await page.keyboard.press('Enter');
    const confirm = dialog.getByRole('button', { name: text('backups.deleteConfirm') });
    await dialog.locator(':focus').waitFor();
    await tabTo(confirm);
    await page.keyboard.press('Enter');
    await items(page).filter({ hasText: OLD }).waitFor({ state: 'detached' });
    await hasFocus(makeButton(page));
    t.notOk((await archivesOf(daemon)).includes(OLD));
  });

  await t.test('one that is gone already is told of, and leaves the list', async (t) => {
    await page.getByRole('button', { name: text('backups.deleteOf', { name: AUTOMATIC }) }).click();
    await dialog.getByText(AUTOMATIC).waitFor();
    await rm(join(folderOf(daemon), AUTOMATIC));
    await dialog.getByRole('button', { name: text('backups.deleteConfirm') }).click();
    await page.getByText(text('server.gone')).waitFor();
    await items(page).filter({ hasText: AUTOMATIC }).waitFor({ state: 'detached' });
    t.equal((await archivesOf(daemon)).length, 1);
  });
  t.same(complaints, []);
});

void testInBrowser(
  t,
  'backups that are made by themselves, as many as there may be, and who sees them',
  async (t, browser) => {
    const daemon = await startDaemon({ args: ['--backup-every', '24', '--backup-keep', '3'] });
    t.teardown(() => daemon.stop());
    await mkdir(folderOf(daemon), { recursive: true });
    for (let second = 0; second < MAX_BACKUPS_ON_DEMAND; second++) {
      const at = new Date(Date.UTC(2020, 1, 3, 4, 0, second)).toISOString().slice(0, 19).replaceAll(':', '-');
      await writeFile(join(folderOf(daemon), `swarmd-${at}Z.tar.gz`), '');
    }
    const { page, complaints } = await openPage(browser, { hasTouch: true, viewport: PHONE });
    await open(page, daemon);

    await t.test('on a phone: how often, and why no further one', async (t) => {
      await page
        .getByText('Every 24 hours. The newest 3 are kept; those made by hand stay.', { exact: true })
        .waitFor();
      const full = page.getByRole('button', { name: text('backups.make'), disabled: true });
      await full.waitFor();
      t.equal(await full.getAttribute('title'), text('backups.full', { max: MAX_BACKUPS_ON_DEMAND }));
      t.same(await tooWide(page), []);
    });

    await t.test('by touch', async (t) => {
      await items(page).first().getByRole('button').tap();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: text('backups.deleteConfirm') })
        .tap();
      await page.getByRole('button', { name: text('backups.make'), disabled: false }).tap();
      await page
        .getByRole('status')
        .getByText(/^Backup made: /)
        .waitFor();
      t.equal((await archivesOf(daemon)).length, MAX_BACKUPS_ON_DEMAND);
    });

    await t.test('no other account is shown the page', async (t) => {
      await makeAccount(daemon, 'ann', { perm_change_settings: true });
      const other = await openPage(browser);
      await signIn(other.page, daemon.url, 'ann', ACCOUNT_PASSWORD);
      await other.page.goto(`${daemon.url}/settings/speed`);
      await other.page.getByRole('link', { name: text('settings.pages.webhooks') }).waitFor();
      t.equal(await other.page.getByRole('link', { name: text('settings.pages.backups') }).count(), 0);
      await other.page.getByLabel(text('settings.search.label')).fill('backup');
      await other.page.getByText('No matching settings.').waitFor();
      await other.page.goto(`${daemon.url}/settings/backups`);
      await other.page.getByText(text('app.notFound')).waitFor();
      t.notOk((await other.page.content()).includes('.tar.gz'));
      t.same(other.complaints, []);
      await other.context.close();
    });
    t.same(complaints, []);
  },
);
