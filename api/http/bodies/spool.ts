// Large bodies on their way lie on disk, not in memory: in a folder that no other user may open, in files without a
// name as soon as they are open, so that nothing is left of them however the process ends.
import { randomBytes } from 'node:crypto';
import { mkdir, open, rm, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { CollectedBytes } from '../../../shared-protocol/collected-bytes.js';
import { AppError } from '../../../shared-protocol/errors.js';
import { fillFromFile } from '../../../storage/fill-from-file.js';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Most torrent files are smaller and never touch the disk. */
const IN_MEMORY_BYTES = 1024 * 1024;

export class Spool {
  private constructor(private readonly folder: string) {}

  /** Made anew: what lies there is of a process that ended between two calls. @throws AppError `STORAGE_FAILED` */
  static async in(folder: string): Promise<Spool> {
    await onDisk(async () => {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { mode: FOLDER_MODE });
    });
    return new Spool(folder);
  }

  body(): SpooledBody {
    return new SpooledBody(async () => {
      const path = join(this.folder, randomBytes(12).toString('hex'));
      const file = await open(path, 'wx+', FILE_MODE);
      await unlink(path);
      return file;
    });
  }
}

/** To be discarded in any case. */
export class SpooledBody {
  #file: FileHandle | null = null;
  /** The end of it, which is not in the file yet. */
  readonly #held = new CollectedBytes();
  #length = 0;

  constructor(private readonly openFile: () => Promise<FileHandle>) {}

  get length(): number {
    return this.#length;
  }

  /** One at a time. @throws AppError `STORAGE_FAILED` */
  async append(chunk: Uint8Array): Promise<void> {
    this.#held.add(chunk);
    this.#length += chunk.length;
    if (this.#held.length <= IN_MEMORY_BYTES) return;
    const bytes = this.#held.take();
    await onDisk(async () => {
      this.#file ??= await this.openFile();
      // Without a position it goes on where it ended; a write may be a short one.
      await this.#file.appendFile(bytes);
    });
  }

  /** All of it, once, in memory of its own: what crosses to the engine must not be a view of a shared pool. */
  async whole(): Promise<Uint8Array> {
    const end = this.#held.take();
    const file = this.#file;
    if (!file) return end;
    const bytes = new Uint8Array(this.#length);
    const endsAt = bytes.length - end.length;
    bytes.set(end, endsAt);
    await onDisk(() => readWhole(file, bytes.subarray(0, endsAt)));
    return bytes;
  }

  async discard(): Promise<void> {
    this.#held.take();
    await this.#file?.close();
    this.#file = null;
  }
}

async function readWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  if ((await fillFromFile(file, bytes, 0)) < bytes.length) throw new Error('shorter than what was written');
}

async function onDisk<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    const errno = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    throw new AppError('STORAGE_FAILED', `uploads: ${errno}`, { errno }, { cause });
  }
}
