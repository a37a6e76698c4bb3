// Limits that an account's torrents have in common: a group of both limiters for each account that has torrents awake. Owns
// which group a torrent is in: that of the account that runs it; where several do, of the one with the highest limit, as a
// torrent is as fast as the most generous of those who run it (engine/torrent/holders.ts).
import type { AccountLimit } from '../../shared-protocol/commands/limits.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import type { GroupLimiter, Limiters } from '../net/rate-limiter.js';
import type { GroupLimiters } from '../torrent/session-interface.js';

type Direction = 'down' | 'up';

export class AccountLimits {
  readonly #groups = new Map<AccountId, { readonly down: GroupLimiter; readonly up: GroupLimiter }>();
  #limits: ReadonlyMap<AccountId, AccountLimit>;

  constructor(
    private readonly limiters: Limiters,
    limits: readonly AccountLimit[],
  ) {
    this.#limits = byAccount(limits);
  }

  /** In place of those before. Torrents that several run may belong to others now. */
  set(limits: readonly AccountLimit[]): void {
    this.#limits = byAccount(limits);
    for (const [id, { down, up }] of this.#groups) {
      down.setLimit(this.#limitOf(id, 'down'));
      up.setLimit(this.#limitOf(id, 'up'));
    }
  }

  /** `runBy`: the accounts that run the torrent, one at least. */
  groupsOf(runBy: readonly AccountId[]): GroupLimiters {
    return { down: this.#mostGenerous(runBy, 'down'), up: this.#mostGenerous(runBy, 'up') };
  }

  /** Whether any of those who run a torrent may upload to peers. */
  mayUpload(runBy: readonly AccountId[]): boolean {
    return runBy.some((id) => !this.#limits.get(id)?.isUploadStopped);
  }

  #mostGenerous(runBy: readonly AccountId[], direction: Direction): GroupLimiter | null {
    const limitOf = (id: AccountId) => this.#limitOf(id, direction) || Infinity;
    const [first, ...others] = runBy;
    if (first === undefined) return null;
    const chosen = others.reduce((best, id) => (limitOf(id) > limitOf(best) ? id : best), first);
    return this.#groupOf(chosen)[direction];
  }

  #groupOf(id: AccountId) {
    const known = this.#groups.get(id);
    if (known) return known;
    const group = { down: this.limiters.down.group(), up: this.limiters.up.group() };
    this.#groups.set(id, group);
    group.down.setLimit(this.#limitOf(id, 'down'));
    group.up.setLimit(this.#limitOf(id, 'up'));
    return group;
  }

  /** 0: none. */
  #limitOf(id: AccountId, direction: Direction): number {
    const limit = this.#limits.get(id);
    return (direction === 'down' ? limit?.downBytesPerSec : limit?.upBytesPerSec) ?? 0;
  }
}

function byAccount(limits: readonly AccountLimit[]): Map<AccountId, AccountLimit> {
  return new Map(limits.map((limit) => [limit.accountId, limit]));
}
