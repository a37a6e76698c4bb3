// A working disk in memory for simulation: the same contract as the real one, files that tests may look at, change
// and remove, and space that runs out on demand. Its descriptors mean something to its own hasher only.
import { AppError } from '../../shared-protocol/errors.js';
import { diskError } from '../../engine/disk/errors.js';
import type { VolumeProbe } from '../../engine/disk/volume-probe.js';
import { Volumes } from '../../engine/disk/volumes.js';
import { FileLayout, type Segment } from '../../engine/disk/file-layout.js';
import { SavePaths } from '../../engine/disk/save-paths.js';
import type { Sighting } from '../../storage/folder-sighting.js';
import { totalLength, viewsBetween } from '../../engine/disk/transfer.js';
import type {
  Bringing,
  Brought,
  Disk,
  FileTrees,
  FoundToMove,
  KeepFile,
  PathLooks,
  PinnedSpans,
  Relocation,
  RelocationParams,
  StoragePlace,
  SwitchedNames,
  TorrentStorage,
  TorrentStorageParams,
} from '../../engine/disk/types.js';
import type { FilePriority, FileState } from '../../engine/disk/types.js';
import { createInlineHasher } from '../../engine/hashing/inline-hasher.js';
import type { PieceHasher, PieceSpan } from '../../engine/hashing/types.js';
import type { TorrentFile } from '../../engine/metainfo/types.js';
import { BLOCK_SIZE_BYTES, type Log } from '../../engine/environment.js';
import { QUIET } from './disk-fixtures.js';

export interface MemoryDiskOptions {
  /** Bytes that may still be written before `DISK_FULL`. @default unlimited */
  readonly spaceLeftBytes?: number;
  /** Wall clock for modification times. @default always 0 */
  readonly unixMs?: () => number;
  /** Of trouble with it. @default none */
  readonly log?: Log;
}

/** Grows as it is written, holes read as zeroes. */
class MemoryFile {
  #bytes = new Uint8Array(0);
  sizeBytes = 0;
  mtimeMs = 0;
  /** Moved on by what leaves size and mtime as they were. */
  ctimeMs = 1;
  /** Of a part file: the pieces that have bytes in it, and the files that live in it. */
  readonly pieces = new Set<number>();
  readonly residents = new Set<number>();

  constructor(readonly fd: number) {}

  content(): Uint8Array {
    return this.#bytes.slice(0, this.sizeBytes);
  }

