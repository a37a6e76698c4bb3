// Transmission's daemon, driven over its RPC (rpc-spec.md). Slow on loopback by design: its upload is metered by timers.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { freePort } from '../../test/support/free-port.js';
import { Child } from '../support/child.js';
import type { Payload } from '../support/payload.js';
import { monotonicMs, until } from '../support/wait.js';
import type { Program, RunningProgram } from './program.js';
import { versionOf } from './version-of.js';

const START_TIMEOUT_MS = 10_000;
const CHECK_TIMEOUT_MS = 300_000;
const POLL_MS = 30;
/** tr_torrent_activity: check waits and check runs. */
const CHECKING: readonly number[] = [1, 2];

const SETTINGS = {
  'bind-address-ipv4': '127.0.0.1',
  'cache-size-mb': 64,
  'dht-enabled': false,
  'lpd-enabled': false,
  'pex-enabled': false,
  'utp-enabled': false,
  'port-forwarding-enabled': false,
  'download-queue-enabled': false,
  'seed-queue-enabled': false,
  'incomplete-dir-enabled': false,
  'rename-partial-files': false,
  preallocation: 0,
  encryption: 0,
  'upload-slots-per-torrent': 100,
  'rpc-bind-address': '127.0.0.1',
  'rpc-authentication-required': false,
};

const torrentSchema = z.object({ status: z.number(), leftUntilDone: z.number(), haveValid: z.number() });
const replySchema = z.object({ result: z.string(), arguments: z.unknown() });

export const transmission: Program = {
  name: 'transmission',
  isObservable: false,
  settings: JSON.stringify(SETTINGS),
  rc4Settings: null,
  version: () => versionOf('transmission-daemon', ['--version'], /transmission-daemon (\S+)/),
  async start(workspace) {
    const folder = workspace.folder('transmission');
    const [rpcPort, peerPort] = [await freePort(), await freePort()];
    const settings = { ...SETTINGS, 'rpc-port': rpcPort, 'peer-port': peerPort };
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
    const child = new Child('transmission-daemon', ['--foreground', '--config-dir', folder]);
    const program = new RunningTransmission(child, peerPort, `http://127.0.0.1:${rpcPort}/transmission/rpc`);
    await until('transmission: start', () => program.isUp(), { timeoutMs: START_TIMEOUT_MS });
    return program;
  },
};

class RunningTransmission implements RunningProgram {
  readonly pids: readonly number[];
  #session = '';

  constructor(
    private readonly child: Child,
    readonly peerPort: number,
    private readonly url: string,
  ) {
    this.pids = [child.pid];
  }

  async isUp(): Promise<boolean> {
    this.child.check();
    return this.#call('session-get', {}).then(
      () => true,
      () => false,
    );
  }

  async seed(payload: Payload): Promise<void> {
    await this.#add(payload, payload.folder);
    await this.#call('torrent-verify', {});
    await this.finished(CHECK_TIMEOUT_MS);
  }

  leech(payload: Payload, folder: string): Promise<void> {
    return this.#add(payload, folder);
  }

  async finished(timeoutMs: number): Promise<number> {
    const isComplete = async () => {
      const { status, leftUntilDone, haveValid } = await this.#torrent();
      return !CHECKING.includes(status) && leftUntilDone === 0 && haveValid > 0;
    };
    await until('transmission: all pieces', isComplete, { timeoutMs, everyMs: POLL_MS });
    return monotonicMs();
  }

  async forget(): Promise<void> {
    await this.#call('torrent-remove', { 'delete-local-data': true });
  }

  async recheck(payload: Payload, onStart: () => void): Promise<void> {
    await this.seed(payload);
    onStart();
    await this.#call('torrent-verify', {});
    await this.finished(CHECK_TIMEOUT_MS);
  }

  stop(): Promise<void> {
    return this.child.stop();
  }

  async #add(payload: Payload, folder: string): Promise<void> {
    const metainfo = Buffer.from(payload.torrentBytes).toString('base64');
    await this.#call('torrent-add', { metainfo, 'download-dir': folder, paused: false });
  }

  async #torrent(): Promise<z.infer<typeof torrentSchema>> {
    const reply = await this.#call('torrent-get', { fields: Object.keys(torrentSchema.shape) });
    const [torrent] = z.object({ torrents: z.array(torrentSchema) }).parse(reply).torrents;
    if (!torrent) throw new Error('transmission: no torrent');
    return torrent;
  }

  /** The first call is refused with the session id that all further ones must carry. */
  async #call(method: string, args: Readonly<Record<string, unknown>>): Promise<unknown> {
    const body = JSON.stringify({ method, arguments: args });
    const headers = { 'X-Transmission-Session-Id': this.#session };
    const response = await fetch(this.url, { method: 'POST', headers, body });
    if (response.status === 409) {
      this.#session = response.headers.get('X-Transmission-Session-Id') ?? '';
      return this.#call(method, args);
    }
    const reply = replySchema.parse(await response.json());
    if (reply.result !== 'success') throw new Error(`transmission: ${method}: ${reply.result}`);
    return reply.arguments;
  }
}
