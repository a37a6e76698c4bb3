// Swarmd started as its users start it: the compiled program with flags, its ready line, its HTTP API. Ended by its
// process id; temporary directories go with it. Everything on loopback: DHT, LSD and UPnP are off unless a test turns
// them on.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EncryptionPolicy } from '../../shared-protocol/encryption-policy.js';
import { startOwnEngine, wantedLink } from './own-engine.js';
import { startChild, type Child, type ExitStatus } from './peers/child-process.js';
import { makeScratch } from './peers/scratch.js';
import { waitUntil } from './peers/wait-until.js';

export const MAIN = fileURLToPath(new URL('../../api/main.js', import.meta.url));

/** A machine full of other programs may take its time. */
const START_TIMEOUT_MS = 60_000;
const READY = /^swarmd ready (https?:\/\/\S+) peer-port (\d+)$/;
/** Nothing leaves 127.0.0.0/8, whatever is stored or in the environment. */
const LOOPBACK_FLAGS = ['--dht', 'off', '--lsd', 'off', '--upnp', 'off'];
/** Peers, trackers and web seeds of tests are on this machine. */
const OPEN_LOOPBACK = ['--fetch-allow', '127.0.0.0/8,::1/128'];
/** Of this run of tests; a daemon started again on the same directory knows it still. */
const ADMIN_PASSWORD = randomBytes(12).toString('hex');

/** TorrentDTO (docs/api.md), as far as tests look at it. */
export interface TorrentView {
  readonly id: string;
  readonly name: string;
  readonly magnet: string;
  readonly save_path: string;
  readonly content_path: string;
  readonly total_bytes: number;
  readonly bytes_done: number;
  readonly total_up: number;
  readonly progress: number;
  readonly peers: number;
  readonly seeds: number;
  readonly availability: number | null;
  readonly paused: boolean;
  readonly completed: boolean;
  readonly verifying: boolean;
  readonly files_missing: boolean;
  readonly category_id: number | null;
  /** Unix seconds; 0: it is not active. */
  readonly active_since: number;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface Reply<Body = Readonly<Record<string, unknown>>> {
  readonly status: number;
  readonly json: Body;
}

export interface StartDaemonOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** @default the stored setting: preferred */
  readonly encryption?: EncryptionPolicy;
  /** Further flags; they come last and so win. */
  readonly args?: readonly string[];
  /** Both kept afterwards when given: for a second start on the same state. */
  readonly dataDir?: string;
  readonly savePath?: string;
  /** A program and its arguments that runs the daemon in its own place, as `strace -D` does. */
  readonly launcher?: readonly string[];
  /** Bytes that will be downloaded into its own save path. */
  readonly bytes?: number;
  /** Nothing of this machine is open to torrents and fetches, as without any flag. @default it is */
  readonly closedInside?: boolean;
  /** A first start that makes its own password of `admin`, as without any flag. */
  readonly makesPassword?: boolean;
}

