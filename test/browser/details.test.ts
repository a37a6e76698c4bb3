// The details of a torrent that really downloads: tabs, priorities, trackers, sharing, limits; and hostile names.
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

const NAME = 'A <img src=x onerror=alert(1)> \u202egnp series';

void testInBrowser(t, 'details', async (t, browser) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const made = makeTorrent({
    name: NAME,
    pieceLength: 16_384,
    files: ['one.bin', 'two.bin', 'three.bin'].map((name, i) => ({
      path: ['sub', name],
      bytes: seededBytes(i, 200_000),
    })),
    trackers: ['http://127.0.0.1:9/announce'],
  });
  const id = await daemon.addTorrentFile(made.torrentBytes);
  await daemon.api('POST', '/api/users', { username: 'bob', password: 'password1', role: 'user' });
  const seed = await seedContent({ ...made, bytes: made.payload, pieceLength: 16_384 }, daemon.peerPort, 10);
  t.teardown(() => seed.destroy());

  const { page, complaints } = await openPage(browser);
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  const tab = (name: string) => page.getByRole('tab', { name }).click();
  await page.getByRole('row', { name: 'series' }).first().dblclick();
  await page.getByText(id, { exact: true }).waitFor();
  t.match(
    await page.getByRole('heading', { name: 'series' }).textContent(),
    /<img src=x onerror=alert\(1\)> gnp series/,
  );

  await tab('Files');
  await page.getByRole('treegrid').getByText('two.bin').waitFor();
  await page.getByLabel('Priority of sub', { exact: true }).selectOption('High');
  await page.getByLabel('Priority of two.bin').selectOption('Do not download');
  await page.locator('[data-priority="mixed"]').first().waitFor();
  // Not what was chosen here, but what the server knows of it.
  await page.reload();
  await page.getByRole('row', { name: 'series' }).first().dblclick();
  await page.locator('[data-priority="mixed"]').first().waitFor();
  t.equal(await page.getByLabel('Priority of two.bin').inputValue(), 'skip');
  t.equal(await page.getByLabel('Priority of one.bin').inputValue(), 'high');

  await tab('Peers');
  await page
    .getByRole('table', { name: 'Connected peers' })
    .getByText(/127\.0\.0\.1:\d+/)
    .waitFor();

  await tab('Trackers');
  await page.getByRole('button', { name: 'Add trackers' }).click();
  await page.getByLabel('Announce URLs').fill('ftp://no\nhttp://127.0.0.1:9/second');
  await page.getByRole('dialog').getByRole('button', { name: 'Add trackers' }).click();
  await page.getByRole('dialog').getByRole('alert').filter({ hasText: /\w/ }).waitFor();
  t.equal(await page.getByLabel('Announce URLs').inputValue(), 'ftp://no', 'what was refused stays');
  await page.keyboard.press('Escape');
  const second = page.getByRole('cell', { name: 'http://127.0.0.1:9/second', exact: true });
  await second.waitFor();
  await page.getByRole('button', { name: 'Remove http://127.0.0.1:9/second' }).click();
  await second.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await second.waitFor();

  await tab('Speed');
  await page.getByRole('img', { name: 'Speed, last' }).locator('canvas').waitFor();
  const why = page.getByRole('region', { name: 'What limits the speed' });
  await why.getByText(/1 (connected )?peer/).waitFor();

  await tab('Sharing');
  await page.getByLabel('Account', { exact: true }).last().selectOption('bob');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('button', { name: 'Stop sharing with bob' }).waitFor();

  await tab('Limits');
  await page.getByLabel('Download, KiB/s').fill('512');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('Limits saved.').waitFor();
  t.same((await daemon.api('GET', `/api/torrents/${id}/rate_limits`)).json, { down_kbps: 512, up_kbps: 0 });

  await page.getByRole('tab', { name: 'Limits' }).focus();
  await page.keyboard.press('Escape');
  await page.getByRole('tablist').waitFor({ state: 'detached' });
  t.same(complaints, []);
});
