// docs/api.md: feeds, their items, and the filters that say what is added by itself. `last_polled` and `etag` are the
// server's: in a request they are ignored.
import { z } from 'zod';
import { countSchema, idSchema, nameSchema, pathSchema, reasonSchema, timeSchema, urlSchema } from './fields.js';

/** No spec value. */
export const MAX_FILTER_REGEX_LENGTH = 1000;
/** No spec value: as many as are given with an add. */
export const MAX_FILTER_TAGS = 100;

export const newFeedSchema = z.object({
  url: urlSchema,
  /** Empty: shown as the URL's host. */
  name: z.union([z.literal(''), nameSchema]).nullish(),
  /** Minutes between polls; 0 for the service's default. */
  interval_min: countSchema.max(525_600).nullish(),
  enabled: z.boolean().nullish(),
});
export const feedBodySchema = newFeedSchema.extend({ id: idSchema });
export const feedSchema = z
  .object({
    id: idSchema,
    url: z.string(),
    name: z.string(),
    interval_min: countSchema,
    last_polled: timeSchema,
    etag: z.string(),
    enabled: z.boolean(),
    /** Beyond the contract of docs/api.md: the last poll failed. */
    failing: z.boolean(),
  })
  .meta({ id: 'FeedDTO' });
export type FeedDto = Readonly<z.infer<typeof feedSchema>>;
export const feedListSchema = z.array(feedSchema);

export const feedItemSchema = z
  .object({
    guid: z.string(),
    title: z.string(),
    /** `YYYY-MM-DD` in UTC, or ''. */
    pub_date: z.string(),
    /** A magnet, else an enclosure or link by http(s), else ''. */
    torrent_url: z.string(),
    /** Absent: the feed does not say, or not to the minute. */
    published_at: timeSchema.optional(),
    /** Bytes of what the torrent has, as the feed says. Absent: it does not say. */
    size: countSchema.optional(),
    /** The feed has added it, or found it there. Absent: not, as far as is remembered. */
    added: z.literal(true).optional(),
  })
  .meta({ id: 'FeedItemDTO' });
export type FeedItemDto = Readonly<z.infer<typeof feedItemSchema>>;
export const feedItemListSchema = z.array(feedItemSchema);

/** Beyond the contract of docs/api.md: how polling a feed goes. */
export const feedStateSchema = z
  .object({
    /** The error of the last poll, or why some of its items were not added; '' when all went well. */
    last_error: z.string(),
    /** The reason of that error, for programs; null: none that has a code. */
    last_reason: reasonSchema.nullable(),
    /** 0 when it is not polled. */
    next_poll: timeSchema,
    /** Polls that failed, since the last that did not. */
    failures: countSchema,
    /** Torrents that were added from it. */
    added: countSchema,
  })
  .meta({ id: 'FeedState' });
export type FeedStateDto = Readonly<z.infer<typeof feedStateSchema>>;

export const newFilterSchema = z.object({
  feed_id: idSchema,
  /** RE2 syntax, on the title, unanchored; empty matches all. */
  regex: z.string().max(MAX_FILTER_REGEX_LENGTH),
  /** Beyond the contract of docs/api.md: the same for titles that are not let through; empty: none. */
  exclude_regex: z.string().max(MAX_FILTER_REGEX_LENGTH).nullish(),
  category_id: idSchema.nullish(),
  /** Beyond the contract: what it adds gets these tags. */
  tag_ids: z.array(idSchema).max(MAX_FILTER_TAGS).nullish(),
  /** Beyond the contract: what it adds is paused; else as new torrents are. */
  paused: z.boolean().nullish(),
  save_path: pathSchema.nullish(),
  enabled: z.boolean().nullish(),
  /** Filters of one name are one rule to programs that have rules for several feeds; empty: none. */
  name: z.union([z.literal(''), nameSchema]).nullish(),
});
export const filterBodySchema = newFilterSchema.extend({ id: idSchema });
export const filterSchema = z
  .object({
    id: idSchema,
    feed_id: idSchema,
    regex: z.string(),
    category_id: idSchema.nullable(),
    save_path: z.string(),
    enabled: z.boolean(),
    /** Beyond the contract of docs/api.md, as what follows; absent: it has none. */
    name: z.string().optional(),
    exclude_regex: z.string().optional(),
    tag_ids: z.array(idSchema).optional(),
    paused: z.literal(true).optional(),
  })
  .meta({ id: 'FilterDTO' });
export type FilterDto = Readonly<z.infer<typeof filterSchema>>;
export const filterListSchema = z.array(filterSchema);
