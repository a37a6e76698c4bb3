// What lies on disk where a torrent is to lie, and whether it leaves room: nothing does, or what does is for its account to
// take over. Changes nothing.
import { join } from 'node:path';
import { AppError } from '../../shared-protocol/errors.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import { because } from '../../shared-protocol/reasons.js';
import type { PathLooks } from '../disk/types.js';
import { IncompleteNames, type TorrentFile } from '../metainfo/index.js';
import type { Adopters } from './adopters.js';
import type { ClaimedPlaces } from './claimed-places.js';
import { isOf, pathsOf, type Place } from './places.js';
import type { RecordedInodes } from './recorded-inodes.js';
import type { ClaimingTorrent } from './types.js';

export interface LyingThereDeps {
  readonly looks: Pick<PathLooks, 'at'>;
  readonly places: ClaimedPlaces;
  readonly adopters: Adopters;
  readonly inodes: RecordedInodes;
}

/** An account that asks for a place, or for the files that lie there to become the torrent's. */
export interface Asker {
  readonly accountId: AccountId;
  /** An administrator, who may have any. */
  readonly mayTakeOver: boolean;
}

export class LyingThere {
  constructor(private readonly deps: LyingThereDeps) {}

  async isAny(place: Place): Promise<boolean> {
    for (const path of pathsOf(place)) if ((await this.deps.looks.at(path)) !== null) return true;
    return false;
  }

  /** `files`: of the torrent that would lie there; null: nothing may. */
  async leavesRoom(ownerId: AccountId, place: Place, files: readonly TorrentFile[] | null): Promise<boolean> {
    const { looks, adopters, inodes } = this.deps;
    if (adopters.isWatched(ownerId, place)) return false;
    if (files && adopters.mayIn(ownerId, place.directory)) return true;
    if (!(await this.isAny(place))) return true;
    const siblings = this.#siblings(ownerId, place);
    if (!files || siblings.length === 0) return false;
    for (const { path, isPad } of files) {
      const there = isPad ? null : await looks.at(join(place.directory, ...path));
      if (there !== null && !inodes.isAnyOf(siblings, there.inode)) return false;
    }
    return true;
  }

  /** Where files are brought: none of the torrent's may be there, which is looked at one by one. */
  async leavesRoomForMove(ownerId: AccountId, place: Place): Promise<boolean> {
    const { adopters } = this.deps;
    if (adopters.isWatched(ownerId, place)) return false;
    if (adopters.mayIn(ownerId, place.directory)) return true;
    if (!(await this.isAny(place))) return true;
    // A folder that it has in common with another torrent of its account.
    return this.#siblings(ownerId, place).length > 0;
  }

  /**
   * Says whether the torrent may have what lies there; an editor does not take files over by its owner's rights (docs/decisions/0012-editors-do-not-adopt.md).
   * @throws AppError `SAVE_PATH_INVALID` where there is nothing to point at
   */
  async mayBePointedAt(
    ownerId: AccountId,
    place: Place,
    files: readonly TorrentFile[],
    { accountId, mayTakeOver }: Asker,
  ): Promise<boolean> {
    const { looks, adopters } = this.deps;
    if (!mayTakeOver && accountId !== ownerId && !adopters.mayIn(accountId, place.directory)) return false;
    if (!mayTakeOver && !(await this.leavesRoom(ownerId, place, files))) return false;
    for (const { path, isPad } of files) {
      if (!isPad && (await looks.at(join(place.directory, ...path)))) return true;
    }
    throw new AppError(
      'SAVE_PATH_INVALID',
      'path: none of the files of the torrent lies there',
      because('FILES_NOT_THERE'),
    );
  }

  /**
   * Tells what lies at the paths of a torrent without a folder, whose names are anybody's: `same`: all its files, by their
   * sizes; `others`: a file that is not its own by its size, which nobody is to take over; else `new`.
   */
  async likeness(directory: string, files: readonly TorrentFile[]): Promise<'same' | 'others' | 'new'> {
    let areAllThere = true;
    for (const { path, sizeBytes, isPad } of files) {
      const there = isPad ? null : await this.deps.looks.at(join(directory, ...path));
      if (there && there.sizeBytes !== sizeBytes) return 'others';
      areAllThere &&= isPad || there !== null;
    }
    return areAllThere ? 'same' : 'new';
  }

  /** Torrents of the account that claim the place as well. */
  #siblings(ownerId: AccountId, place: Place): ClaimingTorrent[] {
    return this.deps.places.overlapping(place).filter((other) => isOf(other, ownerId));
  }
}

/** Files with the names that they have while they are incomplete, where they have any, beside their own. */
export function underBothNames(
  { incompleteSuffix }: Pick<ClaimingTorrent, 'incompleteSuffix'>,
  files: readonly TorrentFile[],
): readonly TorrentFile[] {
  return new IncompleteNames(files, incompleteSuffix).withBoth(files);
}
