// A whole API process over a memory engine, on a free port of 127.0.0.1 and a temporary directory, and a client that
// sends exactly the headers it is told to.
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Passwords } from '../../api/auth/passwords.js';
import { startDaemon, type Daemon, type DaemonDeps } from '../../api/app/daemon.js';
import type { Log } from '../../api/logging.js';
import { parseCommandLine, type Options } from '../../api/cli/options.js';
import type { AppError } from '../../shared-protocol/errors.js';
import type { EngineTransport } from '../../shared-protocol/transport.js';
import { createInProcessTransport, type InProcessTransport } from './in-process-transport.js';
import { Hosted, type HostedOptions } from './hosted-engine.js';
import { startHostedGroup, type HostedGroup } from './hosted-group.js';
import { storeFlags } from './own-database.js';
import { wantedLink, wantsGroup } from './own-engine.js';
import { MemoryEngine } from './memory-engine.js';

export const SILENT_LOG: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** As cheap as Argon2 lets us: the tests are about flows, not about cost. */
export const CHEAP_ARGON2 = { memoryCost: 8, timeCost: 1, parallelism: 1 };

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON. */
  json<Value = Record<string, unknown>>(): Value;
}

export interface CallOptions {
  readonly headers?: http.OutgoingHttpHeaders;
  /** Sent as it is when it is text or bytes, as JSON otherwise. */
  readonly body?: unknown;
}

export interface Harness {
  readonly daemon: Daemon;
  readonly engine: MemoryEngine;
  readonly dataDir: string;
  /** The initial save path, which nobody has made yet. */
  readonly filesDir: string;
  /** Of `admin`. */
  readonly password: string;
  readonly notices: readonly string[];
  readonly fatal: readonly AppError[];
  /** The engine of the moment, to kill. */
  transport(): InProcessTransport;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** A session cookie for the `Cookie` header. */
  signIn(password?: string): Promise<string>;
  /** A fresh API key of `admin`, asked for with the session or a new one. */
  apiKey(cookie?: string): Promise<string>;
  close(): Promise<void>;
}

export interface HarnessOptions {
  readonly args?: readonly string[];
  readonly engine?: MemoryEngine;
  /** Kept at the end when given. */
  readonly dataDir?: string;
  readonly passwords?: Passwords;
  /** `--port 0`; without it the stored one. @default true */
  readonly withPort?: boolean;
  /** What most tests leave at its default. */
  readonly deps?: Pick<DaemonDeps, 'openPage' | 'updater' | 'installSource' | 'clock'>;
}

export function testOptions(args: readonly string[]): Options {
  const parsed = parseCommandLine(args, {}, '/nonexistent');
  if (parsed.kind !== 'run') throw new Error(JSON.stringify(parsed));
  return parsed.options;
}

export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'swarmd-api-')));
  const engine = options.engine ?? new MemoryEngine();
  const notices: string[] = [];
  const fatal: AppError[] = [];
  let transport: InProcessTransport | undefined;
  const port = (options.withPort ?? true) ? ['--port', '0'] : [];
  const filesDir = `${dataDir}-files`;
  const given = options.args ?? [];
  const store = given.includes('--database-file') ? [] : await storeFlags(dataDir);
  const args = ['--data-dir', dataDir, '--save-path', filesDir, ...port, ...store, ...given];
  const createEngine = () => (transport = createInProcessTransport(engine.handlers));
  const link = wantedLink();
  const ofDirectory = { beginsAgain: true, engineId: engineIdOf(dataDir) };
  const group = wantsGroup() ? await groupAround(createEngine, ofDirectory) : null;
  const hosted = link ? await Hosted.start(createEngine, { link, ...ofDirectory }) : (group?.hosts[0] ?? null);
  const at = link && hosted && (await hosted.at());
  const starting = startDaemon(
    { ...testOptions(args), engine: at, ...(group && { enginesFile: group.file }) },
    {
      createEngine,
      log: SILENT_LOG,
      notify: (text) => notices.push(text),
      onFatal: (reason) => fatal.push(reason),
      passwords: options.passwords ?? new Passwords(CHEAP_ARGON2),
      ...options.deps,
    },
  );
  const daemon = await starting.catch(async (error: unknown) => {
    await (group ?? hosted)?.close();
    throw error;
  });
  const password = /password (\S{20}) /.exec(notices.join('\n'))?.[1] ?? '';
  const call = (method: string, path: string, callOptions: CallOptions = {}) => {
    hosted?.flush();
    return httpCall(`${daemon.url}${path}`, method, callOptions);
  };
  const signIn = async (given = password) => {
    const answer = await call('POST', '/api/login', { body: { username: 'admin', password: given } });
    if (answer.status !== 200) throw new Error(`login: ${answer.status} ${answer.text}`);
    return (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
  };
  return {
    daemon,
    engine,
    dataDir,
    filesDir,
    password,
    notices,
    fatal,
    transport: () => {
      if (!transport) throw new Error('no engine');
      return transport;
    },
    call,
    signIn,
    apiKey: async (cookie) => {
      const headers = { cookie: cookie ?? (await signIn()), origin: daemon.url };
      const answer = await call('POST', '/api/me/api_key/rotate', { headers });
      return answer.json<{ api_key: string }>().api_key;
    },
    close: async () => {
      await daemon.close();
      await (group ?? hosted)?.close();
      if (options.dataDir !== undefined) return;
      await rm(dataDir, { recursive: true });
      await rm(filesDir, { recursive: true, force: true });
    },
  };
}

/** The engine that a test has, and another one that nobody has torrents on. */
function groupAround(createEngine: () => EngineTransport, options: HostedOptions): Promise<HostedGroup> {
  const other = new MemoryEngine();
  return startHostedGroup([
    { name: 'first', createEngine, options },
    { name: 'other', createEngine: () => createInProcessTransport(other.handlers) },
  ]);
}

/** One engine for all starts on a data directory. */
function engineIdOf(dataDir: string): string {
  return createHash('sha256').update(dataDir).digest('hex').slice(0, 32);
}

export function httpCall(url: string, method: string, { headers = {}, body }: CallOptions = {}): Promise<Answer> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const bytes = body === undefined ? undefined : isRaw ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    // Node frames no bodies of GET and DELETE by itself.
    const isFramed = bytes === undefined || 'transfer-encoding' in headers;
    const framed = isFramed ? headers : { 'content-length': Buffer.byteLength(bytes), ...headers };
    const request = http.request(url, { method, headers: framed, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: () => JSON.parse(text),
        });
      });
    });
    request.on('error', reject);
    request.end(bytes);
  });
}

/** A multipart body with the given parts, and its Content-Type. */
export function multipart(parts: Readonly<Record<string, string | Uint8Array>>): CallOptions {
  const boundary = 'swarmd-test-boundary';
  const chunks = Object.entries(parts).flatMap(([name, value]) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"` +
        (typeof value === 'string' ? '' : `; filename="a.torrent"\r\nContent-Type: application/x-bittorrent`) +
        '\r\n\r\n',
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
  const body = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body };
}
