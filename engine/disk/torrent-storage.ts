// One torrent's bytes: introduces layout, placement, files and part file to one another, and orders what may not
// overlap. A failure here touches no other torrent.
import type { Stats } from 'node:fs';
import { AppError } from '../../shared-protocol/errors.js';
import type { Preallocation } from '../../shared-protocol/preallocation.js';
import { IncompleteNames } from '../metainfo/incomplete-names.js';
import type { TorrentFile, TorrentInfo } from '../metainfo/types.js';
import type { Log } from '../environment.js';
import { AbsentFolders } from './absent-folders.js';
import { PARALLEL_STATS } from './constants.js';
import { deleteOwnFiles } from './delete-files.js';
import { diskError, isRefusedPath } from './errors.js';
import { FileLayout, type Segment } from './file-layout.js';
import { FileNames } from './file-names.js';
import type { FilePool } from './file-pool.js';
import { forEachLimit } from '../../shared-protocol/for-each-limit.js';
import { ReadWriteLock } from '../util/read-write-lock.js';
import { FolderTree, foundFile } from './open-beneath.js';
import { PayloadFiles } from './payload-files.js';
import { PartFile } from './part-file.js';
import type { PartFolder } from './part-folder.js';
import { pinSpans } from './pin-spans.js';
import { Placement } from './placement.js';
import { switchName } from './switch-name.js';
import { syncFolders, type FolderSyncs } from './sync-folders.js';
import { totalLength, viewsBetween } from './transfer.js';
import type { RefusePlace } from './allowed-places.js';
import type { RecentLooks } from '../../storage/recent-looks.js';
import type { SavePaths } from './save-paths.js';
import type { Volumes } from './volumes.js';
import { WriteAdmission } from './write-admission.js';
import type {
  FileOwnership,
  FilePriority,
  FileState,
  KeepFile,
  PinnedSpans,
  StoragePlace,
  SwitchedNames,
  TorrentStorage,
  TorrentStorageParams,
} from './types.js';

export interface FileTorrentStorageDeps {
  readonly pool: FilePool;
  readonly volumes: Volumes;
  readonly savePaths: SavePaths;
  readonly roots: RecentLooks<string>;
  readonly parts: PartFolder;
  readonly folderSyncs: FolderSyncs;
  /** Places that are no torrent's business. */
  readonly refuses: RefusePlace;
  readonly log: Log;
}

interface NameSwitch {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly stats: Stats;
}

const ABSENT: FileState = { sizeBytes: null, mtimeMs: 0 };

export class FileTorrentStorage implements TorrentStorage {
  readonly #deps: FileTorrentStorageDeps;
  readonly #pool: FilePool;
  readonly #log: Log;
  #info: TorrentInfo;
  #layout: FileLayout;
  readonly #part: PartFile;
  readonly #placement: Placement;
  #ownership: FileOwnership | null;
  readonly #preallocation: Preallocation;
  readonly #suffix: string | undefined;
  #names: FileNames;
  #tree: FolderTree;
  #own: PayloadFiles;
  #admission: WriteAdmission;
  /** Transfers share it; changes of where bytes lie have it alone. */
  readonly #gate = new ReadWriteLock();
  #loading: Promise<void> | null = null;
  #isLoaded = false;
  #isDeleted = false;
  #syncing: Promise<void> = Promise.resolve();

