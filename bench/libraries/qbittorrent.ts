// qBittorrent without a screen, with many torrents, over the API of its web interface. It takes the data unverified: it
// would look at one torrent a second.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { freePort } from '../../test/support/free-port.js';
import { versionOf } from '../programs/version-of.js';
import { Child } from '../support/child.js';
import { KeepAliveClient, torrentForm } from '../support/keep-alive-client.js';
import type { TorrentSet } from '../support/torrent-set.js';
import type { LibraryProgram, Listing, RunningLibrary } from './library-program.js';

const CONNECTIONS = 8;
const SESSION = {
  DHTEnabled: false,
  LSDEnabled: false,
  PeXEnabled: false,
  QueueingSystemEnabled: false,
  BTProtocol: 'TCP',
  InterfaceAddress: '127.0.0.1',
};
/** Seeding with nobody to seed to, or to somebody. */
const SEEDING: readonly string[] = ['stalledUP', 'uploading'];

const torrentsSchema = z.array(z.object({ state: z.string() }));

export const qbittorrentLibrary: LibraryProgram = {
  name: 'qbittorrent',
  settings: `${JSON.stringify(SESSION)}; no port mapping; added unverified`,
  version: () => versionOf('qbittorrent-nox', ['--version'], /qBittorrent v(\S+)/),
  async start(home, set) {
    const folder = join(home, 'qBittorrent', 'config');
    const file = join(folder, 'qBittorrent.conf');
    if (!existsSync(file)) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, configuration(await freePort(), await freePort()));
    }
    const port = /^WebUI\\Port=(\d+)$/m.exec(readFileSync(file, 'utf8'))?.[1];
    const child = new Child('qbittorrent-nox', [`--profile=${home}`]);
    return new QbittorrentLibrary(child, set, `http://127.0.0.1:${port}`);
  },
};

function configuration(webPort: number, peerPort: number): string {
  const session = Object.entries({ ...SESSION, Port: peerPort }).map(([key, value]) => `Session\\${key}=${value}`);
  return [
    ...['[LegalNotice]', 'Accepted=true', '[BitTorrent]', ...session],
    ...['[Network]', 'PortForwardingEnabled=false', '[Preferences]', 'WebUI\\Address=127.0.0.1'],
    ...['WebUI\\Enabled=true', 'WebUI\\LocalHostAuth=false', 'WebUI\\UseUPnP=false', `WebUI\\Port=${webPort}`, ''],
  ].join('\n');
}

class QbittorrentLibrary implements RunningLibrary {
  readonly pid: number;
  readonly #client: KeepAliveClient;

  constructor(
    private readonly child: Child,
    private readonly set: TorrentSet,
    readonly url: string,
  ) {
    this.pid = child.pid;
    this.#client = new KeepAliveClient(url, CONNECTIONS);
  }

  check(): void {
    this.child.check();
  }

  async add(index: number): Promise<void> {
    const { folder, torrents } = this.set;
    const { headers, body } = torrentForm(
      { savepath: folder, skip_checking: 'true' },
      { field: 'torrents', bytes: torrents[index]!.bytes },
    );
    await this.#client.demand('POST', '/api/v2/torrents/add', headers, body);
  }

  async list(): Promise<Listing> {
    const { body } = await this.#client.demand('GET', '/api/v2/torrents/info');
    return { bytes: body.length, count: () => torrentsOf(body).length };
  }

  async complete(): Promise<number> {
    const { body } = await this.#client.demand('GET', '/api/v2/torrents/info');
    return torrentsOf(body).filter(({ state }) => SEEDING.includes(state)).length;
  }

  async stop(): Promise<void> {
    this.#client.close();
    await this.child.stop();
  }

  async kill(): Promise<void> {
    this.#client.close();
    await this.child.kill();
  }
}

function torrentsOf(body: Buffer): z.infer<typeof torrentsSchema> {
  return torrentsSchema.parse(JSON.parse(body.toString()));
}
