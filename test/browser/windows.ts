// Every window that opens over a page, and how to get there. Each names the source that it is written in: a window that is
// missing here is found by test/unit/api/web/views.test.ts.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { t as text, type TextKey } from '../../api/web/src/strings/index.js';
import { parseInfoHash } from '../../shared-protocol/ids.js';
import type { DaemonUnderTest } from '../support/daemon.js';
import { makeTorrent } from '../support/make-torrent.js';
import { makeWav } from '../support/media.js';
import { handshake, RawPeer } from '../support/peers/raw-peer.js';
import { elsewhere, SERVER } from './elsewhere.js';
import type { View, ViewContext } from './views.js';
import { AWAY, BACKUP } from './world.js';

export interface WindowView extends View {
  /** The file below api/web/src/features with the window; it is there for each window that is in it. */
  readonly source: string;
}

type Open = (page: Page, context: ViewContext) => Promise<void>;

function windowView(name: string, source: string, open: Open, isOverDetails = false): WindowView {
  return {
    name: `window-${name}`,
    source,
    async open(page, context) {
      await open(page, context);
      // On a phone the details are one as well.
      const others = isOverDetails && context.isPhone ? 1 : 0;
      await page.locator('[role="dialog"]').nth(others).waitFor();
    },
  };
}

/** Of the menu of one torrent, which the toolbar has everywhere. */
function ofTorrent(name: string, source: string, ...path: readonly TextKey[]): WindowView {
  return windowView(name, `verbs/${source}.tsx`, async (page, { world }) => {
    await world.open(page);
    await page.getByRole('row', { name: world.torrentName }).getByRole('gridcell').first().click();
    await inMenu(page, text('list.more'), ...path);
  });
}

/** Of the details of a torrent, under one of their tabs. */
function ofDetails(name: string, source: string, tab: TextKey, open: (page: Page) => Promise<void>): WindowView {
  return overDetails(name, source, async (page, context) => {
    await showDetails(page, context, tab);
    await open(page);
  });
}

function overDetails(name: string, source: string, open: Open): WindowView {
  return windowView(name, source, open, true);
}

async function showDetails(page: Page, { world, isPhone }: ViewContext, tab: TextKey): Promise<void> {
  await world.open(page);
  const row = page.getByText(world.torrentName).first();
  await (isPhone ? row.click() : row.dblclick());
  await page.getByRole('tab', { name: text(tab) }).click();
}

const onPage = (name: string, source: string, path: string, open: Open): WindowView =>
  windowView(name, source, async (page, context) => {
    await page.goto(context.world.daemon.url + path);
    await page.locator('main').waitFor();
    await open(page, context);
  });

async function inMenu(page: Page, menu: string, ...path: readonly TextKey[]): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).last().click();
  // With its keys, where there are any.
  for (const key of path) await page.getByRole('menuitem', { name: new RegExp(`^${escaped(text(key))}`) }).click();
}

const escaped = (literal: string) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();

const VERBS = [
  ofTorrent('move', 'move', 'verbs.menu.move'),
  windowView('to-server', 'verbs/to-server.tsx', async (page, { world }) => {
    await elsewhere(world.daemon);
    await world.open(page);
    await page.getByRole('row', { name: 'Elsewhere.iso' }).waitFor();
    await page.getByRole('row', { name: world.torrentName }).getByRole('gridcell').first().click();
    await inMenu(page, text('list.more'), 'verbs.menu.toServer');
  }),
  ofTorrent('rename', 'rename', 'verbs.menu.rename'),
  ofTorrent('share', 'share', 'verbs.menu.share'),
  ofTorrent('limits', 'torrent-limits', 'verbs.menu.limits'),
  ofTorrent('seeding', 'seeding', 'verbs.menu.seeding'),
  ofTorrent('edit-trackers', 'edit-trackers', 'verbs.menu.trackers'),
  ofTorrent('add-peers', 'add-peers', 'verbs.menu.addPeers'),
  ofTorrent('links', 'links', 'verbs.menu.download', 'verbs.menu.links'),
  windowView('create', 'verbs/create.tsx', async (page, { world }) => {
    await world.open(page);
    await inMenu(page, text('list.more'), 'verbs.menu.create');
  }),
  windowView('replace-trackers', 'verbs/replace-trackers.tsx', async (page, { world }) => {
    await world.open(page);
    await inMenu(page, text('list.more'), 'verbs.menu.replaceTrackers');
  }),
];

