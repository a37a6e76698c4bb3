// An engine of its own process (docs/operate/engine-process.md): its data directory, the engine's thread, and the listener for fronts.
// Wiring only. Stops in order at SIGTERM; a front that goes stops nothing.
import { readFile } from 'node:fs/promises';
import { realpathSync } from 'node:fs';
import { backgroundClock, systemClock } from '../shared-protocol/clock.js';
import { AppError, messageOf } from '../shared-protocol/errors.js';
import { returnMemoryWhenQuiet } from '../shared-protocol/quiet-memory.js';
import { handleUncaught } from '../shared-protocol/uncaught.js';
import { createWorkerTransport } from '../shared-protocol/worker-transport.js';
import { readIfExists, replaceFile } from '../storage/atomic-file.js';
import { openDataDirectory, type DataDirectory } from '../storage/data-directory.js';
import { TokenFile } from '../storage/stream-tokens.js';
import { isStreamId } from '../shared-protocol/stream/messages.js';
import { asLog, createLogger, standardErrorTarget, type Log } from '../api/logging.js';
import { VERSION } from '../api/version.js';
import { nameOf, newStreamId, type StreamTls } from './front-listener.js';
import { startHost } from './host.js';
import { KeptOptions } from './kept-options.js';
import { parseEngineOptions, type EngineProcessOptions } from './options.js';
import { Roots } from './roots.js';

const EXIT_USAGE = 2;
const STOP_DEADLINE_MS = 9_500;

/** `args` without `engine`. */
export async function runEngineProcess(args: readonly string[]): Promise<void> {
  const parsed = parseEngineOptions(args);
  if (parsed.kind === 'help') return void process.stdout.write(parsed.text);
  if (parsed.kind === 'error') {
    process.stderr.write(`${parsed.message}\n`);
    process.exitCode = EXIT_USAGE;
    return;
  }
  const logger = createLogger(parsed.options.logLevel, await standardErrorTarget());
  const log = asLog(logger.child({ name: 'engine-process' }));
  const engineLog = asLog(logger.child({ name: 'engine' }));
  handleUncaught({
    survived: (error) => log.error('bug: error of a socket that nobody handled', { reason: error.stack ?? '' }),
    fatal: (error, origin) => {
      log.error(`bug: ${origin}`, { reason: error instanceof Error ? (error.stack ?? '') : String(error) });
      process.exit(1);
    },
  });
  returnMemoryWhenQuiet(backgroundClock);
  try {
    const { at, stop } = await start(parsed.options, log, engineLog);
    stopOnSignal(stop);
    process.stdout.on('error', () => undefined);
    process.stdout.write(`swarmd engine ready ${at}\n`);
  } catch (error) {
    process.stderr.write(`swarmd engine: ${messageOf(error)}\n`);
    process.exit(1);
  }
}

/** @throws AppError `STORAGE_LOCKED`, `STORAGE_FAILED`, `LISTEN_FAILED`, … */
async function start(options: EngineProcessOptions, log: Log, engineLog: Log) {
  const { dataDir, listen, tokenFile } = options;
  const tls = await readTls(options.tls);
  const sharedRoots = realRoots('--shared-roots', options.sharedRoots).map((root) => ({ ...root, isShared: true }));
  const roots = [...realRoots('--roots', options.roots), ...sharedRoots];
  const directory = await openDataDirectory(dataDir);
  const tokens = tokenFile === null ? null : new TokenFile(tokenFile, systemClock.unixMs);
  if (await tokens?.make()) log.info('a token was made', { file: tokenFile });
  await tokens?.check();
  // Not refused: what containers are given as secrets has this mode.
  if (await tokens?.isOpenToAll())
    log.warn('other users of this machine may read or change the tokens', { file: tokenFile });
  const engineId = await engineIdOf(directory);
  const { port, begun, close } = await startHost({
    ...{ at: listen, tls, tokens, maxFronts: options.maxFronts, log },
    createEngine: () => createWorkerTransport(new URL('../engine/worker.js', import.meta.url)),
    engineId,
    clock: systemClock,
    version: VERSION,
    own: {
      ...{ dataDir, roots: roots.map(({ path }) => path), logLevel: options.logLevel, userAgent: `swarmd/${VERSION}` },
      ...{ peerPort: options.peerPort, fetchAllow: options.fetchAllow },
      sharing: sharedRoots.length > 0 ? { engineId, roots: sharedRoots.map(({ path }) => path) } : null,
    },
    roots: new Roots({ roots, dataDir }),
    kept: new KeptOptions(
      (name) => directory.file(name),
      (reason) => log.error('what the front said is not kept', { reason }),
    ),
    onLog: ({ payload: { level, message, fields } }) => engineLog[level](message, fields),
    onDied: (reason) => {
      log.error('engine died', { reason: reason.message });
      process.exit(1);
    },
  });
  log.info(begun ? 'went on without a front' : 'waits for a front', { torrents: begun?.torrents ?? 0 });
  const stop = async (): Promise<void> => {
    await close();
    directory.release();
  };
  return { at: nameOf(listen.kind === 'tcp' ? { ...listen, port } : listen), stop };
}

async function engineIdOf(directory: DataDirectory): Promise<string> {
  const file = directory.file('engine-id');
  const known = (await readIfExists(file))?.toString().trim();
  if (isStreamId(known)) return known;
  const made = newStreamId();
  await replaceFile(file, `${made}\n`);
  return made;
}

/** @throws AppError `SAVE_PATH_INVALID` */
function realRoots(option: string, roots: EngineProcessOptions['roots']) {
  return roots.map(({ name, path }) => {
    try {
      return { name, path: realpathSync(path) };
    } catch (error) {
      throw new AppError('SAVE_PATH_INVALID', `${option} ${name}=${path}: ${(error as Error).message}`);
    }
  });
}

/** @throws AppError `STORAGE_FAILED` */
async function readTls(tls: EngineProcessOptions['tls']): Promise<StreamTls | null> {
  if (!tls) return null;
  const read = (file: string) =>
    readFile(file).catch((error: Error) => {
      throw new AppError('STORAGE_FAILED', `${file}: ${error.message}`);
    });
  const { certFile, keyFile, clientAuthorityFile } = tls;
  return {
    cert: await read(certFile),
    key: await read(keyFile),
    clientAuthority: clientAuthorityFile === null ? null : await read(clientAuthorityFile),
  };
}

/** The first signal stops in order, a second one at once. */
function stopOnSignal(stop: () => Promise<void>): void {
  let isStopping = false;
  const onSignal = (): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
    setTimeout(() => process.exit(0), STOP_DEADLINE_MS).unref();
    void stop()
      .catch(() => undefined)
      .finally(() => process.exit(0));
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}
