// The lists of qBittorrent's objects of the accounts that ask: one for each of them, one for all administrators.
import type { AccountId } from '../../../../shared-protocol/ids.js';
import type { SliceClock } from '../../../../shared-protocol/slices.js';
import type { Account } from '../../../auth/account.js';
import type { Labels } from '../../../services/library/labels.js';
import type { Library } from '../../../services/library/library.js';
import type { SeedingRules } from '../../../services/library/seeding-rules.js';
import type { ListedTorrent } from '../../../services/library/shares.js';
import { ObjectEntries, type ObjectSources } from './object-entries.js';
import type { ObjectEntry } from './object-entry.js';
import { ObjectList, type ObjectMoment } from './object-list.js';

/** Each holds 20 MB at 10,000 torrents. The list of an account beyond that is made anew each time. */
const MAX_LISTS = 16;

/** Administrators see the same: all, as owners. */
type Viewer = AccountId | 'administrators';

export interface ObjectListsDeps {
  readonly library: Pick<Library, 'visibleTo' | 'accessOf' | 'stats'>;
  readonly labels: Pick<Labels, 'revision' | 'category' | 'tag'>;
  readonly seedingRules: Pick<SeedingRules, 'revision' | 'inForce'>;
}

/** A list with what is done to it, one thing after another. */
interface Entry {
  readonly list: ObjectList;
  last: Promise<unknown>;
  /** Asked for and not begun: it answers later callers as well. */
  next: Promise<ObjectMoment> | null;
}

export class ObjectLists {
  /** In the order of their use, the latest last. */
  readonly #lists = new Map<Viewer, Entry>();

  /** `clock`: of slices, and what time it is. */
  constructor(
    private readonly deps: ObjectListsDeps,
    readonly clock: SliceClock & { readonly unixS: () => number },
  ) {}

  /** The account's list as it is at the moment, or a little later: made in slices where there is much to do. */
  of(account: Pick<Account, 'id' | 'role'>): Promise<ObjectMoment> {
    const entry = this.#entryOf(account);
    if (entry.next) return entry.next;
    const next = entry.last.then(() => {
      entry.next = null;
      return entry.list.moment(this.deps.library.visibleTo(account));
    });
    entry.next = next;
    entry.last = next.catch(() => undefined);
    return next;
  }

  #entryOf({ id, role }: Pick<Account, 'id' | 'role'>): Entry {
    const viewer = role === 'admin' ? 'administrators' : id;
    const entry = this.#lists.get(viewer) ?? { list: this.#newList({ id, role }), last: Promise.resolve(), next: null };
    this.#lists.delete(viewer);
    this.#lists.set(viewer, entry);
    const [longestUnused] = this.#lists.keys();
    if (this.#lists.size > MAX_LISTS && longestUnused !== undefined) this.#lists.delete(longestUnused);
    return entry;
  }

  /** One torrent as the account is shown it, for those who ask for few. `torrent`: its own share, or what it was granted. */
  entryOf(account: Pick<Account, 'id' | 'role'>, torrent: ListedTorrent): ObjectEntry {
    return new ObjectEntries(this.#sourcesOf(account)).make(torrent);
  }

  #newList(account: Pick<Account, 'id' | 'role'>): ObjectList {
    return new ObjectList({ ...this.clock, sources: this.#sourcesOf(account) });
  }

  #sourcesOf({ id, role }: Pick<Account, 'id' | 'role'>): ObjectSources {
    const { library, labels, seedingRules } = this.deps;
    const accessOf = (torrent: ListedTorrent) => library.accessOf({ id, role }, torrent);
    return { stats: library.stats, labels, seedingRules, accessOf };
  }
}
