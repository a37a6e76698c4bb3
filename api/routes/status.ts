// docs/api.md, "Stats and inspector": how the service is at the moment.
import { statusSchema } from '../../shared-protocol/dto/status.js';
import { noInput } from './input.js';
import { accountRoute, type RouteTable } from './route.js';

export const statusRoutes = {
  'GET /api/status': accountRoute({
    gate: 'account',
    summary:
      'Rates, limits in force, totals, ratio, free space, DHT and port on one line: of the caller, for administrators of ' +
      'all accounts together. The number of the port is for those who may change settings',
    input: noInput,
    output: statusSchema,
    handle: (_input, { services, principal }) => services.status.of(principal.account),
  }),
} satisfies RouteTable;
