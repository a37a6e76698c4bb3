// What goes wrong with a torrent's disk, from the error to what it means: trouble that changes what the torrent does
// and is looked after, or a failure that is only shown.
import { AppError } from '../../shared-protocol/errors.js';
import type { TorrentId } from '../../shared-protocol/ids.js';
import type { DiskWaiter } from '../disk/types.js';
import type { TorrentProgress } from './pieces/progress.js';
import type { TorrentRecord } from './resume/torrent-record.js';
import type { TorrentServices } from './session-interface.js';
import type { ErrorState } from './error-state.js';

export interface DiskFailuresDeps {
  readonly id: TorrentId;
  readonly services: Pick<TorrentServices, 'log' | 'clock' | 'disk'>;
  readonly errorState: ErrorState;
  readonly record: TorrentRecord;
  readonly progress: TorrentProgress;
  readonly hasEnded: boolean;
  /** A fact that decides what the torrent does is changed within `mutate`. */
  change(mutate: () => void): void;
  /** To be looked at again in a while. */
  watchTrouble(): void;
  /** The disk is worth another try. */
  lookAgain(): Promise<void>;
  tellFacts(): void;
}

const GONE: ReadonlySet<string> = new Set(['EIO', 'ENODEV', 'ESTALE']);

export class DiskFailures implements DiskWaiter {
  constructor(private readonly deps: DiskFailuresDeps) {}

  get savePath(): string {
    return this.deps.record.row.savePath;
  }

  missingBytes(): number {
    return this.deps.progress.wantedLeft;
  }

  async onDiskBack(): Promise<void> {
    const { errorState, hasEnded } = this.deps;
    if (hasEnded || !errorState.writesFail) return;
    await this.deps.lookAgain().catch((error: unknown) => this.onFailed(error));
  }

  /** The disk knows when writes are to be tried again: one look at it serves all torrents that wait. */
  onWriteFailed(error: unknown): void {
    const { errorState, services, hasEnded } = this.deps;
    // Writes that were under way when the first was refused say the same.
    if (hasEnded || errorState.writesFail) return;
    // No disk to wait for: its volume is not mounted.
    if (error instanceof AppError && error.data?.['errno'] === 'ENODEV') return this.onReadFailed(error);
    this.deps.change(() => errorState.onWriteFailed(error));
    this.#log('debug', 'disk refuses writes');
    services.disk.trouble.wait(this, error, services.clock.nowMs());
  }

  /** The torrent is removed. */
  leave(): void {
    this.deps.services.disk.trouble.leave(this);
  }

  onReadFailed(error: unknown): void {
    const { errorState } = this.deps;
    if (!(error instanceof AppError) || !isAsGoodAsMissing(error)) return this.onFailed(error);
    this.deps.change(() => errorState.onFilesMissing(String(error.data?.['path'] ?? 'a file')));
    this.deps.watchTrouble();
  }

  /** Shown, but it stops nothing. */
  onFailed(error: unknown): void {
    this.deps.errorState.onFailure(error);
    this.#log('error', 'torrent failed');
    this.deps.tellFacts();
  }

  #log(level: 'debug' | 'error', message: string): void {
    const { id, services, errorState } = this.deps;
    services.log[level](message, { torrent: id, reason: errorState.error?.message ?? '' });
  }
}

/** A file that is gone, or on a device or a server that is (docs/semantics.md section 5). */
function isAsGoodAsMissing({ code, data }: AppError): boolean {
  return code === 'FILES_MISSING' || GONE.has(String(data?.['errno']));
}