export interface Download {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

export interface DaemonUnderTest {
  readonly url: string;
  readonly pid: number;
  readonly peerPort: number;
  /** `host:port` of its peer listener. */
  readonly peerAddress: string;
  readonly dataDir: string;
  readonly savePath: string;
  /** Of `admin`. */
  readonly adminPassword: string;
  readonly stderr: string;
  /** Resolves when it has ended, by itself too. */
  readonly exited: Promise<ExitStatus>;
  /** A FormData body and bytes are sent as they are, anything else as JSON. */
  api<Body = Readonly<Record<string, unknown>>>(method: string, path: string, body?: unknown): Promise<Reply<Body>>;
  /** Of a route that answers with a file. */
  download(path: string): Promise<Download>;
  /** The id; fails unless the answer is 200. */
  addTorrentFile(bytes: Uint8Array, savePath?: string): Promise<string>;
  addMagnet(uri: string, savePath?: string): Promise<string>;
  addPeers(id: string, ...addresses: readonly string[]): Promise<void>;
  torrents(): Promise<readonly TorrentView[]>;
  /** Fails when it is not listed. */
  torrent(id: string): Promise<TorrentView>;
  waitFor(id: string, isMet: (torrent: TorrentView) => boolean, timeoutMs: number): Promise<TorrentView>;
  /** SIGTERM unless told otherwise; how it ended. Also when it has ended already. */
  stop(signal?: NodeJS.Signals): Promise<ExitStatus>;
  /** SIGKILL: as a power cut would. */
  kill(): Promise<ExitStatus>;
}

export async function startDaemon(options: StartDaemonOptions = {}): Promise<DaemonUnderTest> {
  const scratch = await makeScratch('daemon', options.bytes);
  const dataDir = options.dataDir ?? join(scratch.path, 'data');
  const savePath = options.savePath ?? join(scratch.path, 'downloads');
  await mkdir(savePath, { recursive: true });
  const passwordFile = join(scratch.path, 'admin-password');
  await writeFile(passwordFile, `${ADMIN_PASSWORD}\n`, { mode: 0o600 });
  // What runs the daemon in a place of its own would have to run its engine in the same.
  const link = options.launcher ? null : wantedLink();
  const engine =
    link &&
    (await startOwnEngine(MAIN, {
      ...{ link, dataDir: join(dataDir, 'engine'), scratch: scratch.path },
      args: logLevelIn(options.args ?? []),
    }));
  const flags = [
    ...(engine?.flags ?? []),
    ...['--data-dir', dataDir, '--save-path', savePath, '--port', '0', '--peer-port', '0'],
    ...(options.makesPassword ? [] : ['--admin-password-file', passwordFile]),
    ...LOOPBACK_FLAGS,
    ...(options.closedInside ? [] : OPEN_LOOPBACK),
    ...(options.encryption ? ['--encryption', options.encryption] : []),
    ...(options.args ?? []),
  ];
  const lines: string[] = [];
  const [program, ...args] = [...(options.launcher ?? []), process.execPath, MAIN, ...flags];
  const child = await startChild(program!, args, {
    ...(options.env ? { env: options.env } : {}),
    onLine: (line) => lines.push(line),
  });
  const end = async (signal: NodeJS.Signals): Promise<ExitStatus> => {
    const status = await child.stop(signal);
    await engine?.child.stop(signal);
    await scratch.remove();
    return status;
  };
  try {
    const [, url = '', port] = await readyLine(child, lines);
    const made = join(dataDir, 'initial-admin-password');
    const adminPassword = options.makesPassword ? (await readFile(made, 'utf8')).trim() : ADMIN_PASSWORD;
    const headers = { authorization: `Bearer ${await signIn(url, adminPassword)}` };
    const client = new ApiClient(url, headers, () => child.stderr);
    return {
      url,
      pid: child.pid,
      peerPort: Number(port),
      peerAddress: `127.0.0.1:${port}`,
      dataDir,
      savePath,
      adminPassword,
      get stderr() {
        return child.stderr;
      },
      exited: child.exited,
      api: (method, path, body) => client.api(method, path, body),
      download: (path) => client.download(path),
      addTorrentFile: (bytes, path) => client.addTorrentFile(bytes, path),
      addMagnet: (uri, path) => client.addMagnet(uri, path),
      addPeers: (id, ...addresses) => client.addPeers(id, addresses),
      torrents: () => client.torrents(),
      torrent: (id) => client.torrent(id),
      waitFor: (id, isMet, timeoutMs) => client.waitFor(id, isMet, timeoutMs),
      stop: (signal = 'SIGTERM') => end(signal),
      kill: () => end('SIGKILL'),
    };
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
}

/** Its engine says as much as the daemon is to. */
function logLevelIn(args: readonly string[]): readonly string[] {
  const at = args.indexOf('--log-level');
  return at < 0 ? [] : args.slice(at, at + 2);
}

/** A run that is to end by itself: what it wrote and how it ended. */
export async function runDaemon(
  args: readonly string[],
): Promise<ExitStatus & { readonly stdout: readonly string[]; readonly stderr: string }> {
  const stdout: string[] = [];
  const child = await startChild(process.execPath, [MAIN, ...LOOPBACK_FLAGS, ...args], {
    onLine: (line) => stdout.push(line),
  });
  const insist = setTimeout(() => child.signal('SIGKILL'), START_TIMEOUT_MS);
  const status = await child.exited;
  clearTimeout(insist);
  return { ...status, stdout, stderr: child.stderr };
}

function readyLine(child: Child, lines: readonly string[]): Promise<RegExpExecArray> {
  return waitUntil(
    'swarmd ready',
    START_TIMEOUT_MS,
    () => {
      const match = lines.map((line) => READY.exec(line)).find((found) => found !== null);
      if (!match && !child.isRunning) throw new Error(`swarmd has ended. ${child.stderr}`);
      return match;
    },
    () => child.stderr,
  );
}

/** An API key, got as a browser would: by the session cookie. */
export async function signIn(url: string, password: string, username = 'admin'): Promise<string> {
  const login = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ username, password }),
  });
  if (login.status !== 200) throw new Error(`login: ${login.status} ${await login.text()}`);
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  const rotation = await fetch(`${url}/api/me/api_key/rotate`, { method: 'POST', headers: { cookie, origin: url } });
  const { api_key: key } = (await rotation.json()) as { readonly api_key?: string };
  if (key === undefined) throw new Error(`no API key: ${rotation.status}`);
  return key;
}

