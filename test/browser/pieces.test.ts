// The map of the pieces follows a download by its legend, and asks for them only while they change and are looked at.
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

const PIECE = 16_384;
const PIECES = 20;
/** Longer than the pause between two looks, and the tick that says what is new. */
const STILL_MS = 2_000;

void testInBrowser(t, 'pieces', async (t, browser) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const made = makeTorrent({ name: 'map.bin', pieceLength: PIECE, files: seededBytes(1, PIECE * PIECES) });
  await daemon.addTorrentFile(made.torrentBytes);

  const { page, complaints } = await openPage(browser);
  let asked = 0;
  page.on('request', (request) => (asked += request.url().endsWith('/pieces') ? 1 : 0));
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  await page.getByRole('row', { name: 'map.bin' }).dblclick();
  const legend = page.getByRole('list', { name: `${PIECES} pieces` });
  const says = (text: string) => legend.getByText(text, { exact: true }).waitFor();
  await says('Have: 0');
  t.equal(await legend.getByRole('listitem').count(), 2, 'without a swarm nobody counts who has what');

  const seed = await seedContent({ ...made, bytes: made.payload, pieceLength: PIECE }, daemon.peerPort, 5);
  t.teardown(() => seed.destroy());
  await says('Have: 5');
  await says(`Missing: ${PIECES - 5}`);
  await says('Availability: 1.25');

  // Rates come to rest, and with them whatever the list says of the torrent.
  await page.waitForTimeout(STILL_MS);
  const askedBefore = asked;
  await page.waitForTimeout(STILL_MS);
  t.equal(asked, askedBefore, 'nothing changes, nothing is asked');

  await page.getByRole('tab', { name: 'Trackers' }).click();
  seed.allow(5);
  await page.getByRole('row', { name: '50.0%' }).waitFor();
  t.equal(asked, askedBefore, 'nor on another tab');
  await page.getByRole('tab', { name: 'Overview' }).click();
  await says('Have: 10');

  await setVisibility('hidden');
  const askedSeen = asked;
  seed.allow(5);
  await page.getByRole('row', { name: '75.0%' }).waitFor();
  await page.waitForTimeout(STILL_MS);
  t.equal(asked, askedSeen, 'nor while nobody looks');
  await setVisibility('visible');
  await says('Have: 15');
  seed.allow(Infinity);
  await says(`Have: ${PIECES}`);
  t.same(complaints, []);

  async function setVisibility(state: 'hidden' | 'visible'): Promise<void> {
    await page.evaluate(`
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
      document.dispatchEvent(new Event('visibilitychange'));
    `);
  }
});
