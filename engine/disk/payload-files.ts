// A torrent's files below its save path: their slots in the pool, what was written and not yet synced, and every
// transfer with one of them. Errors leave here as AppErrors that name the file.
import { close, fstat } from 'node:fs';
import { promisify } from 'node:util';
import type { AppError } from '../../shared-protocol/errors.js';
import type { Preallocation } from '../../shared-protocol/preallocation.js';
import type { TorrentFile, TorrentInfo } from '../metainfo/types.js';
import { PARALLEL_SYNCS } from './constants.js';
import { diskError } from './errors.js';
import { FileSlot, type FilePool, type OpenFile, type OpenMode } from './file-pool.js';
import { forEachLimit } from '../../shared-protocol/for-each-limit.js';
import type { FileNames, OpenName } from './file-names.js';
import type { FileGuard, FolderTree } from './open-beneath.js';
import { preallocate } from './preallocate.js';
import { syncDescriptor } from './sync-descriptor.js';
import type { FolderSyncs } from './sync-folders.js';
import { readInto, writeAll } from './transfer.js';
import type { FileOwnership } from './types.js';

const closeFd = promisify(close);
const statFd = promisify(fstat);

/** POSIX leaves it open; everywhere it is this. */
const STAT_BLOCK_BYTES = 512;

export interface PinnedFile {
  readonly open: OpenFile;
  readonly sizeBytes: number;
  /** Less of it is on disk than it is long: it has holes, or is compressed. */
  readonly isSparse: boolean;
}

export interface PayloadFilesDeps {
  readonly pool: FilePool;
  readonly tree: FolderTree;
  readonly folderSyncs: FolderSyncs;
  readonly names: FileNames;
  /** null where all that lies at the torrent's paths is its own. */
  readonly ownership: FileOwnership | null;
  readonly preallocation: Preallocation;
}

export class PayloadFiles {
  readonly #pool: FilePool;
  readonly #tree: FolderTree;
  readonly #folderSyncs: FolderSyncs;
  readonly #names: FileNames;
  readonly #ownership: FileOwnership | null;
  readonly #preallocation: Preallocation;
  /** Only of files that were touched. */
  readonly #slots = new Map<number, FileSlot>();
  readonly #written = new Set<TorrentFile>();
  /** A sync that failed, and that `sync` has not told of. */
  #failure: AppError | null = null;

  constructor(deps: PayloadFilesDeps) {
    this.#pool = deps.pool;
    this.#tree = deps.tree;
    this.#folderSyncs = deps.folderSyncs;
    this.#names = deps.names;
    this.#ownership = deps.ownership;
    this.#preallocation = deps.preallocation;
  }

  /** null when the file is not open: use `read`. The hot path of seeding. */
  readOpen(file: TorrentFile, position: number, views: readonly Uint8Array[], length: number): Promise<void> | null {
    const slot = this.#slots.get(file.index);
    const open = slot ? this.#pool.take(slot, 'read') : null;
    return open ? this.#readFrom(open, file, position, views, length) : null;
  }

  async read(file: TorrentFile, position: number, views: readonly Uint8Array[], length: number): Promise<void> {
    return this.#readFrom(await this.#acquire(file, 'read'), file, position, views, length);
  }

  async write(file: TorrentFile, position: number, bytes: Uint8Array): Promise<void> {
    const open = await this.#acquire(file, 'write');
    await new Promise<void>((resolve, reject) => {
      writeAll(open.fd, bytes, position, (error) => {
        this.#pool.release(open);
        // Bytes that arrive while a sync runs belong to the next one: noted after they are written.
        this.#written.add(file);
        if (!error) return resolve();
        this.#lookAnew(open);
        reject(diskError(error, file.path));
      });
    });
  }

  async create(file: TorrentFile): Promise<void> {
    this.#pool.release(await this.#acquire(file, 'write'));
    this.#written.add(file);
  }

  /** Opens a file to be hashed where it lies; the caller releases it. Its writer may not have synced it: we do. */
  async pin(file: TorrentFile): Promise<PinnedFile> {
    const open = await this.#acquire(file, 'read', 'pin');
    this.#written.add(file);
    this.#tree.distrust(file.path);
    try {
      const { size, blocks } = await statFd(open.fd);
      return { open, sizeBytes: size, isSparse: blocks * STAT_BLOCK_BYTES < size };
    } catch (error) {
      this.#pool.release(open);
      throw diskError(error, file.path);
    }
  }

