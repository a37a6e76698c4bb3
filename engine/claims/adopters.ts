// Who may take over files that are nobody's here, and where: administrators anywhere, other accounts in the home that an
// administrator gave them. Until it is set, every account may.
import { dirname } from 'node:path';
import type { Adopter } from '../../shared-protocol/commands/shares.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import { isAtOrBelow } from '../../storage/real-location.js';
import { fold, isOnlyOf, pathsOf, type Place } from './places.js';
import type { ClaimingTorrent } from './types.js';

/** Endings of the files that are added from a watched folder. */
const WATCHED = /\.(?:torrent|magnet)$/i;

export class Adopters {
  /** By account: its home; null: everywhere. */
  #homes: ReadonlyMap<AccountId, string | null> | null = null;
  #watched: readonly Adopter[] = [];

  /** null: every account. */
  set(adopters: readonly Adopter[] | null): void {
    this.#homes = adopters && new Map(adopters.map(({ accountId, home }) => [accountId, home]));
    this.#watched = adopters?.filter(({ watched }) => watched !== undefined) ?? [];
  }

  mayEverywhere(accountId: AccountId): boolean {
    return this.#homes === null || this.#homes.get(accountId) === null;
  }

  mayIn(accountId: AccountId, directory: string): boolean {
    const home = this.#homes?.get(accountId);
    return this.mayEverywhere(accountId) || (typeof home === 'string' && home !== '' && isAtOrBelow(directory, home));
  }

  /** Whether a torrent of the account may lie where these do. */
  mayLieWith(accountId: AccountId, others: Iterable<ClaimingTorrent>): boolean {
    return this.mayEverywhere(accountId) || isOnlyOf(others, accountId);
  }

  /** Whether a torrent of the account would put files where they would be added for another, or could be by another name. */
  isWatched(accountId: AccountId, place: Place): boolean {
    if (this.mayEverywhere(accountId)) return false;
    const paths = pathsOf(place).map(fold);
    return this.#watched.some((watcher) => {
      if (watcher.accountId === accountId) return false;
      const folder = fold(watcher.watched!);
      return paths.some((path) => isAtOrBelow(folder, path) || (dirname(path) === folder && WATCHED.test(path)));
    });
  }
}
