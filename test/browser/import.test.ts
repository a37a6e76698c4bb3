// Torrents of another program in a browser: what is wrong with a folder is said, a dry run comes first and tells of each torrent,
// and what is imported lies where it lay.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { Page } from 'playwright-core';
import { startDaemon } from '../support/daemon.js';
import { writeOldFiles, writeOldTorrents } from '../support/import/old-torrents.js';
import { makeScratch } from '../support/peers/scratch.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

const LAST_YEAR = 1_700_000_000;
const TORRENTS = [{ name: 'first.iso' }, { name: 'second.iso' }];

t.setTimeout(120_000);

void testInBrowser(t, 'an import in a browser', async (t, browser) => {
  const scratch = await makeScratch('browser-import');
  t.teardown(() => scratch.remove());
  const old = join(scratch.path, 'old');
  const backup = join(old, 'qBittorrent', 'BT_backup');
  // As a container names it.
  await writeOldTorrents(backup, '/downloads', TORRENTS, LAST_YEAR);
  await writeFile(join(backup, `${'f'.repeat(40)}.fastresume`), 'd');
  await mkdir(join(old, 'qBittorrent', 'config'));
  const config =
    '[BitTorrent]\nSession\\GlobalDLSpeedLimit=500\nSession\\IPFilteringEnabled=true\nSession\\IPFilter=/l.p2p';
  await writeFile(join(old, 'qBittorrent', 'config', 'qBittorrent.conf'), config);
  await mkdir(join(old, 'empty'));
  const daemon = await startDaemon({ args: ['--import-paths', old] });
  t.teardown(() => daemon.stop());
  await writeOldFiles(daemon.savePath, TORRENTS);
  const { page, complaints } = await openPage(browser);
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  await page.goto(`${daemon.url}/settings/import`);
  const begin = page.getByRole('button', { name: /^Import/ });

  await t.test('what is wrong with the folder is said there', async (t) => {
    for (const [path, said] of [
      ['', 'Required.'],
      ['/nowhere/at/all', '/nowhere/at/all is not a folder that Swarmd can read.'],
      [daemon.savePath, 'This path is outside the folders allowed by --import-paths.'],
      [join(old, 'empty'), 'There is no data of qBittorrent in this folder.'],
    ] as const) {
      await folder(page).fill(path);
      await page.getByRole('button', { name: 'Dry run' }).click();
      await page.getByRole('alert').getByText(said, { exact: true }).waitFor();
      t.equal(await folder(page).getAttribute('aria-invalid'), 'true', said);
    }
    t.equal(await begin.getAttribute('title'), 'Do a dry run with these settings first.');
  });

  await t.test('a dry run tells of each torrent, and adds none', async (t) => {
    await folder(page).fill(join(old, 'qBittorrent'));
    await page.getByRole('button', { name: 'Add path' }).click();
    await page.getByLabel('Path there 1').fill('/downloads');
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('Fill in both paths.').waitFor();
    await page.getByLabel('Path here 1').fill(daemon.savePath);
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('2 torrents can be imported · 1 cannot be imported').waitFor();
    await row(page, 'first.iso').getByText('Can be imported').waitFor();
    await row(page, 'first.iso').getByText(daemon.savePath).waitFor();
    const broken = row(page, 'ffff');
    await broken.getByText('Not imported').waitFor();
    t.match(await broken.getByRole('cell').nth(1).innerText(), /fastresume: /);
    await page.getByLabel('Only those with problems or notes').check();
    await row(page, 'first.iso').waitFor({ state: 'detached' });
    t.ok(await broken.isVisible());
    t.same(await daemon.torrents(), []);
  });

  await t.test('what was looked at is imported, and no other than that', async (t) => {
    await page.getByLabel('Add all torrents paused').check();
    t.equal(await begin.getAttribute('title'), 'Do a dry run with these settings first.');
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByRole('button', { name: 'Import 2 torrents' }).click();
    await page.getByRole('heading', { name: 'Import: qBittorrent' }).waitFor();
    await page.getByText('2 torrents imported · 1 cannot be imported').waitFor();
    const torrents = await daemon.torrents();
    t.same(new Set(torrents.map(({ name }) => name)), new Set(['first.iso', 'second.iso']));
    for (const { paused, completed, save_path } of torrents) {
      t.same([paused, completed, save_path], [true, true, daemon.savePath]);
    }
    await page.reload();
    await page.getByText('2 torrents imported · 1 cannot be imported').waitFor();
    await page.getByRole('link', { name: 'Go to torrents' }).click();
    await page.getByText('second.iso').first().waitFor();
  });

  await t.test('settings come along where that is asked for', async (t) => {
    await page.goto(`${daemon.url}/settings/import`);
    await folder(page).fill(join(old, 'qBittorrent'));
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('as that was not asked for: speed limit down 500 KiB/s').waitFor();
    await begin.and(page.locator('[title="There is nothing to import."]')).waitFor();
    await page.getByLabel('Bring its settings, feeds and rules along').check();
    await page.getByRole('button', { name: 'Dry run' }).click();
    const settings = page.getByRole('region', { name: 'Settings, feeds and rules' });
    const limit = settings.getByRole('row').filter({ hasText: 'speed limit down' });
    await limit.getByText('Would be changed').waitFor();
    t.match(await limit.innerText(), /no limit\s+500 KiB\/s/);
    const filter = settings.getByRole('row').filter({ hasText: 'IP filter /l.p2p' });
    t.match(await filter.innerText(), /Not taken over\s+it is a file/i);
    const limits = () => daemon.api('GET', '/api/settings/limits');
    t.match((await limits()).json, { down_kbps: 0 });
    await begin.click();
    await limit.getByText('Changed', { exact: true }).waitFor();
    t.match((await limits()).json, { down_kbps: 500 });
  });

  await t.test('it is for administrators', async (t) => {
    await daemon.api('POST', '/api/users', { username: 'vera', password: 'password-of-vera', role: 'user' });
    const other = await openPage(browser);
    await signIn(other.page, daemon.url, 'vera', 'password-of-vera');
    await other.page.goto(`${daemon.url}/settings/import`);
    await other.page.getByText('Page not found.').waitFor();
    t.equal(await other.page.getByRole('link', { name: 'Import' }).count(), 0);
    t.same(other.complaints, []);
    await other.context.close();
  });

  t.same(complaints, []);
});

function folder(page: Page) {
  return page.getByLabel('Folder with its data');
}

function row(page: Page, name: string) {
  return page.getByRole('region', { name: 'Torrents' }).getByRole('row').filter({ hasText: name });
}
