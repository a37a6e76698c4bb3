// What is done most often with a torrent client, as tasks: a daemon with something to do in it, and a hand that counts its
// clicks and keys.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { BrowserContextOptions, Browser, Locator, Page } from 'playwright-core';
import { refusing, startHttpTracker } from '../support/http-tracker.js';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { addOldTorrents } from '../support/import/old-torrents.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, signIn } from './chromium.js';

const PIECE = 16_384;
const DAY_S = 86_400;
const TIMEOUT_MS = 60_000;
/** Below which nothing that can be reached by Tab is. */
const MAX_TABS = 80;
const SAID = 'Torrent not registered with this tracker.';

export const OWING = ['owes.iso', 'refused.iso'];
export const FILM = 'film.mkv';
export const REFUSED = 'refused.iso';
export const SLOW = 'slow.bin';

export interface Tasks {
  readonly daemon: DaemonUnderTest;
  readonly page: Page;
  readonly hand: Hand;
  readonly complaints: readonly string[];
  /** Of two files, a.bin and b.bin, which somebody has. */
  readonly magnet: string;
  /** Goes to the list as it is at first, where each task begins. */
  begin(): Promise<void>;
  /** Resolves when the torrent and its data are gone. */
  isRemoved(name: string): Promise<void>;
  isMovedTo(path: string): Promise<void>;
  /** Resolves when of the magnet's files only b.bin is there. */
  hasOneFile(): Promise<void>;
}

export async function startTasks(t: Test, browser: Browser, options: BrowserContextOptions): Promise<Tasks> {
  const tracker = await startHttpTracker({ respond: refusing(SAID) });
  const [daemon, seed] = await Promise.all([startDaemon(), startDaemon()]);
  t.teardown(() => Promise.all([daemon.stop(), seed.stop(), tracker.close()]));
  const old = [
    { name: 'owes.iso' },
    { name: REFUSED, tracker: tracker.announceUrl },
    { name: FILM, uploaded: 5 * PIECE },
    { name: 'paid.iso', uploaded: 9 * PIECE },
  ];
  const [, refused, film] = await addOldTorrents(daemon, old, DAY_S);
  const films = await daemon.api<{ id: number }>('POST', '/api/categories', {
    name: 'Films',
    default_save_path: '',
    color: '#c2410c',
  });
  await daemon.api('POST', '/api/torrents/category', { infohash: film, category_id: films.json.id });
  const slow = makeTorrent({ name: SLOW, pieceLength: PIECE, files: seededBytes(9, 20 * PIECE) });
  await daemon.addTorrentFile(slow.torrentBytes);
  const holder = await seedContent({ ...slow, bytes: slow.payload, pieceLength: PIECE }, daemon.peerPort, 2);
  t.teardown(() => holder.destroy());
  const files = ['a.bin', 'b.bin'].map((name, index) => ({ path: [name], bytes: seededBytes(20 + index, PIECE) }));
  const shared = makeTorrent({ name: 'by-magnet', pieceLength: PIECE, files });
  await mkdir(join(seed.savePath, 'by-magnet'));
  for (const { path, bytes } of files) await writeFile(join(seed.savePath, 'by-magnet', path[0]!), bytes);
  await seed.addTorrentFile(shared.torrentBytes);
  const has = (what: string, isSo: () => Promise<boolean>) =>
    waitUntil(what, TIMEOUT_MS, async () => (await isSo()) || undefined);
  await has('the tracker has refused', async () => {
    const { json } = await daemon.api<readonly { id: string; tracker_error: { code: string } | null }[]>(
      'GET',
      '/api/torrents',
    );
    return json.some(({ id, tracker_error }) => id === refused && tracker_error?.code === 'UNREGISTERED');
  });
  const { page, complaints } = await openPage(browser, options);
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  const hand = new Hand(page, options.hasTouch === true);
  return {
    daemon,
    page,
    hand,
    complaints,
    magnet: `magnet:?xt=urn:btih:${shared.infoHash}&dn=by-magnet&x.pe=${seed.peerAddress}`,
    async begin() {
      await page.goto(daemon.url);
      await page.getByText(SLOW).first().waitFor();
      hand.takeCounts();
    },
    async isRemoved(name) {
      await page.getByRole('row', { name }).waitFor({ state: 'detached' });
      await has('its data is gone', async () => !existsSync(join(daemon.savePath, name)));
    },
    async isMovedTo(path) {
      await daemon.waitFor(film!, ({ save_path }) => save_path === path, TIMEOUT_MS);
    },
    async hasOneFile() {
      await has('it is added', async () => (await daemon.torrents()).some(({ id }) => id === String(shared.infoHash)));
      // No tracker says so again.
      await daemon.api('POST', `/api/torrents/${shared.infoHash}/peers`, { peers: [seed.peerAddress] });
      await daemon.waitFor(shared.infoHash, ({ completed }) => completed, TIMEOUT_MS);
      const at = (name: string) => join(daemon.savePath, 'by-magnet', name);
      await has('one of its files', async () => existsSync(at('b.bin')) && !existsSync(at('a.bin')));
    },
  };
}

/** A hand of a person: what it presses is counted, and what it types is not. */
export class Hand {
  #clicks = 0;
  #keys = 0;

  constructor(
    readonly page: Page,
    private readonly isTouch: boolean,
  ) {}

  /** Those since they were last asked for. */
  takeCounts(): { readonly clicks: number; readonly keys: number } {
    const counts = { clicks: this.#clicks, keys: this.#keys };
    this.#clicks = this.#keys = 0;
    return counts;
  }

  async click(target: Locator, button: 'left' | 'right' = 'left'): Promise<void> {
    this.#clicks++;
    await (this.isTouch ? target.tap() : target.click({ button }));
  }

  async doubleClick(target: Locator): Promise<void> {
    this.#clicks += 2;
    await target.dblclick();
  }

  async press(...keys: readonly string[]): Promise<void> {
    this.#keys += keys.length;
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Into what has the focus. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.insertText(text);
  }

  /** By Tab alone. */
  async tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    for (let tabs = 0; tabs < MAX_TABS; tabs++) {
      if ((await target.and(this.page.locator(':focus')).count()) > 0) return;
      await this.press('Tab');
    }
    throw new Error(`not reached by ${MAX_TABS} Tabs: ${String(target)}`);
  }
}