const DETAILS = [
  ofDetails('rename-path', 'verbs/rename-path.tsx', 'details.tabs.files', async (page) => {
    await page.getByRole('treegrid').getByText('readme.txt').click();
    await press(page, text('verbs.rename.button'));
  }),
  overDetails('media-info', 'details/media-info.tsx', async (page, context) => {
    const name = await addSound(context.world.daemon);
    await showDetails(page, { ...context, world: { ...context.world, torrentName: name } }, 'details.tabs.files');
    await page.getByRole('treegrid').getByText(name).click();
    await press(page, text('verbs.files.media'));
    await page.getByRole('dialog').getByText('Sampling rate').waitFor();
  }),
  ofDetails('peers-add', 'details/peers.tsx', 'details.tabs.peers', (page) => press(page, text('details.peers.add'))),
  overDetails('ban', 'bans/ban-dialog.tsx', async (page, context) => {
    const { daemon, torrentName } = context.world;
    const { id } = (await daemon.torrents()).find(({ name }) => name === torrentName)!;
    const peer = await RawPeer.connect(daemon.peerPort);
    peer.send(handshake(parseInfoHash(id)));
    // Ends with the daemon.
    await showDetails(page, context, 'details.tabs.peers');
    const more = page
      .getByRole('table', { name: text('details.peers.title') })
      .getByRole('row')
      .last();
    await more.getByRole('button').last().click();
    await page.getByRole('menuitem', { name: text('verbs.peers.ban') }).click();
  }),
  ofDetails('flags', 'details/flag-legend.tsx', 'details.tabs.peers', (page) =>
    press(page, text('details.peers.explain')),
  ),
  ofDetails('trackers-add', 'details/trackers.tsx', 'details.tabs.trackers', (page) =>
    press(page, text('details.trackers.add')),
  ),
];

const OTHERS = [
  windowView('add', 'add/add-dialog.tsx', async (page, { world }) => {
    await world.open(page);
    await page.keyboard.press('a');
  }),
  windowView('help', 'help/help.tsx', async (page, { world }) => {
    await world.open(page);
    await page.keyboard.press('?');
  }),
  windowView('notices', 'notices/notices-dialog.tsx', async (page, { world }) => {
    await world.open(page);
    await page
      .locator('header')
      .getByRole('button', { name: new RegExp(`^${text('bar.notices')}`) })
      .click();
  }),
  windowView('remove', 'list/remove-dialog.tsx', async (page, { world }) => {
    await world.open(page);
    await page.getByRole('row', { name: world.torrentName }).getByRole('gridcell').first().click();
    await page.keyboard.press('Delete');
  }),
  windowView('view', 'list/view-dialog.tsx', async (page, { world }) => {
    await page.goto(`${world.daemon.url}/?state=downloading`);
    await press(page, text('view.save'));
  }),
  onPage('feed', 'feeds/feed-dialog.tsx', '/feeds', (page) => press(page, text('feeds.add'))),
];

/** Of a server that is set up, or of a torrent there. */
function ofServer(name: string, source: string, of: string, entry: TextKey): WindowView {
  return windowView(name, source, async (page, { world }) => {
    await elsewhere(world.daemon);
    await page.goto(`${world.daemon.url}/settings/servers`);
    await inMenu(page, text('servers.actionsOf', { name: of }), entry);
  });
}

const asked = (kind: TextKey) => (page: Page) => inMenu(page, text('accounts.actionsOf', { name: 'viewer' }), kind);

