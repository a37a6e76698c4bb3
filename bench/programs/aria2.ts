// aria2, driven over JSON-RPC. As a seed it takes the payload unverified, so that its hashing is not counted as seeding.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { freePort } from '../../test/support/free-port.js';
import { Child } from '../support/child.js';
import type { Payload } from '../support/payload.js';
import { monotonicMs, until } from '../support/wait.js';
import type { Program, RunningProgram } from './program.js';
import { versionOf } from './version-of.js';

const START_TIMEOUT_MS = 10_000;
const CHECK_TIMEOUT_MS = 120_000;
const POLL_MS = 30;
const FLAGS = [
  '--no-conf',
  '--quiet',
  '--enable-dht=false',
  '--enable-dht6=false',
  '--bt-enable-lpd=false',
  '--enable-peer-exchange=false',
  '--bt-max-peers=0',
  '--seed-ratio=0.0',
  '--file-allocation=none',
  '--disk-cache=64M',
  '--disable-ipv6=true',
];
const RC4_FLAGS = ['--bt-force-encryption=true'];

const statusSchema = z.object({
  totalLength: z.coerce.number(),
  completedLength: z.coerce.number(),
  verifiedLength: z.coerce.number().optional(),
  verifyIntegrityPending: z.string().optional(),
  status: z.string(),
});

export const aria2: Program = {
  name: 'aria2',
  isObservable: false,
  settings: FLAGS.join(' '),
  rc4Settings: RC4_FLAGS.join(' '),
  version: () => versionOf('aria2c', ['--version'], /aria2 version (\S+)/),
  async start(_workspace, { encryption } = {}) {
    const [rpcPort, peerPort] = [await freePort(), await freePort()];
    const child = new Child('aria2c', [
      ...FLAGS,
      ...(encryption === 'rc4' ? RC4_FLAGS : []),
      '--enable-rpc',
      `--rpc-listen-port=${rpcPort}`,
      `--listen-port=${peerPort}`,
      `--stop-with-process=${process.pid}`,
    ]);
    const program = new RunningAria2(child, peerPort, `http://127.0.0.1:${rpcPort}/jsonrpc`);
    await until('aria2: start', () => program.isUp(), { timeoutMs: START_TIMEOUT_MS });
    return program;
  },
};

class RunningAria2 implements RunningProgram {
  readonly pids: readonly number[];
  #gid = '';

  constructor(
    private readonly child: Child,
    readonly peerPort: number,
    private readonly url: string,
  ) {
    this.pids = [child.pid];
  }

  async isUp(): Promise<boolean> {
    this.child.check();
    return this.#call('aria2.getVersion').then(
      () => true,
      () => false,
    );
  }

  async seed(payload: Payload): Promise<void> {
    await this.#add(payload, { dir: payload.folder, 'bt-seed-unverified': 'true', 'allow-overwrite': 'true' });
    await this.finished(CHECK_TIMEOUT_MS);
  }

  async leech(payload: Payload, folder: string): Promise<void> {
    await this.#add(payload, { dir: folder });
    await until('aria2: active', async () => (await this.#status()).status === 'active', { timeoutMs: 10_000 });
  }

  async finished(timeoutMs: number): Promise<number> {
    await until('aria2: all pieces', () => this.#isComplete(), { timeoutMs, everyMs: POLL_MS });
    return monotonicMs();
  }

  async forget(): Promise<void> {
    await this.#call('aria2.forceRemove', this.#gid);
    // A seed that is removed is called complete.
    const isGone = async () => (await this.#status()).status !== 'active';
    await until('aria2: removed', isGone, { timeoutMs: 10_000, everyMs: POLL_MS });
    await this.#call('aria2.removeDownloadResult', this.#gid);
  }

  async recheck(payload: Payload, onStart: () => void): Promise<void> {
    const options = { dir: payload.folder, pause: 'true', 'check-integrity': 'true', 'allow-overwrite': 'true' };
    await this.#add(payload, options);
    onStart();
    await this.#call('aria2.unpause', this.#gid);
    await this.finished(CHECK_TIMEOUT_MS);
  }

  stop(): Promise<void> {
    return this.child.stop();
  }

  async #isComplete(): Promise<boolean> {
    const { status, totalLength, completedLength, verifiedLength, verifyIntegrityPending } = await this.#status();
    if (status === 'error') throw new Error('aria2: the download failed');
    const isVerifying = verifiedLength !== undefined || verifyIntegrityPending === 'true';
    return status === 'active' && !isVerifying && totalLength > 0 && completedLength === totalLength;
  }

  async #add(payload: Payload, options: Readonly<Record<string, string>>): Promise<void> {
    const torrent = readFileSync(payload.torrentFile).toString('base64');
    this.#gid = z.string().parse(await this.#call('aria2.addTorrent', torrent, [], options));
  }

  async #status(): Promise<z.infer<typeof statusSchema>> {
    return statusSchema.parse(await this.#call('aria2.tellStatus', this.#gid, Object.keys(statusSchema.shape)));
  }

  async #call(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(this.url, { method: 'POST', body });
    const reply = z.object({ result: z.unknown(), error: z.unknown().optional() }).parse(await response.json());
    if (reply.error !== undefined) throw new Error(`aria2: ${method}: ${JSON.stringify(reply.error)}`);
    return reply.result;
  }
}
