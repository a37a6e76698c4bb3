// The engine process of a daemon under test, where the tests are run with SWARMD_TEST_ENGINE=unix or tls: everything that is
// promised of a daemon is promised of one whose engine is in a process of its own.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startChild, type Child } from './peers/child-process.js';
import { waitUntil } from './peers/wait-until.js';
import { TEST_CERTIFICATE, TEST_KEY } from './tls-fixture.js';

const START_TIMEOUT_MS = 60_000;
const READY = /^swarmd engine ready (\S+)$/;

export type EngineLink = 'unix' | 'tls';

export interface OwnEngine {
  /** Flags of the daemon by which it reaches the engine. */
  readonly flags: readonly string[];
  readonly child: Child;
}

/** Whether the tests of the API are run with several engines, of which the accounts of the tests have the first. */
export function wantsGroup(): boolean {
  return process.env['SWARMD_TEST_ENGINE'] === 'group';
}

/** null: the tests are run with the engine in a thread. */
export function wantedLink(): EngineLink | null {
  const wanted = process.env['SWARMD_TEST_ENGINE'] ?? '';
  return wanted === 'unix' || wanted === 'tls' ? wanted : null;
}

/** Where the torrents of a daemon under test are stored. */
export function storeOf(dataDir: string): string {
  return join(wantedLink() === null ? dataDir : join(dataDir, 'engine'), 'torrents');
}

/** `main`: the compiled program. `scratch`: a folder for its files that is short enough for a Unix socket. */
export async function startOwnEngine(
  main: string,
  {
    link,
    dataDir,
    scratch,
    args = [],
  }: {
    readonly link: EngineLink;
    readonly dataDir: string;
    readonly scratch: string;
    readonly args?: readonly string[];
  },
): Promise<OwnEngine> {
  await mkdir(dataDir, { recursive: true });
  const [token, cert, key] = ['engine-token', 'engine-cert.pem', 'engine-key.pem'].map((name) => join(scratch, name));
  await writeFile(cert!, TEST_CERTIFICATE);
  await writeFile(key!, TEST_KEY, { mode: 0o600 });
  const at = link === 'unix' ? `unix:${join(scratch, 'engine.sock')}` : 'tcp://127.0.0.1:0';
  const tls = link === 'tls' ? ['--tls-cert', cert!, '--tls-key', key!] : [];
  const lines: string[] = [];
  const child = await startChild(
    process.execPath,
    [main, 'engine', '--listen', at, '--token-file', token!, '--data-dir', dataDir, ...tls, ...args],
    { onLine: (line) => lines.push(line) },
  );
  try {
    const [, where = ''] = await waitUntil(
      'the engine is ready',
      START_TIMEOUT_MS,
      () => {
        const match = lines.map((line) => READY.exec(line)).find((found) => found !== null);
        if (!match && !child.isRunning) throw new Error(`the engine has ended. ${child.stderr}`);
        return match;
      },
      () => child.stderr,
    );
    const port = /:(\d+)$/.exec(where)?.[1];
    const address = link === 'unix' ? where : `wss://localhost:${port}`;
    const authority = link === 'tls' ? ['--engine-ca', cert!] : [];
    return { flags: ['--engine', address, '--engine-token-file', token!, ...authority], child };
  } catch (error) {
    await child.stop('SIGKILL');
    throw error;
  }
}
