// Swarmd with many torrents: five accounts, of which each of the four users adds every sixth torrent and sees no other, and
// the administrator the rest and sees everything. They are made in a run before the first that counts.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { freePort } from '../../test/support/free-port.js';
import { Child } from '../support/child.js';
import { KeepAliveClient, torrentForm } from '../support/keep-alive-client.js';
import { compiledFile, projectVersion } from '../support/project.js';
import type { TorrentSet } from '../support/torrent-set.js';
import { until } from '../support/wait.js';
import { QUIET_FLAGS } from '../support/quiet-flags.js';
import type { LibraryProgram, Listing, RunningLibrary } from './library-program.js';

const FLAGS = ['--fetch-allow', '127.0.0.0/8,::1/128', ...QUIET_FLAGS];
const START_TIMEOUT_MS = 30_000;
const CONNECTIONS = 32;
const USERS = 4;
/** One of so many torrents is a user's own: a fifth of a hundred thousand is all that a user may own. */
const SHARES = 6;
/** Place of the administrator's key. */
const ADMINISTRATOR = 0;
/** More do not go into one request. */
const MAX_BATCH = 20_000;

const homeSchema = z.object({ port: z.int(), keys: z.array(z.string()) });
const keySchema = z.object({ api_key: z.string() });
const batchSchema = z.object({ outcomes: z.array(z.object({ ok: z.boolean() })) });
const statsSchema = z.object({ seeding_torrents: z.int() });
const listSchema = z.array(z.object({ id: z.string() }));

export const swarmdLibrary: LibraryProgram = {
  name: 'swarmd',
  settings: `node ${process.version} dist/api/main.js ${FLAGS.join(' ')}; defaults otherwise; 1 administrator, ${USERS} users`,
  version: () => Promise.resolve(projectVersion()),
  async start(home, set) {
    const file = join(home, 'bench.json');
    if (!existsSync(file)) writeFileSync(file, JSON.stringify(await prepare(home, set)));
    const { port, keys } = homeSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    return new SwarmdLibrary(spawnDaemon(home, set, port), set, `http://127.0.0.1:${port}`, keys, home);
  },
};

export class SwarmdLibrary implements RunningLibrary {
  readonly pid: number;
  readonly #client: KeepAliveClient;
  /** Numbers of those that this process was told to. */
  readonly #sequential = new Set<number>();

  constructor(
    readonly child: Child,
    private readonly set: TorrentSet,
    readonly url: string,
    /** The administrator's first. */
    readonly keys: readonly string[],
    /** Where loop-delay-hook.ts answers. */
    readonly loopDir: string,
  ) {
    this.pid = child.pid;
    this.#client = new KeepAliveClient(url, CONNECTIONS);
  }

  check(): void {
    this.child.check();
  }

  async add(index: number): Promise<void> {
    const { folder, torrents } = this.set;
    const { headers, body } = torrentForm({ save_path: folder }, { field: 'file', bytes: torrents[index]!.bytes });
    const share = index % SHARES;
    await this.ask('POST', '/api/torrents/file', headers, body, share < this.keys.length ? share : ADMINISTRATOR);
  }

  async list(encoding?: 'gzip'): Promise<Listing> {
    const { body } = await this.ask('GET', '/api/torrents', encoding ? { 'accept-encoding': encoding } : {});
    return { bytes: body.length, count: () => listSchema.parse(JSON.parse(body.toString())).length };
  }

  async complete(): Promise<number> {
    const { body } = await this.ask('GET', '/api/stats');
    return statsSchema.parse(JSON.parse(body.toString())).seeding_torrents;
  }

  /** Changes one torrent's row of numbers, as a transfer would; the answer comes when it is stored. */
  async touch(index: number): Promise<void> {
    const { id } = this.set.torrents[index]!;
    const enabled = !this.#sequential.delete(index);
    if (enabled) this.#sequential.add(index);
    const json = { 'content-type': 'application/json' };
    await this.ask('POST', '/api/torrents/sequential', json, JSON.stringify({ infohash: id, enabled }));
  }

  /** Pauses so many in one request, and lets them run again. Milliseconds until the pauses were answered. */
  async pauseAll(count: number): Promise<number> {
    const ids = this.set.torrents.slice(0, Math.min(count, MAX_BATCH)).map(({ id }) => id);
    const json = { 'content-type': 'application/json' };
    const act = (action: string) =>
      this.ask('POST', '/api/torrents/batch', json, JSON.stringify({ ids, action })).then(({ body }) =>
        batchSchema.parse(JSON.parse(body.toString())),
      );
    const startMs = performance.now();
    const { outcomes } = await act('pause');
    const tookMs = performance.now() - startMs;
    if (outcomes.some(({ ok }) => !ok)) throw new Error('not all were paused');
    await act('resume');
    return tookMs;
  }

  async stop(): Promise<void> {
    this.#client.close();
    await this.child.stop();
  }

  async kill(): Promise<void> {
    this.#client.close();
    await this.child.kill();
  }

  /** As the account of this number. */
  private ask(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> | object = {},
    body?: string | Uint8Array,
    account = ADMINISTRATOR,
  ) {
    return this.#client.demand(method, path, { ...headers, authorization: `Bearer ${this.keys[account]}` }, body);
  }
}

function spawnDaemon(home: string, set: TorrentSet, port: number): Child {
  return new Child(
    process.execPath,
    [
      // Else the threads could not be told to collect their garbage: SIGUSR1 would open a port that may be taken.
      '--inspect-port=127.0.0.1:0',
      '--import',
      pathToFileURL(compiledFile('bench/measure/loop-delay-hook.js')).href,
      compiledFile('api/main.js'),
      ...['--data-dir', join(home, 'data'), '--save-path', set.folder],
      ...['--admin-password-file', join(home, 'password'), '--port', String(port), '--peer-port', '0', ...FLAGS],
    ],
    { env: { SWARMD_BENCH_LOOP_DIR: home } },
  );
}

/** Makes the accounts; signing in costs 64 MiB of hashing, of which nothing is to be left in the run that counts. */
async function prepare(home: string, set: TorrentSet): Promise<z.infer<typeof homeSchema>> {
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  writeFileSync(join(home, 'password'), `${password}\n`, { mode: 0o600 });
  const child = spawnDaemon(home, set, port);
  const client = new KeepAliveClient(`http://127.0.0.1:${port}`, 1);
  try {
    const isUp = () =>
      client.ask('GET', '/api/bootstrap').then(
        () => true,
        () => (child.check(), false),
      );
    await until('swarmd: start', isUp, { timeoutMs: START_TIMEOUT_MS });
    const keys = [await keyOf(client, 'admin', password)];
    for (let user = 1; user <= USERS; user++) {
      const username = `user${user}`;
      const headers = { authorization: `Bearer ${keys[0]}`, 'content-type': 'application/json' };
      const body = { username, password, perm_add_torrents: true, home: set.folder };
      await client.demand('POST', '/api/users', headers, JSON.stringify(body));
      keys.push(await keyOf(client, username, password));
    }
    return { port, keys };
  } finally {
    client.close();
    await child.stop();
  }
}

async function keyOf(client: KeepAliveClient, username: string, password: string): Promise<string> {
  const json = { 'content-type': 'application/json' };
  const { headers } = await client.demand('POST', '/api/login', json, JSON.stringify({ username, password }));
  const cookie = String(headers['set-cookie']).split(';')[0];
  const { body } = await client.demand('POST', '/api/me/api_key/rotate', { cookie, origin: client.url });
  return keySchema.parse(JSON.parse(body.toString())).api_key;
}