  /** How many bytes could be read. */
  read(position: number, into: Uint8Array): number {
    const count = Math.max(0, Math.min(into.length, this.sizeBytes - position));
    into.set(this.#bytes.subarray(position, position + count));
    return count;
  }

  write(position: number, bytes: Uint8Array): void {
    const end = position + bytes.length;
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(end, this.#bytes.length * 2));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, position);
    this.sizeBytes = Math.max(this.sizeBytes, end);
  }

  truncate(sizeBytes: number): void {
    this.#bytes.fill(0, sizeBytes);
    this.sizeBytes = Math.min(this.sizeBytes, sizeBytes);
  }
}

export class MemoryDisk implements Disk {
  readonly trouble: Volumes;
  /** Hashes what `pinSpans` of this disk gives, on the calling thread. */
  readonly hasher: PieceHasher;
  /** What save paths are seen as; tests may change it at any time. */
  sighting: Sighting = { exists: true, device: 1, inode: 1, birthMs: 1 };
  readonly savePaths = new SavePaths(async () => this.sighting);
  readonly looks: PathLooks = {
    realPath: async (path) => path,
    at: async (path) => {
      const isThere = this.paths.some((other) => other === path || other.startsWith(`${path}/`));
      const file = this.#files.get(path);
      return isThere ? { inode: file?.fd ?? 0, sizeBytes: file?.sizeBytes ?? -1 } : null;
    },
  };
  readonly trees: FileTrees = {
    look: () => Promise.reject(new AppError('CREATE_REFUSED', 'path: not in memory')),
    list: () => Promise.reject(new AppError('CREATE_REFUSED', 'path: not in memory')),
  };
  /** Every further write of that many bytes succeeds; tests may change it at any time. */
  spaceLeftBytes: number;
  /** Calls of `sync` so far. */
  syncs = 0;
  readonly unixMs: () => number;
  readonly #files = new Map<string, MemoryFile>();
  readonly #byFd = new Map<number, MemoryFile>();
  #nextFd = 1_000;
  #pinned = 0;

  constructor(options: MemoryDiskOptions = {}) {
    this.spaceLeftBytes = options.spaceLeftBytes ?? Number.POSITIVE_INFINITY;
    this.unixMs = options.unixMs ?? (() => 0);
    this.trouble = new Volumes({ looks: this.#looks(), log: options.log ?? QUIET }, '/parts');
    this.hasher = createInlineHasher((fd, into, position) => {
      const file = this.#byFd.get(fd);
      if (!file) throw new AppError('BUG', `bug: descriptor ${fd} is not open`);
      return file.read(position, into);
    });
  }

  /** Pins that were not released; for leak checks. */
  get pinned(): number {
    return this.#pinned;
  }

  /** Absolute paths of all files, part files among them. */
  get paths(): string[] {
    return [...this.#files.keys()].sort();
  }

  openTorrent(params: TorrentStorageParams): TorrentStorage {
    return new MemoryTorrentStorage(this, params);
  }

  relocation(params: RelocationParams): Relocation {
    return new MemoryRelocation(this, params);
  }

  async close(): Promise<void> {}

  /** A copy of the file's bytes; null when it does not exist. */
  content(path: string): Uint8Array | null {
    return this.#files.get(path)?.content() ?? null;
  }

  remove(path: string): void {
    this.#files.delete(path);
  }

  truncate(path: string, sizeBytes: number): void {
    this.#files.get(path)?.truncate(sizeBytes);
  }

  /** Writes as another program would: no limit, no contract. */
  put(path: string, position: number, bytes: Uint8Array): void {
    this.create(path).write(position, bytes);
  }

  /** Changes a byte and sets the modification time back. */
  flip(path: string, position: number): void {
    const file = this.#files.get(path);
    if (!file) return;
    const byte = new Uint8Array(1);
    file.read(position, byte);
    file.write(position, Uint8Array.of(byte[0]! ^ 0xff));
    file.ctimeMs++;
  }

  file(path: string): MemoryFile | null {
    return this.#files.get(path) ?? null;
  }

  create(path: string): MemoryFile {
    let file = this.#files.get(path);
    if (!file) {
      file = new MemoryFile(this.#nextFd++);
      this.#files.set(path, file);
      this.#byFd.set(file.fd, file);
    }
    return file;
  }

  /** One more name of a file that there is. */
  link(from: string, to: string): void {
    const file = this.#files.get(from);
    if (file) this.#files.set(to, file);
  }

  spend(bytes: number, path: readonly string[]): void {
    if (bytes > this.spaceLeftBytes) {
      throw diskError(Object.assign(new Error('no space left in memory'), { code: 'ENOSPC' }), path);
    }
    this.spaceLeftBytes -= bytes;
  }

  /** One volume that does not tell its size, and takes a write while it has room for a block. */
  #looks(): VolumeProbe {
    return {
      deviceOf: async () => 1,
      spaceOf: async () => ({ freeBytes: 0, totalBytes: 0 }),
      tryWrite: async () => {
        if (this.spaceLeftBytes < BLOCK_SIZE_BYTES) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      },
    };
  }

  pin(): () => void {
    let isReleased = false;
    this.#pinned++;
    return () => {
      if (!isReleased) this.#pinned--;
      isReleased = true;
    };
  }
}

/** Files in memory have no others: nobody finds one by its name. */
const OWN_NAMES_ALONE: SwitchedNames = { switched: 0, taken: null };

class MemoryTorrentStorage implements TorrentStorage {
  readonly #disk: MemoryDisk;
  #params: TorrentStorageParams;
  #layout: FileLayout;
  readonly #partPath: string;
  #priorities: readonly FilePriority[];
  #isDeleted = false;

  constructor(disk: MemoryDisk, params: TorrentStorageParams) {
    this.#disk = disk;
    this.#params = params;
    this.#layout = new FileLayout(params.info);
    this.#partPath = `/parts/${params.info.infoHash}.parts`;
    this.#priorities = params.priorities;
    this.#settle();
  }

  async write(offset: number, bytes: Uint8Array): Promise<void> {
    this.#assertNotDeleted();
    let at = 0;
    for (const segment of this.#layout.segments(offset, bytes.length)) {
      this.#writeSegment(segment, bytes.subarray(at, at + segment.length));
      at += segment.length;
    }
  }

  async read(offset: number, views: readonly Uint8Array[]): Promise<void> {
    this.#assertNotDeleted();
    let at = 0;
    for (const segment of this.#layout.segments(offset, totalLength(views))) {
      this.#readSegment(segment, viewsBetween(views, at, at + segment.length));
      at += segment.length;
    }
  }

  async pinSpans(firstPiece: number, count: number): Promise<PinnedSpans> {
    this.#assertNotDeleted();
    const pieces = Array.from({ length: count }, (_, i) => {
      const { offset, length } = this.#layout.pieceRange(firstPiece + i);
      return this.#layout.segments(offset, length).map((segment) => this.#spanOf(segment));
    });
    return { pieces, release: this.#disk.pin() };
  }

  async createEmptyFiles(): Promise<void> {
    this.#assertNotDeleted();
    for (const file of this.#params.info.files) {
      if (file.sizeBytes === 0 && this.#isWanted(file)) this.#disk.create(this.#pathOf(file));
    }
  }

  async sync(): Promise<void> {
    this.#assertNotDeleted();
    this.#disk.syncs++;
  }

  async fileStates(): Promise<FileState[]> {
    this.#assertNotDeleted();
    return this.#params.info.files.map((file) => {
      const own = file.isPad ? null : this.#disk.file(this.#pathOf(file));
      return own
        ? { sizeBytes: own.sizeBytes, mtimeMs: own.mtimeMs, ctimeMs: own.ctimeMs }
        : { sizeBytes: null, mtimeMs: 0 };
    });
  }

  async setPriorities(priorities: readonly FilePriority[]): Promise<void> {
    this.#assertNotDeleted();
    this.#priorities = priorities;
    const failure = this.#settle();
    if (failure !== null) throw failure;
  }

  async giveOwnNames(): Promise<SwitchedNames> {
    return OWN_NAMES_ALONE;
  }

  async giveIncompleteNames(): Promise<SwitchedNames> {
    return OWN_NAMES_ALONE;
  }

  async close(): Promise<void> {}

  async moveTo(place: StoragePlace, settle: () => Promise<unknown>): Promise<void> {
    await settle();
    this.#params = { ...this.#params, ...place };
    this.#layout = new FileLayout(place.info);
  }

  async deleteFiles(keep: KeepFile = () => false): Promise<void> {
    this.#isDeleted = true;
    for (const file of this.#params.info.files) {
      if (!file.isPad && !keep(file.path)) this.#disk.remove(this.#pathOf(file));
    }
    this.#disk.remove(this.#partPath);
  }

  #writeSegment({ file, position }: Segment, bytes: Uint8Array): void {
    if (file.isPad) return;
    this.#disk.spend(bytes.length, file.path);
    const isOwn = this.#isOwn(file);
    const target = this.#disk.create(isOwn ? this.#pathOf(file) : this.#partPath);
    target.write(isOwn ? position : file.offset + position, bytes);
    target.mtimeMs = this.#disk.unixMs();
    if (isOwn) return;
    target.residents.add(file.index);
    const { first, last } = this.#layout.piecesOf(file.offset + position, bytes.length);
    for (let piece = first; piece <= last; piece++) target.pieces.add(piece);
  }

  #readSegment(segment: Segment, views: readonly Uint8Array[]): void {
    const span = this.#spanOf(segment);
    if (span.kind === 'missing') throw this.#missing(segment.file);
    let done = 0;
    for (const view of views) {
      if (span.kind === 'zeroes') view.fill(0);
      else this.#byPath(segment.file)?.read(span.position + done, view);
      done += view.length;
    }
  }

  #spanOf(segment: Segment): PieceSpan {
    const { file, position, length } = segment;
    if (file.isPad) return { kind: 'zeroes', length };
    const source = this.#byPath(file);
    const isOwn = this.#isOwn(file);
    const at = isOwn ? position : file.offset + position;
    const { first, last } = this.#layout.piecesOf(file.offset + position, length);
    let isHere = source !== null && at + length <= source.sizeBytes;
    for (let piece = first; piece <= last && !isOwn; piece++) isHere &&= source?.pieces.has(piece) ?? false;
    return source && isHere ? { kind: 'file', fd: source.fd, position: at, length } : { kind: 'missing', length };
  }

  /** Files that are wanted come out of the part file; the first failure, after which bytes stay there. */
  #settle(): unknown {
    const part = this.#disk.file(this.#partPath);
    if (!part) return null;
    let failure: unknown = null;
    for (const file of this.#params.info.files) {
      if (!part.residents.has(file.index) || !this.#isWanted(file)) continue;
      try {
        this.#moveIn(part, file);
        part.residents.delete(file.index);
      } catch (error) {
        failure ??= error;
      }
    }
    if (part.residents.size === 0) this.#disk.remove(this.#partPath);
    return failure;
  }

  #moveIn(part: MemoryFile, file: TorrentFile): void {
    const own = this.#pathOf(file);
    const { first, last } = this.#layout.piecesOf(file.offset, file.sizeBytes);
    for (let piece = first; piece <= last; piece++) {
      if (!part.pieces.has(piece)) continue;
      const { offset, length } = this.#layout.pieceRange(piece);
      const from = Math.max(offset, file.offset);
      const bytes = new Uint8Array(Math.min(offset + length, file.offset + file.sizeBytes) - from);
      part.read(from, bytes);
      this.#disk.spend(bytes.length, file.path);
      this.#disk.create(own).write(from - file.offset, bytes);
    }
  }

  #byPath(file: TorrentFile): MemoryFile | null {
    return this.#disk.file(this.#isOwn(file) ? this.#pathOf(file) : this.#partPath);
  }

