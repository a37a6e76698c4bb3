// What is kept of feeds and filters, and what a client is shown of them. One schema validates the stored file.
import { z } from 'zod';
import type { FeedDto, FilterDto } from '../../../shared-protocol/dto/rss.js';
import { parseAccountId } from '../../../shared-protocol/ids.js';
import { maskAddress } from '../../../shared-protocol/masking.js';
import type { FeedPoll } from '../../../storage/types.js';
import { shapersOf } from './feed-rights.js';

const accountIdSchema = z.int().min(1).transform(parseAccountId);

const storedFeedSchema = z.object({
  id: z.int().min(1),
  url: z.string(),
  /** Empty: shown as the URL's host. */
  name: z.string(),
  /** Minutes, as given: 0 for the default; the floor is the poller's business. */
  interval_min: z.int().min(0),
  enabled: z.boolean(),
  /** The account whose torrents its items become (docs/semantics.md section 6). Shown to no client. */
  created_by: accountIdSchema,
  /** The accounts that gave it its address (feed-rights.ts); absent: the account that made it. */
  shaped_by: z.array(accountIdSchema).optional(),
});
export type StoredFeed = z.infer<typeof storedFeedSchema>;

const storedFilterSchema = z.object({
  id: z.int().min(1),
  feed_id: z.int().min(1),
  regex: z.string(),
  /** May name a category that is gone. */
  category_id: z.int().min(1).nullable(),
  /** Absolute; empty: the category's, else the default. */
  save_path: z.string(),
  enabled: z.boolean(),
  /** Absent: none. */
  name: z.string().optional(),
  /** Absent: no title is left out. */
  exclude_regex: z.string().optional(),
  /** May name tags that are gone. */
  tag_ids: z.array(z.int().min(1)).optional(),
  paused: z.literal(true).optional(),
  /** The accounts that gave it what it says; absent: the feed's owner. Shown to no client. */
  shaped_by: z.array(accountIdSchema).optional(),
});
export type StoredFilter = z.infer<typeof storedFilterSchema>;

/** No id is given out twice. A filter's feed exists. */
export const feedsSchema = z.object({
  next_feed_id: z.int().min(1),
  next_filter_id: z.int().min(1),
  feeds: z.array(storedFeedSchema),
  filters: z.array(storedFilterSchema),
});
export type FeedsData = z.infer<typeof feedsSchema>;

export const NO_FEEDS: FeedsData = { next_feed_id: 1, next_filter_id: 1, feeds: [], filters: [] };

/** Leaves out what an old URL said of its freshness: at a new one it means nothing. */
export function toFeedDto(
  feed: StoredFeed,
  poll: FeedPoll | undefined,
  withSecrets: boolean,
): Omit<FeedDto, 'failing'> {
  const { id, url, name, interval_min, enabled } = feed;
  return {
    id,
    url: withSecrets ? url : maskAddress(url),
    name: name || hostIn(url),
    interval_min,
    last_polled: poll?.lastPolled ?? 0,
    etag: poll?.url === url ? poll.etag : '',
    enabled,
  };
}

export interface LabelsOfFilters {
  categoryExists(id: number): boolean;
  tagExists(id: number): boolean;
}

export function toFilterDto(filter: StoredFilter, labels: LabelsOfFilters): FilterDto {
  const { category_id, tag_ids, shaped_by, ...shown } = filter;
  const tags = tag_ids?.filter((id) => labels.tagExists(id)) ?? [];
  return {
    ...shown,
    category_id: category_id !== null && labels.categoryExists(category_id) ? category_id : null,
    ...(tags.length > 0 && { tag_ids: tags }),
  };
}

/** The name of a feed without one. */
export function hostIn(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

/** The feed as a source of what accounts are told. */
export function sourceOf({ id, name, url }: StoredFeed): { readonly id: number; readonly name: string } {
  return { id, name: name || hostIn(url) };
}

/** Before a feed changes hands: what its filters say stays the work of who gave it them. */
export function noteShapers({ filters }: FeedsData, feed: StoredFeed): void {
  for (const filter of filters) if (filter.feed_id === feed.id) filter.shaped_by = shapersOf(filter, feed);
}
