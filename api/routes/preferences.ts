// docs/api.md, "Additions": what the page keeps for the caller. No other account's can be named.
import {
  MAX_PREFERENCES,
  MAX_PREFERENCES_BYTES,
  preferenceChangesSchema,
  preferencesSchema,
  type PreferencesDto,
} from '../../shared-protocol/dto/preferences.js';
import { tooLarge, tooMany } from '../services/accounts/account-preferences.js';
import { jsonInput, noInput, type Input } from './input.js';
import { accountRoute, type RouteTable } from './route.js';

/** All entries anew, and each of those before taken away. */
const MAX_CHANGES = 2 * MAX_PREFERENCES;
/** Room for white space and escapes, which are not kept. */
const MAX_BODY_BYTES = 2 * MAX_PREFERENCES_BYTES;

const json = jsonInput(preferenceChangesSchema);
/** Changes that can be stored in no case are refused before each entry is looked at: that of a megabyte of them takes long. */
const changesInput: Input<PreferencesDto> = {
  ...json,
  take: (admitted) => {
    if ((admitted.body?.length ?? 0) > MAX_BODY_BYTES) throw tooLarge();
    return json.take(admitted);
  },
  check: (raw, admitted) => {
    if (typeof raw === 'object' && raw !== null && Object.keys(raw).length > MAX_CHANGES) throw tooMany();
    return json.check(raw, admitted);
  },
};

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
    input: changesInput,
    output: preferencesSchema,
    errors: { 400: 'more than 100 entries, or more than 64 KiB of them' },
    handle: (changes, { services, principal }) => services.accountPreferences.change(principal.account.id, changes),
  }),
} satisfies RouteTable;
