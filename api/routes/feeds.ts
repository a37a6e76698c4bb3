// docs/api.md, "RSS": feeds, what is in them, and the filters that say what is added by itself.
import { newIdSchema, okSchema } from '../../shared-protocol/dto/fields.js';
import {
  feedBodySchema,
  feedItemListSchema,
  feedListSchema,
  feedStateSchema,
  filterBodySchema,
  filterListSchema,
  newFeedSchema,
  newFilterSchema,
} from '../../shared-protocol/dto/rss.js';
import { jsonInput, noInput } from './input.js';
import { accountRoute, numberInPath, type RouteTable } from './route.js';

export const feedRoutes = {
  'GET /api/feeds': accountRoute({
    gate: 'account',
    summary: 'All feeds for those who manage them; for others their own, without secrets in the URLs',
    input: noInput,
    output: feedListSchema,
    handle: (_input, { services, principal }) => services.feeds.shown(principal.account),
  }),
  'POST /api/feeds': accountRoute({
    gate: 'perm_manage_rss',
    summary: 'Adds a feed',
    input: jsonInput(newFeedSchema),
    output: newIdSchema,
    handle: async (feed, { services, principal }) => ({ id: await services.feeds.create(principal.account, feed) }),
  }),
  'PUT /api/feeds': accountRoute({
    gate: 'perm_manage_rss',
    summary: 'Changes a feed; a new address makes it the feed of the caller, unless an administrator',
    input: jsonInput(feedBodySchema),
    output: okSchema,
    errors: { 404: 'no such feed' },
    handle: (feed, { services, principal }) => services.feeds.change(principal.account, feed),
  }),
  'DELETE /api/feeds/{id}': accountRoute({
    gate: 'perm_manage_rss',
    summary: 'Deletes a feed and its filters',
    input: noInput,
    output: okSchema,
    errors: { 400: 'the id is no number', 404: 'no such feed' },
    handle: (_input, context) => context.services.feeds.delete(numberInPath(context, 'id')),
  }),
  'GET /api/feeds/{feedID}/items': accountRoute({
    gate: 'perm_manage_rss',
    summary: 'What is in the feed now, fetched anew',
    input: noInput,
    output: feedItemListSchema,
    errors: { 400: 'the id is no number', 404: 'no such feed', 502: 'the feed cannot be got' },
    handle: (_input, context) =>
      context.services.feeds.items(context.principal.account, numberInPath(context, 'feedID')),
  }),
  // Beyond the contract of docs/api.md.
  'GET /api/feeds/{feedID}/state': accountRoute({
    gate: 'perm_manage_rss',
    summary: 'How polling the feed goes: what went wrong last, when it is polled next, how many torrents it added',
    input: noInput,
    output: feedStateSchema,
    errors: { 400: 'the id is no number', 404: 'no such feed' },
    handle: (_input, context) => context.services.feeds.state(numberInPath(context, 'feedID')),
  }),
  'GET /api/feeds/{feedID}/filters': accountRoute({
    gate: 'account',
    summary: 'The filters of a feed; of those of others none for whoever does not manage feeds',
    input: noInput,
    output: filterListSchema,
    errors: { 400: 'the id is no number', 404: 'no such feed' },
    handle: (_input, context) =>
      context.services.filters.ofFeed(context.principal.account, numberInPath(context, 'feedID')),
  }),
  'POST /api/filters': accountRoute({
    gate: 'perm_manage_rss',
    summary: 'Makes a filter; the feed becomes the one of the caller, unless an administrator',
    input: jsonInput(newFilterSchema),
    output: newIdSchema,
    errors: { 404: 'no such feed or category' },
    handle: async (filter, { services, principal }) => ({
      id: await services.filters.create(principal.account, filter),
    }),
  }),
  'PUT /api/filters': accountRoute({
    gate: 'perm_manage_rss',
    summary: 'Changes a filter; the feed becomes the one of the caller, unless an administrator',
    input: jsonInput(filterBodySchema),
    output: okSchema,
    errors: { 404: 'no such filter, feed or category' },
    handle: (filter, { services, principal }) => services.filters.change(principal.account, filter),
  }),
  'DELETE /api/filters/{id}': accountRoute({
    gate: 'perm_manage_rss',
    summary: 'Deletes a filter',
    input: noInput,
    output: okSchema,
    errors: { 400: 'the id is no number', 404: 'no such filter' },
    handle: (_input, context) => context.services.filters.delete(numberInPath(context, 'id')),
  }),
} satisfies RouteTable;
