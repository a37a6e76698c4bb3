// Why what a move has left could not be put in order, as people see it until it is. It is tried again.
import { toErrorRecord, type ErrorRecord } from '../../../shared-protocol/errors.js';
import type { TorrentRecord } from '../resume/torrent-record.js';
import type { TorrentServices } from '../session-interface.js';

export interface MoveTroubleDeps {
  readonly services: Pick<TorrentServices, 'log'>;
  readonly record: Pick<TorrentRecord, 'row'>;
}

export class MoveTrouble {
  #error: ErrorRecord | null = null;

  constructor(private readonly deps: MoveTroubleDeps) {}

  get error(): ErrorRecord | null {
    return this.#error;
  }

  note(error: unknown, message: string): void {
    this.#error = toErrorRecord(error);
    this.log(error, message);
  }

  /** Logs what is shown elsewhere. */
  log(error: unknown, message: string): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.deps.services.log.warn(message, { torrent: this.deps.record.row.id, reason });
  }

  over(): void {
    this.#error = null;
  }
}
