// Where a torrent is laid that is added, or whose metadata has just come: as it wants where that is free, else beside; or at
// exactly one place, where another program has laid it.
import type { ContentLayout } from '../../shared-protocol/content-layout.js';
import { AppError } from '../../shared-protocol/errors.js';
import { because } from '../../shared-protocol/reasons.js';
import {
  areTooManyTopNames,
  laidOut,
  NO_FOLDER,
  topNameOf,
  topNamesOf,
  type DiskPaths,
  type TorrentInfo,
} from '../metainfo/index.js';
import type { Adopters } from './adopters.js';
import type { ClaimedPlaces, Reservation } from './claimed-places.js';
import { foldersToTry, MAX_BESIDE, placeRow } from './folders-to-try.js';
import { underBothNames, type LyingThere } from './lying-there.js';
import { areMixedUp, namesOf } from './places.js';
import type { ClaimingTorrent } from './types.js';

/** One that has no place yet. */
export type AddedTorrent = Pick<ClaimingTorrent, 'id' | 'ownerId' | 'savePath' | 'incompleteSuffix'>;

export interface PlacesForAddedDeps {
  readonly places: ClaimedPlaces;
  readonly adopters: Adopters;
  readonly lyingThere: LyingThere;
}

export class PlacesForAdded {
  constructor(private readonly deps: PlacesForAddedDeps) {}

  /**
   * `info`: null: not yet, and only the save path is looked at. @throws AppError `SAVE_PATH_INVALID` inside the folder of another
   * account's torrent, or where too many names beside its own are taken
   */
  async reserve(
    torrent: AddedTorrent & { readonly layout?: ContentLayout },
    info: TorrentInfo | null,
  ): Promise<Reservation> {
    const { id, ownerId, savePath, layout = 'original' } = torrent;
    const { places, adopters, lyingThere } = this.deps;
    const directory = await places.learn(savePath);
    if (!adopters.mayLieWith(ownerId, places.around(directory))) {
      throw new AppError(
        'SAVE_PATH_INVALID',
        'save_path: lies in the folder of a torrent of another account',
        because('PATH_OF_OTHERS'),
      );
    }
    if (!info) return { place: {}, release: () => undefined };
    for (const { folder, isOwn } of foldersToTry(info, id, layout)) {
      const laid = laidOut(info, { folder });
      const claim = claimAt(torrent, topNamesOf(laid));
      const place = { directory, names: namesOf(claim) };
      const files = isOwn ? underBothNames(claim, laid.files) : null;
      if (!(await lyingThere.leavesRoom(ownerId, place, files))) continue;
      const there = folder === NO_FOLDER ? await lyingThere.likeness(directory, laid.files) : 'same';
      if (there === 'others') continue;
      // Nothing is waited for from here on until it is taken.
      const others = places.overlapping(place);
      if (!adopters.mayLieWith(ownerId, others) || (there === 'new' && others.length > 0)) continue;
      if (others.some((other) => areMixedUp(claim, other))) continue;
      const name = isOwn || folder === undefined ? topNameOf(info) : folder;
      return places.reserve(claim, placeRow(name, folder, claim.topNames));
    }
    const own = topNameOf(info);
    throw new AppError('SAVE_PATH_INVALID', `save_path: more than ${MAX_BESIDE} names beside ${own} are taken`);
  }

  /** `mayTakeOver`: an administrator has it take over what lies there. @throws AppError `SAVE_PATH_INVALID` where it may not lie */
  async reserveExactly(
    torrent: AddedTorrent,
    info: TorrentInfo,
    { folder, own }: DiskPaths,
    mayTakeOver: boolean,
  ): Promise<Reservation> {
    const { ownerId, savePath } = torrent;
    const { places, adopters, lyingThere } = this.deps;
    const directory = await places.learn(savePath);
    const laid = laidOut(info, { folder, own });
    const topNames = topNamesOf(laid);
    if (areTooManyTopNames(topNames)) {
      throw new AppError('SAVE_PATH_INVALID', 'save_path: the torrent has too many names right in it');
    }
    const claim = claimAt(torrent, topNames);
    const place = { directory, names: namesOf(claim) };
    if (!mayTakeOver && !(await lyingThere.leavesRoom(ownerId, place, underBothNames(claim, laid.files)))) {
      throw new AppError(
        'SAVE_PATH_INVALID',
        `save_path: ${topNames[0]} lies there, and is not for this account to take`,
        because('PATH_TAKEN', { path: topNames[0]! }),
      );
    }
    // Nothing is waited for from here on until it is taken.
    const others = [...places.around(directory), ...places.overlapping(place)];
    if (!adopters.mayLieWith(ownerId, others) || others.some((other) => areMixedUp(claim, other))) {
      throw new AppError(
        'SAVE_PATH_INVALID',
        `save_path: ${topNames[0]} is the place of another torrent`,
        because('PATH_TAKEN', { path: topNames[0]! }),
      );
    }
    return places.reserve(claim, placeRow(folder ? folder : topNameOf(info), folder, topNames));
  }
}

/** The claim of a torrent that only one account has so far. */
function claimAt(
  { id, ownerId, savePath, incompleteSuffix }: AddedTorrent,
  topNames: readonly string[],
): ClaimingTorrent & { readonly topNames: readonly string[] } {
  return { id, ownerId, isShared: false, savePath, topNames, incompleteSuffix };
}
