// How serious a line of the log is, and which lines a process that logs from some level on drops.
import type { LogLevel } from './commands/engine-options.js';

/** The least serious first. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type RecordLevel = (typeof LOG_LEVELS)[number];

/** Whether a process that logs at level `least` keeps such a line. */
export function isLogged(level: RecordLevel, least: LogLevel): boolean {
  if (least === 'silent') return false;
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.findIndex((each) => each === least);
}