  constructor(deps: FileTorrentStorageDeps, params: TorrentStorageParams) {
    const { pool, parts, log } = deps;
    this.#deps = deps;
    this.#pool = pool;
    this.#log = log;
    this.#info = params.info;
    this.#layout = new FileLayout(params.info);
    this.#ownership = params.ownership ?? null;
    this.#tree = savePathTree(deps, params.savePath);
    this.#preallocation = params.preallocation ?? 'none';
    this.#suffix = params.incompleteSuffix;
    this.#names = this.#fileNames();
    this.#own = this.#openFiles();
    this.#part = new PartFile({ pool, layout: this.#layout, parts }, params.info);
    const placementDeps = {
      layout: this.#layout,
      exists: async (file: TorrentFile) => (await this.#names.find(file)) !== null,
      part: this.#part,
      log,
      writeOwn: (file: TorrentFile, position: number, bytes: Uint8Array) => this.#own.write(file, position, bytes),
      syncOwn: (file: TorrentFile) => this.#own.syncFile(file),
    };
    this.#placement = new Placement(placementDeps, params.info, params.priorities);
    this.#admission = new WriteAdmission(deps.volumes, params.savePath);
  }

  read(offset: number, views: readonly Uint8Array[]): Promise<void> {
    const length = totalLength(views);
    if (this.#isLoaded && offset >= 0 && length > 0) {
      const file = this.#layout.fileAt(offset);
      const position = offset - file.offset;
      if (position + length <= file.sizeBytes && !file.isPad && this.#placement.isOwn(file)) {
        const reading = this.#own.readOpen(file, position, views, length);
        if (reading) return reading;
      }
    }
    return this.#shared(() => this.#readSegments(offset, views, length));
  }

  write(offset: number, bytes: Uint8Array): Promise<void> {
    return this.#shared(async () => {
      let at = 0;
      for (const segment of this.#layout.segments(offset, bytes.byteLength)) {
        await this.#writeSegment(segment, bytes.subarray(at, at + segment.length));
        at += segment.length;
      }
    });
  }

  pinSpans(firstPiece: number, count: number): Promise<PinnedSpans> {
    return this.#shared(() => {
      // Files that have been moved meanwhile lie elsewhere, and are others.
      const deps = {
        pool: this.#pool,
        layout: this.#layout,
        own: this.#own,
        part: this.#part,
        placement: this.#placement,
      };
      return pinSpans(deps, firstPiece, count);
    });
  }

  createEmptyFiles(): Promise<void> {
    return this.#shared(async () => {
      for (const file of this.#info.files) {
        if (file.sizeBytes === 0 && this.#placement.isWanted(file)) await this.#own.create(file);
      }
    });
  }

  sync(): Promise<void> {
    // One after another: a second call must not return before the first has made its files durable.
    const syncing = this.#syncing.then(() => this.#shared(() => this.#syncNow()));
    this.#syncing = syncing.catch(() => undefined);
    return syncing;
  }

  fileStates(): Promise<FileState[]> {
    return this.#shared(async () => {
      const states = new Array<FileState>(this.#info.files.length).fill(ABSENT);
      const absent = new AbsentFolders();
      await forEachLimit(this.#info.files, PARALLEL_STATS, async (file) => {
        if (!file.isPad) states[file.index] = await this.#stateOf(file, absent);
      });
      return states;
    });
  }

  setPriorities(priorities: readonly FilePriority[]): Promise<void> {
    return this.#alone(async () => {
      try {
        await this.#placement.setPriorities(priorities);
      } catch (error) {
        throw diskError(error, this.#part.path);
      }
    });
  }

  giveOwnNames(indexes: readonly number[]): Promise<SwitchedNames> {
    return this.#switchNames(indexes, async (file) => {
      const found = await this.#names.find(file);
      if (!found?.isIncomplete) return null;
      // By its own name it is taken for whole.
      await this.#own.syncFile(file);
      return { from: found.path, to: file.path, stats: found.stats };
    });
  }

  giveIncompleteNames(indexes: readonly number[]): Promise<SwitchedNames> {
    return this.#switchNames(indexes, async (file) => {
      const found = await this.#names.find(file);
      const to = this.#names.incompletePath(file);
      return to && found && !found.isIncomplete ? { from: file.path, to, stats: found.stats } : null;
    });
  }

  close(): Promise<void> {
    return this.#gate.alone(async () => {
      await Promise.all([this.#own.close(), this.#part.close()]);
      this.#tree.close();
      this.#part.folder.close();
      this.#admission.forget();
      if (this.#isLoaded) this.#placement.forget();
    });
  }

  moveTo({ info, savePath }: StoragePlace, settle: () => Promise<FileOwnership>): Promise<void> {
    return this.#alone(async () => {
      this.#ownership = await settle();
      // Reads that have begun keep their descriptors until they end.
      await this.#own.close();
      this.#info = info;
      this.#layout = new FileLayout(info);
      this.#tree = savePathTree(this.#deps, savePath);
      this.#names = this.#fileNames();
      const own = this.#openFiles();
      own.takeWritten(this.#own, info);
      this.#own = own;
      this.#admission = new WriteAdmission(this.#deps.volumes, savePath);
      this.#placement.lieAt(info);
    });
  }

  deleteFiles(keep: KeepFile = () => false): Promise<void> {
    return this.#gate.alone(async () => {
      this.#isDeleted = true;
      this.#isLoaded = false;
      await this.#own.close();
      this.#own.forgetWritten();
      this.#tree.forget();
      try {
        await this.#part.remove();
      } catch (error) {
        throw diskError(error, this.#part.path);
      } finally {
        const { files } = this.#info;
        const mayDelete = (file: TorrentFile, stats: Stats): boolean => this.#mayDelete(file, stats);
        const both = new IncompleteNames(files, this.#suffix).withBoth(files);
        await deleteOwnFiles({ tree: this.#tree, mayDelete, log: this.#log }, both, keep);
      }
    });
  }

  async #readSegments(offset: number, views: readonly Uint8Array[], length: number): Promise<void> {
    let at = 0;
    for (const segment of this.#layout.segments(offset, length)) {
      const end = at + segment.length;
      const part = segment.length === length ? views : viewsBetween(views, at, end);
      await this.#readSegment(segment, part);
      at = end;
    }
  }

  async #readSegment({ file, position, length }: Segment, views: readonly Uint8Array[]): Promise<void> {
    if (file.isPad) {
      for (const view of views) view.fill(0);
    } else if ((await this.#placement.placeOf(file)) === 'own') {
      await this.#own.read(file, position, views, length);
    } else {
      if (!this.#part.holdsFile(file.index) || !this.#part.holdsRange(file.offset + position, length)) {
        throw new AppError('FILES_MISSING', `${file.path.join('/')}: skipped`, { path: file.path.join('/') });
      }
      await this.#inPart(() => this.#part.read(file.offset + position, views));
    }
  }

  async #writeSegment({ file, position }: Segment, bytes: Uint8Array): Promise<void> {
    if (file.isPad) return;
    if ((await this.#placement.placeOf(file)) === 'own') await this.#writeOwn(file, position, bytes);
    else await this.#inPart(() => this.#part.write(file.index, file.offset + position, bytes));
  }

  async #writeOwn(file: TorrentFile, position: number, bytes: Uint8Array): Promise<void> {
    const admitted = this.#admission.admit(bytes.byteLength);
    if (admitted) await admitted;
    try {
      await this.#own.write(file, position, bytes);
    } finally {
      this.#admission.done(bytes.byteLength);
    }
  }

  async #syncNow(): Promise<void> {
    let failure: unknown = null;
    try {
      await this.#inPart(() => this.#part.sync());
      await syncFolders(this.#part.folder.takeCreated());
    } catch (error) {
      failure = error;
    }
    await this.#own.sync();
    if (failure !== null) throw failure;
  }

  async #stateOf(file: TorrentFile, absent: AbsentFolders): Promise<FileState> {
    try {
      const found = await this.#names.find(file, absent);
      if (!found) return ABSENT;
      const { size: sizeBytes, mtimeMs, ctimeMs } = found.stats;
      return { sizeBytes, mtimeMs, ctimeMs, ...(found.isIncomplete && { isIncomplete: true }) };
    } catch (error) {
      if (isRefusedPath(error)) return ABSENT;
      throw diskError(error, file.path);
    }
  }

  #openFiles(): PayloadFiles {
    return new PayloadFiles({
      pool: this.#pool,
      tree: this.#tree,
      folderSyncs: this.#deps.folderSyncs,
      names: this.#names,
      ownership: this.#ownership,
      preallocation: this.#preallocation,
    });
  }

  #fileNames(): FileNames {
    return new FileNames({ tree: this.#tree, ownership: this.#ownership }, this.#info.files, this.#suffix);
  }

  #mayDelete({ index, path }: TorrentFile, stats: Stats): boolean {
    const found = foundFile(stats);
    const isIncomplete = path !== this.#info.files[index]!.path;
    const may = isIncomplete
      ? this.#ownership?.mayDeleteIncomplete(index, found)
      : this.#ownership?.mayDelete(index, found);
    return may ?? true;
  }

  /** No file is opened meanwhile; those that are open are the same under any name. Goes through all before it throws. */
  #switchNames(
    indexes: readonly number[],
    wanted: (file: TorrentFile) => Promise<NameSwitch | null>,
  ): Promise<SwitchedNames> {
    return this.#alone(async () => {
      let [switched, taken, failure]: [number, readonly string[] | null, AppError | null] = [0, null, null];
      for (const index of indexes) {
        const file = this.#info.files[index]!;
        try {
          const change = await wanted(file);
          if (!change) continue;
          if (await switchName(this.#tree, change.from, change.to, change.stats)) switched++;
          else taken ??= change.to;
        } catch (error) {
          failure ??= diskError(error, file.path);
        }
      }
      await syncFolders(this.#tree.takeCreated());
      if (failure) throw failure as AppError;
      return { switched, taken };
    });
  }

  async #inPart<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw diskError(error, this.#part.path);
    }
  }

  async #shared<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#isLoaded) await this.#load();
    return this.#gate.shared(() => {
      this.#assertNotDeleted();
      return work();
    });
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#isLoaded) await this.#load();
    return this.#gate.alone(() => {
      this.#assertNotDeleted();
      return work();
    });
  }

  #load(): Promise<void> {
    this.#loading ??= this.#gate.alone(async () => {
      try {
        this.#assertNotDeleted();
        if (this.#isLoaded) return;
        await this.#inPart(() => this.#placement.load());
        this.#isLoaded = true;
      } finally {
        this.#loading = null;
      }
    });
    return this.#loading;
  }

  #assertNotDeleted(): void {
    if (this.#isDeleted) throw new AppError('FILES_MISSING', `torrent ${this.#info.infoHash}: files were deleted`);
  }
}

/** In which nothing is made while its volume is not there, and nothing is touched where no torrent's files may be. */
export function savePathTree(
  { savePaths, roots, refuses }: Pick<FileTorrentStorageDeps, 'savePaths' | 'roots' | 'refuses'>,
  savePath: string,
): FolderTree {
  const assertHere = () => savePaths.assertHere(savePath);
  return new FolderTree(savePath, { assertHere, roots, refuses });
}
