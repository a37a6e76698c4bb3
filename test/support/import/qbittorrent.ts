// qBittorrent with a library: added over its files, which it checks, then renamed, skipped, paused and labelled.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.js';
import { qbittorrentNox } from '../compatible/qbittorrent-nox.js';
import { startChild, type Child } from '../peers/child-process.js';
import { waitUntil } from '../peers/wait-until.js';
import type { ForeignClient } from './foreign-client.js';
import type { OwnedTorrent } from './library.js';

const TIMEOUT_MS = 60_000;

export interface Listed {
  readonly hash: string;
  readonly name: string;
  readonly size: number;
  readonly category: string;
  readonly tags: string;
  readonly uploaded: number;
  readonly state: string;
  readonly completed: number;
  readonly added_on: number;
}

export class Qbittorrent {
  #cookie = '';
  private constructor(
    private readonly child: Child,
    private readonly url: string,
  ) {}

  static async start(home: string): Promise<Qbittorrent> {
    const port = await freePort();
    const child = await startChild('qbittorrent-nox', [`--profile=${home}`, `--webui-port=${port}`], {
      env: { HOME: home, http_proxy: undefined, HTTP_PROXY: undefined },
    });
    const started = new Qbittorrent(child, `http://127.0.0.1:${port}`);
    await waitUntil('qBittorrent answering', TIMEOUT_MS, () => started.#signIn().catch(() => undefined));
    return started;
  }

  async #signIn(): Promise<true | undefined> {
    const body = new URLSearchParams({ username: 'admin', password: 'adminadmin' });
    const answer = await fetch(`${this.url}/api/v2/auth/login`, { method: 'POST', body });
    this.#cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0]!;
    return answer.ok || undefined;
  }

