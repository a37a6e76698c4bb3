// What an account may have read that it names by itself, to make a torrent of it.
import { basename, dirname } from 'node:path';
import type { AccountId } from '../../shared-protocol/ids.js';
import { isAtOrBelow } from '../../storage/real-location.js';
import type { Adopters } from './adopters.js';
import type { ClaimedPlaces } from './claimed-places.js';
import { pathsOf } from './places.js';
import type { RecordedInodes } from './recorded-inodes.js';
import type { ReadRight } from './types.js';

export interface ReadRightDeps {
  readonly places: ClaimedPlaces;
  readonly adopters: Adopters;
  readonly inodes: RecordedInodes;
}

/**
 * Returns which files at or below the path; null: none. Those that torrents of the account have recorded as their own, and in
 * its home what has no other name outside of it. Nothing where a torrent of another account lies, but for administrators.
 */
export function readRight(
  { places, adopters, inodes }: ReadRightDeps,
  accountId: AccountId,
  path: string,
): ReadRight | null {
  if (adopters.mayEverywhere(accountId)) return { admits: () => true };
  const touching = places.overlapping({ directory: dirname(path), names: [basename(path)] });
  if (touching.some(({ ownerId }) => ownerId !== accountId)) return null;
  const isInHome = adopters.mayIn(accountId, path);
  const isInOwn = touching.some((torrent) => {
    const place = places.placeOf(torrent);
    return place !== null && pathsOf(place).some((own) => isAtOrBelow(path, own));
  });
  if (!isInHome && !isInOwn) return null;
  return {
    admits: ({ inode, linkCount }) => (isInHome && linkCount === 1) || inodes.isAnyOf(touching, inode),
  };
}
