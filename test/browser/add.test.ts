// Adding from anywhere on the page, the list as a table and as cards, the queue by drag, the keys, and what the tab of the
// browser shows: Chromium on a real daemon.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, signIn, testInBrowser } from './chromium.js';
import { dropFiles } from './drop.js';

const TIMEOUT_MS = 15_000;
const KIB = 1024;
const HASHES = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40));
const small = (seed: number) =>
  makeTorrent({ name: `small-${seed}`, pieceLength: 16 * KIB, files: seededBytes(seed, 999) });

t.setTimeout(120_000);

void testInBrowser(t, 'adding and the list', async (t, browser) => {
  const scratch = await makeScratch('browser-add');
  const [daemon, seed] = await Promise.all([startDaemon(), startDaemon({ savePath: join(scratch.path, 'seed') })]);
  t.teardown(() => Promise.all([daemon.stop(), seed.stop()]).then(() => scratch.remove()));
  const { page, complaints } = await openPage(browser);
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);

  await dropped(t, page, daemon);
  await pasted(t, page, daemon);
  await byKeys(t, page, daemon);
  await inColumns(t, page);
  await inQueue(t, page, daemon);
  await inTheTab(t, page, daemon, seed);
  t.same(complaints, []);

  const phone = await openPage(browser, { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
  await signIn(phone.page, daemon.url, 'admin', daemon.adminPassword);
  await phone.page.getByText('small-1').waitFor();
  t.equal(await phone.page.getByRole('columnheader').count(), 0, 'cards instead of columns');
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  t.equal(await phone.page.evaluate(overflow), 0, 'nothing is wider than the screen');
  await phone.page.getByRole('button', { name: 'Sort by' }).tap();
  await phone.page.getByRole('menuitem', { name: 'Select all' }).tap();
  await phone.page.getByText(/\d selected/).waitFor();
  t.same(phone.complaints, []);
});

/** Files, with a category whose place is taken over; what fails stays, and can be left out. */
async function dropped(t: Test, page: Page, daemon: DaemonUnderTest): Promise<void> {
  const films = join(daemon.savePath, 'films');
  const category = { name: 'Films', default_save_path: films, color: '#e33' };
  const { json } = await daemon.api<{ id: number }>('POST', '/api/categories', category);
  await page.reload();
  await page.getByText('No torrents yet').waitFor();
  await dropFiles(page, [
    { name: 'good.torrent', bytes: small(1).torrentBytes },
    { name: 'bad.torrent', bytes: Buffer.from('de') },
  ]);
  const dialog = page.getByRole('dialog', { name: 'Add torrents' });
  await dialog.getByLabel('Category').selectOption('Films');
  t.equal(await dialog.getByLabel('Save path').inputValue(), films, 'the place of the category');
  await dialog.getByLabel('Start paused').check();
  await dialog.getByLabel('Sequential download').check();
  await dialog.getByRole('button', { name: 'Add 2 torrents' }).click();
  await dialog.getByText('info: missing').waitFor();
  await dialog.getByText('Added', { exact: true }).waitFor();
  t.match(await daemon.torrents(), [
    { id: small(1).infoHash, paused: true, sequential: true, category_id: json.id, save_path: films },
  ]);
  await dialog.getByRole('button', { name: 'Remove bad.torrent' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('small-1').waitFor();
}

/** Anywhere but in a field; many at once, one of them there already. */
async function pasted(t: Test, page: Page, daemon: DaemonUnderTest): Promise<void> {
  const magnets = HASHES.slice(0, 3).map((hash) => `magnet:?xt=urn:btih:${hash}&dn=pasted-${hash[0]}`);
  const paste = (selector: string, text: string) =>
    page.evaluate(`{
      const data = new DataTransfer();
      data.setData('text/plain', ${JSON.stringify(text)});
      const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
      document.querySelector(${JSON.stringify(selector)}).dispatchEvent(event);
    }`);
  const dialog = page.getByRole('dialog', { name: 'Add torrents' });
  await paste('input[type=search]', magnets[0]!);
  await paste('body', 'nothing of the kind');
  t.equal(await dialog.count(), 0);
  await daemon.addMagnet(magnets[0]!);
  await page.getByText('pasted-a').waitFor();
  await paste('body', magnets.slice(0, 2).join('\n'));
  await dialog.getByText('pasted-b').waitFor();
  await paste('body', magnets[2]!);
  await dialog.getByRole('button', { name: 'Add 3 torrents' }).click();
  await page.getByText('2 torrents added. 1 was already in your list.').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('pasted-c').waitFor();
}

/** The sheet, the pages, selecting, and what is done to the selected. */
async function byKeys(t: Test, page: Page, daemon: DaemonUnderTest): Promise<void> {
  const press = (keys: string) => page.keyboard.press(keys);
  await press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Pause selected').waitFor();
  await press('a');
  t.equal(await page.getByRole('dialog', { name: 'Add torrents' }).count(), 0, 'one at a time');
  await press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await press('g');
  await press('f');
  await page.waitForURL('**/feeds');
  await press('g');
  await press('t');
  await page.waitForURL(/\/$/);
  await page.getByRole('grid').waitFor();
  await press('/');
  await page.keyboard.type('pasted-b?');
  t.equal(await page.getByRole('dialog').count(), 0, 'in a field keys are letters');
  await press('Backspace');
  const rows = page.locator('[role=row][aria-selected]');
  await waitUntil('one row', TIMEOUT_MS, async () => ((await rows.count()) === 1 ? true : undefined));
  await press('Enter');
  await press('ArrowDown');
  await press('p');
  await daemon.waitFor(HASHES[1]!, ({ paused }) => paused, TIMEOUT_MS);
  await press('r');
  await daemon.waitFor(HASHES[1]!, ({ paused }) => !paused, TIMEOUT_MS);
  await press('/');
  await press('Escape');
  await press('Escape');
  await waitUntil('all rows', TIMEOUT_MS, async () => ((await rows.count()) === 4 ? true : undefined));
  await press('Control+a');
  await page.getByText('4 selected').waitFor();
  await press('Delete');
  await page.getByRole('dialog', { name: 'Remove 4 torrents?' }).getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('grid').focus();
  await press('Escape');
  t.equal(await page.locator('[role=row][aria-selected=true]').count(), 0);
}

/** Widths by mouse and keys, and which there are; remembered. */
async function inColumns(t: Test, page: Page): Promise<void> {
  const head = (name: string) => page.getByRole('columnheader', { name });
  const width = async (name: string) => (await head(name).boundingBox())?.width;
  const before = (await width('Name')) ?? 0;
  const box = (await head('Name').boundingBox())!;
  await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 41, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  t.equal(await width('Name'), before - 40);
  await head('Name').getByRole('button').focus();
  await page.keyboard.press('Shift+ArrowRight');
  t.equal(await width('Name'), before - 24);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  t.equal(await head('Size').getAttribute('aria-sort'), 'descending');
  await page.getByRole('button', { name: 'Columns and sorting' }).click();
  await page.getByRole('menuitem', { name: 'Seeds' }).click();
  await page.getByRole('menuitem', { name: 'Tracker' }).click();
  await page.keyboard.press('Escape');
  await page.reload();
  await head('Tracker').waitFor();
  t.equal(await head('Seeds').count(), 0);
  t.equal(await width('Name'), before - 24);
  await head('Size').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Reset columns' }).click();
  await head('Seeds').waitFor();
  t.equal(await width('Name'), before);
}

/** By drag, by key. */
async function inQueue(t: Test, page: Page, daemon: DaemonUnderTest): Promise<void> {
  await page.getByRole('button', { name: 'Columns and sorting' }).click();
  await page.getByRole('menuitem', { name: '#' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('columnheader', { name: '#' }).click();
  const order = async () => {
    const torrents = await daemon.api<readonly { name: string; queue_position: number }[]>('GET', '/api/torrents');
    return [...torrents.json]
      .sort((a, b) => a.queue_position - b.queue_position)
      .map(({ name }) => name.slice(-1))
      .join('');
  };
  const becomes = (expected: string) =>
    waitUntil(`queue ${expected}`, TIMEOUT_MS, async () => ((await order()) === expected ? true : undefined));
  await becomes('1abc');
  const rows = page.locator('[role=row][aria-selected]');
  await rows.nth(0).click();
  await rows.nth(1).click({ modifiers: ['Shift'] });
  const from = (await rows.nth(1).boundingBox())!;
  const to = (await rows.nth(3).boundingBox())!;
  await page.mouse.move(from.x + 200, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + 200, to.y + to.height - 4, { steps: 5 });
  await page.mouse.up();
  await becomes('bc1a');
  t.equal(await page.locator('[role=row][aria-selected=true]').count(), 2, 'what was dragged stays selected');
  // Several torrents move one after the other; keys go by what is shown.
  for (const [place, letter] of [...'bc1a'].entries())
    await rows
      .nth(place)
      .getByText(new RegExp(`-${letter}$`))
      .waitFor();
  await page.keyboard.press('Alt+ArrowUp');
  await becomes('b1ac');
}

/** Title and icon while something is downloaded, and when it is done. */
async function inTheTab(t: Test, page: Page, daemon: DaemonUnderTest, seed: DaemonUnderTest): Promise<void> {
  const icon = () => page.locator('link[rel=icon]').getAttribute('href');
  t.equal(await page.title(), 'Swarmd');
  t.equal(await icon(), '/favicon.png');
  const bytes = seededBytes(9, 768 * KIB);
  const { torrentBytes } = makeTorrent({ name: 'payload', pieceLength: 64 * KIB, files: bytes });
  await mkdir(seed.savePath, { recursive: true });
  await writeFile(join(seed.savePath, 'payload'), bytes);
  const id = await seed.addTorrentFile(torrentBytes);
  await seed.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  await seed.api('PUT', '/api/settings/limits', {
    ...(await seed.api('GET', '/api/settings/limits')).json,
    up_kbps: 300,
  });
  await daemon.addTorrentFile(torrentBytes);
  await daemon.addPeers(id, seed.peerAddress);
  const shows = (what: string, read: () => Promise<string | null>, expected: RegExp) =>
    waitUntil(what, TIMEOUT_MS, async () => (expected.test((await read()) ?? '') ? true : undefined));
  await shows('rates', () => page.title(), /^\(\d\) ↓ .+ – Swarmd$/);
  await shows('a dot', icon, /^\/favicon-busy\.png$/);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  await shows('no rates', () => page.title(), /^Swarmd$/);
  await shows('no dot', icon, /^\/favicon\.png$/);
}
