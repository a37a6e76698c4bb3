// docs/api.md, "Settings": updates of the service itself.
import { okSchema } from '../../shared-protocol/dto/fields.js';
import { updateInfoSchema, updaterBodySchema, updaterSchema } from '../../shared-protocol/dto/settings.js';
import { jsonInput, noInput } from './input.js';
import { accountRoute, type RouteTable } from './route.js';

export const updaterRoutes = {
  'GET /api/settings/updater': accountRoute({
    gate: 'account',
    summary: 'How updates are looked for',
    input: noInput,
    output: updaterSchema,
    handle: (_input, { services }) => services.updates.stored,
  }),
  'PUT /api/settings/updater': accountRoute({
    gate: 'perm_change_settings',
    summary: 'Sets whether updates are looked for, and on which channel',
    input: jsonInput(updaterBodySchema),
    output: okSchema,
    handle: (change, { services }) => services.updates.set(change),
  }),
  'POST /api/updater/check': accountRoute({
    gate: 'perm_change_settings',
    summary: 'Looks for an update now',
    input: noInput,
    output: updateInfoSchema,
    errors: { 500: 'no updater is attached' },
    handle: (_input, { services }) => services.updates.check(),
  }),
  'POST /api/updater/install': accountRoute({
    gate: 'admin',
    summary: 'Installs the update that was found',
    input: noInput,
    output: okSchema,
    errors: { 500: 'it cannot be installed' },
    handle: (_input, { services }) => services.updates.install(),
  }),
} satisfies RouteTable;
