// What clients are shown of all torrents: one list for each account that asks, one for all administrators.
import { randomBytes } from 'node:crypto';
import type { GlobalStats } from '../../shared-protocol/dto/torrents.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import type { SliceClock } from '../../shared-protocol/slices.js';
import type { Account } from '../auth/account.js';
import type { Library } from '../services/library/library.js';
import { AccountList } from './account-list.js';
import type { ListLabels } from './chunk-fields.js';
import type { ListSnapshot } from './list-snapshot.js';
import { StatsJsonReader } from './stats-json-reader.js';

/** Each holds a whole list, 7 MB at 10,000 torrents. The list of an account beyond that is made anew each time. */
const MAX_LISTS = 32;

/** Administrators see the same: all, as owners. */
type Viewer = AccountId | 'administrators';

/** A list with what is done to it, one thing after another. */
interface Entry {
  readonly list: AccountList;
  last: Promise<unknown>;
  /** Asked for and not begun: it answers later callers as well. */
  next: Promise<ListSnapshot> | null;
}

/** The lists of the accounts that ask. */
export class Snapshots {
  /** In the order of their use, the latest last. */
  readonly #lists = new Map<Viewer, Entry>();
  /** Versions of one start of the program are not those of another. */
  readonly #epoch = randomBytes(6).toString('base64url');
  #versions = 0;
  readonly #stats: StatsJsonReader;

  constructor(
    private readonly library: Pick<Library, 'visibleTo' | 'accessOf' | 'stats'>,
    private readonly labels: ListLabels,
    private readonly slices: SliceClock = {},
  ) {
    this.#stats = new StatsJsonReader(library.stats);
  }

  /** The account's list as it is at the moment, or a little later: made in slices where there is much to do. */
  of(account: Account): Promise<ListSnapshot> {
    const entry = this.#entryOf(account);
    if (entry.next) return entry.next;
    const next = entry.last.then(() => {
      entry.next = null;
      return entry.list.snapshot(this.library.visibleTo(account));
    });
    entry.next = next;
    entry.last = next.catch(() => undefined);
    return next;
  }

  /** Totals of the account's list, which cost less than a snapshot. */
  totals(account: Account): Promise<GlobalStats> {
    const entry = this.#entryOf(account);
    const totals = entry.last.then(() => entry.list.totals(this.library.visibleTo(account)));
    entry.last = totals.catch(() => undefined);
    return totals;
  }

  #entryOf(account: Account): Entry {
    const viewer = account.role === 'admin' ? 'administrators' : account.id;
    const entry = this.#lists.get(viewer) ?? { list: this.#newList(account), last: Promise.resolve(), next: null };
    this.#lists.delete(viewer);
    this.#lists.set(viewer, entry);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > MAX_LISTS && oldest !== undefined) this.#lists.delete(oldest);
    return entry;
  }

  #newList({ role, id }: Account): AccountList {
    const { library, labels, slices } = this;
    return new AccountList({
      sources: {
        stats: this.#stats,
        fields: { labels, accessOf: (facts) => library.accessOf({ role, id }, facts) },
      },
      newVersion: () => `${this.#epoch}-${++this.#versions}`,
      ...slices,
    });
  }
}
