// What keeps a torrent from running as it should, and the error people see for it. A plain failure is shown but
// stops nothing.
import { AppError, toErrorRecord, type ErrorRecord } from '../../shared-protocol/errors.js';

export function volumeMissing(): AppError {
  return new AppError('FILES_MISSING', 'the volume of the save path is not mounted');
}

export class ErrorState {
  #filesMissing = false;
  #writesFail = false;
  #error: ErrorRecord | null = null;

  /** Files with verified bytes have vanished or shrunk: nothing is opened, created or downloaded. */
  get filesMissing(): boolean {
    return this.#filesMissing;
  }

  /** The disk refuses writes; seeding goes on. */
  get writesFail(): boolean {
    return this.#writesFail;
  }

  get error(): ErrorRecord | null {
    return this.#error;
  }

  get any(): boolean {
    return this.#filesMissing || this.#writesFail;
  }

  /** `path` is relative to the save path. */
  onFilesMissing(path: string): void {
    this.#filesMissing = true;
    this.#error = toErrorRecord(new AppError('FILES_MISSING', `${path} is missing or too short`, { path }));
  }

  /** The files cannot even be looked at: as good as missing until they can. */
  onUnreadable(error: unknown): void {
    this.#filesMissing = true;
    this.#error = toErrorRecord(error);
  }

  /** Notes that the save path is another volume now: all that was saved there is missing. */
  onVolumeMissing(): void {
    this.#filesMissing = true;
    this.#error = toErrorRecord(volumeMissing());
  }

  onWriteFailed(error: unknown): void {
    this.#writesFail = true;
    this.#error = toErrorRecord(error);
  }

  onFailure(error: unknown): void {
    this.#error = toErrorRecord(error);
  }

  /** Writes are tried again. */
  forgiveWrites(): void {
    this.#writesFail = false;
    if (!this.#filesMissing) this.#error = null;
  }

  clear(): void {
    this.#filesMissing = this.#writesFail = false;
    this.#error = null;
  }
}
