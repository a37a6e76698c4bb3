// What is done with torrents by the menu and in the details, beside test/browser/verbs.test.ts: its file saved, trackers asked
// anew, super seeding, shares, peers by hand, another name for a file on disk.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { startHttpTracker } from '../support/http-tracker.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { listenRaw } from '../support/peers/raw-listener.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

const TIMEOUT_MS = 30_000;
const PIECE = 16_384;
const DEBIAN = 'Debian.12.5.netinst';
const FEDORA = 'Fedora-Workstation-40';
const WHOLE = 'whole.bin';

t.setTimeout(180_000);

void testInBrowser(t, 'verbs of the menu and the details', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { daemon } = world;
  const tracker = await startHttpTracker();
  t.teardown(() => tracker.close());
  const tracked = makeTorrent({
    name: 'tracked.bin',
    pieceLength: PIECE,
    files: seededBytes(5, PIECE),
    trackers: [tracker.announceUrl],
  });
  await daemon.addTorrentFile(tracked.torrentBytes);
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context);
  await world.open(page);
  const row = (name: string) => page.getByRole('row', { name }).first();
  const dialog = page.getByRole('dialog');
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
  const choose = async (name: string, ...path: readonly string[]) => {
    await row(name).click({ button: 'right' });
    for (const label of path) await item(label).click();
  };
  const ids = new Map((await daemon.torrents()).map(({ name, id }) => [name, id]));
  const pathOf = (name: string, what: string) => `/api/torrents/${ids.get(name)}/${what}`;
  const told = async <Body>(name: string, what: string) => (await daemon.api<Body>('GET', pathOf(name, what))).json;

  await t.test('its torrent file is saved under its name', async (t) => {
    const saved = page.waitForEvent('download');
    await choose(WHOLE, 'Download', 'Export .torrent');
    const file = await saved;
    t.equal(file.suggestedFilename(), `${WHOLE}.torrent`);
    t.same(await readFile(await file.path()), (await daemon.download(pathOf(WHOLE, 'file'))).bytes);
  });

  await t.test('trackers are asked anew, as soon as they allow it', async (t) => {
    await waitUntil('the first announce', TIMEOUT_MS, () => tracker.announces.length > 0 || undefined);
    const answer = page.waitForResponse((response) => response.url().endsWith('/announce'));
    await choose('tracked.bin', 'Force reannounce');
    t.equal((await answer).status(), 200);
    await page.getByText(/^Announcing to 1 tracker\.$|^1 tracker accepts no announce before /).waitFor();
  });

  await t.test('super seeding of two at once, on and off', async (t) => {
    const isOn = (name: string) => told<{ readonly enabled: boolean }>(name, 'super_seeding');
    for (const [label, enabled] of [
      ['On', true],
      ['Off', false],
    ] as const) {
      await row(WHOLE).click();
      await row(FEDORA).click({ modifiers: ['Control'] });
      const answer = page.waitForResponse((response) => response.url().endsWith('/api/torrents/batch'));
      await choose(FEDORA, 'Super seeding', label);
      t.equal((await answer).status(), 200);
      for (const name of [WHOLE, FEDORA]) t.match(await isOn(name), { enabled }, `${name} ${label}`);
    }
    await page.keyboard.press('Escape');
  });

  await t.test('shared with another account, who sees it, until that is taken back', async (t) => {
    const shares = () => told<readonly { username: string; access: string }[]>(DEBIAN, 'shares');
    await choose(DEBIAN, 'Share with…');
    await press('Share');
    await dialog.getByRole('alert').getByText('Choose an account').waitFor();
    await dialog.getByLabel('Account').selectOption('viewer');
    await dialog.getByLabel('Access').selectOption('Editor: can change it');
    await press('Share');
    await dialog.waitFor({ state: 'detached' });
    t.match(
      (await shares()).filter(({ username }) => username === 'viewer'),
      [{ access: 'editor' }],
    );
    const other = await openPage(browser);
    await world.enter(other.context, 'viewer');
    await world.open(other.page);
    await choose(DEBIAN, 'Share with…');
    await dialog.getByLabel('Account').selectOption('viewer');
    await dialog.getByLabel('Access').selectOption('Remove access');
    await press('Stop sharing');
    await dialog.waitFor({ state: 'detached' });
    t.same(
      (await shares()).filter(({ username }) => username === 'viewer'),
      [],
    );
    await other.page.getByText(DEBIAN).waitFor({ state: 'detached' });
    t.same(other.complaints, []);
    await other.context.close();
  });

  await t.test('peers by hand are connected to; what is no address stays with its reason', async () => {
    const peer = await listenRaw();
    t.teardown(() => peer.close());
    await choose(DEBIAN, 'Add peers…');
    await dialog.getByLabel('Addresses').fill('peer.example');
    await press('Add peers');
    await page.getByText('"peer.example" is not in the form address:port.').first().waitFor();
    await dialog.getByLabel('Addresses').fill(peer.address);
    await press('Add peers');
    await dialog.waitFor({ state: 'detached' });
    await waitUntil('dialled', TIMEOUT_MS, () => peer.callers.length > 0 || undefined);
  });

  await t.test('a file is renamed on disk, into another folder', async (t) => {
    const file = (name: string) => page.getByRole('treegrid').getByRole('row', { name }).first();
    await row(WHOLE).dblclick();
    await page.getByRole('tab', { name: 'Files' }).click();
    await file(WHOLE).click();
    await page.getByRole('button', { name: 'Rename…' }).click();
    await dialog.getByLabel('New path').fill('');
    await press('Rename');
    await dialog.getByRole('alert').getByText('Enter a path.').waitFor();
    await dialog.getByLabel('New path').fill('kept/other.bin');
    await press('Rename');
    await dialog.waitFor({ state: 'detached' });
    await file('other.bin').waitFor();
    t.ok(existsSync(join(daemon.savePath, 'kept', 'other.bin')));
    t.notOk(existsSync(join(daemon.savePath, WHOLE)));
  });
  t.same(complaints, []);
});
