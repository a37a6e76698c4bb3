// docs/api.md, "Settings": the listener itself and the credentials of account 1.
import { newApiKeySchema, webPasswordSchema } from '../../shared-protocol/dto/accounts.js';
import { okSchema } from '../../shared-protocol/dto/fields.js';
import { webBodySchema, webSchema } from '../../shared-protocol/dto/settings.js';
import { jsonInput, noInput } from './input.js';
import { Reply } from './reply.js';
import { accountRoute, type RouteTable } from './route.js';

const OK = { ok: true } as const;

export const webRoutes = {
  'GET /api/settings/web': accountRoute({
    gate: 'admin',
    summary: 'Where the service listens, and who account 1 is',
    input: noInput,
    output: webSchema,
    handle: (_input, { services }) => services.webAccess.stored,
  }),
  'PUT /api/settings/web': accountRoute({
    gate: 'admin',
    summary: 'Moves the listener once this is answered; renames account 1',
    input: jsonInput(webBodySchema),
    output: okSchema,
    errors: { 400: 'the name is taken, or the port cannot be used' },
    handle: async (change, { services }) => new Reply(OK, {}, await services.webAccess.set(change)),
  }),
  'PUT /api/settings/web/password': accountRoute({
    gate: 'admin',
    summary: 'Sets the password of account 1 and ends its sessions',
    input: jsonInput(webPasswordSchema),
    output: okSchema,
    handle: ({ password }, { services }) => services.webAccess.setPassword(password),
  }),
  'POST /api/settings/web/api_key/rotate': accountRoute({
    gate: 'admin',
    summary: 'Makes a new API key for the caller; the one before is worth nothing then',
    input: noInput,
    output: newApiKeySchema,
    handle: async (_input, { services, principal }) => ({
      api_key: await services.accounts.rotateApiKey(principal.account.id),
    }),
  }),
} satisfies RouteTable;
