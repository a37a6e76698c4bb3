// The one logger of the process (pino): JSON lines on standard error, pretty where that is a terminal. Secrets are
// removed by field name, wherever they turn up.
//   error  we failed, an administrator should look    warn   something is off, we coped
//   info   rare milestones                            debug  single requests, peers, announces
import { pino, type Logger } from 'pino';
import type { LogLevel } from '../shared-protocol/commands/engine-options.js';
import type { LogFields } from '../shared-protocol/events.js';

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export const SECRET_FIELDS = [
  'password',
  'old_password',
  'new_password',
  'api_key',
  'authorization',
  'cookie',
  'token',
];

/** Where lines go: a file descriptor, or anything with `write` (tests). */
export interface LogTarget {
  write(line: string): void;
}

/** The logger of the process; its children carry the `name` of their part. */
export function createLogger(level: LogLevel, target: LogTarget): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_FIELDS, censor: '***' },
    },
    target,
  );
}

/** Lines on standard error. Synchronous, so that the last words of a dying process are not lost. */
export async function standardErrorTarget(): Promise<LogTarget> {
  if (!process.stderr.isTTY) return pino.destination({ dest: 2, sync: true });
  // 50 ms of a start that only a user at a terminal needs.
  const { default: pretty } = await import('pino-pretty');
  return pretty({ destination: 2, sync: true });
}

/** Message first, as this code base writes it. */
export function asLog(logger: Logger): Log {
  return {
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
  };
}