const SETTINGS = [
  onPage('bans-add', 'bans/bans-section.tsx', '/settings/blocklist', (page) => press(page, text('bans.add'))),
  onPage('category', 'labels/label-dialogs.tsx', '/settings/labels', (page) => press(page, text('labels.newCategory'))),
  onPage('tag', 'labels/label-dialogs.tsx', '/settings/labels', (page) => press(page, text('labels.newTag'))),
  onPage('label-delete', 'labels/labels-page.tsx', '/settings/labels', (page) =>
    press(page, text('labels.deleteOne', { name: 'Films' })),
  ),
  onPage('schedule-rule', 'settings/rule-dialog.tsx', '/settings/schedule', (page) =>
    press(page, text('settings.schedule.add')),
  ),
  onPage('leave', 'settings/leave-guard.tsx', '/settings/queue', async (page, { isPhone }) => {
    await page.locator('main input[inputmode], main input[type=number], main input[type=text]').first().fill('7');
    // To another page of the settings.
    if (isPhone) await page.locator('main select').first().selectOption('about');
    else await page.getByRole('link', { name: text('settings.pages.about') }).click();
  }),
  onPage('server', 'servers/server-dialog.tsx', '/settings/servers', (page) => press(page, text('servers.add'))),
  ofServer('server-delete', 'servers/servers-page.tsx', SERVER, 'servers.delete'),
  ofServer('server-torrent-remove', 'servers/server-torrents.tsx', 'Elsewhere.iso', 'servers.remove'),
  onPage('account', 'accounts/account-dialog.tsx', '/settings/accounts', (page) => press(page, text('accounts.new'))),
  onPage('account-quota', 'accounts/account-dialog.tsx', '/settings/accounts', async (page) => {
    await press(page, text('accounts.new'));
    await page.getByRole('dialog').getByText(text('quotas.title'), { exact: true }).click();
  }),
  onPage('account-password', 'accounts/accounts-page.tsx', '/settings/accounts', asked('accounts.reset')),
  onPage('account-key', 'accounts/accounts-page.tsx', '/settings/accounts', asked('accounts.endKey')),
  onPage('account-delete', 'accounts/accounts-page.tsx', '/settings/accounts', asked('accounts.delete')),
  onPage('key-rotate', 'accounts/api-key.tsx', '/account', (page) => press(page, text('accounts.key.rotate'))),
  onPage('key-end', 'accounts/api-key.tsx', '/account', (page) => press(page, text('accounts.key.end'))),
  onPage('webhook', 'webhooks/webhook-dialog.tsx', '/settings/webhooks', (page) => press(page, text('webhooks.add'))),
  onPage('webhook-delete', 'webhooks/webhooks-page.tsx', '/settings/webhooks', (page) =>
    press(page, text('webhooks.deleteOf', { url: AWAY })),
  ),
  onPage('webhook-secret', 'webhooks/webhooks-page.tsx', '/settings/webhooks', (page) =>
    press(page, text('webhooks.newSecretOf', { url: AWAY })),
  ),
  onPage('backup-delete', 'backups/backups-page.tsx', '/settings/backups', (page) =>
    press(page, text('backups.deleteOf', { name: BACKUP })),
  ),
  onPage('automation', 'automations/automations-page.tsx', '/settings/automations', (page) =>
    press(page, text('automations.add')),
  ),
  onPage('automation-delete', 'automations/automations-page.tsx', '/settings/automations', async (page) => {
    await press(page, text('automations.edit', { name: 'Seeded enough' }));
    await page
      .getByRole('dialog')
      .getByRole('button', { name: text('automations.delete'), exact: true })
      .click();
  }),
  onPage('automation-history', 'automations/history-dialog.tsx', '/settings/automations', (page) =>
    press(page, text('automations.showHistory', { name: 'Seeded enough' })),
  ),
];

/** A torrent that is all there, of one sound file. */
async function addSound(daemon: DaemonUnderTest): Promise<string> {
  const [name, sound] = ['sound.wav', makeWav()];
  await writeFile(join(daemon.savePath, name), sound);
  const id = await daemon.addTorrentFile(makeTorrent({ name, pieceLength: 16_384, files: sound }).torrentBytes);
  await daemon.waitFor(id, ({ completed }) => completed, 30_000);
  return name;
}

export const WINDOWS: readonly WindowView[] = [...VERBS, ...DETAILS, ...OTHERS, ...SETTINGS];
