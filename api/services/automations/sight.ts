// Which torrents the rules of an account look at, and what each rule sees of one: `own` the share that the account owns,
// `visible` what it is shown in its list. Owns: no rule sees a torrent that its account does not see.
import type { ShareRef } from '../../../shared-protocol/commands/shares.js';
import { emptyStats } from '../../../shared-protocol/stats-table.js';
import type { Account } from '../../auth/account.js';
import type { Library } from '../library/library.js';
import { accessToShare, refOf, statsOfShare, type ListedTorrent } from '../library/shares.js';
import type { AutomationFields } from '../../../shared-protocol/dto/automations.js';
import type { View } from './plan.js';

type Scope = AutomationFields['scope'];

export interface SightDeps {
  readonly library: Pick<Library, 'visibleTo' | 'shareFor' | 'stats'>;
}

/** Facts of the account, and so the same for all of its torrents. */
export interface Circumstances {
  readonly now: number;
  readonly torrents: number;
  readonly freeBytesAt: (torrent: Pick<ListedTorrent, 'id' | 'savePath'>) => number | null;
}

export class Sight {
  readonly #stats = emptyStats();

  constructor(
    private readonly deps: SightDeps,
    readonly account: Account,
    /** Whether a rule looks beyond what the account owns. */
    private readonly isWide: boolean,
  ) {}

  /** A copy: the list goes on changing. */
  torrents(): ListedTorrent[] {
    const { id, role } = this.account;
    return [...this.deps.library.visibleTo({ id, role: this.isWide ? role : 'user' })];
  }

  /** The torrent as the list has it by now; null: it is gone, or not to be seen any more. */
  again(torrent: ListedTorrent | undefined): ListedTorrent | null {
    if (!torrent) return null;
    const isAll = this.isWide && this.account.role === 'admin';
    return isAll ? torrent : this.deps.library.shareFor(this.account.id, torrent);
  }

  /** The share that a rule of the scope acts on; null: the torrent is not in it. */
  share(torrent: ListedTorrent, scope: Scope): ListedTorrent | null {
    const { id, role } = this.account;
    if (scope === 'visible') return role === 'admin' || accessToShare(id, torrent) ? torrent : null;
    const own = torrent.holders ? this.deps.library.shareFor(id, torrent) : torrent;
    return own?.ownerId === id ? own : null;
  }

  /** An administrator acts on all shares of what it sees, as by hand, and on its own alone of what it owns. */
  refTo(share: ListedTorrent, scope: Scope): ShareRef {
    return scope === 'visible' && this.account.role === 'admin' ? { id: share.id } : refOf(share);
  }

  /** A function that tells what a rule of a scope sees; null: the engine does not know the torrent at the moment. */
  viewsOf(
    torrent: ListedTorrent,
    { now, torrents, freeBytesAt }: Circumstances,
  ): ((scope: Scope) => View | null) | null {
    if (!this.deps.library.stats.read(torrent.row, torrent.rowTag, this.#stats)) return null;
    const known: { [Each in Scope]?: View | null } = {};
    return (scope) => {
      const before = known[scope];
      if (before !== undefined) return before;
      const facts = this.share(torrent, scope);
      const stats = facts && statsOfShare(this.#stats, facts);
      const freeBytes = facts && facts.savePath !== '' ? freeBytesAt(facts) : null;
      const access = this.account.role === 'admin' ? 'owner' : facts && accessToShare(this.account.id, facts);
      const view = facts && stats && access ? { subject: { facts, stats, now, torrents, freeBytes }, access } : null;
      return (known[scope] = view);
    };
  }
}
