// docs/api.md, "Stats and inspector": totals, the address of the push channel; figures for Prometheus.
import { z } from 'zod';
import {
  historyQuerySchema,
  historySchema,
  trafficQuerySchema,
  trafficSchema,
} from '../../shared-protocol/dto/history.js';
import { ratesQuerySchema, ratesSchema } from '../../shared-protocol/dto/rates.js';
import { framesQuerySchema, globalStatsSchema } from '../../shared-protocol/dto/torrents.js';
import { RequestError } from '../errors.js';
import { noInput, queryInput } from './input.js';
import { Reply } from './reply.js';
import { accountRoute, type RouteTable } from './route.js';

export const statsRoutes = {
  'GET /api/stats': accountRoute({
    gate: 'account',
    summary: 'Totals over the torrents the caller may see',
    input: noInput,
    output: globalStatsSchema,
    handle: (_input, { services, principal }) => services.snapshots.totals(principal.account),
  }),
  'GET /api/stats/history': accountRoute({
    gate: 'account',
    summary:
      'Bytes moved, by UTC day (400 days) or five minutes (two days): in total, of an account, a category, a tracker or a ' +
      'torrent. Administrators see all accounts together or, by account, one; others their own, and torrents in their sight',
    input: queryInput(historyQuerySchema),
    output: historySchema,
    errors: { 403: "another account's, or a torrent that the caller may not see", 404: 'no such user or torrent' },
    handle: (query, { services, principal }) => services.history.history(principal.account, query),
  }),
  'GET /api/stats/traffic': accountRoute({
    gate: 'account',
    summary:
      'Bytes moved in a range of days or of five minutes, by account, category, tracker or torrent, the largest 1,000; ' +
      'of what is seen as in /api/stats/history. Torrents that others hold too only for administrators',
    input: queryInput(trafficQuerySchema),
    output: trafficSchema,
    errors: { 403: "another account's", 404: 'no such user' },
    handle: (query, { services, principal }) => services.history.traffic(principal.account, query),
  }),
  'GET /api/stats/rates': accountRoute({
    gate: 'account',
    summary:
      'How fast it went, up to two years back, in at most as many steps as are asked for; whose as in /api/stats/history',
    input: queryInput(ratesQuerySchema),
    output: ratesSchema,
    errors: { 403: "another account's", 404: 'no such user' },
    handle: (query, { services, principal }) => services.rates.of(principal.account, query),
  }),
  'GET /metrics': accountRoute({
    gate: 'admin',
    summary: 'Figures of torrents, engine and process in the text format of Prometheus',
    input: noInput,
    output: z.never(),
    handle: async (_input, { services }) => {
      const { contentType, text } = await services.metrics.scrape();
      return new Reply(Buffer.from(text), { 'Content-Type': contentType });
    },
  }),
  'GET /api/ws': accountRoute({
    gate: 'account',
    summary:
      'WebSocket: torrents:tick, stats:tick, inspector:tick and update:available. With frames=delta, torrents:tick comes ' +
      'first and every 30 s; in between torrents:delta, {upsert, removed}: objects with id and the fields that changed, ' +
      'all of them for torrents that are new; and ids. Where a delta was lost, torrents:tick comes in place of the next. ' +
      'With servers=all, servers:tick comes each second to accounts that see a remote: of each its state and what has ' +
      'changed of its list',
    input: queryInput(framesQuerySchema),
    output: z.never(),
    errors: { 426: 'not a WebSocket upgrade', 429: 'the account has as many sockets as it may have' },
    // Upgrades do not come this way (ws/upgrade.ts).
    handle: () => {
      throw new RequestError('UPGRADE_REQUIRED');
    },
  }),
} satisfies RouteTable;
