// Torrents that are removed: for everybody they are gone, and what is stored of them stays until their files are deleted, so that
// a run which ends in between leaves that to the next. The next one deletes only what is recorded as the torrent's own.
import { join } from 'node:path';
import { AppError, messageOf, toErrorRecord } from '../../shared-protocol/errors.js';
import type { FilesLeft } from '../../shared-protocol/events.js';
import type { TorrentRow } from '../../storage/types.js';
import { RecordedFiles, type ClaimingTorrent } from '../claims/index.js';
import type { KeepFile, TorrentStorage } from '../disk/index.js';
import { topNameOf, type TorrentInfo } from '../metainfo/index.js';
import { prioritiesOf } from '../torrent/files/file-priorities.js';
import { readInfo } from '../torrent/files/content.js';
import type { TorrentServices } from '../torrent/session-interface.js';
import type { Torrent } from '../torrent/torrent.js';
import type { Removals } from './removals.js';

export interface LeavingDeps {
  readonly services: Pick<TorrentServices, 'claims' | 'disk' | 'log' | 'store'>;
  readonly removals: Removals;
  filesOfOthers(torrent: ClaimingTorrent, savePath: string): KeepFile;
  onLeft(left: FilesLeft): void;
}

export class Leaving {
  constructor(private readonly deps: LeavingDeps) {}

  /** Resolves when the torrent is forgotten for everybody. `keep`: what stays in place besides. */
  async remove(torrent: Torrent, deleteData: boolean): Promise<void> {
    const { removals, services, filesOfOthers } = this.deps;
    const { id, savePath } = torrent;
    const keep = deleteData ? filesOfOthers(torrent, savePath) : keepAll;
    // Until its files are gone it is known which volume they are on.
    services.disk.savePaths.use(savePath);
    const left = torrent.leave(deleteData ? 'with files' : 'alone');
    left.catch(() => services.disk.savePaths.leave(savePath));
    await removals.run(
      torrent,
      left.then((storage) => {
        const row = storage && services.store.row(id);
        if (row) return { deletion: this.#delete(row, storage, keep) };
        services.disk.savePaths.leave(savePath);
        return { deletion: Promise.resolve() };
      }),
    );
  }

  /** Ends what an earlier run has begun; all that stay are here already. */
  resume(row: TorrentRow): void {
    this.deps.services.disk.savePaths.use(row.savePath);
    const deletion = this.#resume(row).catch((error: unknown) => this.#tell(row, error));
    void this.deps.removals.run(row, Promise.resolve({ deletion }));
  }

  async #resume(row: TorrentRow): Promise<void> {
    const { claims, disk, store } = this.deps.services;
    // Its record stays: the volume may be there the next time.
    await disk.savePaths.assertHere(row.savePath);
    const info = readInfo({ store }, row, null);
    if (!info) return this.#forget(row);
    const place = placeOf(row, info);
    const ownership = new RecordedFiles(claims.filesOf(place, info.files, true));
    const { savePath, incompleteSuffix } = row;
    const priorities = prioritiesOf(info, row.filePriorities);
    const preallocation = 'none';
    const storage = disk.openTorrent({ info, savePath, priorities, ownership, preallocation, incompleteSuffix });
    const isWhole = row.leaving === 'with files';
    await this.#delete(row, storage, isWhole ? this.deps.filesOfOthers(place, savePath) : keepAll);
    if (ownership.hasRefused) this.#tell(row, notItsOwn());
  }

  async #delete(row: TorrentRow, storage: TorrentStorage, keep: KeepFile): Promise<void> {
    await storage.deleteFiles(keep).catch((error: unknown) => this.#tell(row, error));
    await this.#forget(row);
  }

  async #forget({ id, savePath }: TorrentRow): Promise<void> {
    const { disk, log, store } = this.deps.services;
    try {
      await store.remove(id);
      disk.savePaths.leave(savePath);
    } catch (error) {
      // The next run finds nothing left to delete.
      log.warn('a removed torrent is not forgotten yet', { torrent: id, reason: messageOf(error) });
    }
  }

  #tell({ id, ownerId, savePath, name, topNames = [name], library }: TorrentRow, error: unknown): void {
    this.deps.services.log.warn('files of a removed torrent are left', {
      torrent: id,
      savePath,
      reason: messageOf(error),
    });
    const path = join(savePath, topNames.length === 1 ? topNames[0]! : '');
    this.deps.onLeft({ id, ownerId, path, name: library?.name ?? name, error: toErrorRecord(error) });
  }
}

function placeOf({ id, ownerId, holders = null, savePath, topNames, incompleteSuffix }: TorrentRow, info: TorrentInfo) {
  const place = { id, ownerId, isShared: holders !== null, savePath, topNames: topNames ?? [topNameOf(info)] };
  return { ...place, incompleteSuffix };
}

function keepAll(): boolean {
  return true;
}

function notItsOwn(): AppError {
  const message =
    'some of what lies there was not recorded as its own before the service ended in the middle of deleting it';
  return new AppError('DISK_FAILED', message);
}
