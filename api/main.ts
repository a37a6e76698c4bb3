#!/usr/bin/env node
// The program: command line in, one ready line out, signals and exit codes (design.md, "The run contract").
import { AppError } from '../shared-protocol/errors.js';
import { startDaemon, type Daemon } from './daemon.js';
import { startEngine } from './engine/engine-host.js';
import { asLog, createLogger, standardErrorTarget } from './logging.js';
import { parseCommandLine, type Options } from './options.js';
import { VERSION } from './version.js';

const EXIT_USAGE = 2;
/** The contract says 10 s; whatever hangs is left behind by then. Nothing acknowledged is lost by that. */
const STOP_DEADLINE_MS = 9_500;

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

async function run(options: Options): Promise<void> {
  const logger = createLogger(options.logLevel, standardErrorTarget());
  const log = asLog(logger.child({ name: 'api' }));
  const engineLog = asLog(logger.child({ name: 'engine' }));
  // Whoever started us may not read on.
  process.stdout.on('error', () => undefined);
  const die = (message: string, reason: unknown) => {
    log.error(message, { reason: reason instanceof Error ? (reason.stack ?? reason.message) : String(reason) });
    process.exit(1);
  };
  process.on('uncaughtException', (error) => die('bug: uncaught exception', error));
  process.on('unhandledRejection', (reason) => die('bug: unhandled rejection', reason));

  const starting = startDaemon(options, {
    createEngine: () => startEngine({ log: engineLog }),
    log,
    notify: (text) => process.stderr.write(`${text}\n`),
    onFatal: (reason) => die('engine lost', reason),
  });
  stopOnSignal(starting);
  try {
    const { url, peerPort } = await starting;
    process.stdout.write(`swarmd ready ${url} peer-port ${peerPort}\n`);
  } catch (error) {
    process.stderr.write(`swarmd: ${error instanceof Error ? error.message : String(error)}\n`);
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
