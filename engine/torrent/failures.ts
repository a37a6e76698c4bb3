// What goes wrong with a torrent's disk, from the error to what it means: trouble that changes what the torrent does
// and is looked after, or a failure that is only shown.
import { AppError } from '../../shared-protocol/errors.js';
import type { TorrentId } from '../../shared-protocol/ids.js';
import type { TorrentServices } from './services.js';
import type { Trouble } from './trouble.js';

export interface FailuresDeps {
  readonly id: TorrentId;
  readonly services: Pick<TorrentServices, 'log'>;
  readonly trouble: Trouble;
  readonly events: {
    /** A fact that decides what the torrent does is changed within `mutate`. */
    change(mutate: () => void): void;
    /** To be looked at again in a while. */
    onTrouble(): void;
    onFactsChanged(): void;
    hasEnded(): boolean;
  };
}

export class Failures {
  constructor(private readonly deps: FailuresDeps) {}

  onWriteFailed(error: unknown): void {
    const { trouble, events } = this.deps;
    if (events.hasEnded()) return;
    events.change(() => trouble.onWriteFailed(error));
    this.#log('warn', 'disk refuses writes');
    events.onTrouble();
  }

  onReadFailed(error: unknown): void {
    const { trouble, events } = this.deps;
    if (!(error instanceof AppError) || !isAsGoodAsMissing(error)) return this.onFailed(error);
    events.change(() => trouble.onFilesMissing(String(error.data?.['path'] ?? 'a file')));
    events.onTrouble();
  }

  /** Shown, but it stops nothing. */
  onFailed(error: unknown): void {
    this.deps.trouble.onFailure(error);
    this.#log('error', 'torrent failed');
    this.deps.events.onFactsChanged();
  }

  #log(level: 'warn' | 'error', message: string): void {
    const { id, services, trouble } = this.deps;
    services.log[level](message, { torrent: id, reason: trouble.error?.message ?? '' });
  }
}

/** A file that is gone, or on a device that is (semantics.md section 5). */
function isAsGoodAsMissing({ code, data }: AppError): boolean {
  return code === 'FILES_MISSING' || data?.['errno'] === 'EIO' || data?.['errno'] === 'ENODEV';
}
