// What clients are shown of all torrents: one view for each account that asks, one for all administrators.
import { randomBytes } from 'node:crypto';
import { setImmediate as pause } from 'node:timers/promises';
import type { GlobalStats } from '../../shared-protocol/dto/torrents.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import type { Account } from '../auth/account.js';
import type { Library } from '../services/library/library.js';
import type { ListSnapshot } from './list-snapshot.js';
import { FiguresSource } from './chunk-stats.js';
import type { SnapshotLabels } from './chunk-fields.js';
import { TorrentListView } from './account-list.js';

/** Each holds a whole list, 7 MB at 10,000 torrents. The view of an account beyond that is made anew each time. */
const MAX_VIEWS = 32;

/** Administrators see the same: all, as owners. */
type Viewer = AccountId | 'administrators';

/** A view with what is done to it, one thing after another. */
interface Entry {
  readonly view: TorrentListView;
  last: Promise<unknown>;
  /** Asked for and not begun: whoever asks now is answered by it as well. */
  next: Promise<ListSnapshot> | null;
}

export interface SnapshotsOptions {
  /** Monotonic milliseconds. @default the system's */
  readonly now?: () => number;
  /** Lets the thread do other things. @default for a turn of the event loop */
  readonly pause?: () => Promise<void>;
}

export class Snapshots {
  /** The one that was used last is the last one. */
  readonly #views = new Map<Viewer, Entry>();
  /** Versions of one run of the program are not those of another. */
  readonly #epoch = randomBytes(6).toString('base64url');
  #versions = 0;
  readonly #figures: FiguresSource;

  constructor(
    private readonly library: Pick<Library, 'visibleTo' | 'accessOf' | 'stats'>,
    private readonly labels: SnapshotLabels,
    private readonly options: SnapshotsOptions = {},
  ) {
    this.#figures = new FiguresSource(library.stats);
  }

  /** As things are now, or a little later: made in slices where there is much to do. */
  of(account: Account): Promise<ListSnapshot> {
    const entry = this.#entryOf(account);
    if (entry.next) return entry.next;
    const next = entry.last.then(() => {
      entry.next = null;
      return entry.view.snapshot(this.library.visibleTo(account));
    });
    entry.next = next;
    entry.last = next.catch(() => undefined);
    return next;
  }

  /** Costs less than a snapshot. */
  totals(account: Account): Promise<GlobalStats> {
    const entry = this.#entryOf(account);
    const totals = entry.last.then(() => entry.view.totals(this.library.visibleTo(account)));
    entry.last = totals.catch(() => undefined);
    return totals;
  }

  #entryOf(account: Account): Entry {
    const viewer = account.role === 'admin' ? 'administrators' : account.id;
    const entry = this.#views.get(viewer) ?? { view: this.#newView(account), last: Promise.resolve(), next: null };
    this.#views.delete(viewer);
    this.#views.set(viewer, entry);
    const [oldest] = this.#views.keys();
    if (this.#views.size > MAX_VIEWS && oldest !== undefined) this.#views.delete(oldest);
    return entry;
  }

  #newView({ role, id }: Account): TorrentListView {
    const { library, labels, options } = this;
    return new TorrentListView({
      figures: this.#figures,
      identities: { labels, accessOf: (facts) => library.accessOf({ role, id }, facts) },
      newVersion: () => `${this.#epoch}-${++this.#versions}`,
      now: options.now ?? (() => performance.now()),
      pause: options.pause ?? (() => pause()),
    });
  }
}
