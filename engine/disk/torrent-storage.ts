// One torrent's bytes: introduces layout, placement, files and part file to one another, and orders what may not
// overlap. A failure here touches no other torrent.
import { AppError } from '../../shared-protocol/errors.js';
import type { TorrentFile } from '../metainfo/types.js';
import { diskError } from './errors.js';
import type { Segment } from './file-layout.js';
import { giveIncompleteNames, giveOwnNames } from './give-names.js';
import { PartFile } from './part-file.js';
import type { PartFolder } from './part-folder.js';
import { pinSpans } from './pin-spans.js';
import { PlacedFiles, type PlacedFilesDeps } from './placed-files.js';
import { Placement } from './placement.js';
import { StorageGate } from './storage-gate.js';
import { syncFolders } from './sync-folders.js';
import { totalLength, viewsBetween } from './transfer.js';
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

export interface FileTorrentStorageDeps extends PlacedFilesDeps {
  readonly parts: PartFolder;
}

export class FileTorrentStorage implements TorrentStorage {
  #files: PlacedFiles;
  readonly #part: PartFile;
  readonly #placement: Placement;
  readonly #gate: StorageGate;
  #syncing: Promise<void> = Promise.resolve();

  constructor(
    private readonly deps: FileTorrentStorageDeps,
    params: TorrentStorageParams,
  ) {
    const { pool, parts, log } = deps;
    const { info, priorities } = params;
    this.#files = new PlacedFiles(deps, params);
    const { layout } = this.#files;
    this.#part = new PartFile({ pool, layout, parts }, info);
    const placementDeps = {
      layout,
      exists: async (file: TorrentFile) => (await this.#files.names.find(file)) !== null,
      part: this.#part,
      log,
      writeOwn: (file: TorrentFile, position: number, bytes: Uint8Array) =>
        this.#files.own.write(file, position, bytes),
      syncOwn: (file: TorrentFile) => this.#files.own.syncFile(file),
    };
    this.#placement = new Placement(placementDeps, info, priorities);
    this.#gate = new StorageGate(info.infoHash, () => this.#inPart(() => this.#placement.load()));
  }

  read(offset: number, views: readonly Uint8Array[]): Promise<void> {
    const length = totalLength(views);
    if (this.#gate.isLoaded && offset >= 0 && length > 0) {
      const file = this.#files.layout.fileAt(offset);
      const position = offset - file.offset;
      if (position + length <= file.sizeBytes && !file.isPad && this.#placement.isOwn(file)) {
        const reading = this.#files.own.readOpen(file, position, views, length);
        if (reading) return reading;
      }
    }
    return this.#gate.shared(() => this.#readSegments(offset, views, length));
  }

  write(offset: number, bytes: Uint8Array): Promise<void> {
    return this.#gate.shared(async () => {
      let at = 0;
      for (const segment of this.#files.layout.segments(offset, bytes.byteLength)) {
        await this.#writeSegment(segment, bytes.subarray(at, at + segment.length));
        at += segment.length;
      }
    });
  }

  pinSpans(firstPiece: number, count: number): Promise<PinnedSpans> {
    return this.#gate.shared(() => {
      // Files that have been moved meanwhile lie elsewhere, and are others.
      const { layout, own } = this.#files;
      const deps = { pool: this.deps.pool, layout, own, part: this.#part, placement: this.#placement };
      return pinSpans(deps, firstPiece, count);
    });
  }

  createEmptyFiles(): Promise<void> {
    return this.#gate.shared(async () => {
      for (const file of this.#files.info.files) {
        if (file.sizeBytes === 0 && this.#placement.isWanted(file)) await this.#files.own.create(file);
      }
    });
  }

  sync(): Promise<void> {
    // One after another: a second call must not return before the first has made its files durable.
    const syncing = this.#syncing.then(() => this.#gate.shared(() => this.#syncNow()));
    this.#syncing = syncing.catch(() => undefined);
    return syncing;
  }

  fileStates(): Promise<FileState[]> {
    return this.#gate.shared(() => this.#files.states());
  }

  setPriorities(priorities: readonly FilePriority[]): Promise<void> {
    return this.#gate.alone(() => this.#inPart(() => this.#placement.setPriorities(priorities)));
  }

  giveOwnNames(indexes: readonly number[]): Promise<SwitchedNames> {
    return this.#gate.alone(() => giveOwnNames(this.#files, indexes));
  }

  giveIncompleteNames(indexes: readonly number[]): Promise<SwitchedNames> {
    return this.#gate.alone(() => giveIncompleteNames(this.#files, indexes));
  }

  close(): Promise<void> {
    return this.#gate.close(async () => {
      await Promise.all([this.#files.close(), this.#part.close()]);
      this.#part.folder.close();
      if (this.#gate.isLoaded) this.#placement.forget();
    });
  }

  moveTo(place: StoragePlace, settle: () => Promise<FileOwnership>): Promise<void> {
    return this.#gate.alone(async () => {
      this.#files = await this.#files.moved(place, await settle());
      this.#placement.lieAt(place.info);
    });
  }

  deleteFiles(keep: KeepFile = () => false): Promise<void> {
    return this.#gate.delete(async () => {
      await this.#files.abandon();
      try {
        await this.#inPart(() => this.#part.remove());
      } finally {
        await this.#files.delete(keep);
      }
    });
  }

  async #readSegments(offset: number, views: readonly Uint8Array[], length: number): Promise<void> {
    let at = 0;
    for (const segment of this.#files.layout.segments(offset, length)) {
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
      await this.#files.own.read(file, position, views, length);
    } else {
      if (!this.#part.holdsFile(file.index) || !this.#part.holdsRange(file.offset + position, length)) {
        throw new AppError('FILES_MISSING', `${file.path.join('/')}: skipped`, { path: file.path.join('/') });
      }
      await this.#inPart(() => this.#part.read(file.offset + position, views));
    }
  }

  async #writeSegment({ file, position }: Segment, bytes: Uint8Array): Promise<void> {
    if (file.isPad) return;
    if ((await this.#placement.placeOf(file)) === 'own') await this.#files.write(file, position, bytes);
    else await this.#inPart(() => this.#part.write(file.index, file.offset + position, bytes));
  }

  async #syncNow(): Promise<void> {
    let failure: unknown = null;
    try {
      await this.#inPart(() => this.#part.sync());
      await syncFolders(this.#part.folder.takeCreated());
    } catch (error) {
      failure = error;
    }
    await this.#files.own.sync();
    if (failure !== null) throw failure;
  }

  async #inPart<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw diskError(error, this.#part.path);
    }
  }
}