  /**
   * Makes what was written durable. On failure that is retried by the next call, unless the file has gone. Fails as well
   * where a sync of a single file has failed since the last call: the kernel tells of it once.
   */
  async sync(): Promise<void> {
    const files = [...this.#written];
    this.#written.clear();
    await forEachLimit(files, PARALLEL_SYNCS, (file) =>
      this.syncFile(file).catch((error: unknown) => {
        if (diskError(error, file.path).code !== 'FILES_MISSING') this.#written.add(file);
      }),
    );
    await this.#folderSyncs.sync(this.#tree.takeCreated());
    const failure = this.#failure;
    this.#failure = null;
    if (failure) throw failure;
  }

  async syncFile(file: TorrentFile): Promise<void> {
    try {
      await this.#syncOpen(file);
    } catch (error) {
      const failure = diskError(error, file.path);
      this.#failure ??= failure;
      throw failure;
    }
  }

  async close(): Promise<void> {
    const slots = [...this.#slots.values()];
    this.#slots.clear();
    await Promise.all(slots.map((slot) => this.#pool.forget(slot)));
  }

  /** Files that wait to be synced, in place of another's that is done with; they may have other paths now. */
  takeWritten(other: PayloadFiles, { files }: TorrentInfo): void {
    for (const { index } of other.#written) this.#written.add(files[index]!);
    this.#failure = other.#failure;
  }

  forgetWritten(): void {
    this.#written.clear();
    this.#failure = null;
  }

  async #syncOpen(file: TorrentFile): Promise<void> {
    const open = await this.#acquire(file, 'read');
    try {
      await syncDescriptor(open.fd);
      if ((await statFd(open.fd)).nlink > 0) return;
    } finally {
      this.#pool.release(open);
    }
    // Removed behind our back: the bytes are in a file without a name.
    await this.#pool.forget(this.#slot(file));
    throw diskError(Object.assign(new Error('removed while open'), { code: 'ENOENT' }), file.path);
  }

  #readFrom(
    open: OpenFile,
    file: TorrentFile,
    position: number,
    views: readonly Uint8Array[],
    length: number,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      readInto(open.fd, views, length, position, (error) => {
        this.#pool.release(open);
        if (!error) return resolve();
        this.#lookAnew(open);
        reject(diskError(error, file.path));
      });
    });
  }

  /** The file may have been replaced, or its device mounted anew: it is looked for again next time. */
  #lookAnew({ slot }: OpenFile): void {
    void this.#pool.forget(slot);
    this.#tree.forget();
  }

  async #acquire(file: TorrentFile, mode: 'read' | 'write', use: 'operation' | 'pin' = 'operation'): Promise<OpenFile> {
    try {
      return await this.#pool.acquire(this.#slot(file), mode, use);
    } catch (error) {
      throw diskError(error, file.path);
    }
  }

  #guardOf({ index }: TorrentFile, { isIncomplete }: OpenName): FileGuard | undefined {
    const ownership = this.#ownership;
    if (!ownership) return undefined;
    return {
      admits: (found) => (isIncomplete ? ownership.admitsIncomplete(index, found) : ownership.admits(index, found)),
      beforeMaking: () => ownership.beforeMaking(index),
      onMade: (made) => ownership.onMade(index, made),
    };
  }

  async #open(file: TorrentFile, mode: OpenMode): Promise<number> {
    const name = await this.#names.nameFor(file, mode);
    const fd = await this.#tree.open(name.path, mode, this.#guardOf(file, name));
    if (mode === 'read') return fd;
    try {
      await preallocate(fd, file.sizeBytes, this.#preallocation);
      return fd;
    } catch (error) {
      await closeFd(fd);
      throw error;
    }
  }

  #slot(file: TorrentFile): FileSlot {
    let slot = this.#slots.get(file.index);
    if (!slot) {
      slot = new FileSlot((mode) => this.#open(file, mode));
      this.#slots.set(file.index, slot);
    }
    return slot;
  }
}
