// An archive of another program's state in a browser: how it is made, sent, cancelled, refused, looked at and imported.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { Page } from 'playwright-core';
import { startDaemon } from '../support/daemon.js';
import { writeOldFiles } from '../support/import/old-torrents.js';
import { makeTorrent } from '../support/make-torrent.js';
import { packedState } from '../support/import/packed-state.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { tarBlocks, TAR_END } from '../support/tar-blocks.js';
import { openPage, signIn, testInBrowser } from './chromium.js';
import { dropFiles } from './drop.js';

const TORRENTS = [{ name: 'first.iso' }, { name: 'second.iso' }];
const TIMEOUT_MS = 60_000;
const MIB = 1024 ** 2;

t.setTimeout(240_000);

void testInBrowser(t, 'an archive in a browser', async (t, browser) => {
  const scratch = await makeScratch('browser-import-archive');
  t.teardown(() => scratch.remove());
  const named = async (name: string, content: Buffer | string) => {
    const path = join(scratch.path, name);
    await writeFile(path, content);
    return path;
  };
  const state = await named('state.tar.gz', await packedState(t, 'tar.gz', TORRENTS));
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const folder = join(daemon.dataDir, 'import-archive');
  const emptied = () =>
    waitUntil('no archive is left', TIMEOUT_MS, async () => ((await readdir(folder)).length === 0 ? true : undefined));
  await writeOldFiles(daemon.savePath, TORRENTS);
  const { page, context, complaints } = await openPage(browser);
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  await page.goto(`${daemon.url}/settings/import`);
  const dryRun = page.getByRole('button', { name: 'Dry run' });

  await t.test('by keyboard: the choice, how it is made, the file', async (t) => {
    await page.getByLabel('A folder on the server').focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('group', { name: 'Archive of its data' }).waitFor();
    t.equal(await page.getByLabel('Folder with its data').count(), 0);
    await dryRun.press('Enter');
    await page.getByRole('alert').getByText('Choose an archive.').waitFor();
    await page.getByText('How to make an archive: qBittorrent').press('Enter');
    await page.getByText('tar -czhf qbittorrent.tar.gz -C ~').waitFor();
    await page.getByLabel('Program').selectOption('deluge');
    await page.getByText('tar -czhf deluge.tar.gz -C ~').waitFor();
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), choose(page).press('Enter')]);
    await chooser.setFiles(state);
    await ready(page);
    t.equal((await readdir(folder)).length, 1);
  });

  await t.test('one without the data of the program is kept for the right one', async (t) => {
    await dryRun.click();
    await page.getByRole('alert').getByText('There is no data of Deluge in this archive.').waitFor();
    await page.getByLabel('Program').selectOption('qbittorrent');
    await dryRun.click();
    await page.getByText(/^2 torrents can be imported/).waitFor();
    t.same(await daemon.torrents(), []);
  });

  await t.test('one that is refused, with the reason', async (t) => {
    for (const [path, said] of [
      [await named('text.tar', 'x'.repeat(2_000)), 'This file is not a .zip, .tar or .tar.gz.'],
      [await named('empty.tar', ''), 'This file is not a .zip, .tar or .tar.gz.'],
      [await named('out.tar', tar({ path: '../../out' })), '"../../out" leads out of the archive.'],
      [await named('link.tar', tar({ path: 'l', type: 'SymbolicLink', linkpath: '/' })), /^"l" is a link\./],
      [await named('pipe.tar', tar({ path: 'p', type: 'FIFO' })), /"p" is a named pipe, and only files and folders/],
    ] as const) {
      await picker(page).setInputFiles(path);
      await page.getByRole('alert').getByText(said).waitFor();
      await emptied();
    }
    await picker(page).setInputFiles(state);
    await ready(page);
    t.equal(
      await page.getByRole('alert').filter({ hasText: /./ }).count(),
      0,
      'nothing of that is said of the next one',
    );
  });

  await t.test('taken out, or gone from the server', async (t) => {
    await page.getByRole('button', { name: 'Remove archive' }).press('Enter');
    await emptied();
    await choose(page).and(page.locator(':focus')).waitFor();
    await picker(page).setInputFiles(state);
    await ready(page);
    const [id] = await readdir(folder);
    await page.evaluate(
      (path) => fetch(path, { method: 'DELETE' }).then(({ status }) => status),
      `/api/import_archives/${id}`,
    );
    await dryRun.click();
    await page
      .getByRole('alert')
      .getByText('The server does not have the archive any more. Choose it again.')
      .waitFor();
    t.pass('it is said');
  });

  await t.test('dropped anywhere on the page; a torrent file is added all the same', async (t) => {
    await page.getByLabel('A folder on the server').check();
    await dropFiles(page, [{ name: 'State.TAR.GZ', bytes: await readFile(state) }]);
    await ready(page);
    t.equal(await page.getByRole('dialog').count(), 0);
    await page.getByRole('button', { name: 'Remove archive' }).click();
    await emptied();
    await dropFiles(page, [
      {
        name: 'new.torrent',
        bytes: makeTorrent({ name: 'new', pieceLength: 16_384, files: Buffer.from('x') }).torrentBytes,
      },
    ]);
    await page.getByRole('dialog', { name: 'Add torrents' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  await t.test('one that takes a while is cancelled', async (t) => {
    const ballast = tarBlocks({ path: 'home/ballast' }, '\0'.repeat(24 * MIB));
    const large = await named('large.tar', Buffer.concat([ballast, TAR_END]));
    const line = await context.newCDPSession(page);
    const free = { offline: false, latency: 0, downloadThroughput: -1 };
    await line.send('Network.emulateNetworkConditions', { ...free, uploadThroughput: 4 * MIB });
    await picker(page).setInputFiles(large);
    // The first part is there, and some of the second.
    await page.getByText(/^(?:9|1\d)(?:\.\d+)? MiB of 24\.0 MiB/).waitFor();
    t.equal(await dryRun.getAttribute('title'), 'The archive is being sent.');
    t.equal((await readdir(folder)).length, 1);
    await page.getByRole('button', { name: 'Cancel', exact: true }).press('Enter');
    await emptied();
    await choose(page).and(page.locator(':focus')).waitFor();
    t.equal(await page.getByRole('progressbar', { name: 'Sending the archive' }).count(), 0);

    await picker(page).setInputFiles(large);
    await page.getByRole('progressbar', { name: 'Sending the archive' }).waitFor();
    await page.getByRole('link', { name: 'Queue' }).click();
    await emptied();
    await line.send('Network.emulateNetworkConditions', { ...free, uploadThroughput: -1 });
    await page.goBack();
  });

  await t.test('it is imported, with its settings, and nothing of it stays', async (t) => {
    await page.getByLabel('An archive from this device').check();
    await picker(page).setInputFiles(state);
    await ready(page);
    await page.getByRole('button', { name: 'Add path' }).click();
    await page.getByLabel('Path there 1').fill('/downloads');
    await page.getByLabel('Path here 1').fill(daemon.savePath);
    await page.getByLabel('Bring its settings, feeds and rules along').check();
    await dryRun.click();
    await page.getByRole('row').filter({ hasText: 'speed limit down' }).getByText('Would be changed').waitFor();
    t.same(await daemon.torrents(), []);
    await page.getByRole('button', { name: 'Import 2 torrents' }).click();
    await page.getByRole('heading', { name: 'Import: qBittorrent' }).waitFor();
    await page.getByText('2 torrents imported').waitFor();
    for (const { completed, save_path } of await daemon.torrents())
      t.same({ completed, save_path }, { completed: true, save_path: daemon.savePath });
    t.match((await daemon.api('GET', '/api/settings/limits')).json, { down_kbps: 500 });
    await emptied();
    await page.getByText('A .zip, .tar or .tar.gz of its folder').waitFor();
    t.equal(await page.getByRole('alert').filter({ hasText: /./ }).count(), 0);
  });

  await t.test('on a phone, by touch', async (t) => {
    const phone = await openPage(browser, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await signIn(phone.page, daemon.url, 'admin', daemon.adminPassword);
    await phone.page.goto(`${daemon.url}/settings/import`);
    await phone.page.getByText('An archive from this device').tap();
    await phone.page.getByText('How to make an archive: qBittorrent').tap();
    await picker(phone.page).setInputFiles(state);
    await ready(phone.page);
    t.equal(await phone.page.evaluate('document.documentElement.scrollWidth'), 390, 'no wider than the screen');
    await phone.page.getByRole('button', { name: 'Dry run' }).tap();
    await phone.page.getByText(/2 already in your list/).waitFor();
    t.same(phone.complaints, []);
    await phone.context.close();
  });

  t.same(complaints, []);
});

function tar(header: Parameters<typeof tarBlocks>[0]): Buffer {
  return Buffer.concat([tarBlocks(header), TAR_END]);
}

function choose(page: Page) {
  return page.getByRole('button', { name: /^Choose (?:archive|another)…$/ });
}

function picker(page: Page) {
  return page.locator('input[type=file][accept^=".zip"]');
}

async function ready(page: Page): Promise<void> {
  await page
    .getByRole('status')
    .getByText(/^\d+ entries unpacked, /)
    .waitFor();
}