  #isOwn(file: TorrentFile): boolean {
    if (this.#disk.file(this.#partPath)?.residents.has(file.index)) return false;
    return this.#isWanted(file) || this.#disk.file(this.#pathOf(file)) !== null;
  }

  #isWanted(file: TorrentFile): boolean {
    return !file.isPad && this.#priorities[file.index] !== 'skip';
  }

  #pathOf(file: TorrentFile): string {
    return [this.#params.savePath, ...file.path].join('/');
  }

  #missing(file: TorrentFile): AppError {
    return diskError(Object.assign(new Error('absent or short'), { code: 'ENOENT' }), file.path);
  }

  #assertNotDeleted(): void {
    if (this.#isDeleted) throw new AppError('FILES_MISSING', 'files were deleted');
  }
}

/** Files get one more name, as on one volume. */
class MemoryRelocation implements Relocation {
  constructor(
    private readonly disk: MemoryDisk,
    private readonly params: RelocationParams,
  ) {}

  stays(index: number): boolean {
    const { info, infoThere = info, from, to } = this.params;
    return from === to && info.files[index]!.path.join('/') === infoThere.files[index]!.path.join('/');
  }

  async look(): Promise<FoundToMove> {
    const taken = this.#moving.find((file) => this.#there(file) !== null);
    if (taken) {
      const { path } = (this.params.infoThere ?? this.params.info).files[taken.index]!;
      throw new AppError('MOVE_TARGET_TAKEN', `path: ${path.join('/')} lies there already`);
    }
    const found = this.#files.filter((file) => this.#here(file) !== null);
    const bytes = found.reduce((sum, { index, sizeBytes }) => sum + (this.stays(index) ? 0 : sizeBytes), 0);
    return { bytes, files: new Set(found.map(({ index }) => index)) };
  }

