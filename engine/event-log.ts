// The engine's log. Lines travel to the main thread, which has the process's one logger; those that it would drop do not
// go on the way, as each announce and each peer has one (measured: a quarter of the time that messages take while
// torrents are added).
import type { LogLevel } from '../shared-protocol/commands/engine-options.js';
import type { EngineEvent, LogFields } from '../shared-protocol/events.js';
import { isLogged, type RecordLevel } from '../shared-protocol/log-levels.js';
import type { Log } from './environment.js';

export class EventLog implements Log {
  /** All of them until it is told. */
  #least: LogLevel = 'trace';

  constructor(private readonly emit: (event: EngineEvent) => void) {}

  /** Lines below this level are dropped from now on. */
  setLevel(level: LogLevel): void {
    this.#least = level;
  }

  debug(message: string, fields: LogFields = {}): void {
    this.#tell('debug', message, fields);
  }

  info(message: string, fields: LogFields = {}): void {
    this.#tell('info', message, fields);
  }

  warn(message: string, fields: LogFields = {}): void {
    this.#tell('warn', message, fields);
  }

  error(message: string, fields: LogFields = {}): void {
    this.#tell('error', message, fields);
  }

  #tell(level: RecordLevel, message: string, fields: LogFields): void {
    if (isLogged(level, this.#least)) this.emit({ name: 'log', payload: { level, message, fields } });
  }
}
