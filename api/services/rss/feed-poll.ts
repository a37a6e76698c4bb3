// One poll of one feed: gets it if it has changed, has its items processed and keeps what the next poll needs. "Unchanged"
// is only asked for where everything in the feed was processed, by the filters in force.
import type { Collection, FeedMemory } from '../../../storage/types.js';
import { reasonIn, type Reason } from '../../../shared-protocol/reasons.js';
import { unixSecondsOf } from '../../clocks.js';
import type { Egress } from '../../egress/egress.js';
import { RequestError } from '../../errors.js';
import { fetchFeed, NO_VALIDATORS } from './feed-fetch.js';
import { readFeed } from './feed-reader.js';
import type { FeedsData, StoredFeed } from './feed-records.js';
import { digestOf, enabledFilters } from './item-filter.js';
import { ItemProcessor, type ItemProcessorDeps } from './item-processor.js';

/** docs/semantics.md section 9. */
const MAX_REMEMBERED = 10_000;

export type PollOutcome =
  /** `trouble`: why some items were not added; '' when all were. */
  | { readonly kind: 'done'; readonly trouble: string }
  /** The next poll should not be long in coming. */
  | { readonly kind: 'unfinished'; readonly trouble: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly code: Reason | null }
  | { readonly kind: 'abandoned' };

export interface FeedPollDeps extends ItemProcessorDeps {
  readonly collection: Pick<Collection<FeedsData>, 'data' | 'onChanged'>;
  readonly memory: FeedMemory;
  readonly egress: Pick<Egress, 'fetch'>;
}

/** @throws AppError `STORAGE_FAILED`; what is a bug */
export async function pollFeed(deps: FeedPollDeps, feed: StoredFeed, signal: AbortSignal): Promise<PollOutcome> {
  const { memory, egress, clock, collection } = deps;
  const filters = enabledFilters(collection.data.filters, feed.id);
  const judgedBy = digestOf(filters);
  const last = memory.poll(feed.id);
  // Unchanged is only good enough where nothing in it is left to process.
  const isProcessed = last?.url === feed.url && last.judgedBy === judgedBy;
  try {
    const fetched = await fetchFeed(egress, feed.url, null, isProcessed ? last : NO_VALIDATORS, signal);
    const lastPolled = unixSecondsOf(clock);
    if (fetched.kind === 'unchanged') {
      if (signal.aborted || !last) return { kind: 'abandoned' };
      await memory.putPoll(feed.id, { ...last, lastPolled });
      return { kind: 'done', trouble: '' };
    }
    const items = await readFeed(fetched.bytes, fetched.contentType, feed.url);
    const processed = await new ItemProcessor(deps, feed, signal).process(items, filters);
    if (processed.kind === 'abandoned') return { kind: 'abandoned' };
    await memory.trim(
      feed.id,
      MAX_REMEMBERED,
      items.map(({ guid }) => guid),
    );
    const poll = { ...fetched.validators, url: feed.url, judgedBy: processed.isComplete ? judgedBy : '', lastPolled };
    await memory.putPoll(feed.id, poll);
    return { kind: processed.kind, trouble: processed.trouble };
  } catch (error) {
    if (signal.aborted) return { kind: 'abandoned' };
    if (error instanceof RequestError) return { kind: 'failed', reason: error.message, code: reasonIn(error.data) };
    throw error;
  }
}
