// Transmission's daemon with many torrents, over its RPC (rpc-spec.md). Listed are the fields that its web interface shows.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { freePort } from '../../test/support/free-port.js';
import { versionOf } from '../programs/version-of.js';
import { Child } from '../support/child.js';
import { KeepAliveClient } from '../support/keep-alive-client.js';
import type { TorrentSet } from '../support/torrent-set.js';
import type { LibraryProgram, Listing, RunningLibrary } from './library-program.js';

const CONNECTIONS = 8;
const SETTINGS = {
  'bind-address-ipv4': '127.0.0.1',
  'dht-enabled': false,
  'lpd-enabled': false,
  'pex-enabled': false,
  'utp-enabled': false,
  'port-forwarding-enabled': false,
  'download-queue-enabled': false,
  'seed-queue-enabled': false,
  'rpc-bind-address': '127.0.0.1',
  'rpc-authentication-required': false,
};
const FIELDS = [
  ...['id', 'hashString', 'name', 'downloadDir', 'totalSize', 'haveValid', 'percentDone', 'rateDownload', 'rateUpload'],
  ...['peersConnected', 'status', 'addedDate', 'queuePosition', 'error', 'leftUntilDone', 'labels'],
];
/** tr_torrent_activity, TR_STATUS_SEED. */
const SEEDING = 6;

const homeSchema = z.object({ 'rpc-port': z.int() });
const replySchema = z.object({ result: z.literal('success'), arguments: z.unknown() });
const torrentsSchema = z.object({ torrents: z.array(z.object({ status: z.int(), leftUntilDone: z.number() })) });

export const transmissionLibrary: LibraryProgram = {
  name: 'transmission',
  settings: `${JSON.stringify(SETTINGS)}; list of ${FIELDS.length} fields`,
  version: () => versionOf('transmission-daemon', ['--version'], /transmission-daemon (\S+)/),
  async start(home, set) {
    const file = join(home, 'settings.json');
    if (!existsSync(file)) {
      const ports = { 'rpc-port': await freePort(), 'peer-port': await freePort() };
      writeFileSync(file, JSON.stringify({ ...SETTINGS, ...ports }));
    }
    const port = homeSchema.parse(JSON.parse(readFileSync(file, 'utf8')))['rpc-port'];
    const child = new Child('transmission-daemon', ['--foreground', '--config-dir', home]);
    return new TransmissionLibrary(child, set, `http://127.0.0.1:${port}`);
  },
};

class TransmissionLibrary implements RunningLibrary {
  readonly pid: number;
  readonly #client: KeepAliveClient;
  #session = '';

  constructor(
    private readonly child: Child,
    private readonly set: TorrentSet,
    readonly url: string,
  ) {
    this.pid = child.pid;
    this.#client = new KeepAliveClient(url, CONNECTIONS, false);
  }

  check(): void {
    this.child.check();
  }

  async add(index: number): Promise<void> {
    const metainfo = Buffer.from(this.set.torrents[index]!.bytes).toString('base64');
    await this.#call('torrent-add', { metainfo, 'download-dir': this.set.folder, paused: false });
  }

  async list(): Promise<Listing> {
    const body = await this.#call('torrent-get', { fields: FIELDS });
    return { bytes: body.length, count: () => torrentsOf(body).length };
  }

  async complete(): Promise<number> {
    const torrents = torrentsOf(await this.#call('torrent-get', { fields: ['status', 'leftUntilDone'] }));
    return torrents.filter(({ status, leftUntilDone }) => status === SEEDING && leftUntilDone === 0).length;
  }

  async stop(): Promise<void> {
    this.#client.close();
    await this.child.stop();
  }

  async kill(): Promise<void> {
    this.#client.close();
    await this.child.kill();
  }

  /** The first call is refused with the session id that all further ones must carry. */
  async #call(method: string, args: Readonly<Record<string, unknown>>): Promise<Buffer> {
    const body = JSON.stringify({ method, arguments: args });
    const headers = { 'x-transmission-session-id': this.#session };
    const reply = await this.#client.ask('POST', '/transmission/rpc', headers, body);
    if (reply.status === 409) {
      this.#session = String(reply.headers['x-transmission-session-id']);
      return this.#call(method, args);
    }
    if (reply.status !== 200) throw new Error(`transmission: ${method}: ${reply.status}`);
    return reply.body;
  }
}

function torrentsOf(body: Buffer): z.infer<typeof torrentsSchema>['torrents'] {
  return torrentsSchema.parse(replySchema.parse(JSON.parse(body.toString())).arguments).torrents;
}
