// A collection of records that people edit, kept by lowdb in one crash-safe file (docs/limits.md 2.28). Owns: changes
// are one after another, and what `data` shows is what is on disk.
import { dirname } from 'node:path';
import { Low, type Adapter } from 'lowdb';
import { AppError } from '../shared-protocol/errors.js';
import { systemErrorMessage, systemErrorName } from '../shared-protocol/system-error-name.js';
import { removeGenerations, replaceFile } from './atomic-file.js';
import { openEnvelope, sealEnvelope } from './collection-envelope.js';
import { readNewest, type Reading } from './collection-file.js';
import { readRecords, refuseNewer, type CollectionShape } from './collection-shape.js';
import { makeFolders } from './make-folders.js';
import type { RemovableCollection } from './types.js';

export interface CollectionOptions<Data> extends CollectionShape<Data> {
  /** Told when a damaged file was passed over. */
  readonly onFallback?: (file: string, reason: string) => void;
  /** The mode of the folder that it lies in, which is made with a change where it is missing. Absent: it is never made. */
  readonly folderMode?: number;
}

/** @throws AppError `STORAGE_TOO_NEW`; `STORAGE_FAILED` when files exist and none of them can be used. */
export async function openCollection<Data>(
  file: string,
  options: CollectionOptions<Data>,
): Promise<RemovableCollection<Data>> {
  const low = new Low<Data>(new CrashSafeAdapter(file, options), options.defaults);
  await low.read();
  return new LowdbCollection(low, file, options);
}

class LowdbCollection<Data> implements RemovableCollection<Data> {
  #durable: Data;
  #last: Promise<void> = Promise.resolve();

  constructor(
    private readonly low: Low<Data>,
    private readonly file: string,
    private readonly shape: Pick<CollectionShape<Data>, 'defaults' | 'validate'>,
  ) {
    this.#durable = low.data;
  }

  get data(): Data {
    return this.#durable;
  }

  update(change: (data: Data) => void): Promise<void> {
    return this.#next(() => this.#apply(change));
  }

  remove(): Promise<void> {
    return this.#next(async () => {
      await removeGenerations(this.file).catch((cause: unknown) => this.#fail('remove', cause));
      this.#durable = this.shape.defaults;
    });
  }

  onChanged(): void {
    // The directory is locked: nobody else changes its files.
  }

  async refresh(): Promise<void> {
    // For the same reason there is nothing to be seen.
  }

  #next(run: () => Promise<void>): Promise<void> {
    const done = this.#last.then(run);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #apply(change: (data: Data) => void): Promise<void> {
    const draft = structuredClone(this.#durable);
    change(draft);
    this.low.data = this.shape.validate(draft);
    try {
      await this.low.write();
      this.#durable = this.low.data;
    } catch (cause) {
      this.low.data = this.#durable;
      this.#fail('write', cause);
    }
  }

  #fail(deed: string, cause: unknown): never {
    const errno = systemErrorName(cause);
    throw new AppError(
      'STORAGE_FAILED',
      `storage: cannot ${deed} ${this.file}: ${systemErrorMessage(cause)}`,
      { errno },
      { cause },
    );
  }
}

class CrashSafeAdapter<Data> implements Adapter<Data> {
  constructor(
    private readonly file: string,
    private readonly options: CollectionOptions<Data>,
  ) {}

  read(): Promise<Data | null> {
    return readNewest(this.file, (bytes) => this.#open(bytes), this.options.onFallback);
  }

  async write(data: Data): Promise<void> {
    const { folderMode } = this.options;
    if (folderMode !== undefined) await makeFolders(dirname(this.file), folderMode);
    await replaceFile(this.file, sealEnvelope(this.options.version, data), { keepBackup: true });
  }

  #open(bytes: Buffer): Reading<Data> {
    const opened = openEnvelope(bytes);
    if (opened.kind === 'damaged') return opened;
    refuseNewer(this.file, opened.version, this.options.version);
    try {
      return { kind: 'usable', value: readRecords(this.options, opened) };
    } catch (error) {
      return { kind: 'damaged', reason: error instanceof Error ? error.message : String(error) };
    }
  }
}
