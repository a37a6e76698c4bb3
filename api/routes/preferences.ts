// docs/api.md, "Additions": what the page keeps for the caller. No other account's can be named.
import { preferenceChangesSchema, preferencesSchema } from '../../shared-protocol/dto/preferences.js';
import { jsonInput, noInput } from './input.js';
import { accountRoute, type RouteTable } from './route.js';

export const preferenceRoutes = {
  'GET /api/me/preferences': accountRoute({
    gate: 'account',
    summary: 'What the page keeps for the caller: entries by name',
    input: noInput,
    output: preferencesSchema,
    handle: (_input, { services, principal }) => services.accountPreferences.of(principal.account.id),
  }),
  'PUT /api/me/preferences': accountRoute({
    gate: 'account',
    summary: 'Sets the entries that are named, takes away those that are null, and answers all of them',
    input: jsonInput(preferenceChangesSchema),
    output: preferencesSchema,
    errors: { 400: 'more than 100 entries, or more than 64 KiB of them' },
    handle: (changes, { services, principal }) => services.accountPreferences.change(principal.account.id, changes),
  }),
} satisfies RouteTable;
