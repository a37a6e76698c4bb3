// What clients are shown of all torrents, as bytes: one view for each account that asks, one for all administrators,
// over fragments that the views share.
import type { GlobalStats } from '../../shared-protocol/dto/torrents.js';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import type { Account } from '../services/accounts/accounts.js';
import type { Library } from '../services/library/library.js';
import { TorrentFragment, type FragmentLabels } from './torrent-fragment.js';
import { TorrentListView } from './torrent-list-view.js';

/** Each holds a whole frame, 6 MB at 10,000 torrents. The view of an account beyond that is made anew each time. */
const MAX_VIEWS = 32;

/** Administrators see the same: all, as owners. */
type Viewer = AccountId | 'administrators';

/** The frames of one tick. */
export interface TickFrames {
  readonly torrents: Buffer;
  readonly stats: Buffer;
}

export class Snapshots {
  /** By the facts themselves: changed facts are another object, and those of a removed torrent go with it. */
  readonly #fragments = new WeakMap<TorrentFacts, TorrentFragment>();
  /** The one that was used last is the last one. */
  readonly #views = new Map<Viewer, TorrentListView>();

  constructor(
    private readonly library: Pick<Library, 'visibleTo' | 'accessOf' | 'stats'>,
    private readonly labels: FragmentLabels,
  ) {}

  /** JSON of TorrentDTO[]. */
  list(account: Account): Buffer {
    return this.#view(account).list;
  }

  stats(account: Account): GlobalStats {
    return this.#view(account).totals;
  }

  /** `torrents:tick` and `stats:tick`; the same bytes as before where nothing has changed. */
  ticks(account: Account): TickFrames {
    const { frame, totals } = this.#view(account);
    return { torrents: frame, stats: Buffer.from(JSON.stringify({ type: 'stats:tick', payload: totals })) };
  }

  /** As things are now. */
  #view(account: Account): TorrentListView {
    const viewer = account.role === 'admin' ? 'administrators' : account.id;
    const view = this.#views.get(viewer) ?? new TorrentListView();
    this.#views.delete(viewer);
    this.#views.set(viewer, view);
    const [oldest] = this.#views.keys();
    if (this.#views.size > MAX_VIEWS && oldest !== undefined) this.#views.delete(oldest);
    view.refresh(this.library.visibleTo(account), {
      fragmentOf: (facts) => this.#fragmentOf(facts),
      accessOf: (facts) => this.library.accessOf(account, facts),
    });
    return view;
  }

  #fragmentOf(facts: TorrentFacts): TorrentFragment {
    const known = this.#fragments.get(facts);
    if (known) return known;
    const fragment = new TorrentFragment(facts, this.library.stats, this.labels);
    this.#fragments.set(facts, fragment);
    return fragment;
  }
}