  async post(path: string, fields: Readonly<Record<string, string>> | FormData): Promise<void> {
    const body = fields instanceof FormData ? fields : new URLSearchParams(fields);
    const answer = await fetch(`${this.url}/api/v2/${path}`, {
      method: 'POST',
      body,
      headers: { cookie: this.#cookie },
    });
    if (!answer.ok) throw new Error(`qBittorrent: ${path}: ${answer.status} ${await answer.text()}`);
  }

  async list(): Promise<readonly Listed[]> {
    const answer = await fetch(`${this.url}/api/v2/torrents/info`, { headers: { cookie: this.#cookie } });
    return (await answer.json()) as readonly Listed[];
  }

  async stop(): Promise<void> {
    await this.child.stop();
  }
}

async function fill(
  client: Qbittorrent,
  downloads: string,
  torrents: readonly OwnedTorrent[],
): Promise<readonly Listed[]> {
  await client.post('torrents/createCategory', { category: 'Films', savePath: downloads });
  for (const { made, key, isMagnet, name } of torrents) {
    const form = new FormData();
    if (isMagnet) form.set('urls', `magnet:?xt=urn:btih:${made.infoHash}&dn=${encodeURIComponent(name)}`);
    else form.set('torrents', new Blob([Uint8Array.from(made.torrentBytes)]), `${key}.torrent`);
    form.set('savepath', downloads);
    form.set('paused', 'true');
    if (key === 'many') form.set('category', 'Films');
    if (key === 'many') form.set('tags', 'old,kept');
    await client.post('torrents/add', form);
  }
  await waitUntil('all there', TIMEOUT_MS, async () => (await client.list()).length === torrents.length || undefined);
  const hashOf = (key: string) => torrents.find((torrent) => torrent.key === key)!.made.infoHash;
  await client.post('torrents/filePrio', { hash: hashOf('unwanted'), id: '1', priority: '0' });
  const all = torrents.filter(({ isMagnet }) => !isMagnet).map(({ made }) => made.infoHash);
  await client.post('torrents/recheck', { hashes: all.join('|') });
  const settled = await waitUntil('all checked', TIMEOUT_MS, async () => {
    const listed = await client.list();
    const isOver = listed.every(
      ({ hash, state, completed }) => !all.includes(hash as never) || (!/check/i.test(state) && completed > 0),
    );
    return isOver ? listed : undefined;
  });
  await client.post('torrents/renameFile', {
    hash: hashOf('renamed'),
    oldPath: 'renamed/a.bin',
    newPath: 'renamed/other/ä: a.bin',
  });
  await client.post('torrents/rename', { hash: hashOf('whole'), name: 'A shown name' });
  await client.post('torrents/setShareLimits', {
    hashes: hashOf('whole'),
    ratioLimit: '2.5',
    seedingTimeLimit: '-1',
    inactiveSeedingTimeLimit: '-2',
  });
  await client.post('torrents/setUploadLimit', { hashes: hashOf('whole'), limit: '102400' });
  const running = torrents
    .filter(({ wants, key }) => wants !== 'paused' && key !== 'part')
    .map(({ made }) => made.infoHash);
  await client.post('torrents/resume', { hashes: running.join('|') });
  await waitUntil('resumed', TIMEOUT_MS, async () => {
    const listed = await client.list();
    return listed.every(({ hash, state }) => !running.includes(hash as never) || !/^paused/.test(state)) || undefined;
  });
  return settled;
}

/** Everything on loopback. Resolves to its port for peers. */
export async function writeQbittorrentConfig(home: string, more: readonly string[] = []): Promise<number> {
  const folder = join(home, 'qBittorrent', 'config');
  await mkdir(folder, { recursive: true });
  const peerPort = await freePort();
  const lines = [
    '[LegalNotice]',
    'Accepted=true',
    '[Preferences]',
    'WebUI\\Address=127.0.0.1',
    'WebUI\\UseUPnP=false',
    '[Network]',
    'PortForwardingEnabled=false',
    '[BitTorrent]',
    'Session\\DHTEnabled=false',
    'Session\\LSDEnabled=false',
    'Session\\Interface=lo',
    'Session\\InterfaceName=lo',
    'Session\\InterfaceAddress=127.0.0.1',
    `Session\\Port=${peerPort}`,
    'Session\\QueueingSystemEnabled=false',
    ...more,
    '',
  ];
  await writeFile(join(folder, 'qBittorrent.conf'), lines.join('\n'));
  return peerPort;
}

/** `config`: lines of its section BitTorrent. */
const clientWith = (config: readonly string[]): ForeignClient => ({
  program: qbittorrentNox,
  from: 'qbittorrent',
  keepsOddNames: true,
  category: 'Films',
  async collect(home, downloads, torrents) {
    await writeQbittorrentConfig(home, config);
    const client = await Qbittorrent.start(home);
    const listed = await fill(client, downloads, torrents).finally(() => client.stop());
    const wanted = new Map(
      torrents.map(({ made, wants, isMagnet, key }) => [String(made.infoHash), { wants, isMagnet, key }]),
    );
    const facts = listed
      .filter(({ hash }) => !wanted.get(hash)?.isMagnet)
      .map(({ hash, completed, added_on }) => {
        const isPaused = wanted.get(hash)!.wants === 'paused' || wanted.get(hash)!.key === 'part';
        return [hash, { bytesDone: completed, isPaused, addedAt: added_on }] as const;
      });
    return {
      path: home,
      facts: new Map(facts),
      async loadAgain(count) {
        const again = await Qbittorrent.start(home);
        let last = 0;
        const isThere = async () => (last = (await again.list()).length) === count || undefined;
        await waitUntil('loaded again', TIMEOUT_MS, isThere, () => `${last} torrents`).finally(() => again.stop());
      },
    };
  },
});

export const qbittorrentClient = clientWith([]);
/** Keeps its torrents in a database in place of files. */
export const qbittorrentDatabaseClient = clientWith(['Session\\ResumeDataStorageType=SQLite']);
