// Every page and window of the interface and how to get there: what is photographed, and what is asked to be accessible.
// They are found by the texts of the language that this process speaks, which is the page's.
import type { Page } from 'playwright-core';
import { t as text } from '../../api/web/src/strings/index.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { speakAll } from '../support/texts.js';
import { dropFiles } from './drop.js';
import type { World } from './world.js';

await speakAll('en');

export interface View {
  /** As of a file. */
  readonly name: string;
  /** The address, of what is a page. */
  readonly path?: string;
  /** On phones a torrent that is tapped fills the screen. */
  readonly isForDesktop?: true;
  open(page: Page, context: ViewContext): Promise<void>;
}

export interface ViewContext {
  readonly world: World;
  readonly isPhone: boolean;
}

const TABS = ['overview', 'files', 'peers', 'trackers', 'speed', 'sharing', 'limits'] as const;
const SETTINGS = [
  ...[
    'speed',
    'schedule',
    'queue',
    'seeding',
    'automations',
    'peers',
    'network',
    'downloads',
    'blocklist',
    'labels',
    'web',
    'import',
  ],
  ...['tools', 'webhooks', 'servers', 'updates', 'backups', 'accounts', 'log', 'about'],
];

async function goTo(page: Page, { world }: ViewContext, path: string): Promise<void> {
  await page.goto(world.daemon.url + path);
  await page.locator('main').waitFor();
  await page.waitForLoadState('networkidle');
}

const at = (name: string, path: string): View => ({ name, path, open: (page, context) => goTo(page, context, path) });

/** Of the list, with one torrent chosen. */
async function choose(page: Page, { world }: ViewContext): Promise<void> {
  await world.open(page);
  await page.getByText(world.torrentName).first().click();
}

export const VIEWS: readonly View[] = [
  { name: 'torrents', path: '/', open: (page, { world }) => world.open(page) },
  { name: 'torrents-chosen', open: choose },
  {
    name: 'torrents-menu',
    isForDesktop: true,
    async open(page, context) {
      await choose(page, context);
      await page.getByText(context.world.torrentName).first().click({ button: 'right' });
      await page.getByRole('menu').first().waitFor();
    },
  },
  {
    name: 'torrents-none-match',
    async open(page, { world }) {
      await world.open(page);
      await page.getByRole('combobox', { name: text('list.search') }).fill('nothing is called this');
    },
  },
  {
    name: 'torrents-remove',
    isForDesktop: true,
    async open(page, context) {
      await choose(page, context);
      await page.getByRole('button', { name: text('menu.remove') }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'add',
    async open(page, { world }) {
      await world.open(page);
      await page.keyboard.press('a');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'add-files',
    async open(page, { world }) {
      await world.open(page);
      const files = ['film.mkv', 'Sample/film.mkv'].map((path, seed) => ({
        path: path.split('/'),
        bytes: seededBytes(seed, 999),
      }));
      const { torrentBytes } = makeTorrent({ name: 'New.Film', pieceLength: 16_384, files });
      await dropFiles(page, [{ name: 'new.torrent', bytes: torrentBytes }]);
      await page.getByRole('button', { name: text('add.files.skipSamples') }).waitFor();
      await page.getByText(text('add.more.title')).click();
    },
  },
  {
    name: 'help',
    async open(page, { world }) {
      await world.open(page);
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'account-menu',
    async open(page, { world }) {
      await world.open(page);
      await page.getByRole('button', { name: text('bar.account') }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  ...TABS.map((tab): View => ({
    name: `details-${tab}`,
    async open(page, context) {
      await choose(page, context);
      if (!context.isPhone) await page.getByText(context.world.torrentName).first().dblclick();
      await page.getByRole('tab', { name: text(`details.tabs.${tab}`) }).click();
      await page.getByText(text('details.loading')).waitFor({ state: 'detached' });
    },
  })),
  {
    name: 'drawer',
    async open(page, { world, isPhone }) {
      await world.open(page);
      if (isPhone) await page.getByRole('button', { name: text('bar.menu') }).click();
    },
  },
  at('statistics', '/statistics'),
  at('feeds', '/feeds'),
  {
    name: 'feeds-filter',
    async open(page, context) {
      await openFeed(page, context);
      await page.getByRole('button', { name: text('feeds.filters.add') }).click();
      await page.getByLabel(text('feeds.filters.pattern')).fill('(?i)linux|debian');
      await page
        .getByText(text('feeds.preview.count', { matching: 2, count: 24 }))
        .first()
        .waitFor();
    },
  },
  {
    name: 'feeds-add',
    async open(page, context) {
      await goTo(page, context, '/feeds');
      await page.getByRole('button', { name: text('feeds.add') }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'feeds-feed',
    open: openFeed,
  },
  ...SETTINGS.map((page) => at(`settings-${page}`, `/settings/${page}`)),
  {
    name: 'settings-import-archive',
    async open(page, context) {
      await goTo(page, context, '/settings/import');
      await page.getByLabel(text('imports.whereIs.archive')).check();
      await page.locator('main summary').click();
      await page.locator('main details code').waitFor();
    },
  },
  {
    name: 'settings-webhooks-sample',
    async open(page, context) {
      await goTo(page, context, '/settings/webhooks');
      await page.locator('main summary').click();
      await page.locator('main details code').waitFor();
    },
  },
  at('account', '/account'),
  at('not-found', '/nowhere'),
  {
    name: 'session-ended',
    async open(page, context) {
      await openFeed(page, context);
      const end = (route: { fulfill(answer: { status: number; json: unknown }): Promise<void> }) =>
        route.fulfill({ status: 401, json: { error: 'unauthorized' } });
      await page.route('**/api/feeds/*/items', end);
      await page.getByRole('button', { name: text('feeds.items.fetch') }).click();
      await page.getByText(text('signIn.ended')).waitFor();
      await page.unroute('**/api/feeds/*/items', end);
    },
  },
  {
    name: 'sign-in',
    async open(page, { world }) {
      await page.context().clearCookies();
      await page.goto(world.daemon.url);
      await page.getByLabel(text('signIn.username')).waitFor();
    },
  },
];

async function openFeed(page: Page, context: ViewContext): Promise<void> {
  await goTo(page, context, '/feeds');
  await page.getByRole('button', { name: 'Linux releases' }).click();
  await page.getByText('Debian.12.5.netinst.iso').waitFor();
}
