// The directory that an archive is unpacked into: for this user alone, with regular files and folders only. Names are judged before
// anything is made of them, bytes are counted while they come: a header's word for a size is not believed.
import { mkdir, open, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { archiveRefused, entryRefused, storageFailed, type ArchiveBounds } from './bounds.js';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** The limit of file systems. */
const MAX_NAME_BYTES = 255;
const LOOK_EVERY_BYTES = 16 * 1024 ** 2;
/** Errors of making a file or a folder where another entry has put something else. */
const TAKEN: ReadonlySet<unknown> = new Set(['EEXIST', 'ENOTDIR', 'EISDIR']);

export interface UnpackedFile {
  /** @throws AppError `IMPORT_UNREADABLE`, `STORAGE_FAILED`; errors of the system */
  append(chunk: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export class UnpackedState {
  #entries = 0;
  #bytes = 0;
  #lookedAt = 0;
  readonly #folders = new Set<string>(['']);

  /** `path`: an empty directory. */
  constructor(
    readonly path: string,
    private readonly bounds: ArchiveBounds,
    /** Throws once nobody wants it any more. */
    private readonly assertWanted: () => void,
  ) {}

  get entries(): number {
    return this.#entries;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @throws AppError `IMPORT_UNREADABLE`; errors of the system */
  async addFolder(name: string): Promise<void> {
    await this.#folder(this.#judged(name), name);
  }

  /** To be closed in any case. @throws AppError `IMPORT_UNREADABLE`; errors of the system */
  async openFile(name: string): Promise<UnpackedFile> {
    const elements = this.#judged(name);
    if (elements.length === 0 || name.endsWith('/')) throw entryRefused(name, 'is no name of a file');
    const folder = await this.#folder(elements.slice(0, -1), name);
    const file = await open(join(folder, elements.at(-1)!), 'wx', FILE_MODE).catch((error: unknown) => {
      throw takenOr(error, name);
    });
    return {
      append: async (chunk) => {
        await this.#count(chunk.length);
        await file.appendFile(chunk);
      },
      close: () => file.close(),
    };
  }

  /** Elements of its path; none for the top. */
  #judged(name: string): readonly string[] {
    this.assertWanted();
    const { entries, pathBytes, depth } = this.bounds;
    if (++this.#entries > entries)
      throw archiveRefused(`holds more than ${entries} entries`, 'ARCHIVE_TOO_MANY_ENTRIES', { max: entries });
    if (Buffer.byteLength(name) > pathBytes) throw entryRefused(name, `is a path of more than ${pathBytes} bytes`);
    if (name.startsWith('/')) throw entryRefused(name, 'is an absolute path', 'ARCHIVE_PATH');
    if (name.includes('\0')) throw entryRefused(name, 'holds a zero byte');
    const elements = name.split('/').filter((element) => element !== '' && element !== '.');
    if (elements.includes('..')) throw entryRefused(name, 'leads out of the archive', 'ARCHIVE_PATH');
    if (elements.some((element) => Buffer.byteLength(element) > MAX_NAME_BYTES))
      throw entryRefused(name, `holds a name of more than ${MAX_NAME_BYTES} bytes`);
    if (elements.length > depth) throw entryRefused(name, `is more than ${depth} folders deep`);
    return elements;
  }

  async #folder(elements: readonly string[], name: string): Promise<string> {
    const relative = elements.join('/');
    const folder = join(this.path, relative);
    if (this.#folders.has(relative)) return folder;
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE }).catch((error: unknown) => {
      throw takenOr(error, name);
    });
    this.#folders.add(relative);
    return folder;
  }

  async #count(bytes: number): Promise<void> {
    this.assertWanted();
    const { unpackedBytes } = this.bounds;
    this.#bytes += bytes;
    if (this.#bytes > unpackedBytes)
      throw archiveRefused(`is larger than ${unpackedBytes} bytes when unpacked`, 'ARCHIVE_UNPACKED_TOO_LARGE', {
        max: unpackedBytes,
      });
    if (this.#bytes - this.#lookedAt < LOOK_EVERY_BYTES) return;
    this.#lookedAt = this.#bytes;
    await assertRoom(this.path, this.bounds);
  }
}

/** @throws AppError `STORAGE_FAILED` where the disk has less left than is kept for the service's own state */
export async function assertRoom(path: string, { reserveBytes }: ArchiveBounds): Promise<void> {
  const { bavail, bsize } = await statfs(path);
  if (bavail * bsize < reserveBytes) throw storageFailed('ENOSPC');
}

function takenOr(error: unknown, name: string): unknown {
  const isTaken = error instanceof Error && 'code' in error && TAKEN.has(error.code);
  return isTaken ? entryRefused(name, 'is in it twice') : error;
}
