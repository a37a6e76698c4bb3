// Processes the items of a feed: adds those that a filter wants and that were not added before, and decides which are
// remembered. An item that no filter wants is not: a filter that is made later is for what is in the feed then. One that is
// added is remembered once its torrent is durable in the engine; when the process dies in between, the engine says at the
// next poll that it is there.
import type { FeedItemDto } from '../../../shared-protocol/dto/rss.js';
import type { Collection, FeedMemory, SeenItem } from '../../../storage/types.js';
import type { AccountId, TorrentId } from '../../../shared-protocol/ids.js';
import { unixSecondsOf, type Clock } from '../../clocks.js';
import type { Log } from '../../logging.js';
import type { Account } from '../../auth/account.js';
import type { Accounts } from '../accounts/accounts.js';
import type { AddOutcome, AutoAdd, Order } from './auto-add.js';
import type { FeedsData, StoredFeed, StoredFilter } from './feed-records.js';
import { actingAccount } from './feed-rights.js';
import { ItemFilter } from './item-filter.js';
import { retryAt } from './poll-schedule.js';

/** Some 15 hours at the default interval. No spec value. */
const MAX_TRIES = 6;
/** For the files of one poll: what is left then is for the next one, so that a slow server holds up no other feed. */
const ADDING_BUDGET_MS = 5 * 60_000;

export interface ItemProcessorDeps {
  readonly collection: Pick<Collection<FeedsData>, 'data'>;
  readonly memory: Pick<FeedMemory, 'item' | 'putItem' | 'hasTorrent'>;
  readonly autoAdd: Pick<AutoAdd, 'add'>;
  readonly accounts: Pick<Accounts, 'find'>;
  /** An item has become a torrent of the account. */
  readonly onAdded: (feed: StoredFeed, owner: AccountId, torrent: TorrentId) => void;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Processed {
  /** `unfinished`: the rest should not have to wait for long. */
  readonly kind: 'done' | 'unfinished' | 'abandoned';
  /** Why some items were not added; '' when all were. */
  readonly trouble: string;
  /** Everything that is wanted has been added, given up or was there. */
  readonly isComplete: boolean;
}

export class ItemProcessor {
  /** How many items each reason kept out. */
  readonly #troubles = new Map<string, number>();

  constructor(
    private readonly deps: ItemProcessorDeps,
    private readonly feed: StoredFeed,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws RequestError `UPSTREAM_FAILED` when the filters take too long; AppError `STORAGE_FAILED` */
  async process(items: readonly FeedItemDto[], filters: readonly StoredFilter[]): Promise<Processed> {
    const { clock, accounts, log } = this.deps;
    const { feed, signal } = this;
    const wanted = await ItemFilter.compile(filters, {
      nowMs: () => clock.nowMs(),
      onInvalid: (filterId, reason) => log.warn('filter not understood', { feedId: feed.id, filterId, reason }),
    });
    const startedMs = clock.nowMs();
    let isComplete = true;
    // The newest are the first in nearly every feed: so torrents are queued in the order of publication.
    for (const item of items.toReversed()) {
      if (signal.aborted) return this.#ended('abandoned', false);
      if (item.torrent_url === '' || item.guid === '') continue;
      const seen = this.#seen(item);
      if (seen?.kind === 'done') continue;
      const filter = await wanted.firstFor(item.title);
      if (!filter) continue;
      const owner = actingAccount(feed, filter, (id) => accounts.find(id));
      if (seen && seen.retryAt > this.#nowSeconds()) isComplete = false;
      else if (clock.nowMs() - startedMs > ADDING_BUDGET_MS) return this.#ended('unfinished', false);
      else if (!owner) {
        this.#note("the feed's account may not add torrents", { feedId: feed.id, filterId: filter.id });
        isComplete = false;
      } else {
        const outcome = await this.#add(owner, filter, item);
        if (outcome.kind === 'added' && outcome.torrentId) this.deps.onAdded(feed, owner.id, outcome.torrentId);
        const hasEnded = await this.#remember(item, filter, outcome, seen?.tries ?? 0);
        if (outcome.kind === 'abandoned') return this.#ended('abandoned', false);
        if (outcome.kind === 'engineAway') return this.#ended('unfinished', false);
        isComplete &&= hasEnded;
      }
    }
    return this.#ended('done', isComplete);
  }

  #add(owner: Account, filter: StoredFilter, { torrent_url: url }: FeedItemDto): Promise<AddOutcome> {
    const { collection, memory, autoAdd } = this.deps;
    const { feed, signal } = this;
    const isRemembered: Order['isRemembered'] = (id) =>
      collection.data.feeds.some((other) => other.created_by === feed.created_by && memory.hasTorrent(other.id, id));
    return autoAdd.add({ owner, filter, url, isRemembered, signal });
  }

  /** Whether nothing is left to do for the item. */
  async #remember(item: FeedItemDto, filter: StoredFilter, outcome: AddOutcome, before: number): Promise<boolean> {
    const { memory, log } = this.deps;
    const [feedId, at] = [this.feed.id, this.#nowSeconds()];
    const fields = { feedId, filterId: filter.id };
    switch (outcome.kind) {
      case 'added':
      case 'present':
      case 'addedBefore': {
        const { kind, torrentId } = outcome;
        await memory.putItem(feedId, item.guid, { kind: 'done', torrentId, at }, kind === 'added');
        log.info('item of a feed', { ...fields, outcome: kind, torrentId: torrentId ?? '' });
        return true;
      }
      case 'failed': {
        const tries = before + 1;
        const isGivenUp = tries >= MAX_TRIES;
        const next: SeenItem = isGivenUp
          ? { kind: 'done', torrentId: null, at }
          : { kind: 'failed', tries, retryAt: retryAt(at, this.feed.interval_min, tries), at };
        await memory.putItem(feedId, item.guid, next);
        this.#note(outcome.reason, fields);
        if (isGivenUp) log.warn('item of a feed given up', { ...fields, tries, reason: outcome.reason });
        log.debug('item not added', { ...fields, tries, title: item.title, reason: outcome.reason });
        return isGivenUp;
      }
      case 'blocked':
      case 'engineAway':
        this.#note(outcome.reason, fields);
        return false;
      case 'abandoned':
        return false;
    }
  }

  #seen({ guid }: FeedItemDto): SeenItem | undefined {
    return this.deps.memory.item(this.feed.id, guid);
  }

  /** One line for each reason, however many items it keeps out. */
  #note(reason: string, fields: { readonly feedId: number; readonly filterId: number }): void {
    if (!this.#troubles.has(reason)) this.deps.log.warn('item of a feed not added', { ...fields, reason });
    this.#troubles.set(reason, (this.#troubles.get(reason) ?? 0) + 1);
  }

  #ended(kind: Processed['kind'], isComplete: boolean): Processed {
    const [first] = [...this.#troubles].sort(([, a], [, b]) => b - a);
    const count = [...this.#troubles.values()].reduce((sum, each) => sum + each, 0);
    const trouble = first === undefined ? '' : `${count} not added: ${first[0]}`;
    return { kind, trouble, isComplete };
  }

  #nowSeconds(): number {
    return unixSecondsOf(this.deps.clock);
  }
}
