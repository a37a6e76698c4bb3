// What the browser and the system leave to the page: magnet links, shared links, torrent files; and the manifest by which
// they know that they may.
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { openPage, submitSignIn, testInBrowser } from './chromium.js';

const MAGNET = `magnet:?xt=urn:btih:${'a'.repeat(40)}&dn=${encodeURIComponent('Some & thing')}&tr=${encodeURIComponent('http://127.0.0.1:9/announce?key=1')}`;

t.setTimeout(120_000);

void testInBrowser(t, 'opened with', async (t, browser) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const { page, complaints } = await openPage(browser);
  const dialog = page.getByRole('dialog', { name: 'Add torrents' });
  const links = dialog.getByLabel('Magnet links, URLs or info hashes');

  await t.test('a magnet link waits until somebody has signed in, and is not added by itself', async (t) => {
    await page.goto(`${daemon.url}/#add=${encodeURIComponent(MAGNET)}`);
    await submitSignIn(page, 'admin', daemon.adminPassword);
    await dialog.waitFor();
    t.equal(await links.inputValue(), MAGNET);
    t.equal(await page.evaluate('location.href'), `${daemon.url}/`, 'nor again by a reload');
    t.same(await daemon.torrents(), []);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  await t.test('so does another one in a page that is open, and what is shared', async (t) => {
    await page.evaluate(`location.hash = ${JSON.stringify(`#add=${encodeURIComponent(MAGNET)}`)}`);
    await dialog.waitFor();
    t.equal(await links.inputValue(), MAGNET);
    const shared = new URLSearchParams({
      share_title: 'x',
      share_text: `Look:\n${MAGNET}`,
      share_url: 'https://a.example/b.torrent',
    });
    await page.goto(`${daemon.url}/?${shared}`);
    await dialog.waitFor();
    t.equal(await links.inputValue(), `${MAGNET}\nhttps://a.example/b.torrent`);
    t.equal(await page.evaluate('location.search'), '');
  });

  await t.test('a torrent file that the system opens is one that was chosen', async (t) => {
    const { torrentBytes } = makeTorrent({ name: 'opened', pieceLength: 16_384, files: seededBytes(3, 999) });
    const text = Buffer.from(torrentBytes).toString('base64');
    // The part of the browser that only an installed app is given.
    await page.addInitScript(`Object.defineProperty(window, 'launchQueue', { value: {
      setConsumer: (consumer) => consumer({ files: [{ getFile: async () =>
        new File([Uint8Array.from(atob('${text}'), (one) => one.charCodeAt(0))], 'opened.torrent') }] }),
    } })`);
    await page.goto(daemon.url);
    await dialog
      .getByText(/^opened(\.torrent)?$/)
      .first()
      .waitFor();
    t.same(await daemon.torrents(), []);
    await page.keyboard.press('Escape');
  });

  await t.test('the browser is asked to leave magnet links to the page', async (t) => {
    await page.addInitScript(`Object.defineProperty(window, 'launchQueue', { value: undefined });
      navigator.registerProtocolHandler = (...args) => { window.registered = args; };`);
    await page.goto(`${daemon.url}/settings/downloads`);
    await page.getByRole('button', { name: 'Open magnet links with Swarmd' }).click();
    await page.getByText('Confirm in your browser if it asks.').waitFor();
    t.same(await page.evaluate('window.registered'), ['magnet', `${daemon.url}/#add=%s`]);
  });

  await t.test('the manifest is one that browsers take, with icons that are what it says', async (t) => {
    const session = await page.context().newCDPSession(page);
    const { data = '', errors } = (await session.send('Page.getAppManifest')) as { data?: string; errors: unknown[] };
    t.same(errors, []);
    const manifest = JSON.parse(data) as {
      icons: { src: string; sizes: string; type: string }[];
      protocol_handlers: unknown;
    };
    t.same(manifest.protocol_handlers, [{ protocol: 'magnet', url: '/#add=%s' }]);
    for (const { src, sizes, type } of manifest.icons) {
      const answer = await fetch(daemon.url + src);
      t.same([answer.status, answer.headers.get('content-type')], [200, type], src);
      if (type !== 'image/png') continue;
      const png = Buffer.from(await answer.arrayBuffer());
      t.equal(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, sizes, src);
    }
    t.ok(
      manifest.icons.some(({ sizes }) => sizes === '192x192') &&
        manifest.icons.some(({ sizes }) => sizes === '512x512'),
    );
  });

  t.same(complaints, []);
});
