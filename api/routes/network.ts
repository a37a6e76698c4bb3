// By which way this machine reaches others. It decides where all accounts' passkeys go and from which address they
// are seen, so it is for administrators; who may change settings may look.
import { okSchema } from '../../shared-protocol/dto/fields.js';
import { networkBodySchema, networkSchema } from '../../shared-protocol/dto/network.js';
import { jsonInput, noInput } from './input.js';
import { accountRoute, type RouteTable } from './route.js';

export const networkRoutes = {
  'GET /api/settings/network': accountRoute({
    gate: 'perm_change_settings',
    summary: 'The interface and the proxy by which others are reached, as they are stored and as they are now',
    input: noInput,
    output: networkSchema,
    handle: (_input, { services }) => services.networkSettings.shown(),
  }),
  'PUT /api/settings/network': accountRoute({
    gate: 'admin',
    summary: 'Sets interface and proxy, in force at once, and ports and anonymity from the next start on',
    input: jsonInput(networkBodySchema),
    output: okSchema,
    handle: (body, { services }) => services.networkSettings.set(body),
  }),
} satisfies RouteTable;
