// Adding with eyes open: what is in a torrent before it is added, which of its files, under which name; what is there
// already, what does not fit; and magnets whose files are fetched before, with nothing left of those that are not added.
import { mkdir, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import bencode from 'bencode';
import type { Page } from 'playwright-core';
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, signIn, testInBrowser } from './chromium.js';
import { dropFiles } from './drop.js';

const TIMEOUT_MS = 30_000;
const PIECE = 16_384;
const MOVIE = seededBytes(1, PIECE * 2);
const film = makeTorrent({
  name: 'Some.Film.2024',
  pieceLength: PIECE,
  files: [
    { path: ['film.mkv'], bytes: MOVIE },
    { path: ['Sample', 'film-sample.mkv'], bytes: seededBytes(2, PIECE) },
    { path: ['extras', 'one.mkv'], bytes: seededBytes(3, PIECE) },
    { path: ['extras', 'two.mkv'], bytes: seededBytes(4, PIECE) },
  ],
  trackers: ['http://127.0.0.1:9/announce'],
});
const season = makeTorrent({
  name: 'Season',
  pieceLength: PIECE,
  files: [
    { path: ['one.mkv'], bytes: seededBytes(6, PIECE) },
    { path: ['two.mkv'], bytes: seededBytes(7, PIECE) },
    { path: ['extras', 'three.mkv'], bytes: seededBytes(8, PIECE) },
  ],
});
const single = makeTorrent({ name: 'single.iso', pieceLength: PIECE, files: seededBytes(5, PIECE * 3) });

t.setTimeout(180_000);

