// Who may take over files that are nobody's here, and where: administrators anywhere, other accounts in the home that an
// administrator gave them. Until it is set, every account may.
import type { Adopter } from '../../shared-protocol/commands/shares.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import { isAtOrBelow } from '../../storage/real-location.js';
import { isOnlyOf } from './places.js';
import type { ClaimingTorrent } from './types.js';

export class Adopters {
  /** By account: its home; null: everywhere. */
  #homes: ReadonlyMap<AccountId, string | null> | null = null;

  /** null: every account. */
  set(adopters: readonly Adopter[] | null): void {
    this.#homes = adopters && new Map(adopters.map(({ accountId, home }) => [accountId, home]));
  }

  mayEverywhere(accountId: AccountId): boolean {
    return this.#homes === null || this.#homes.get(accountId) === null;
  }

  mayIn(accountId: AccountId, directory: string): boolean {
    const home = this.#homes?.get(accountId);
    return this.mayEverywhere(accountId) || (typeof home === 'string' && isAtOrBelow(directory, home));
  }

  /** Whether a torrent of the account may lie where these do. */
  mayLieWith(accountId: AccountId, others: Iterable<ClaimingTorrent>): boolean {
    return this.mayEverywhere(accountId) || isOnlyOf(others, accountId);
  }
}
