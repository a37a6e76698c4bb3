// Torrents of other servers in the list: beside the own ones, told apart, worked on together with them, and stale while
// their server is away. An account that sees no other server finds nothing of it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { t as text } from '../../api/web/src/strings/index.js';
import type { DetailDto } from '../../shared-protocol/dto/inspector.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { speakAll } from '../support/texts.js';
import { openPage, testInBrowser } from './chromium.js';
import { elsewhere, SERVER } from './elsewhere.js';
import { waitForCells } from './rows.js';
import { startWorld } from './world.js';

const TIMEOUT_MS = 30_000;
const THERE = 'Elsewhere.iso';
const HASH = 'e'.repeat(40);
/** The cell of its name. */
const ALONE = `${THERE}${SERVER}`;
const PIECE = 16_384;

t.setTimeout(400_000);
await speakAll('en');

void testInBrowser(t, 'the torrents of another server are rows of the list', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const other = await elsewhere(world.daemon);
  const films = await other.api<{ id: number }>('POST', '/api/categories', {
    name: 'Films',
    default_save_path: '',
    color: '',
  });
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context);
  await world.open(page);
  const row = (name: string) => page.getByRole('row', { name });
  const choice = (name: string) => page.getByRole('navigation').getByRole('button', { name });
  const menu = async (...path: readonly string[]) => {
    await page
      .getByRole('toolbar')
      .getByRole('button', { name: text('list.more'), exact: true })
      .click();
    for (const name of path) await page.getByRole('menuitem', { name, exact: true }).click();
  };
  const isPausedThere = async () => (await other.torrent(HASH)).paused;

  await t.test('with the name of the server, which may be a column, and sorts', async () => {
    await row(THERE).getByText(SERVER, { exact: true }).waitFor();
    await page.getByRole('button', { name: text('list.columns') }).click();
    await page.getByRole('menuitem', { name: text('list.server'), exact: true }).click();
    await page.keyboard.press('Escape');
    await row(THERE).getByRole('gridcell', { name: SERVER, exact: true }).waitFor();
    await row(world.torrentName)
      .getByRole('gridcell', { name: text('filter.thisServer') })
      .waitFor();
    await page.getByRole('columnheader', { name: text('list.server') }).click();
    await page.getByRole('columnheader', { name: text('list.server') }).click();
    await page.locator('[role=row][aria-rowindex="2"]', { hasText: THERE }).waitFor();
  });

  await t.test('they are filtered at the side, by the address and in the search', async () => {
    await choice(SERVER).click();
    await waitForCells(page, 'name', [ALONE]);
    await page.waitForURL(/\?server=1$/);
    await page.reload();
    await waitForCells(page, 'name', [ALONE]);
    await page.getByRole('button', { name: text('filter.takeOut', { text: SERVER }) }).click();
    await choice(SERVER).click({ modifiers: ['Alt'] });
    await row(THERE).waitFor({ state: 'detached' });
    await row(world.torrentName).waitFor();
    await choice(text('filter.thisServer')).click();
    await page.waitForURL(/server=0/);
    await page.getByRole('button', { name: text('filter.clear') }).click();
    await page.getByRole('combobox', { name: text('list.search') }).fill(`server:${SERVER}`);
    await waitForCells(page, 'name', [ALONE]);
    await page.getByRole('combobox', { name: text('list.search') }).fill('');
    await row(world.torrentName).waitFor();
  });

  await t.test('what happens there is seen here, second by second', async () => {
    const bytes = seededBytes(5, PIECE * 4);
    await writeFile(join(other.savePath, 'there.bin'), bytes);
    const made = makeTorrent({ name: 'there.bin', pieceLength: PIECE, files: bytes });
    const id = await other.addTorrentFile(made.torrentBytes);
    await row('there.bin').getByText('100 %').or(row('there.bin').getByText('100%')).waitFor();
    await other.api('POST', `/api/torrents/${id}/pause`);
    await row('there.bin').getByText(text('state.finished')).waitFor();
    await other.api('DELETE', `/api/torrents/${id}`);
    await row('there.bin').waitFor({ state: 'detached' });
  });

  await t.test('one torrent on two servers is two rows, and one is changed', async (t) => {
    await world.daemon.addMagnet(`magnet:?xt=urn:btih:${HASH}&dn=${THERE}`);
    await waitUntil('two rows', TIMEOUT_MS, async () => ((await row(THERE).count()) === 2 ? true : undefined));
    await row(THERE).filter({ hasText: SERVER }).click();
    await page.keyboard.press('p');
    await row(THERE).filter({ hasText: SERVER }).getByText(text('state.paused')).waitFor();
    t.equal(await isPausedThere(), true);
    t.equal((await world.daemon.torrent(HASH)).paused, false);
  });

  await t.test('a selection of both is paused, resumed and labelled by the names there', async () => {
    await row(THERE).filter({ hasText: SERVER }).click();
    await row(THERE)
      .filter({ hasNotText: SERVER })
      .click({ modifiers: ['Control'] });
    await page.keyboard.press('r');
    await waitUntil('resumed there', TIMEOUT_MS, async () => ((await isPausedThere()) ? undefined : true));
    await page
      .getByRole('toolbar')
      .getByRole('button', { name: text('menu.pause') })
      .click();
    await waitUntil('paused there', TIMEOUT_MS, async () => (await isPausedThere()) || undefined);
    await waitUntil('and here', TIMEOUT_MS, async () => (await world.daemon.torrent(HASH)).paused || undefined);
    // The menu of what is paused is another one.
    await waitUntil('both are seen to be', TIMEOUT_MS, async () => {
      return (
        (await row(THERE)
          .filter({ hasText: text('state.paused') })
          .count()) === 2 || undefined
      );
    });
    await menu(text('menu.category'), 'Films');
    await waitUntil('its category there', TIMEOUT_MS, async () => {
      const torrents = (await other.api<{ id: string; category_id: number | null }[]>('GET', '/api/torrents')).json;
      return torrents.some(({ category_id }) => category_id === films.json.id) || undefined;
    });
    await choice('Films').click();
    await waitUntil('both of Films', TIMEOUT_MS, async () => ((await row(THERE).count()) === 2 ? true : undefined));
    await page.getByRole('button', { name: text('filter.clear') }).click();
  });

  await t.test('what is not done there says why', async (t) => {
    await row(THERE).filter({ hasText: SERVER }).click();
    await menu();
    const share = page.getByRole('menuitem', { name: text('verbs.menu.share') });
    t.match(await share.innerText(), text('verbs.menu.elsewhere'));
    await page.keyboard.press('Escape');
    await menu(text('verbs.menu.toServer'));
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: text('verbs.toServer.submit'), exact: true }).click();
    await page.getByText(/not complete, so it cannot be moved/).waitFor();
    await dialog.getByRole('button', { name: text('common.cancel') }).click();
  });

  await t.test('its details are asked of its server', async (t) => {
    await row(THERE).filter({ hasText: SERVER }).dblclick();
    await other.api('POST', `/api/torrents/${HASH}/trackers`, { url: 'http://127.0.0.1:9/there' });
    await page.getByRole('tab', { name: text('details.tabs.trackers') }).click();
    await page.getByRole('cell', { name: 'http://127.0.0.1:9/there', exact: true }).waitFor();
    await page.getByRole('tab', { name: text('details.tabs.files') }).click();
    await page.getByText(text('details.files.unknown')).waitFor();
    await page.getByRole('tab', { name: text('details.tabs.peers') }).click();
    await page.getByText(text('details.peers.none')).waitFor();
    await page.getByRole('tab', { name: text('details.tabs.limits') }).click();
    await page.getByRole('spinbutton').or(page.getByRole('textbox')).first().waitFor();
    t.equal(await page.getByRole('tab', { name: text('details.tabs.sharing') }).count(), 0);
    await page
      .getByRole('region', { name: text('details.title', { name: THERE }) })
      .getByRole('button', { name: text('common.close') })
      .click();
  });

  await t.test('its files are shown, and wanted or not, as if it were here', async () => {
    const files = ['first.bin', 'second.bin'].map((name, i) => ({ path: [name], bytes: seededBytes(6 + i, PIECE) }));
    const made = makeTorrent({ name: 'pair', pieceLength: PIECE, files });
    const id = await other.addTorrentFile(made.torrentBytes);
    await row('pair').dblclick();
    await page.getByRole('tab', { name: text('details.tabs.files') }).click();
    const second = page.getByRole('row', { name: 'second.bin' });
    await second.getByRole('combobox').selectOption('skip');
    const priorities = async () =>
      (await other.api<DetailDto>('GET', `/api/torrents/${id}/details?tabs=files`)).json.files?.map(
        (file) => file.priority,
      );
    await waitUntil('skipped there', TIMEOUT_MS, async () => ((await priorities())?.[1] === 'skip' ? true : undefined));
    await other.api('POST', '/api/torrents/file_priorities', { infohash: id, priorities: { 0: 'high' } });
    const first = page.getByRole('row', { name: 'first.bin' }).getByRole('combobox');
    await waitUntil('told here', TIMEOUT_MS, async () => ((await first.inputValue()) === 'high' ? true : undefined));
    await page.getByRole('treegrid').press('Escape');
    await other.api('DELETE', `/api/torrents/${id}`);
    await row('pair').waitFor({ state: 'detached' });
  });

  await t.test('both are removed, and come back by Undo', async () => {
    await row(THERE).filter({ hasText: SERVER }).click();
    await row(THERE)
      .filter({ hasNotText: SERVER })
      .click({ modifiers: ['Control'] });
    await page.keyboard.press('Delete');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: text('remove.confirm') })
      .click();
    await row(THERE).first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: text('actions.undo') }).click();
    await waitUntil('both again', TIMEOUT_MS, async () => ((await row(THERE).count()) === 2 ? true : undefined));
    await row(THERE).filter({ hasNotText: SERVER }).click();
    await page.keyboard.press('Delete');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: text('remove.confirm') })
      .click();
    await waitUntil('gone here', TIMEOUT_MS, async () => {
      return (await world.daemon.torrents()).some(({ id }) => id === HASH) ? undefined : true;
    });
    await row(THERE).filter({ hasText: SERVER }).waitFor();
  });

  await t.test('while the server is away they are shown as they were, and say so', async (t) => {
    await other.kill();
    await row(THERE).getByText(text('state.away')).waitFor();
    t.equal(await row(THERE).getAttribute('data-away'), 'true');
    await choice(SERVER)
      .getByText(/^away since /)
      .waitFor();
    await row(THERE).click();
    const pause = page.getByRole('toolbar').getByRole('button', { name: text('menu.pause') });
    t.match(await pause.getAttribute('title'), text('permission.away', { name: SERVER }));
    await row('whole.bin').click({ modifiers: ['Control'] });
    await page.keyboard.press('p');
    await page
      .getByText(/^Server attic: |attic: /)
      .first()
      .waitFor();
    await row('whole.bin').getByText(text('state.finished')).waitFor();
    await row(THERE).getByText(text('state.away')).waitFor();
  });
  t.same(
    complaints.filter((complaint) => !/503|502/.test(complaint)),
    [],
  );
});

