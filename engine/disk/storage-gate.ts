// Who is at a torrent's bytes when: transfers share them, and changes of where they lie have them alone. Owns: nobody is
// before what an earlier run left has been taken up, nor after they were deleted.
import { AppError } from '../../shared-protocol/errors.js';
import type { InfoHash } from '../../shared-protocol/ids.js';
import { ReadWriteLock } from '../util/read-write-lock.js';

export class StorageGate {
  readonly #lock = new ReadWriteLock();
  #loading: Promise<void> | null = null;
  #isLoaded = false;
  #isDeleted = false;

  /** `load`: takes up what an earlier run left; called again for whoever comes next where it fails. */
  constructor(
    private readonly infoHash: InfoHash,
    private readonly load: () => Promise<void>,
  ) {}

  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** @throws AppError `FILES_MISSING` when they were deleted; what `load` throws */
  async shared<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#isLoaded) await this.#loadOnce();
    return this.#lock.shared(() => {
      this.#assertNotDeleted();
      return work();
    });
  }

  /** @throws AppError `FILES_MISSING` when they were deleted; what `load` throws */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#isLoaded) await this.#loadOnce();
    return this.#lock.alone(() => {
      this.#assertNotDeleted();
      return work();
    });
  }

  /** Runs alone, loaded or not, deleted or not. */
  close(work: () => Promise<void>): Promise<void> {
    return this.#lock.alone(work);
  }

  /** Runs alone, and nothing does any more from then on. */
  delete(work: () => Promise<void>): Promise<void> {
    return this.#lock.alone(() => {
      this.#isDeleted = true;
      this.#isLoaded = false;
      return work();
    });
  }

  #loadOnce(): Promise<void> {
    this.#loading ??= this.#lock.alone(async () => {
      try {
        this.#assertNotDeleted();
        if (this.#isLoaded) return;
        await this.load();
        this.#isLoaded = true;
      } finally {
        this.#loading = null;
      }
    });
    return this.#loading;
  }

  #assertNotDeleted(): void {
    if (this.#isDeleted) throw new AppError('FILES_MISSING', `torrent ${this.infoHash}: files were deleted`);
  }
}
