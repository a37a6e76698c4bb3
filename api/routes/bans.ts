// docs/api.md, "Additions": addresses banned by hand. Who is banned tells with whom others share, so administrators alone
// see it.
import { addressesBodySchema, bannedSchema, banListSchema } from '../../shared-protocol/dto/bans.js';
import { okSchema } from '../../shared-protocol/dto/fields.js';
import { jsonInput, noInput } from './input.js';
import { accountRoute, type RouteTable } from './route.js';

export const banRoutes = {
  'GET /api/bans': accountRoute({
    gate: 'admin',
    summary: 'Addresses that administrators have banned by hand, the latest first',
    input: noInput,
    output: banListSchema,
    handle: (_input, { services }) => services.bans.list(),
  }),
  'POST /api/bans': accountRoute({
    gate: 'admin',
    summary: 'Bans addresses, or networks in CIDR notation: peers there are cut off at once, in all torrents',
    input: jsonInput(addressesBodySchema),
    output: bannedSchema,
    errors: { 400: 'one is no address, or there would be more than 10,000 bans' },
    handle: async ({ addresses }, { services, principal }) => ({
      ok: true as const,
      added: await services.bans.add(principal.account.id, addresses),
    }),
  }),
  'DELETE /api/bans': accountRoute({
    gate: 'admin',
    summary: 'Lets addresses in again; no error where one is not banned',
    input: jsonInput(addressesBodySchema),
    output: okSchema,
    handle: ({ addresses }, { services }) => services.bans.remove(addresses),
  }),
} satisfies RouteTable;