void testInBrowser(t, 'an account that sees no other server finds nothing of any', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  await elsewhere(world.daemon);
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context, 'viewer');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const frames: string[] = [];
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => frames.push(/^\{"type":"([^"]+)/.exec(String(payload))?.[1] ?? '')),
  );
  await page.goto(world.daemon.url);
  await page.getByText(text('list.emptyTitle')).waitFor();
  await waitUntil('some seconds', TIMEOUT_MS, () => {
    return frames.filter((type) => type === 'stats:tick').length > 3 || undefined;
  });
  t.notOk(frames.includes('servers:tick'));
  t.same(
    asked.filter((url) => /remotes|server_id|seen-servers/.test(url)),
    [],
  );
  t.equal(await page.getByText(text('side.servers'), { exact: true }).count(), 0);
  await page.getByRole('button', { name: text('list.columns') }).click();
  await page.getByRole('menuitem', { name: text('list.path'), exact: true }).waitFor();
  t.equal(await page.getByRole('menuitem', { name: text('list.server'), exact: true }).count(), 0);

  const users = (await world.daemon.api<{ id: number; username: string }[]>('GET', '/api/users')).json;
  const viewer = users.find(({ username }) => username === 'viewer')!;
  const [remote] = (await world.daemon.api<{ id: number }[]>('GET', '/api/remotes')).json;
  await page.keyboard.press('Escape');
  await world.daemon.api('PUT', `/api/remotes/${remote!.id}`, { user_ids: [1, viewer.id] });
  await page.getByRole('row', { name: THERE }).waitFor();
  await page.getByText(text('side.servers'), { exact: true }).waitFor();
  await world.daemon.api('PUT', `/api/remotes/${remote!.id}`, { user_ids: [1] });
  await page.getByRole('row', { name: THERE }).waitFor({ state: 'detached' });
  await page.getByText(text('side.servers'), { exact: true }).waitFor({ state: 'detached' });
  t.same(complaints, []);
});