  async bring(bringing: Bringing): Promise<void> {
    for (const file of this.#moving) {
      this.disk.link(this.#pathHere(file), this.#pathThere(file));
      bringing.onBytes(this.#there(file)?.sizeBytes ?? 0);
    }
  }

  async seal(): Promise<Brought> {
    const { files } = this.params.info;
    const made = files.map((file) => (file.isPad ? null : this.#there(file)));
    const after = made.map((file) => file && { inode: file.fd, birthMs: 0, sizeBytes: file.sizeBytes });
    const before = after.map((file, index) => (this.stays(index) ? null : file));
    const states = made.map((file) =>
      file
        ? { sizeBytes: file.sizeBytes, mtimeMs: file.mtimeMs, ctimeMs: file.ctimeMs }
        : { sizeBytes: null, mtimeMs: 0 },
    );
    const staying = new Set(files.filter(({ index }) => this.stays(index)).map(({ index }) => index));
    return { before, after, states, staying };
  }

  async undo(): Promise<void> {
    for (const file of this.#moving) {
      const made = this.#there(file);
      if (made !== null && made === this.#here(file)) this.disk.remove(this.#pathThere(file));
    }
  }

  async clean(keep: KeepFile): Promise<void> {
    for (const file of this.#moving) if (!keep(file.path)) this.disk.remove(this.#pathHere(file));
  }

  get #files(): readonly TorrentFile[] {
    return this.params.info.files.filter(({ isPad }) => !isPad);
  }

  get #moving(): readonly TorrentFile[] {
    return this.#files.filter(({ index }) => !this.stays(index));
  }

  #here(file: TorrentFile): MemoryFile | null {
    return this.disk.file(this.#pathHere(file));
  }

  #there(file: TorrentFile): MemoryFile | null {
    return this.disk.file(this.#pathThere(file));
  }

  #pathHere(file: TorrentFile): string {
    return pathIn(this.params.from, file);
  }

  #pathThere({ index }: TorrentFile): string {
    const { info, infoThere = info, to } = this.params;
    return pathIn(to, infoThere.files[index]!);
  }
}

function pathIn(savePath: string, { path }: TorrentFile): string {
  return [savePath, ...path].join('/');
}
