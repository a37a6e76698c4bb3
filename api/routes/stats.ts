// interface.md, "Stats and inspector": totals, and the address of the push channel.
import { z } from 'zod';
import { globalStatsSchema } from '../../shared-protocol/dto/torrents.js';
import { RequestError } from '../errors.js';
import { noInput } from './input.js';
import { accountRoute, type RouteTable } from './route.js';

export const statsRoutes = {
  'GET /api/stats': accountRoute({
    gate: 'account',
    summary: 'Totals over the torrents the caller may see',
    input: noInput,
    output: globalStatsSchema,
    handle: (_input, { services, principal }) => services.snapshots.totals(principal.account),
  }),
  'GET /api/ws': accountRoute({
    gate: 'account',
    summary: 'WebSocket: torrents:tick, stats:tick, inspector:tick and update:available',
    input: noInput,
    output: z.never(),
    errors: { 426: 'not a WebSocket upgrade' },
    // Upgrades do not come this way (ws/upgrade.ts).
    handle: () => {
      throw new RequestError('UPGRADE_REQUIRED');
    },
  }),
} satisfies RouteTable;
