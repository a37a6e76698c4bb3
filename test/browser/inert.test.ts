// Texts of strangers are shown and do nothing: names of torrents and files, what a tracker says, names of clients, titles
// of feeds, full of HTML, of marks that turn the line, and of control characters.
import t, { type Test } from 'tap';
import type { Page } from 'playwright-core';
import { startDaemon } from '../support/daemon.js';
import { refusal } from '../support/http-tracker.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { extended, frame, handshake, ID, RawPeer } from '../support/peers/raw-peer.js';
import { startUpstream } from '../support/upstream.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

const MARKUP = `<img src=x onerror="window.broken=1"><script>window.broken=1</script><b>bold</b>`;
const BIDI = '\u202egnp.exe\u2066\u200f';
const CONTROL = 'line\u0007\u001b[31m\u0085break';
const HOSTILE = `${MARKUP}${BIDI}${CONTROL}&lt;i&gt;\${1}{{2}}`;
const CLIENT = '<b>client</b><img src=x onerror=window.broken=1>';
const FILE = `readme${BIDI}<svg onload=window.broken=1>.txt`;
/** As pages write them for the eye: nothing that turns or breaks the line is left of it. */
const DANGEROUS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
/** Each when what comes from strangers is shown. */
const TABS = [
  { tab: 'Overview', shows: /[0-9a-f]{40}/ },
  // As they are on disk: the engine takes away what names of files must not hold.
  { tab: 'Files', shows: 'svg onload' },
  { tab: 'Peers', shows: '<b>client</b>' },
  { tab: 'Trackers', shows: '<b>bold</b>' },
  { tab: 'Sharing', shows: 'admin' },
  { tab: 'Limits', shows: 'KiB/s' },
];

t.setTimeout(120_000);

async function isInert(t: Test, page: Page, where: string): Promise<void> {
  t.equal(await page.evaluate('window.broken'), undefined, `${where}: nothing ran`);
  const made = await page.evaluate(
    `[...document.querySelectorAll('#root img, #root b, #root script, #root [onload], #root [onerror]')].length`,
  );
  t.equal(made, 0, `${where}: no element was made of it`);
  const shown = await page.evaluate(`(() => {
    const texts = [document.title, document.body.innerText];
    for (const element of document.querySelectorAll('[title], [aria-label]')) {
      texts.push(element.getAttribute('title') ?? '', element.getAttribute('aria-label') ?? '');
    }
    return texts.join(' ');
  })()`);
  t.notMatch(String(shown), DANGEROUS, `${where}: no mark that turns or breaks the line`);
}

void testInBrowser(t, 'texts of strangers', async (t, browser) => {
  const upstream = await startUpstream((request, response) => {
    if (request.url?.startsWith('/announce')) {
      return void response.end(refusal(HOSTILE));
    }
    response.setHeader('content-type', 'application/rss+xml');
    const title = HOSTILE.replace(/[\u0000-\u0008\u000b-\u001f]/g, '')
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;');
    const link = `magnet:?xt=urn:btih:${'b'.repeat(40)}`;
    response.end(`<rss version="2.0"><channel><item><title>${title}</title><guid>1</guid><link>${link}</link></item>
      </channel></rss>`);
  });
  const daemon = await startDaemon();
  t.teardown(() => Promise.all([daemon.stop(), upstream.close()]));

  const made = makeTorrent({
    name: HOSTILE,
    pieceLength: 16_384,
    files: [
      { path: [MARKUP, FILE], bytes: seededBytes(1, 20_000) },
      { path: ['plain.txt'], bytes: seededBytes(2, 300) },
    ],
    trackers: [`${upstream.origin}/announce`],
  });
  const id = await daemon.addTorrentFile(made.torrentBytes);
  const named = { name: `<b>category</b>${MARKUP}`.slice(0, 99), default_save_path: '', color: '' };
  const category = await daemon.api('POST', '/api/categories', named);
  await daemon.api('POST', '/api/torrents/category', { infohash: id, category_id: category.json['id'] });
  const peer = await RawPeer.connect(daemon.peerPort);
  t.teardown(() => peer.destroy());
  const body = `d1:md6:ut_pexi1ee1:v${Buffer.byteLength(CLIENT)}:${CLIENT}e`;
  peer.send(handshake(made.infoHash, { extended: true, fast: true }), extended(body), frame(ID.haveNone));
  await daemon.addMagnet(
    `magnet:?xt=urn:btih:${'c'.repeat(40)}&dn=${encodeURIComponent(`<i>magnet</i>${BIDI}${CONTROL}`)}`,
  );
  await daemon.api('POST', '/api/feeds', { url: `${upstream.origin}/feed`, name: `${MARKUP}${BIDI}`.slice(0, 99) });

  const { page, complaints } = await openPage(browser);
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  // Its name is the one on disk; what people may call a category goes further.
  await page.getByText('<b>bold<_b>').first().waitFor();
  await page.getByText('<b>category</b>').first().waitFor();
  await isInert(t, page, 'the list');

  await page.getByText('<b>bold<_b>').first().dblclick();
  for (const { tab, shows } of TABS) {
    await page.getByRole('tab', { name: tab }).click();
    await page.getByRole('tabpanel').filter({ hasText: shows }).waitFor();
    await isInert(t, page, tab);
  }
  await page.keyboard.press('Escape');

  await page.getByText('<b>bold<_b>').first().click();
  await page.getByRole('button', { name: 'Remove…' }).click();
  await page.getByRole('dialog').waitFor();
  await isInert(t, page, 'the question before removing');
  await page.keyboard.press('Escape');

  await page.goto(`${daemon.url}/feeds`);
  await page
    .getByText(/1 items? match/)
    .first()
    .waitFor();
  await isInert(t, page, 'a feed and its items');
  t.same(complaints, []);
});
