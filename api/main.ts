#!/usr/bin/env node
// The program: command line in, one ready line out, signals and exit codes (docs/architecture.md#the-run-contract).
import { fileURLToPath } from 'node:url';
import { backgroundClock, systemClock } from '../shared-protocol/clock.js';
import { AppError, messageOf } from '../shared-protocol/errors.js';
import { returnMemoryWhenQuiet } from '../shared-protocol/quiet-memory.js';
import type { EngineTransport } from '../shared-protocol/transport.js';
import { handleUncaught } from '../shared-protocol/uncaught.js';
import type { Daemon } from './app/daemon.js';
import { logEngine, startEngine } from './engine-client/engine-host.js';
import type { Log } from './logging.js';
import { parseCommandLine, type Options } from './cli/options.js';
import { detectInstallSource } from './services/updater/install-source.js';
import { browserCommand, openInBrowser } from './desktop/browser.js';
import { VERSION } from './version.js';

const EXIT_USAGE = 2;
/** The contract says 10 s; whatever hangs is left behind by then. Nothing acknowledged is lost by that. */
const STOP_DEADLINE_MS = 9_500;

const [first = '--', ...others] = process.argv.slice(2);
if (first.startsWith('-')) await runDaemon();
else if (first === 'engine') await runEngine(others);
else await runCommand([first, ...others]);

/** A command for a daemon that runs already. */
async function runCommand(args: readonly string[]): Promise<void> {
  const { processTerminal } = await import('../cli/process-terminal.js');
  const program = await import('../cli/program.js');
  const restore: Parameters<typeof program.runCommand>[2]['restore'] = async (params) => {
    const { restoreBackup } = await import('../storage/backup/restore-backup.js');
    const { created_at, program: by } = await restoreBackup(params);
    return { created_at, program: by };
  };
  const carry: Parameters<typeof program.runCommand>[2]['carry'] = async (direction, places) => {
    const { carryToDatabase, carryToFiles } = await import('../storage/records/carry.js');
    return direction === 'to-database' ? carryToDatabase(places) : carryToFiles(places);
  };
  process.exitCode = await program.runCommand(args, processTerminal(), { restore, carry });
}

/** An engine of its own process, in place of the daemon. */
async function runEngine(args: readonly string[]): Promise<void> {
  const { runEngineProcess } = await import('../engine-process/main.js');
  await runEngineProcess(args);
}

async function runDaemon(): Promise<void> {
  const parsed = parseCommandLine(process.argv.slice(2), process.env);
  switch (parsed.kind) {
    case 'help':
      process.stdout.write(parsed.text);
      break;
    case 'version':
      process.stdout.write(`${VERSION}\n`);
      break;
    case 'error':
      process.stderr.write(`${parsed.message}\n`);
      process.exitCode = EXIT_USAGE;
      break;
    case 'run':
      await run(parsed.options);
  }
}

async function run(options: Options): Promise<void> {
  // The thread loads its modules while this one loads its own: each takes half a second of a start.
  let atHand: EngineTransport | null = options.engine === null ? startEngine() : null;
  const { asLog, createLogger, standardErrorTarget } = await import('./logging.js');
  const logger = createLogger(options.logLevel, await standardErrorTarget());
  const log = asLog(logger.child({ name: 'api' }));
  const { LogRecords } = await import('./log-records.js');
  const logRecords = new LogRecords(options.logLevel, systemClock.unixMs);
  const engineLog = logRecords.keeping('engine', asLog(logger.child({ name: 'engine' })));
  // The process that started us may not read on.
  process.stdout.on('error', () => undefined);
  const die = (message: string, reason: unknown) => {
    log.error(message, { reason: reason instanceof Error ? (reason.stack ?? reason.message) : String(reason) });
    process.exit(1);
  };
  handleUncaught({
    survived: (error) => log.error('bug: error of a socket that nobody handled', { reason: error.stack ?? '' }),
    fatal: (error, origin) => {
      die(origin === 'unhandledRejection' ? 'bug: unhandled rejection' : 'bug: uncaught exception', error);
    },
  });

  returnMemoryWhenQuiet(backgroundClock);
  const createEngine = () => {
    const engine = atHand ?? startEngine();
    atHand = null;
    return logEngine(engine, engineLog);
  };
  const { startDaemon } = await import('./app/daemon.js');
  const browser = options.browser ? browserCommand(process.platform, process.env) : null;
  const starting = startDaemon(options, {
    createEngine,
    log,
    engineLog,
    logRecords,
    notify: (text) => process.stderr.write(`${text}\n`),
    onFatal: (reason) => {
      process.stderr.write(`swarmd: ${reason.message}\n`);
      process.exit(1);
    },
    ...(browser === null ? {} : { openPage: (file: string) => openInBrowser(browser, file, log) }),
    installSource: await detectInstallSource(fileURLToPath(import.meta.url), process.env),
  });
  stopOnSignal(starting);
  offerOnSignal(starting, log);
  try {
    const { url, peerPort } = await starting;
    process.stdout.write(`swarmd ready ${url} peer-port ${peerPort}\n`);
  } catch (error) {
    process.stderr.write(`swarmd: ${messageOf(error)}\n`);
    if (!(error instanceof AppError)) log.debug('start failed', { reason: String(error) });
    process.exit(1);
  }
}

/** The first signal stops in order, a second one at once. */
function stopOnSignal(starting: Promise<Daemon>): void {
  let isStopping = false;
  const stop = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    setTimeout(() => process.exit(0), STOP_DEADLINE_MS).unref();
    void starting
      .then((daemon) => daemon.close())
      .catch(() => undefined)
      .finally(() => process.exit(0));
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
}

/** SIGUSR2, since SIGUSR1 is Node's own: a new sign-in link for the user of the desktop program. */
function offerOnSignal(starting: Promise<Daemon>, log: Log): void {
  process.on('SIGUSR2', () => {
    starting
      .then((daemon) => daemon.offerSignIn())
      .catch((error: unknown) => log.error('no sign-in link', { reason: String(error) }));
  });
}