void testInBrowser(t, 'a menu that is open stays as it is when a server comes', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context);
  await world.open(page);
  await page.getByRole('row', { name: world.torrentName }).click();
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: text('list.more'), exact: true })
    .click();
  await page.getByRole('menuitem', { name: text('verbs.menu.download'), exact: true }).click();
  const links = page.getByRole('menuitem', { name: text('verbs.menu.links') });
  await links.waitFor();
  await elsewhere(world.daemon);
  await page.getByText(text('side.servers'), { exact: true }).waitFor();
  await page.getByText(THERE).waitFor();
  t.equal(await page.getByRole('menuitem', { name: text('verbs.menu.toServer') }).count(), 0);
  await links.click();
  await page.getByRole('dialog').waitFor();
  t.same(complaints, []);
});

void testInBrowser(t, 'on a phone', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  await elsewhere(world.daemon);
  const { page, context, complaints } = await openPage(browser, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  });
  await world.enter(context);
  await world.open(page);
  const card = page.getByRole('row', { name: THERE });
  await card.getByText(SERVER).waitFor();
  await page
    .getByRole('button', { name: text('bar.menu') })
    .first()
    .tap();
  await page.getByRole('navigation').getByRole('button', { name: SERVER }).tap();
  await page.getByRole('row', { name: world.torrentName }).waitFor({ state: 'detached' });
  await card.tap();
  const sheet = page.getByRole('dialog', { name: THERE });
  await sheet.getByRole('button', { name: text('menu.pause') }).tap();
  await sheet.getByText(text('state.paused')).first().waitFor();
  t.same(complaints, []);
});
