// The bell: what has happened is told at once as the account has chosen, found later, and read on every page of the account.
import t from 'tap';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

const PIECE = 16_384;
/** What the page asks the browser to show while it is not looked at. */
const RECORDED = `
  window.shownByBrowser = [];
  window.Notification = class extends EventTarget {
    static permission = 'granted';
    static requestPermission = async () => 'granted';
    constructor(title, { tag }) { super(); window.shownByBrowser.push({ title, tag }); }
    close() {}
  };
`;

t.setTimeout(120_000);

void testInBrowser(t, 'notices', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { daemon } = world;
  /** Adds it and downloads it. */
  const complete = async (name: string) => {
    const made = makeTorrent({ name, pieceLength: PIECE, files: seededBytes(name.length, PIECE) });
    const id = await daemon.addTorrentFile(made.torrentBytes);
    const content = { bytes: made.payload, infoHash: made.infoHash, pieceLength: PIECE };
    const seed = await seedContent(content, daemon.peerPort, Infinity);
    t.teardown(() => seed.destroy());
    await daemon.waitFor(id, ({ completed }) => completed, 30_000);
  };
  await daemon.api('DELETE', '/api/notices');
  const { page, context, complaints } = await openPage(browser);
  await context.addInitScript(RECORDED);
  await world.enter(context);
  await world.open(page);
  const bell = page.getByRole('button', { name: /^Notifications/ });
  const dialog = page.getByRole('dialog', { name: 'Notifications' });
  const item = (text: string) => dialog.getByRole('listitem').filter({ hasText: text });
  const unread = (count: number) => page.getByRole('button', { name: `Notifications: ${count} unread` }).waitFor();
  const shown = () => page.evaluate<{ title: string; tag: string }[]>('window.shownByBrowser');

  await t.test('a torrent that completes is told at once, and the note leads to it', async (t) => {
    await complete('first.bin');
    await unread(1);
    const note = page.getByText('“first.bin” is complete.');
    await note.waitFor();
    t.same(await shown(), [], 'the browser says nothing beside the page that is looked at');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
    await page.getByRole('row', { name: 'first.bin', selected: true }).waitFor();
  });

  await t.test('while the page is not looked at, the browser tells', async (t) => {
    await page.evaluate(`Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' })`);
    // One that is unread would count it.
    await daemon.api('POST', '/api/notices/read', {});
    await complete('second.bin');
    await waitUntil('the notification', 10_000, async () => ((await shown()).length > 0 ? true : undefined));
    t.match(await shown(), [{ title: '“second.bin” is complete.', tag: /^swarmd-notice-\d+$/ }]);
    await page.evaluate('delete document.visibilityState');
    await unread(1);
  });

  await t.test('the history is there after a reload; to open it is to have read it, on every page', async (t) => {
    await page.reload();
    await unread(1);
    const other = await context.newPage();
    await world.open(other);
    await other.getByRole('button', { name: 'Notifications: 1 unread' }).waitFor();
    await bell.click();
    await item('first.bin').waitFor();
    t.same(
      await dialog.getByRole('listitem').evaluateAll((items) => items.map((each) => each.textContent?.slice(1, 7))),
      ['second', 'first.'],
    );
    await other.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    await other.close();
  });

  await t.test('what comes while it is open is in it, and what it names is opened from it', async () => {
    await complete('third.bin');
    await item('third.bin').waitFor();
    await item('third.bin').getByRole('button', { name: '“third.bin” is complete.', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: 'third.bin', selected: true }).waitFor();
  });

  await t.test('a kind is told as the account has chosen, on its other browsers too', async (t) => {
    await bell.click();
    await page.getByRole('button', { name: 'Choose notifications' }).click();
    const saved = page.waitForResponse((response) => response.url().endsWith('/api/me/preferences') && response.request().method() === 'PUT'); // prettier-ignore
    await page.getByRole('checkbox', { name: 'Download completed: Bell' }).uncheck();
    await page.getByRole('checkbox', { name: 'Download completed: On the page' }).uncheck();
    await saved;
    await page.keyboard.press('Escape');
    const { page: elsewhere, context: another } = await openPage(browser);
    await world.enter(another);
    await world.open(elsewhere);
    await complete('fourth.bin');
    await elsewhere.getByRole('row', { name: 'fourth.bin' }).waitFor();
    await elsewhere.getByRole('button', { name: 'Notifications', exact: true }).click();
    await elsewhere.getByRole('dialog').getByText('“fourth.bin” is complete.').waitFor();
    t.equal(await elsewhere.getByText('“fourth.bin” is complete.').count(), 1, 'in the history, and nowhere else');
    await another.close();
  });

  await t.test('one is removed, and all are', async (t) => {
    await page.reload();
    await bell.click();
    await page.getByRole('button', { name: 'Remove: “fourth.bin” is complete.' }).click();
    await item('fourth.bin').waitFor({ state: 'detached' });
    await item('third.bin').waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await dialog.getByText('Nothing has happened yet.').waitFor();
    const { json } = await daemon.api<{ notices: unknown[] }>('GET', '/api/notices');
    t.same(json.notices, []);
  });

  await t.test('another account finds nothing of it', async (t) => {
    const { page: others, context: viewers } = await openPage(browser);
    await world.enter(viewers, 'viewer');
    await others.goto(daemon.url);
    await others.getByRole('button', { name: 'Notifications', exact: true }).click();
    await others.getByText('Nothing has happened yet.').waitFor();
    await viewers.close();
    t.same(complaints, []);
  });
});
