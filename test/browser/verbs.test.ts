// What is done with torrents by the menu and its windows: another place and name, limits and rules for several at once,
// trackers in tiers, links, labels made on the way, and torrents that are made.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { seededBytes } from '../support/make-torrent.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

const TIMEOUT_MS = 30_000;
const DEBIAN = 'Debian.12.5.netinst';
const FEDORA = 'Fedora-Workstation-40';

t.setTimeout(180_000);

void testInBrowser(t, 'verbs', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { daemon } = world;
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context);
  await world.open(page);
  const row = (name: string) => page.getByRole('row', { name }).first();
  const dialog = page.getByRole('dialog');
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
  /** Opens the menu of what is selected, and follows it. */
  const choose = async (name: string, ...path: readonly string[]) => {
    await row(name).click({ button: 'right' });
    for (const label of path) await item(label).click();
  };
  const ids = new Map((await daemon.torrents()).map(({ name, id }) => [name, id]));
  const idOf = (name: string) => ids.get(name) ?? '';
  const told = async <Body>(name: string, what: string) =>
    (await daemon.api<Body>('GET', `/api/torrents/${idOf(name)}/${what}`)).json;

  await t.test('only what applies is offered: one that runs is not to be resumed', async () => {
    await choose('whole.bin');
    await item('Pause p').waitFor();
    await item('Resume r').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  });

  await t.test('another place: the files are moved there', async (t) => {
    const target = join(daemon.savePath, 'elsewhere');
    await choose('whole.bin', 'Set location…');
    await dialog.getByLabel('Save path').fill('');
    await press('Move');
    await dialog.getByRole('alert').getByText('Enter a path.').waitFor();
    await dialog.getByLabel('Save path').fill(target);
    await press('Move');
    await dialog.waitFor({ state: 'detached' });
    await daemon.waitFor(idOf('whole.bin'), ({ save_path }) => save_path === target, TIMEOUT_MS);
    t.ok(existsSync(join(target, 'whole.bin')));
  });

  await t.test('another name is shown, and an empty one goes back', async () => {
    await choose('whole.bin', 'Rename…');
    await dialog.getByLabel('Name').fill('Holiday pictures');
    await press('Rename');
    await row('Holiday pictures').waitFor();
    await choose('Holiday pictures', 'Rename…');
    await dialog.getByLabel('Name').fill('');
    await press('Rename');
    await row('whole.bin').waitFor();
  });

  await t.test('limits and rules for two at once, of which nothing else is changed', async (t) => {
    await daemon.api('PUT', `/api/torrents/${idOf(FEDORA)}/peer_limits`, { max_peers: 9, upload_slots: 3 });
    await row(DEBIAN).click();
    await row(FEDORA).click({ modifiers: ['Control'] });
    await choose(FEDORA, 'Limits…');
    await dialog.getByLabel('Download, KiB/s').fill('700');
    await press('Save');
    await dialog.getByRole('alert').getByText('Fill in both, or none.').waitFor();
    await dialog.getByLabel('Upload, KiB/s').fill('50');
    await press('Save');
    await dialog.waitFor({ state: 'detached' });
    for (const name of [DEBIAN, FEDORA]) t.same(await told(name, 'rate_limits'), { down_kbps: 700, up_kbps: 50 });
    t.same(await told(FEDORA, 'peer_limits'), { max_peers: 9, upload_slots: 3 });

    await choose(FEDORA, 'Seeding limits…');
    await dialog.getByLabel('Ratio limit').first().selectOption('Custom');
    await dialog.getByLabel('Value of: Ratio limit').fill('1.5');
    await dialog.getByLabel('Then').selectOption('Remove torrent');
    await press('Save');
    await dialog.waitFor({ state: 'detached' });
    for (const name of [DEBIAN, FEDORA]) {
      t.match(await told(name, 'seeding_rule'), { own: { ratio_limit: 1.5, action: 'remove' } });
    }
  });

  await t.test('the form of the details keeps what a rule does then', async (t) => {
    await row(FEDORA).click();
    await row(FEDORA).dblclick();
    await page.getByRole('tab', { name: 'Limits' }).click();
    await page.getByLabel('Value of: Ratio limit').fill('2');
    await page.getByRole('button', { name: 'Save', exact: true }).last().click();
    await page.getByText('Limits saved.').waitFor();
    t.match(await told(FEDORA, 'seeding_rule'), { own: { ratio_limit: 2, action: 'remove' } });
    await page.getByRole('tab', { name: 'Overview' }).click();
  });

  await t.test('trackers in tiers, and an address replaced everywhere once it was looked at', async (t) => {
    const tiers = async (name: string) =>
      (await told<readonly { url: string; tier: number }[]>(name, 'trackers')).map(({ url, tier }) => [tier, url]);
    await choose(FEDORA, 'Edit trackers…');
    const urls = dialog.getByLabel('Announce URLs');
    await waitUntil('the trackers are there', TIMEOUT_MS, async () => (await urls.inputValue()) !== '' || undefined);
    t.equal(await urls.inputValue(), 'http://127.0.0.1:9/announce');
    await urls.fill('http://127.0.0.1:9/b\nhttp://127.0.0.1:9/a\n\nudp://127.0.0.1:9/c');
    await press('Save');
    await dialog.waitFor({ state: 'detached' });
    t.same(await tiers(FEDORA), [
      [0, 'http://127.0.0.1:9/b'],
      [0, 'http://127.0.0.1:9/a'],
      [1, 'udp://127.0.0.1:9/c'],
    ]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More actions' }).click();
    await item('Replace tracker URL…').click();
    await dialog.getByLabel('Find').fill('http://127.0.0.1:9/');
    await dialog.getByLabel('Replace with').fill('http://127.0.0.1:8/');
    await press('Preview');
    await dialog.getByRole('status').getByText(DEBIAN).waitFor();
    t.same((await tiers(DEBIAN))[0], [0, 'http://127.0.0.1:9/announce'], 'nothing yet');
    await press('Replace');
    await dialog.waitFor({ state: 'detached' });
    t.same((await tiers(DEBIAN))[0], [0, 'http://127.0.0.1:8/announce']);
  });

  await t.test('a link gives the file to who is not signed in, until it is revoked', async (t) => {
    await choose('whole.bin', 'Download', 'Links for players…');
    await dialog.getByLabel('File').selectOption('whole.bin');
    await press('Create link');
    const url = await dialog.getByLabel('Link', { exact: true }).inputValue();
    t.same(Buffer.from(await (await fetch(url)).arrayBuffer()), seededBytes(7, 16_384 * 3));
    await dialog.getByRole('button', { name: /^Revoke the link/ }).click();
    await page.getByText('Link revoked.').waitFor();
    t.not((await fetch(url)).status, 200);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  await t.test('a category and a tag that are made in the menu are put on at once', async () => {
    const torrents = async () =>
      (
        await daemon.api<readonly { id: string; category_id: number | null; tags: readonly { name: string }[] }[]>(
          'GET',
          '/api/torrents',
        )
      ).json;
    const isSo = (holds: (torrent: Awaited<ReturnType<typeof torrents>>[number]) => boolean) =>
      waitUntil(
        'it has the label',
        TIMEOUT_MS,
        async () =>
          (await torrents()).some((torrent) => torrent.id === idOf('whole.bin') && holds(torrent)) || undefined,
      );
    await choose('whole.bin', 'Category', 'New category…');
    await dialog.getByLabel('Name').fill('fresh');
    await press('Save');
    await dialog.waitFor({ state: 'detached' });
    await isSo(({ category_id }) => category_id !== null);
    await choose('whole.bin', 'Tags', 'New tag…');
    await dialog.getByLabel('Name').fill('brand new');
    await press('Save');
    await dialog.waitFor({ state: 'detached' });
    await isSo(({ tags }) => tags.some(({ name }) => name === 'brand new'));
  });

  await t.test('a torrent is made, and its file saved', async (t) => {
    await mkdir(join(daemon.savePath, 'mine'), { recursive: true });
    await writeFile(join(daemon.savePath, 'mine', 'a.bin'), seededBytes(3, 40_000));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More actions' }).click();
    await item('Create torrent…').click();
    await dialog.getByLabel('File or folder').fill('mine');
    await press('Create');
    const save = dialog.getByRole('button', { name: /^Save the \.torrent/ });
    const [saved] = await Promise.all([page.waitForEvent('download'), save.click()]);
    t.match(saved.suggestedFilename(), /mine.*\.torrent$/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
  t.same(complaints, []);
});
