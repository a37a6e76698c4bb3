// Large bodies on their way lie on disk, not in memory: in a folder that no other user may open, in files without a
// name as soon as they are open, so that nothing is left of them however the process ends.
import { randomBytes } from 'node:crypto';
import { mkdir, open, rm, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../shared-protocol/errors.js';

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
  #chunks: Uint8Array[] = [];
  /** Bytes of the chunks in memory. */
  #held = 0;
  #length = 0;

  constructor(private readonly openFile: () => Promise<FileHandle>) {}

  get length(): number {
    return this.#length;
  }

  /** One at a time. @throws AppError `STORAGE_FAILED` */
  async append(chunk: Uint8Array): Promise<void> {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    this.#length += chunk.length;
    if (this.#file === null && this.#held <= IN_MEMORY_BYTES) return;
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#held = 0;
    await onDisk(async () => {
      this.#file ??= await this.openFile();
      // Without a position it goes on where it ended; a write may be a short one.
      for (const bytes of chunks) await this.#file.appendFile(bytes);
    });
  }

  /** All of it, in memory of its own: what crosses to the engine must not be a view of a shared pool. */
  async whole(): Promise<Uint8Array> {
    const bytes = new Uint8Array(this.#length);
    const file = this.#file;
    if (file) return onDisk(() => readWhole(file, bytes));
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
  }

  async discard(): Promise<void> {
    this.#chunks = [];
    await this.#file?.close();
    this.#file = null;
  }
}

async function readWhole(file: FileHandle, bytes: Uint8Array): Promise<Uint8Array> {
  for (let at = 0; at < bytes.length;) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, at);
    if (bytesRead === 0) throw new Error('shorter than what was written');
    at += bytesRead;
  }
  return bytes;
}

async function onDisk<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    const errno = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    throw new AppError('STORAGE_FAILED', `uploads: ${errno}`, { errno }, { cause });
  }
}
