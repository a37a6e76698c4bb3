// Swarmd as a service with many torrents, for scenarios that ask for more than one transfer: a fresh process on a data
// directory of its own, its HTTP API as the account admin, and what it costs as the kernel counts it.
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readLoopDelays, type LoopDelayReport } from '../measure/loop-delay.js';
import { Child } from '../support/child.js';
import { compiledFile } from '../support/project.js';
import { until } from '../support/wait.js';
import { createWorkspace, type Workspace } from '../support/workspace.js';
import { QUIET_FLAGS } from '../support/quiet-flags.js';

const START_TIMEOUT_MS = 30_000;
const CHECK_TIMEOUT_MS = 120_000;
const POLL_MS = 30;
const FLAGS = ['--fetch-allow', '127.0.0.0/8,::1/128', ...QUIET_FLAGS, '--encryption', 'off'];

/** TorrentDTO (docs/api.md), as far as scenarios look at it. */
export interface ServedTorrent {
  readonly id: string;
  readonly completed: boolean;
  readonly verifying: boolean;
  readonly peers: number;
  readonly progress: number;
}

export interface ServiceOptions {
  /** Further flags of the daemon. */
  readonly flags?: readonly string[];
  /** Flags of Node: to profile it. */
  readonly nodeFlags?: readonly string[];
}

/** Works with a service that has room for so many bytes in memory; nothing is left of it. */
export async function withService<Result>(
  bytes: number,
  options: ServiceOptions,
  work: (service: SwarmdService, workspace: Workspace) => Promise<Result>,
): Promise<Result> {
  const workspace = createWorkspace(bytes);
  const service = await SwarmdService.start(workspace, options);
  try {
    return await work(service, workspace);
  } finally {
    await service.stop();
    workspace.remove(workspace.path);
  }
}

export class SwarmdService {
  readonly pid: number;

  private constructor(
    private readonly child: Child,
    readonly url: string,
    /** On 127.0.0.1. */
    readonly peerPort: number,
    /** For `Authorization: Bearer`. */
    readonly apiKey: string,
    private readonly loopDir: string,
    private readonly password: string,
    /** Below it everybody may save. */
    readonly savePath: string,
  ) {
    this.pid = child.pid;
  }

  static async start(
    workspace: Workspace,
    { flags = [], nodeFlags = [] }: ServiceOptions = {},
  ): Promise<SwarmdService> {
    const folder = workspace.folder('swarmd');
    const loopDir = join(folder, 'loop-delay');
    mkdirSync(loopDir);
    const passwordFile = join(folder, 'password');
    const password = randomBytes(12).toString('hex');
    const savePath = join(folder, 'files');
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    const hook = pathToFileURL(compiledFile('bench/measure/loop-delay-hook.js')).href;
    const child = new Child(
      process.execPath,
      [
        ...['--import', hook, ...nodeFlags, compiledFile('api/main.js')],
        ...['--data-dir', join(folder, 'data'), '--save-path', savePath, '--admin-password-file', passwordFile],
        ...['--port', '0', '--peer-port', '0', ...FLAGS, ...flags],
      ],
      { env: { SWARMD_BENCH_LOOP_DIR: loopDir } },
    );
    const ready = /^swarmd ready (\S+) peer-port (\d+)$/;
    const [, url = '', port] = await child.line((line) => ready.exec(line), 'ready line', START_TIMEOUT_MS);
    const apiKey = await signIn(url, 'admin', password);
    return new SwarmdService(child, url, Number(port), apiKey, loopDir, password, savePath);
  }

  /** The same, as another account. */
  as(apiKey: string): SwarmdService {
    const { child, url, peerPort, loopDir, password, savePath } = this;
    return new SwarmdService(child, url, peerPort, apiKey, loopDir, password, savePath);
  }

  /** @throws Error unless the answer is 200 */
  async ask<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const isForm = body instanceof FormData;
    const content = new Response(isForm || body === undefined ? body : JSON.stringify(body));
    const bytes = Buffer.from(await content.arrayBuffer());
    const type = isForm ? content.headers.get('content-type') : 'application/json';
    const headers = {
      authorization: `Bearer ${this.apiKey}`,
      ...(type && bytes.length > 0 ? { 'content-type': type } : {}),
    };
    const { status, text } = await exchange(this.url + path, { method, headers, bytes });
    if (status !== 200) throw new Error(`swarmd: ${method} ${path}: ${status} ${text}`);
    // The caller knows the route.
    return JSON.parse(text) as Body;
  }

  /** The id. */
  async add(torrentBytes: Uint8Array, savePath: string): Promise<string> {
    const form = new FormData();
    form.set('save_path', savePath);
    form.set('file', new Blob([torrentBytes]), 'bench.torrent');
    return (await this.ask<{ readonly id: string }>('POST', '/api/torrents/file', form)).id;
  }

  /** Its API key. */
  async createAccount(username: string, role: 'admin' | 'user', rights: readonly string[] = []): Promise<string> {
    const password = randomBytes(12).toString('hex');
    const given = Object.fromEntries(rights.map((right) => [right, true]));
    await this.ask('POST', '/api/users', { username, password, role, ...given });
    return signIn(this.url, username, password);
  }

  /** Milliseconds that signing in as admin takes. */
  async timedSignIn(): Promise<number> {
    const startMs = performance.now();
    const body = JSON.stringify({ username: 'admin', password: this.password });
    const { status } = await fetch(`${this.url}/api/login`, { method: 'POST', body });
    if (status !== 200) throw new Error(`swarmd: sign in: ${status}`);
    return performance.now() - startMs;
  }

  torrents(): Promise<readonly ServedTorrent[]> {
    return this.ask('GET', '/api/torrents');
  }

  async waitFor(what: string, isSo: (torrents: readonly ServedTorrent[]) => boolean, timeoutMs: number): Promise<void> {
    await until(`swarmd: ${what}`, async () => isSo(await this.torrents()), { timeoutMs, everyMs: POLL_MS });
  }

  async settled(): Promise<void> {
    await this.waitFor('checks', (torrents) => torrents.every(({ verifying }) => !verifying), CHECK_TIMEOUT_MS);
  }

  /** Since the last call; the first one only begins to watch. */
  loopDelays(): Promise<LoopDelayReport> {
    return readLoopDelays(this.loopDir, () => this.child.signal('SIGUSR2'));
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

/**
 * One connection for each request: scenarios block this process for seconds (to compare copies), in which the service
 * gives up connections that are kept open.
 */
function exchange(
  url: string,
  { method, headers, bytes }: { method: string; headers: Readonly<Record<string, string>>; bytes: Buffer },
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
    });
    asked.on('error', reject);
    asked.end(bytes);
  });
}

async function signIn(url: string, username: string, password: string): Promise<string> {
  const body = JSON.stringify({ username, password });
  const login = await fetch(`${url}/api/login`, { method: 'POST', body });
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  const rotation = await fetch(`${url}/api/me/api_key/rotate`, { method: 'POST', headers: { cookie, origin: url } });
  if (!rotation.ok) throw new Error(`swarmd: sign in: ${login.status}, ${rotation.status}`);
  const { api_key: key } = (await rotation.json()) as { readonly api_key: string };
  return key;
}
