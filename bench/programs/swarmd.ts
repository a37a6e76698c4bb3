// Swarmd, started as users start it (node dist/api/main.js) with a data directory of its own, and driven over its HTTP
// API as the account admin. DHT, LSD and UPnP are off: nothing leaves 127.0.0.1.
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { probeLatency } from '../measure/latency-probe.js';
import { readLoopDelays } from '../measure/loop-delay.js';
import { Child } from '../support/child.js';
import type { Payload } from '../support/payload.js';
import { compiledFile, projectVersion } from '../support/project.js';
import { monotonicMs, until } from '../support/wait.js';
import { QUIET_FLAGS } from '../support/quiet-flags.js';
import type { Observer, Program, RunningProgram, StartOptions } from './program.js';
import { SwarmdClient } from './swarmd-client.js';

const START_TIMEOUT_MS = 30_000;
const CHECK_TIMEOUT_MS = 120_000;
/** Asked often, so that the end of a short transfer is seen; costs Swarmd about 1 % of a core, which it is charged. */
const POLL_MS = 30;
const FLAGS = ['--fetch-allow', '127.0.0.0/8,::1/128', ...QUIET_FLAGS];
/** Near its limit a torrent hangs up on peers to try others. */
const SPARE_PEERS = 100;
/** By default it dials encrypted, which the others are told not to: the members of a swarm would. */
const PLAIN_FLAGS = ['--encryption', 'off'];
const RC4_FLAGS = ['--encryption', 'required'];

const SETTINGS = `node ${process.version} dist/api/main.js ${[...FLAGS, ...PLAIN_FLAGS].join(' ')}; defaults otherwise`;

/** As it is by default: the engine is a thread. */
export const swarmd: Program = program('swarmd', SETTINGS, startThread);

/** With the engine in a process of its own, over a Unix socket; both processes are charged. */
export const swarmdEngine: Program = program('swarmd-engine', `${SETTINGS}; --engine unix:…`, startBoth);

function program(name: 'swarmd' | 'swarmd-engine', settings: string, start: Start): Program {
  return {
    ...{ name, settings, isObservable: name === 'swarmd', rc4Settings: RC4_FLAGS.join(' ') },
    version: () => Promise.resolve(projectVersion()),
    start: (workspace, options = {}) => start(workspace.folder(name), options),
  };
}

type Start = (folder: string, options: StartOptions) => Promise<RunningProgram>;

function startThread(folder: string, options: StartOptions): Promise<RunningProgram> {
  return startDaemon(folder, options, [], []);
}

async function startBoth(folder: string, options: StartOptions): Promise<RunningProgram> {
  const at = `unix:${join(folder, 'socket')}`;
  const own = ['--listen', at, '--data-dir', join(folder, 'engine'), '--log-level', 'warn'];
  const engine = new Child(process.execPath, [compiledFile('api/main.js'), 'engine', ...own]);
  await engine.line((line) => /^swarmd engine ready/.exec(line), 'ready line of the engine', START_TIMEOUT_MS);
  return startDaemon(folder, options, ['--engine', at], [engine]);
}

async function startDaemon(
  folder: string,
  { encryption, peers = 1 }: StartOptions,
  flags: readonly string[],
  others: readonly Child[],
): Promise<RunningProgram> {
  const loopDir = join(folder, 'loop-delay');
  mkdirSync(loopDir);
  const passwordFile = join(folder, 'password');
  const password = randomBytes(12).toString('hex');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  const child = new Child(
    process.execPath,
    [
      '--import',
      pathToFileURL(compiledFile('bench/measure/loop-delay-hook.js')).href,
      compiledFile('api/main.js'),
      ...['--data-dir', join(folder, 'data'), '--save-path', join(folder, 'files')],
      ...['--admin-password-file', passwordFile, '--port', '0', '--peer-port', '0', ...FLAGS, ...flags],
      ...(encryption === 'rc4' ? RC4_FLAGS : PLAIN_FLAGS),
    ],
    { env: { SWARMD_BENCH_LOOP_DIR: loopDir } },
  );
  const ready = /^swarmd ready (\S+) peer-port (\d+)$/;
  const [, url = '', port] = await child.line((line) => ready.exec(line), 'ready line', START_TIMEOUT_MS);
  const client = await SwarmdClient.signIn(url, password);
  if (peers > 1) await client.allowPeers(peers + SPARE_PEERS);
  return new RunningSwarmd([child, ...others], client, Number(port), loopDir);
}

class RunningSwarmd implements RunningProgram {
  readonly pids: readonly number[];

  constructor(
    private readonly children: readonly [Child, ...Child[]],
    private readonly client: SwarmdClient,
    readonly peerPort: number,
    private readonly loopDir: string,
  ) {
    this.pids = children.map(({ pid }) => pid);
  }

  async seed(payload: Payload): Promise<void> {
    await this.client.add(payload, payload.folder);
    await this.#settled(CHECK_TIMEOUT_MS);
    const { completed } = await this.client.torrent();
    if (!completed) throw new Error('swarmd: did not find the payload complete');
  }

  async leech(payload: Payload, folder: string): Promise<void> {
    await this.client.add(payload, folder);
    await this.#settled(CHECK_TIMEOUT_MS);
  }

  async finished(timeoutMs: number): Promise<number> {
    const isDone = async () => (await this.client.torrent()).completed;
    await until('swarmd: download', isDone, { timeoutMs, everyMs: POLL_MS });
    return monotonicMs();
  }

  forget(): Promise<void> {
    return this.client.remove();
  }

  async recheck(payload: Payload, onStart: () => void): Promise<void> {
    await this.seed(payload);
    onStart();
    await this.client.post('recheck');
    await this.#settled(CHECK_TIMEOUT_MS);
    const { completed } = await this.client.torrent();
    if (!completed) throw new Error('swarmd: recheck did not find the payload complete');
  }

  connect(ports: readonly number[]): Promise<void> {
    return this.client.post('peers', { peers: ports.map((port) => `127.0.0.1:${port}`) });
  }

  async observe(): Promise<Observer> {
    const read = () => readLoopDelays(this.loopDir, () => this.children[0].signal('SIGUSR2'));
    const latency = await probeLatency(this.client.url);
    await read();
    return {
      stop: async () => {
        const { mainP99Ms, engineP99Ms } = await read();
        return { mainP99Ms, engineP99Ms, apiP99Ms: await latency.stop() };
      },
    };
  }

  async stop(): Promise<void> {
    for (const child of this.children) await child.stop();
  }

  #settled(timeoutMs: number): Promise<void> {
    const isSettled = async () => !(await this.client.torrent()).verifying;
    return until('swarmd: check', isSettled, { timeoutMs, everyMs: POLL_MS });
  }
}
