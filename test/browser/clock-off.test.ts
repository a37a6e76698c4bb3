// A browser whose clock is off tells all the same in how long a tracker is asked next.
import t from 'tap';
import { startHttpTracker } from '../support/http-tracker.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { startDaemon } from '../support/daemon.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

const PIECE = 16_384;
/** Two hours and a half. */
const OFF = `{
  const { now } = Date;
  Date.now = () => now() - 9_000_000;
}`;

t.setTimeout(120_000);

void testInBrowser(t, 'a clock that is off', async (t, browser) => {
  const tracker = await startHttpTracker();
  t.teardown(() => tracker.close());
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const files = seededBytes(3, PIECE);
  const made = makeTorrent({ name: 'tracked.bin', pieceLength: PIECE, files, trackers: [tracker.announceUrl] });
  await daemon.addTorrentFile(made.torrentBytes);
  const { page, context, complaints } = await openPage(browser);
  await context.addInitScript(OFF);
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  const row = page.getByRole('row', { name: 'tracked.bin' });
  await row.dblclick();
  const next = page.locator('dl > div', { has: page.getByText('Next announce', { exact: true }) });
  const told = await next.getByText(/^in \d/).innerText();
  t.notMatch(told, /\dh|\d h/, 'in minutes, as the tracker has said');
  t.same(complaints, []);
});