export class ApiClient {
  constructor(
    private readonly url: string,
    private readonly headers: Readonly<Record<string, string>>,
    private readonly stderr: () => string,
  ) {}

  async api<Body>(method: string, path: string, body?: unknown): Promise<Reply<Body>> {
    const isReady = body instanceof FormData || body instanceof Uint8Array;
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { ...this.headers, ...(body === undefined || isReady ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: isReady ? body : JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json()) as Body };
  }

  /** A route that answers with a file. */
  async download(path: string): Promise<Download> {
    const response = await fetch(`${this.url}${path}`, { headers: this.headers });
    const { status, headers } = response;
    return { status, headers, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  async addTorrentFile(bytes: Uint8Array, savePath?: string): Promise<string> {
    const form = new FormData();
    if (savePath !== undefined) form.set('save_path', savePath);
    form.set('file', new Blob([bytes]), 'test.torrent');
    return this.#added(await this.api('POST', '/api/torrents/file', form));
  }

  async addMagnet(uri: string, savePath = ''): Promise<string> {
    return this.#added(await this.api('POST', '/api/torrents/magnet', { magnet: uri, save_path: savePath }));
  }

  async addPeers(id: string, peers: readonly string[]): Promise<void> {
    const { status, json } = await this.api('POST', `/api/torrents/${id}/peers`, { peers });
    if (status !== 200) throw new Error(`peers not added: ${status} ${JSON.stringify(json)}`);
  }

  async torrents(): Promise<readonly TorrentView[]> {
    return (await this.api<readonly TorrentView[]>('GET', '/api/torrents')).json;
  }

  async torrent(id: string): Promise<TorrentView> {
    const found = (await this.torrents()).find((torrent) => torrent.id === id);
    if (!found) throw new Error(`torrent ${id} is not listed`);
    return found;
  }

  async waitFor(id: string, isMet: (torrent: TorrentView) => boolean, timeoutMs: number): Promise<TorrentView> {
    let last: TorrentView | null = null;
    return waitUntil(
      `torrent ${id}`,
      timeoutMs,
      async () => {
        last = await this.torrent(id);
        return isMet(last) ? last : undefined;
      },
      () => `Last seen: ${JSON.stringify(last)}\n${this.stderr().slice(-4_000)}`,
    );
  }

  #added({ status, json }: Reply): string {
    const { id } = json;
    if (status !== 200 || typeof id !== 'string') throw new Error(`not added: ${status} ${JSON.stringify(json)}`);
    return id;
  }
}
