// Transmission with a library: added over its files, which it verifies, then renamed, skipped and paused.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.js';
import { startChild, type Child } from '../peers/child-process.js';
import { transmission } from '../peers/transmission.js';
import { waitUntil } from '../peers/wait-until.js';
import type { ForeignClient } from './foreign-client.js';
import type { OwnedTorrent } from './library.js';

const TIMEOUT_MS = 20_000;
const SESSION_HEADER = 'x-transmission-session-id';
const FIELDS = ['id', 'hashString', 'status', 'haveValid', 'haveUnchecked', 'addedDate', 'recheckProgress'];
const STOPPED = 0;

interface Listed {
  readonly id: number;
  readonly hashString: string;
  readonly status: number;
  readonly haveValid: number;
  readonly haveUnchecked: number;
  readonly addedDate: number;
}

export class Transmission {
  #session = '';
  private constructor(
    private readonly child: Child,
    private readonly url: string,
  ) {}

  static async start(home: string, downloads: string): Promise<Transmission> {
    const [rpcPort, peerPort] = [await freePort(), await freePort()];
    const settings = {
      'download-dir': downloads,
      'rpc-port': rpcPort,
      'rpc-bind-address': '127.0.0.1',
      'bind-address-ipv4': '127.0.0.1',
      'bind-address-ipv6': '::1',
      'peer-port': peerPort,
      'dht-enabled': false,
      'lpd-enabled': false,
      'pex-enabled': false,
      'port-forwarding-enabled': false,
      'utp-enabled': false,
    };
    await mkdir(home, { recursive: true });
    await writeFile(join(home, 'settings.json'), JSON.stringify(settings));
    const child = await startChild('transmission-daemon', ['--foreground', '--config-dir', home], {
      env: { http_proxy: undefined, HTTP_PROXY: undefined, all_proxy: undefined, ALL_PROXY: undefined },
    });
    const started = new Transmission(child, `http://127.0.0.1:${rpcPort}/transmission/rpc`);
    await waitUntil('Transmission answering', TIMEOUT_MS, () => started.list().catch(() => undefined));
    return started;
  }

  async call<Answer>(method: string, args: object): Promise<Answer> {
    for (;;) {
      const headers = { [SESSION_HEADER]: this.#session };
      const body = JSON.stringify({ method, arguments: args });
      const answer = await fetch(this.url, { method: 'POST', headers, body });
      this.#session = answer.headers.get(SESSION_HEADER) ?? this.#session;
      if (answer.status === 409) continue;
      const { result, arguments: given } = (await answer.json()) as { result: string; arguments: Answer };
      if (result !== 'success') throw new Error(`Transmission: ${method}: ${result}`);
      return given;
    }
  }

  async list(): Promise<readonly Listed[]> {
    return (await this.call<{ torrents: readonly Listed[] }>('torrent-get', { fields: FIELDS })).torrents;
  }

  async stop(): Promise<void> {
    await this.child.stop();
  }
}

async function fill(client: Transmission, downloads: string, torrents: readonly OwnedTorrent[]) {
  for (const { made, isMagnet, wants, name } of torrents) {
    const source = isMagnet
      ? { filename: `magnet:?xt=urn:btih:${made.infoHash}&dn=${encodeURIComponent(name)}` }
      : { metainfo: Buffer.from(made.torrentBytes).toString('base64') };
    const skipped = wants === 'second file skipped' ? { 'files-unwanted': [1] } : {};
    await client.call('torrent-add', { ...source, ...skipped, 'download-dir': downloads, paused: true });
  }
  const own = torrents.filter(({ isMagnet }) => !isMagnet).map(({ made }) => String(made.infoHash));
  await client.call('torrent-verify', { ids: own });
  const listed = await waitUntil('all verified', TIMEOUT_MS, async () => {
    const all = await client.list();
    const isOver = all.every(
      ({ hashString, status, haveValid }) => !own.includes(hashString) || (status === STOPPED && haveValid > 0),
    );
    return isOver ? all : undefined;
  });
  const hashOf = (key: string) => String(torrents.find((torrent) => torrent.key === key)!.made.infoHash);
  await client.call('torrent-rename-path', { ids: [hashOf('renamed')], path: 'renamed/a.bin', name: 'ä a.bin' });
  await client.call('torrent-set', {
    ids: [hashOf('many')],
    labels: ['old', 'kept'],
    seedRatioMode: 1,
    seedRatioLimit: 2.5,
    uploadLimit: 100,
    uploadLimited: true,
  });
  const running = torrents.filter(({ wants, key }) => wants !== 'paused' && key !== 'part');
  await client.call('torrent-start-now', { ids: running.map(({ made }) => made.infoHash) });
  await waitUntil('all started', TIMEOUT_MS, async () => {
    const all = await client.list();
    const wanted = new Set(running.map(({ made }) => String(made.infoHash)));
    return all.every(({ hashString, status }) => !wanted.has(hashString) || status !== STOPPED) || undefined;
  });
  return listed;
}

export const transmissionClient: ForeignClient = {
  program: transmission,
  from: 'transmission',
  keepsOddNames: false,
  category: null,
  async collect(home, downloads, torrents) {
    const client = await Transmission.start(home, downloads);
    const listed = await fill(client, downloads, torrents).finally(() => client.stop());
    const known = new Map(torrents.map((torrent) => [String(torrent.made.infoHash), torrent]));
    const facts = listed
      .filter(({ hashString }) => !known.get(hashString)?.isMagnet)
      .map(({ hashString, haveValid, addedDate }) => {
        const { wants, key } = known.get(hashString)!;
        return [
          hashString,
          { bytesDone: haveValid, isPaused: wants === 'paused' || key === 'part', addedAt: addedDate },
        ] as const;
      });
    return {
      path: home,
      facts: new Map(facts),
      async loadAgain(count) {
        const again = await Transmission.start(home, downloads);
        let last = 0;
        const isThere = async () => (last = (await again.list()).length) === count || undefined;
        await waitUntil('loaded again', TIMEOUT_MS, isThere, () => `${last} torrents`).finally(() => again.stop());
      },
    };
  },
};
