// A torrent's files at the place where they lie: what they are called there, which of them are open, and the volume that is
// asked before each write. A torrent that lies elsewhere from some moment on has others of these.
import type { Stats } from 'node:fs';
import { forEachLimit } from '../../shared-protocol/for-each-limit.js';
import type { Log } from '../environment.js';
import { IncompleteNames } from '../metainfo/incomplete-names.js';
import type { TorrentFile, TorrentInfo } from '../metainfo/types.js';
import { AbsentFolders } from './absent-folders.js';
import { PARALLEL_STATS } from './constants.js';
import { deleteOwnFiles } from './delete-files.js';
import { diskError, isRefusedPath } from './errors.js';
import { FileLayout } from './file-layout.js';
import { FileNames } from './file-names.js';
import type { FilePool } from './file-pool.js';
import { foundFile, type FolderTree } from './open-beneath.js';
import { PayloadFiles } from './payload-files.js';
import { savePathTree, type SavePathTreeDeps } from './save-path-tree.js';
import type { FolderSyncs } from './sync-folders.js';
import type { FileOwnership, FileState, KeepFile, StoragePlace, TorrentStorageParams } from './types.js';
import type { Volumes } from './volumes.js';
import { WriteAdmission } from './write-admission.js';

export interface PlacedFilesDeps extends SavePathTreeDeps {
  readonly pool: FilePool;
  readonly volumes: Volumes;
  readonly folderSyncs: FolderSyncs;
  readonly log: Log;
}

const ABSENT: FileState = { sizeBytes: null, mtimeMs: 0 };

export class PlacedFiles {
  readonly info: TorrentInfo;
  readonly layout: FileLayout;
  readonly tree: FolderTree;
  readonly names: FileNames;
  /** All that is done with a file that lies under a name of its own. */
  readonly own: PayloadFiles;
  readonly #admission: WriteAdmission;

  constructor(
    private readonly deps: PlacedFilesDeps,
    private readonly params: Omit<TorrentStorageParams, 'priorities'>,
  ) {
    const { pool, folderSyncs, volumes } = deps;
    const { info, savePath, ownership = null, preallocation = 'none', incompleteSuffix } = params;
    this.info = info;
    this.layout = new FileLayout(info);
    this.tree = savePathTree(deps, savePath);
    this.names = new FileNames({ tree: this.tree, ownership }, info.files, incompleteSuffix);
    const { tree, names } = this;
    this.own = new PayloadFiles({ pool, tree, folderSyncs, names, ownership, preallocation });
    this.#admission = new WriteAdmission(volumes, savePath);
  }

  /** The same files, open for nothing, at another place; what waits to be synced does so there. */
  async moved({ info, savePath }: StoragePlace, ownership: FileOwnership): Promise<PlacedFiles> {
    // Reads that have begun keep their descriptors until they end.
    await this.own.close();
    const there = new PlacedFiles(this.deps, { ...this.params, info, savePath, ownership });
    there.own.takeWritten(this.own, info);
    return there;
  }

  /** Where the volume takes it. */
  async write(file: TorrentFile, position: number, bytes: Uint8Array): Promise<void> {
    const admitted = this.#admission.admit(bytes.byteLength);
    if (admitted) await admitted;
    try {
      await this.own.write(file, position, bytes);
    } finally {
      this.#admission.done(bytes.byteLength);
    }
  }

  /** Size and mtime of each file, in file order. */
  async states(): Promise<FileState[]> {
    const { files } = this.info;
    const states = new Array<FileState>(files.length).fill(ABSENT);
    const absent = new AbsentFolders();
    await forEachLimit(files, PARALLEL_STATS, async (file) => {
      if (!file.isPad) states[file.index] = await this.#stateOf(file, absent);
    });
    return states;
  }

  async close(): Promise<void> {
    await this.own.close();
    this.tree.close();
    this.#admission.forget();
  }

  /** The files are about to be deleted: nothing that was written is synced any more. */
  async abandon(): Promise<void> {
    await this.own.close();
    this.own.forgetWritten();
    this.tree.forget();
  }

  /** Deletes those that are the torrent's own, under either of their names. */
  async delete(keep: KeepFile): Promise<void> {
    const { files } = this.info;
    const both = new IncompleteNames(files, this.params.incompleteSuffix).withBoth(files);
    const mayDelete = (file: TorrentFile, stats: Stats): boolean => this.#mayDelete(file, stats);
    await deleteOwnFiles({ tree: this.tree, mayDelete, log: this.deps.log }, both, keep);
  }

  async #stateOf(file: TorrentFile, absent: AbsentFolders): Promise<FileState> {
    try {
      const found = await this.names.find(file, absent);
      if (!found) return ABSENT;
      const { size: sizeBytes, mtimeMs, ctimeMs } = found.stats;
      return { sizeBytes, mtimeMs, ctimeMs, ...(found.isIncomplete && { isIncomplete: true }) };
    } catch (error) {
      if (isRefusedPath(error)) return ABSENT;
      throw diskError(error, file.path);
    }
  }

  #mayDelete({ index, path }: TorrentFile, stats: Stats): boolean {
    const { ownership } = this.params;
    const found = foundFile(stats);
    const isIncomplete = path !== this.info.files[index]!.path;
    const may = isIncomplete ? ownership?.mayDeleteIncomplete(index, found) : ownership?.mayDelete(index, found);
    return may ?? true;
  }
}