void testInBrowser(t, 'adding with choices', async (t, browser) => {
  const [daemon, seed] = await Promise.all([startDaemon(), startDaemon()]);
  t.teardown(() => Promise.all([daemon.stop(), seed.stop()]));
  const { page, complaints } = await openPage(browser, { viewport: { width: 1440, height: 900 } });
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  const dialog = page.getByRole('dialog', { name: 'Add torrents' });
  const row = (name: string) =>
    dialog.getByRole('list', { name: 'Ready to add' }).getByRole('listitem').filter({ hasText: name });
  const drop = (...torrents: readonly Uint8Array[]) =>
    dropFiles(
      page,
      torrents.map((bytes, index) => ({ name: `${String(index).padStart(2, '0')}.torrent`, bytes })),
    );
  const cancel = async () => {
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  const ids = async () => (await daemon.torrents()).map(({ id }) => id);

  await t.test('a torrent file says what is in it, and files are chosen', async (t) => {
    await mkdir(join(daemon.savePath, 'Some.Film.2024'), { recursive: true });
    await writeFile(join(daemon.savePath, 'Some.Film.2024', 'film.mkv'), MOVIE);
    await drop(film.torrentBytes);
    await row('Some.Film.2024').getByText('80.0 KiB · 4 of 4 files').waitFor();
    const box = (name: string) => dialog.getByRole('checkbox', { name, exact: true });
    await dialog.getByRole('button', { name: 'Skip samples' }).click();
    await row('Some.Film.2024').getByText('64.0 KiB · 3 of 4 files').waitFor();
    t.notOk(await box('film-sample.mkv').isChecked());
    t.equal(await dialog.locator('input:indeterminate').count(), 1, 'a folder of both is neither');
    await box('extras').uncheck();
    await row('Some.Film.2024').getByText('32.0 KiB · 1 of 4 files').waitFor();
    await box('film.mkv').uncheck();
    const add = dialog.getByRole('button', { name: 'Add', exact: true });
    t.equal(await add.getAttribute('title'), 'Choose at least one file of each torrent.');
    await dialog.getByRole('searchbox', { name: 'Filter files' }).fill('film.mkv');
    t.equal(await box('two.mkv').count(), 0);
    await dialog.getByRole('button', { name: 'All', exact: true }).click();
    await row('Some.Film.2024').getByText('32.0 KiB · 1 of 4 files').waitFor();
    await dialog.getByLabel('Rename to').fill('My film');
    await dialog.getByRole('button', { name: 'New tag…' }).click();
    const tagDialog = page.getByRole('dialog', { name: 'New tag' });
    await tagDialog.getByLabel('Name').fill('keep');
    await tagDialog.getByRole('button', { name: 'Save' }).click();
    await tagDialog.waitFor({ state: 'detached' });
    await dialog.getByLabel('Category').selectOption('New category…');
    const categoryDialog = page.getByRole('dialog', { name: 'New category' });
    await categoryDialog.getByLabel('Name').fill('Films');
    await categoryDialog.getByRole('button', { name: 'Save' }).click();
    await categoryDialog.waitFor({ state: 'detached' });
    await dialog.locator('option:checked').getByText('Films').waitFor({ state: 'attached' });
    await dialog.getByText('More options').click();
    await dialog.getByLabel('Upload limit').fill('x');
    await dialog.getByText('Enter a whole number.').waitFor();
    t.equal(await add.getAttribute('aria-disabled'), 'true');
    await dialog.getByLabel('Upload limit').fill('77');
    await dialog.getByLabel('Stop at ratio').fill('1,5');
    await add.click();
    await page.getByText('Added “My film”.').waitFor();
    // With the others skipped it is whole by what lies there.
    await daemon.waitFor(film.infoHash, ({ completed }) => completed, TIMEOUT_MS);
    const [torrent] = (
      await daemon.api<readonly { name: string; category_id: number; tags: readonly { name: string }[] }[]>(
        'GET',
        '/api/torrents',
      )
    ).json;
    t.match(torrent, { name: 'My film', category_id: 1, tags: [{ name: 'keep' }] });
    t.match((await daemon.api('GET', `/api/torrents/${film.infoHash}/rate_limits`)).json, {
      down_kbps: 0,
      up_kbps: 77,
    });
    t.match((await daemon.api('GET', `/api/torrents/${film.infoHash}/seeding_rule`)).json, {
      own: { ratio_limit: 1.5 },
    });
  });

  await t.test('files that are excluded by their names are not chosen, and come where they are', async (t) => {
    const excluding = (names: readonly string[]) =>
      daemon.api('PUT', '/api/settings/adding', { excluded_file_names: names });
    await excluding(['extras', 'two.*']);
    await drop(season.torrentBytes);
    await row('Season').getByText('16.0 KiB · 1 of 3 files').waitFor();
    await dialog.getByText('2 files are left out by their names').waitFor();
    await dialog.getByRole('checkbox', { name: 'two.mkv', exact: true }).check();
    await dialog.getByText('1 file is left out by its name').waitFor();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Added “Season”.').waitFor();
    const { json } = await daemon.api<{ files: readonly { path: string; priority: string }[] }>(
      'GET',
      `/api/torrents/${season.infoHash}/details?tabs=files`,
    );
    t.same(
      json.files.map(({ path, priority }) => [path, priority]),
      [
        ['Season/one.mkv', 'normal'],
        ['Season/two.mkv', 'normal'],
        ['Season/extras/three.mkv', 'skip'],
      ],
    );
    await daemon.api('DELETE', `/api/torrents/${season.infoHash}?delete=1`);
    await excluding([]);
  });

  await t.test('several at once: one that is there is said to be, another has its own name and place', async (t) => {
    const elsewhere = join(daemon.savePath, 'elsewhere');
    await drop(film.torrentBytes, single.torrentBytes);
    await row('Some.Film.2024').getByText('Already in your list: its trackers will be merged.').waitFor();
    await row('single.iso').getByRole('button', { name: 'Options of single.iso' }).click();
    await row('single.iso').getByLabel('Rename to').fill('Renamed');
    await row('single.iso').getByLabel('Save path of this torrent').fill(elsewhere);
    await dialog.getByLabel('Start paused').check();
    await dialog.getByRole('button', { name: 'Add 2 torrents' }).click();
    await page.getByText('Torrent added. 1 was already in your list.').waitFor();
    t.match(await daemon.torrent(single.infoHash), { name: 'Renamed', save_path: elsewhere, paused: true });
  });

  await t.test('what does not fit is said before', async (t) => {
    const { bavail, bsize } = await statfs(daemon.savePath);
    await drop(hugeTorrent(bavail * bsize + 2 ** 40));
    await dialog.getByText(/^Needs .* TiB, but only .* are free here\.$/).waitFor();
    t.equal(await dialog.getByRole('alert').filter({ hasText: 'Needs' }).count(), 1);
    await cancel();
  });

  await t.test('a path that cannot be used is said at its field', async (t) => {
    await drop(makeTorrent({ name: 'third', pieceLength: PIECE, files: seededBytes(6, 99) }).torrentBytes);
    await row('third').waitFor();
    await dialog.getByLabel('Save path', { exact: true }).fill('/proc/nope');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('This folder does not exist, and Swarmd cannot create it').first().waitFor();
    t.equal(await dialog.getByLabel('Save path', { exact: true }).getAttribute('aria-invalid'), 'true');
    await cancel();
  });

  await t.test('the files of a magnet are fetched before it is added', async (t) => {
    const made = makeTorrent({
      name: 'by-magnet',
      pieceLength: PIECE,
      files: ['a.bin', 'b.bin'].map((name, index) => ({ path: [name], bytes: seededBytes(10 + index, PIECE) })),
    });
    await seed.addTorrentFile(made.torrentBytes);
    const magnet = `magnet:?xt=urn:btih:${made.infoHash}&dn=by-magnet&x.pe=${seed.peerAddress}`;
    const before = await ids();
    await type(page, magnet);
    await row('by-magnet').getByRole('button', { name: 'Show files' }).click();
    await row('by-magnet').getByText('32.0 KiB · 2 of 2 files').waitFor();
    t.same(await ids(), before, 'nothing is left of it');
    await dialog.getByRole('checkbox', { name: 'b.bin' }).uncheck();
    await dialog.getByLabel('Start paused').check();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Added “by-magnet”.').waitFor();
    t.match(await daemon.torrent(made.infoHash), { name: 'by-magnet', paused: true, total_bytes: 2 * PIECE });
  });

  await t.test('of a magnet that is not added nothing stays, however one leaves', async (t) => {
    const before = await ids();
    const isThere = (hash: string) =>
      waitUntil('the guest', TIMEOUT_MS, async () => ((await ids()).includes(hash) ? true : undefined));
    const isGone = () =>
      waitUntil('no guest', TIMEOUT_MS, async () => ((await ids()).length === before.length ? true : undefined));
    const begin = async (digit: string) => {
      await type(page, `magnet:?xt=urn:btih:${digit.repeat(40)}&dn=nobody-${digit}`);
      await row(`nobody-${digit}`).getByRole('button', { name: 'Show files' }).click();
      await isThere(digit.repeat(40));
    };
    await begin('a');
    await row('nobody-a')
      .getByText(/^Fetching metadata/)
      .waitFor();
    await row('nobody-a').getByRole('button', { name: 'Stop' }).click();
    await isGone();
    await cancel();
    await begin('b');
    await cancel();
    await isGone();
    await begin('c');
    await page.goto('about:blank');
    await isGone();
    t.same(await ids(), before);
  });

  t.same(complaints, []);
});

async function type(page: Page, link: string): Promise<void> {
  await page.keyboard.press('a');
  await page.getByLabel('Magnet links, URLs or info hashes').fill(link);
}

/** Of so many bytes, whose pieces nobody has. */
function hugeTorrent(length: number): Uint8Array {
  const pieceLength = 2 ** 28;
  const pieces = new Uint8Array(20 * Math.ceil(length / pieceLength));
  return bencode.encode({ info: { name: 'huge', 'piece length': pieceLength, length, pieces } });
}
