// Archives of other programs' states that administrators send: one of an account, a few of all. An archive is gone after its import, when
// its account sends another or deletes it, when it is not used, on any failure, and at the next start. No account learns of another's.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportArchiveDto, ImportArchivePart } from '../../../../shared-protocol/dto/import-archives.js';
import type { AccountId } from '../../../../shared-protocol/ids.js';
import { because } from '../../../../shared-protocol/reasons.js';
import { RequestError } from '../../../errors.js';
import { ARCHIVE_BOUNDS, asRefusal, type ArchiveBounds } from './bounds.js';
import { ReceivedArchive } from './received-archive.js';

const FOLDER_MODE = 0o700;
const MINUTE_MS = 60_000;

export interface ImportArchivesOptions {
  readonly bounds: ArchiveBounds;
  /** How long the next part may take to begin. */
  readonly partMs: number;
  /** How long it is kept for an import. */
  readonly keptMs: number;
}

const DEFAULTS: ImportArchivesOptions = { bounds: ARCHIVE_BOUNDS, partMs: 2 * MINUTE_MS, keptMs: 60 * MINUTE_MS };

/** To be released in any case. */
export interface ArchiveLease {
  /** The directory that holds its files and folders. */
  readonly path: string;
  /** `isDone`: nothing more is wanted of it. */
  release(isDone: boolean): Promise<void>;
}

export class ImportArchives {
  readonly #archives = new Map<AccountId, ReceivedArchive>();
  readonly #expiries = new Map<ReceivedArchive, NodeJS.Timeout>();
  #lastId = 0;

  private constructor(
    /** Holds besides what an import has for itself: all of it goes at the next start. */
    readonly folder: string,
    private readonly options: ImportArchivesOptions,
  ) {}

  /** Made anew: what lies there is of a process that has ended. @throws AppError `STORAGE_FAILED` */
  static async in(folder: string, options: Partial<ImportArchivesOptions> = {}): Promise<ImportArchives> {
    try {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { mode: FOLDER_MODE });
    } catch (error) {
      throw asRefusal(error);
    }
    return new ImportArchives(folder, { ...DEFAULTS, ...options });
  }

  /**
   * Reads all of `bytes`, unless it fails; nothing of the archive is kept then.
   * @throws RequestError `NOT_FOUND`, `CONFLICT`, `QUOTA_EXCEEDED`; AppError `IMPORT_UNREADABLE`, `STORAGE_FAILED`
   */
  async receive(
    accountId: AccountId,
    part: ImportArchivePart,
    bytes: AsyncIterable<Uint8Array>,
    gone?: AbortSignal,
  ): Promise<ImportArchiveDto> {
    const archive = part.id === undefined ? this.#begin(accountId, part) : this.#goingOn(accountId, part.id, part);
    const giveUp = (): void => archive.ending.abort();
    if (gone?.aborted) giveUp();
    gone?.addEventListener('abort', giveUp);
    archive.use = 'receiving';
    this.#keep(archive);
    try {
      await archive.append(bytes);
      this.#expire(archive, archive.isWhole ? this.options.keptMs : this.options.partMs);
      return archive.toDto();
    } catch (error) {
      await this.#remove(archive);
      throw asRefusal(error);
    } finally {
      archive.use = 'idle';
      gone?.removeEventListener('abort', giveUp);
    }
  }

  /** @throws RequestError `NOT_FOUND`, `CONFLICT` */
  take(accountId: AccountId, id: number): ArchiveLease {
    const archive = this.#find(accountId, id);
    if (!archive.isWhole) throw new RequestError('CONFLICT', 'archive: not all of it is here yet');
    if (archive.use !== 'idle') throw new RequestError('CONFLICT', 'archive: it is being imported');
    archive.use = 'importing';
    this.#keep(archive);
    return {
      path: archive.statePath,
      release: async (isDone) => {
        archive.use = 'idle';
        if (isDone || archive.ending.signal.aborted) await this.#remove(archive);
        else this.#expire(archive, this.options.keptMs);
      },
    };
  }

  /** Ends what comes of it still; an import that reads it ends first. @throws RequestError `NOT_FOUND` */
  async delete(accountId: AccountId, id: number): Promise<void> {
    const archive = this.#find(accountId, id);
    archive.ending.abort();
    if (archive.use === 'idle') await this.#remove(archive);
  }

  #begin(accountId: AccountId, { offset, size }: ImportArchivePart): ReceivedArchive {
    assertOffset(offset, 0);
    const { bounds } = this.options;
    const before = this.#archives.get(accountId);
    if (before && before.use !== 'idle')
      throw new RequestError('QUOTA_EXCEEDED', 'archive: another one of yours is being received or imported', {
        of: 'own archives',
      });
    if (!before && this.#archives.size >= bounds.archives)
      throw new RequestError('QUOTA_EXCEEDED', `archive: ${bounds.archives} are here for imports already`, {
        of: 'archives',
      });
    const id = ++this.#lastId;
    const params = { id, accountId, size: size ?? null, folder: join(this.folder, String(id)) };
    const archive = new ReceivedArchive(params, bounds);
    if (before) void this.#remove(before).catch(() => undefined);
    this.#archives.set(accountId, archive);
    return archive;
  }

  #goingOn(accountId: AccountId, id: number, { offset }: ImportArchivePart): ReceivedArchive {
    const archive = this.#find(accountId, id);
    if (archive.use === 'receiving') throw new RequestError('CONFLICT', 'archive: another part of it is under way');
    if (archive.isWhole) throw new RequestError('CONFLICT', 'archive: all of it is here');
    assertOffset(offset, archive.received);
    return archive;
  }

  #find(accountId: AccountId, id: number): ReceivedArchive {
    const archive = this.#archives.get(accountId);
    if (archive?.id !== id || archive.ending.signal.aborted)
      throw new RequestError('NOT_FOUND', 'archive not found', because('ARCHIVE_NOT_FOUND'));
    return archive;
  }

  #expire(archive: ReceivedArchive, ms: number): void {
    this.#keep(archive);
    const timer = setTimeout(() => void this.#remove(archive).catch(() => undefined), ms).unref();
    this.#expiries.set(archive, timer);
  }

  #keep(archive: ReceivedArchive): void {
    clearTimeout(this.#expiries.get(archive));
    this.#expiries.delete(archive);
  }

  async #remove(archive: ReceivedArchive): Promise<void> {
    this.#keep(archive);
    archive.ending.abort();
    await archive.remove();
    if (this.#archives.get(archive.accountId) === archive) this.#archives.delete(archive.accountId);
  }
}

function assertOffset(offset: number, expected: number): void {
  if (offset !== expected) throw new RequestError('CONFLICT', `offset: expected ${expected}`);
}
