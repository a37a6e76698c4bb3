// Where a torrent may be moved, and what its files may be renamed to: a further place that it claims until it has left the
// one or the other.
import { AppError } from '../../shared-protocol/errors.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import { because } from '../../shared-protocol/reasons.js';
import type { TorrentFile } from '../metainfo/index.js';
import type { Adopters } from './adopters.js';
import type { ClaimedPlaces, Reservation } from './claimed-places.js';
import { underBothNames, type Asker, type LyingThere } from './lying-there.js';
import { areMixedUp, claimOf, isOnlyOf, namesOf } from './places.js';
import type { ClaimingTorrent } from './types.js';

export interface PlacesForMovedDeps {
  readonly places: ClaimedPlaces;
  readonly adopters: Adopters;
  readonly lyingThere: LyingThere;
}

/** Where a torrent is to be moved. */
export interface TargetWanted extends Asker {
  readonly savePath: string;
  /** The files lie there already. */
  readonly existing: boolean;
}

export class PlacesForMoved {
  constructor(private readonly deps: PlacesForMovedDeps) {}

  hold(torrent: ClaimingTorrent, savePath: string, topNames = torrent.topNames): Reservation {
    return this.deps.places.reserve({ ...claimOf(torrent), savePath, topNames });
  }

  /**
   * The place at another save path, under the names that the torrent has. With `existing` files that lie there are to be its
   * own: only as far as they would be taken over, or an administrator asks (`mayTakeOver`).
   * @throws AppError `SAVE_PATH_INVALID` where torrents of other accounts lie; `MOVE_TARGET_TAKEN`
   */
  async reserveAt(
    torrent: ClaimingTorrent,
    { savePath, existing, ...asker }: TargetWanted,
    files: readonly TorrentFile[],
  ): Promise<Reservation> {
    const { id, ownerId } = torrent;
    const { places, adopters, lyingThere } = this.deps;
    const directory = await places.learn(savePath);
    const place = { directory, names: namesOf(torrent) };
    const isFree = existing
      ? await lyingThere.mayBePointedAt(ownerId, place, underBothNames(torrent, files), asker)
      : await lyingThere.leavesRoomForMove(ownerId, place);
    // Nothing is waited for from here on until it is taken.
    const others = places.overlapping(place).filter((other) => other.id !== id);
    if (!isFree || others.some((other) => areMixedUp(torrent, other))) {
      const name = (torrent.topNames ?? []).join(', ').slice(0, 200);
      throw taken('path', name);
    }
    const around = places.around(directory).filter((other) => other.id !== id);
    if (!adopters.mayLieWith(ownerId, [...around, ...others])) {
      throw new AppError(
        'SAVE_PATH_INVALID',
        'path: lies in the folder of a torrent of another account',
        because('PATH_OF_OTHERS'),
      );
    }
    return this.hold(torrent, savePath);
  }

  /**
   * Other names at the torrent's save path. Nothing that lies there is taken over, and an editor puts nothing into folders by
   * its owner's rights (docs/decisions/0012-editors-do-not-adopt.md).
   * @throws AppError `MOVE_TARGET_TAKEN`
   */
  async reserveNames(
    torrent: ClaimingTorrent,
    topNames: readonly string[],
    accountId: AccountId,
  ): Promise<Reservation> {
    const { id, ownerId, savePath } = torrent;
    const { places, adopters, lyingThere } = this.deps;
    const directory = places.realPath(savePath);
    const renamed = { ...claimOf(torrent), topNames: topNames.filter((name) => !torrent.topNames?.includes(name)) };
    const present = new Set(namesOf(torrent));
    const place = { directory, names: namesOf(renamed).filter((name) => !present.has(name)) };
    const mayBoth = (may: (account: AccountId) => boolean) => may(ownerId) && may(accountId);
    const isThere = await lyingThere.isAny(place);
    // Nothing is waited for from here on until it is taken.
    const others = places.overlapping(place).filter((other) => other.id !== id);
    const isFree = others.length === 0 && !isThere;
    const isWithOwn = accountId === ownerId && others.length > 0 && isOnlyOf(others, ownerId);
    const mayShare = mayBoth((account) => adopters.mayEverywhere(account)) || isOnlyOf(others, ownerId);
    const mayAdopt = mayBoth((account) => adopters.mayIn(account, directory)) && mayShare;
    const isMixedUp = others.some((other) => areMixedUp(renamed, other));
    if (
      isMixedUp ||
      adopters.isWatched(ownerId, place) ||
      (place.names.length > 0 && !isFree && !isWithOwn && !mayAdopt)
    ) {
      throw taken('to', renamed.topNames[0] ?? place.names[0]!);
    }
    return this.hold(torrent, savePath, topNames);
  }
}

/** `field`: what asked for it. */
function taken(field: 'path' | 'to', name: string): AppError {
  const message = `${field}: ${name} lies there already, and is not the torrent's`;
  return new AppError('MOVE_TARGET_TAKEN', message, because('PATH_TAKEN', { path: name }));
}
