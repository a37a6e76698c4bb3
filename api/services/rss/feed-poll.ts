// One poll of one feed: gets it if it has changed, has its items judged and keeps what the next poll needs. "Unchanged" is
// only asked for where everything in the feed was judged, by the filters of now.
import type { Collection, FeedMemory } from '../../../storage/types.js';
import type { Egress } from '../../egress/egress.js';
import { RequestError } from '../../errors.js';
import { fetchFeed, NO_VALIDATORS } from './feed-fetch.js';
import { readFeed } from './feed-reader.js';
import type { FeedsData, StoredFeed } from './feed-records.js';
import { digestOf, enabledFilters } from './item-filter.js';
import { Judging, type JudgingDeps } from './judging.js';

/** semantics.md section 9. */
const MAX_REMEMBERED = 10_000;

export type PollOutcome =
  /** `trouble`: why some items were not added; '' when all were. */
  | { readonly kind: 'done'; readonly trouble: string }
  /** The next poll should not be long in coming. */
  | { readonly kind: 'unfinished'; readonly trouble: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'abandoned' };

export interface FeedPollDeps extends JudgingDeps {
  readonly collection: Pick<Collection<FeedsData>, 'data'>;
  readonly memory: FeedMemory;
  readonly egress: Pick<Egress, 'fetch'>;
}

/** @throws AppError `STORAGE_FAILED`; what is a bug */
export async function pollFeed(deps: FeedPollDeps, feed: StoredFeed, signal: AbortSignal): Promise<PollOutcome> {
  const { memory, egress, clock, collection } = deps;
  const filters = enabledFilters(collection.data.filters, feed.id);
  const judgedBy = digestOf(filters);
  const last = memory.poll(feed.id);
  // Unchanged is only good enough where nothing in it is left to judge.
  const isJudged = last?.url === feed.url && last.judgedBy === judgedBy;
  try {
    const fetched = await fetchFeed(egress, feed.url, null, isJudged ? last : NO_VALIDATORS, signal);
    const lastPolled = Math.floor(clock.unixMs() / 1_000);
    if (fetched.kind === 'unchanged') {
      if (signal.aborted || !last) return { kind: 'abandoned' };
      await memory.putPoll(feed.id, { ...last, lastPolled });
      return { kind: 'done', trouble: '' };
    }
    const items = await readFeed(fetched.bytes, fetched.contentType, feed.url);
    const judged = await new Judging(deps, feed, signal).judge(items, filters);
    if (judged.kind === 'abandoned') return { kind: 'abandoned' };
    await memory.trim(
      feed.id,
      MAX_REMEMBERED,
      items.map(({ guid }) => guid),
    );
    const poll = { ...fetched.validators, url: feed.url, judgedBy: judged.isComplete ? judgedBy : '', lastPolled };
    await memory.putPoll(feed.id, poll);
    return { kind: judged.kind, trouble: judged.trouble };
  } catch (error) {
    if (signal.aborted) return { kind: 'abandoned' };
    if (error instanceof RequestError) return { kind: 'failed', reason: error.message };
    throw error;
  }
}
