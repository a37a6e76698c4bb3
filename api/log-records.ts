// The last lines of the log, in memory, for administrators to read: bounded, and without secrets. Passkeys in addresses are
// masked when a line is kept, so that no reader of this can see one.
import { randomUUID } from 'node:crypto';
import type { LogLevel } from '../shared-protocol/commands/engine-options.js';
import {
  MAX_LOG_ANSWER,
  MAX_LOG_RECORDS,
  type LogDto,
  type LogPart,
  type LogRecord,
} from '../shared-protocol/dto/log.js';
import type { LogFields } from '../shared-protocol/events.js';
import { isLogged, type RecordLevel } from '../shared-protocol/log-levels.js';
import { maskText } from '../shared-protocol/masking.js';
import { shortened } from '../shared-protocol/shortened.js';
import { SECRET_FIELDS, type Log } from './logging.js';

const MAX_MESSAGE_CHARS = 1_000;
const MAX_FIELD_CHARS = 2_000;
const MAX_FIELDS = 30;
const INFO_HASH = /^[0-9a-f]{40}$/;
const SECRET: ReadonlySet<string> = new Set(SECRET_FIELDS);

export interface LogQuery {
  readonly level?: RecordLevel | undefined;
  readonly part?: LogPart | undefined;
  readonly text?: string | undefined;
  readonly after?: number | undefined;
}

export class LogRecords {
  readonly #records: LogRecord[] = [];
  readonly #run = randomUUID();
  #last = 0;

  /** `level`: what the service logs; `unixMs`: now. */
  constructor(
    private readonly level: LogLevel,
    private readonly unixMs: () => number,
  ) {}

  /** A log that keeps what it is told besides. */
  keeping(part: LogPart, log: Log): Log {
    const at = (level: RecordLevel) => (message: string, fields?: LogFields) => {
      log[level](message, fields);
      this.#keep(level, part, message, fields);
    };
    return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  }

  find({ level = 'debug', part, text = '', after = 0 }: LogQuery): LogDto {
    const sought = text.toLowerCase();
    const records = this.#records.filter(
      (record) =>
        record.id > after &&
        isLogged(record.level, level) &&
        (part === undefined || record.part === part) &&
        (sought === '' || textOf(record).toLowerCase().includes(sought)),
    );
    return { records: records.slice(-MAX_LOG_ANSWER), last: this.#last, run: this.#run, level: this.level };
  }

  /** All of them, a line of JSON each, as on standard error. */
  asLines(): string {
    return this.#records
      .map(({ level, unix_ms, part, message, fields }) =>
        JSON.stringify({ level, time: new Date(unix_ms).toISOString(), name: part, ...fields, msg: message }),
      )
      .map((line) => `${line}\n`)
      .join('');
  }

  #keep(level: RecordLevel, part: LogPart, message: string, fields: LogFields = {}): void {
    if (!isLogged(level, this.level)) return;
    const kept = Object.entries(fields).slice(0, MAX_FIELDS);
    this.#records.push({
      id: ++this.#last,
      unix_ms: this.unixMs(),
      ...{ level, part, message: shown(message, MAX_MESSAGE_CHARS) },
      fields: Object.fromEntries(kept.map(([name, value]) => [name, valueOf(name, value)])),
    });
    if (this.#records.length > MAX_LOG_RECORDS) this.#records.shift();
  }
}

function valueOf(name: string, value: LogFields[string]): LogRecord['fields'][string] {
  if (SECRET.has(name)) return '***';
  // Hashes of torrents look like keys, and are none.
  if (name === 'torrentId' && typeof value === 'string' && INFO_HASH.test(value)) return value;
  return typeof value === 'string' ? shown(value, MAX_FIELD_CHARS) : (value ?? null);
}

function shown(text: string, maxChars: number): string {
  return maskText(shortened(text, maxChars));
}

function textOf({ message, fields }: LogRecord): string {
  return `${message} ${Object.entries(fields)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ')}`;
}
