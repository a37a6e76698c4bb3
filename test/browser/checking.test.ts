// A torrent that is being checked says how far that is, wherever it is shown.
import { createHash } from 'node:crypto';
import { link, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import bencode from 'bencode';
import t from 'tap';
import type { Locator } from 'playwright-core';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

const NAME = 'Large';
const FILES = 128;
const FILE_BYTES = 32 * 1024 * 1024;
const PIECE_BYTES = 4 * 1024 * 1024;
/** A check that has begun and has not ended, by all that the place says. */
const UNDER_WAY = /Checking ([1-9]\d?)%/;
const TIMEOUT_MS = 60_000;

t.setTimeout(300_000);

void testInBrowser(t, 'a check', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { daemon } = world;
  // One file by many names: gigabytes to hash, which take seconds, and next to nothing to write.
  const folder = join(daemon.savePath, NAME);
  const file = Buffer.alloc(FILE_BYTES, 1);
  await mkdir(folder);
  await writeFile(join(folder, '0'), file);
  for (let i = 1; i < FILES; i++) await link(join(folder, '0'), join(folder, String(i)));
  const id = await daemon.addTorrentFile(torrentOfCopies(file));
  /** Looks until the place says how far it is; a machine that hashes faster than it looks is asked again. */
  const seen = async (place: Locator, isMet: (text: string, percent: string) => boolean | Promise<boolean>) => {
    let text = '';
    await waitUntil(
      'a check under way',
      TIMEOUT_MS,
      async () => {
        const torrent = (await daemon.torrents()).find((each) => each.id === id);
        if (torrent?.['verifying'] === false) await daemon.api('POST', `/api/torrents/${id}/recheck`, {});
        text = await place.innerText();
        const percent = UNDER_WAY.exec(text)?.[1];
        return (percent !== undefined && (await isMet(text, percent))) || undefined;
      },
      () => text,
    );
  };
  const { page, context, complaints } = await openPage(browser, { viewport: { width: 1440, height: 900 } });
  await world.enter(context);
  await world.open(page);
  const row = page.getByRole('row', { name: NAME });
  await row.waitFor();

  await t.test('the row, by its word and its bar', async () => {
    await seen(row, (text, percent) => text.match(new RegExp(`\\b${percent}%`, 'g'))?.length === 2);
  });

  await t.test('the details', async () => {
    await row.getByText(NAME).click();
    await page.keyboard.press('Enter');
    const details = page.getByRole('tabpanel');
    await details.getByText('Checking').waitFor();
    await seen(details, (text, percent) => text.match(new RegExp(`\\b${percent}%`, 'g'))?.length === 2);
  });

  await t.test('the card of a phone', async () => {
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    await seen(row, () => true);
  });

  await t.test('and null when it is over', async (t) => {
    await daemon.waitFor(id, ({ verifying }) => verifying === false, TIMEOUT_MS);
    const torrent = (await daemon.torrents()).find((each) => each.id === id);
    t.equal(torrent && 'checking_progress' in torrent ? torrent.checking_progress : 'no such field', null);
    t.equal(torrent?.['progress'], 1);
  });
  t.same(complaints, []);
});

function torrentOfCopies(file: Uint8Array): Uint8Array {
  const digest = createHash('sha1').update(file.subarray(0, PIECE_BYTES)).digest();
  const pieces = Array.from({ length: (FILES * FILE_BYTES) / PIECE_BYTES }, () => digest);
  const files = Array.from({ length: FILES }, (_, i) => ({ length: FILE_BYTES, path: [String(i)] }));
  return bencode.encode({ info: { name: NAME, 'piece length': PIECE_BYTES, pieces: Buffer.concat(pieces), files } });
}
