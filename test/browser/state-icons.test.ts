// What a torrent does is seen without reading: each state has an icon of its own in the rows and on the cards of phones,
// in a colour that stands out in both themes, and nothing of it is read aloud beside the word.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Page } from 'playwright-core';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { CONTRAST } from './accessibility.js';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld, type World } from './world.js';

const PIECE = 16_384;
const KIB = 1024;
const TIMEOUT_MS = 60_000;
/** A download of minutes, in which all the others are looked at. */
const SLOW = { bytes: seededBytes(5, 4096 * KIB), kbps: 16 };
const HASH = 'c3d4e5f6a7'.repeat(4);
/** Against what is behind it (WCAG 1.4.11). */
const MIN_CONTRAST = 3;

const WORDS = {
  'slow.bin': 'Downloading',
  'alone.bin': 'Stalled',
  'Arch Linux 2024.05.01': 'Paused',
  'Fedora-Workstation-40': 'Queued',
  [HASH]: 'Metadata',
  'whole.bin': 'Seeding',
  'ended.bin': 'Completed',
} as const;

interface ShownState {
  readonly word: string;
  readonly path: string;
  readonly isHidden: boolean;
  readonly contrast: number;
}

t.setTimeout(240_000);

void testInBrowser(t, 'icons of states', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  await fill(t, world);
  const { page, context, complaints } = await openPage(browser, { viewport: { width: 1440, height: 900 } });
  await world.enter(context);
  await world.open(page);

  await t.test('each state has its own in the rows', async (t) => {
    const shown = await statesIn(page);
    t.equal(new Set(Object.values(shown).map(({ path }) => path)).size, Object.keys(WORDS).length, 'all differ');
    t.ok(
      Object.values(shown).every(({ isHidden }) => isHidden),
      'the word says it to those who listen',
    );
  });

  await t.test('they stand out, also of a row that is selected, in both themes', async (t) => {
    await page.keyboard.press('Control+a');
    await page.locator('[role=row][aria-selected=true]').first().waitFor();
    for (const theme of ['dark', 'light']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      for (const [name, { contrast }] of Object.entries(await statesIn(page))) {
        t.ok(contrast >= MIN_CONTRAST, `${theme}, ${name}: ${contrast.toFixed(1)}`);
      }
    }
    await page.keyboard.press('Escape');
  });

  await t.test('the icon follows the state', async (t) => {
    const before = await statesIn(page);
    await world.daemon.api('POST', `/api/torrents/${await idOf(world, 'whole.bin')}/pause`, {});
    const after = await statesIn(page, { ...WORDS, 'whole.bin': 'Completed' });
    t.not(after['whole.bin']!.path, before['whole.bin']!.path);
    t.equal(after['whole.bin']!.path, after['ended.bin']!.path);
    await world.daemon.api('POST', `/api/torrents/${await idOf(world, 'whole.bin')}/resume`, {});
    await statesIn(page);
  });

  await t.test('the cards of a phone have them as well', async (t) => {
    const rows = await statesIn(page);
    await page.setViewportSize({ width: 390, height: 844 });
    const cards = await statesIn(page);
    for (const name of Object.keys(WORDS)) t.equal(cards[name]?.path, rows[name]?.path, name);
  });
  t.same(complaints, []);
});

/** Brings a torrent into each state that lasts. */
async function fill(t: Test, world: World): Promise<void> {
  const { daemon } = world;
  const post = async (path: string, body: unknown) => t.equal((await daemon.api('POST', path, body)).status, 200, path);
  const slow = makeTorrent({ name: 'slow.bin', pieceLength: PIECE, files: SLOW.bytes });
  const slowId = await daemon.addTorrentFile(slow.torrentBytes);
  await daemon.api('PUT', `/api/torrents/${slowId}/rate_limits`, { down_kbps: SLOW.kbps, up_kbps: 0 });
  // Of trackers that fail the others have a warning in place of it.
  const alone = makeTorrent({ name: 'alone.bin', pieceLength: PIECE, files: seededBytes(6, PIECE) });
  const aloneId = await daemon.addTorrentFile(alone.torrentBytes);
  const magnet = await daemon.addMagnet(`magnet:?xt=urn:btih:${HASH}`);
  await writeFile(join(daemon.savePath, 'ended.bin'), seededBytes(8, PIECE));
  const ended = makeTorrent({ name: 'ended.bin', pieceLength: PIECE, files: seededBytes(8, PIECE) });
  const endedId = await daemon.addTorrentFile(ended.torrentBytes);
  await daemon.waitFor(endedId, ({ completed }) => completed, TIMEOUT_MS);
  await post(`/api/torrents/${endedId}/pause`, {});
  for (const infohash of [slowId, aloneId, magnet]) {
    await post('/api/torrents/force_start', { infohash, force: true });
  }
  const limits = { max_active_downloads: 1, max_active_seeds: 0 };
  t.equal((await daemon.api('PUT', '/api/settings/queue_limits', limits)).status, 200);
  const seed = await seedContent({ ...SLOW, infoHash: slow.infoHash, pieceLength: PIECE }, daemon.peerPort, Infinity);
  t.teardown(() => seed.destroy());
}

async function idOf({ daemon }: World, name: string): Promise<string> {
  return (await daemon.torrents()).find((torrent) => torrent.name === name)!.id;
}

/** Waits until the rows say these words; returns what is seen of their states, by name. */
async function statesIn(page: Page, words: Readonly<Record<string, string>> = WORDS) {
  let seen: Readonly<Record<string, ShownState>> = {};
  const saysAll = () => Object.entries(words).every(([name, word]) => seen[name]?.word.startsWith(word));
  await waitUntil(
    JSON.stringify(words),
    TIMEOUT_MS,
    async () => {
      seen = (await page.evaluate(lookAt(Object.keys(words)))) as typeof seen;
      return saysAll() || undefined;
    },
    () => JSON.stringify(seen),
  );
  return seen;
}

/** A script that gives what is seen of the state of each of the torrents: its word, the icon, and how much it stands out. */
function lookAt(names: readonly string[]): string {
  return `(() => {
    ${CONTRAST}
    const rows = [...document.querySelectorAll('[role=row][id]:not([hidden])')];
    const seen = {};
    for (const name of ${JSON.stringify(names)}) {
      const row = rows.find(({ innerText }) => innerText.includes(name));
      const state = row?.querySelector('[data-icon]');
      const icon = state?.querySelector('svg');
      if (!icon) continue;
      seen[name] = {
        word: state.innerText.trim(),
        path: icon.firstElementChild.getAttribute('d'),
        isHidden: icon.getAttribute('aria-hidden') === 'true',
        contrast: contrast(getComputedStyle(icon).stroke, getComputedStyle(row).backgroundColor),
      };
    }
    return seen;
  })()`;
}
