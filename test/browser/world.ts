// A daemon with something of everything in it, for what looks at each page: torrents in several states, labels, a feed
// with filters, schedule rules, webhooks, a backup, a second account.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { startUpstream } from '../support/upstream.js';

const PIECE = 16_384;
const TITLES = ['Debian.12.5.netinst', 'Ubuntu 24.04 desktop amd64', 'Fedora-Workstation-40', 'Arch Linux 2024.05.01'];
const ITEMS = [
  ...TITLES.map((title, index) => ({ title: `${title}.iso`, at: 6 + index })),
  ...Array.from({ length: 20 }, (_, index) => ({ title: `Some.Show.S01E${index + 1}.1080p.WEB.x264`, at: index + 1 })),
];

/** URL of a webhook that leads nowhere. */
export const AWAY = 'http://127.0.0.1:9/hook';
/** Name of a backup. */
export const BACKUP = 'swarmd-2026-05-06T12-00-00Z.tar.gz';

export interface World {
  readonly daemon: DaemonUnderTest;
  /** Of the torrent that there is most to see of. */
  readonly torrentName: string;
  /** Gives the browser a session: not by the form, whose attempts are limited. */
  enter(context: BrowserContext, account?: 'admin' | 'viewer'): Promise<void>;
  /** Ends at the list. */
  open(page: Page): Promise<void>;
  stop(): Promise<void>;
}

export async function startWorld(): Promise<World> {
  const upstream = await startUpstream((_request, response) => {
    response.setHeader('content-type', 'application/rss+xml');
    response.end(rss());
  });
  const daemon = await startDaemon({ bytes: 200 * PIECE });
  const cookies = new Map<string, string>();
  try {
    await fill(daemon, `${upstream.origin}/feed.xml`);
    cookies.set('admin', await sessionOf(daemon.url, 'admin', daemon.adminPassword));
    const viewer = await sessionOf(daemon.url, 'viewer', 'viewers password');
    cookies.set('viewer', viewer);
    const headers = { cookie: viewer, origin: daemon.url };
    await fetch(`${daemon.url}/api/me/api_key/rotate`, { method: 'POST', headers });
  } catch (error) {
    await Promise.all([daemon.stop(), upstream.close()]);
    throw error;
  }
  return {
    daemon,
    torrentName: TITLES[0]!,
    async enter(context, account = 'admin') {
      const [name = '', value = ''] = (cookies.get(account) ?? '').split('=');
      await context.addCookies([{ name, value, url: daemon.url }]);
    },
    async open(page) {
      await page.goto(daemon.url);
      await page.getByText(TITLES[0]!).first().waitFor();
    },
    async stop() {
      await Promise.all([daemon.stop(), upstream.close()]);
    },
  };
}

async function fill(daemon: DaemonUnderTest, feedUrl: string): Promise<void> {
  const post = async (path: string, body: unknown) => {
    const { status, json } = await daemon.api<{ readonly id: number }>('POST', path, body);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(json)}`);
    return json.id;
  };
  await post('/api/webhooks', { url: new URL('/hook', feedUrl).href, events: ['completed', 'error'] });
  await post('/api/webhooks', { url: AWAY });
  const films = await post('/api/categories', { name: 'Films', default_save_path: '', color: '#c2410c' });
  await post('/api/categories', { name: 'Linux', default_save_path: '', color: '#2563eb' });
  const tag = await post('/api/tags', { name: 'keep', color: '#15803d' });
  for (const [index, name] of TITLES.entries()) {
    const bytes = seededBytes(index, PIECE * (index + 1) * 8);
    const isWhole = index % 2 === 0;
    const made = makeTorrent({
      name,
      pieceLength: PIECE,
      files: [
        { path: ['data', `${name}.iso`], bytes },
        { path: ['readme.txt'], bytes: seededBytes(99, 700) },
      ],
      trackers: ['http://127.0.0.1:9/announce'],
    });
    const id = await daemon.addTorrentFile(made.torrentBytes);
    if (index === 0) await post('/api/torrents/category', { infohash: id, category_id: films });
    if (isWhole) await post('/api/tags/assign', { infohash: id, tag_id: tag });
    else if (index === 3) await post(`/api/torrents/${id}/pause`, {});
  }
  await writeFile(join(daemon.savePath, 'whole.bin'), seededBytes(7, PIECE * 3));
  const whole = makeTorrent({ name: 'whole.bin', pieceLength: PIECE, files: seededBytes(7, PIECE * 3) });
  await daemon.waitFor(await daemon.addTorrentFile(whole.torrentBytes), ({ completed }) => completed, 30_000);
  const feed = await post('/api/feeds', { url: feedUrl, name: 'Linux releases', interval_min: 60 });
  await post('/api/feeds', { url: 'https://feeds.invalid/rss', name: '', enabled: false });
  await post('/api/filters', { feed_id: feed, regex: '(?i)debian.*netinst', category_id: films, enabled: false });
  await post('/api/filters', { feed_id: feed, regex: 'S01E\\d+\\.2160p', save_path: daemon.savePath });
  const night = { days_mask: 31, start_min: 1320, end_min: 420 };
  await post('/api/schedule_rules', { ...night, down_kbps: 0, up_kbps: 500, alt_only: false, enabled: true });
  const when = { match: 'all', conditions: [{ field: 'ratio', op: 'at_least', value: 2 }] };
  await post('/api/automations', { name: 'Seeded enough', when, actions: [{ action: 'pause' }], enabled: false });
  const backups = join(daemon.dataDir, 'backups');
  await mkdir(backups);
  await writeFile(join(backups, BACKUP), seededBytes(8, 40 * PIECE));
  await post('/api/users', { username: 'viewer', password: 'viewers password', role: 'user' });
}

async function sessionOf(url: string, username: string, password: string): Promise<string> {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ username, password }),
  });
  const cookie = answer.headers.get('set-cookie')?.split(';')[0];
  if (cookie === undefined) throw new Error(`login: ${answer.status}`);
  return cookie;
}

function rss(): string {
  const items = ITEMS.map(({ title, at }, index) => {
    const magnet = `magnet:?xt=urn:btih:${String(index).padStart(40, 'a')}`;
    const date = new Date(Date.UTC(2024, 4, at)).toUTCString();
    return `<item><title>${title}</title><guid>${index}</guid><link>${magnet}</link><pubDate>${date}</pubDate><size>${(index + 1) * 734_003_200}</size></item>`;
  });
  return `<rss version="2.0"><channel><title>Releases</title>${items.join('')}</channel></rss>`;
}

/** Its rule holds from 22:00 to 7:00: what a test says of limits would depend on the hour. */
export async function withoutSchedule(daemon: DaemonUnderTest): Promise<void> {
  for (const { id } of (await daemon.api<readonly { id: number }[]>('GET', '/api/schedule_rules')).json) {
    await daemon.api('DELETE', `/api/schedule_rules/${id}`);
  }
}
