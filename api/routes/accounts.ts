// docs/api.md, "Accounts": the caller's own, and all of them for administrators.
import {
  newApiKeySchema,
  newUserSchema,
  passwordChangeSchema,
  passwordResetSchema,
  quotaQuerySchema,
  quotaUsageSchema,
  userChangeSchema,
  userListSchema,
  userSchema,
} from '../../shared-protocol/dto/accounts.js';
import { okSchema } from '../../shared-protocol/dto/fields.js';
import { toUserDto } from '../auth/account.js';
import { jsonInput, noInput, queryInput } from './input.js';
import { accountRoute, numberInPath, type RouteTable } from './route.js';

/** Argon2 takes few at a time (api/auth/passwords.ts). */
const TOO_MANY = 'too many passwords are being hashed';

export const accountRoutes = {
  'GET /api/me': accountRoute({
    gate: 'account',
    summary: 'The caller',
    input: noInput,
    output: userSchema,
    handle: (_input, { principal }) => toUserDto(principal.account),
  }),
  // Beyond the contract of docs/api.md.
  'GET /api/quota': accountRoute({
    gate: 'account',
    summary: "The caller's quota and how much of it is used; administrators may name another account",
    input: queryInput(quotaQuerySchema),
    output: quotaUsageSchema,
    errors: { 403: "another account's", 404: 'no such user' },
    handle: ({ account }, { services, principal }) => services.quotaUsage.of(principal.account, account),
  }),
  'POST /api/me/password': accountRoute({
    gate: 'account',
    summary: "Changes the caller's password and ends its sessions",
    input: jsonInput(passwordChangeSchema),
    output: okSchema,
    errors: { 400: 'the old password is wrong', 429: `${TOO_MANY}, or this account gave too many wrong ones` },
    handle: ({ old_password, new_password }, { services: { accounts, wrongPasswords }, principal: { account } }) =>
      wrongPasswords.counted(account.id, () => accounts.changePassword(account.id, old_password, new_password)),
  }),
  'POST /api/me/api_key/rotate': accountRoute({
    gate: 'account',
    summary: 'Makes a new API key, shown this once; the one before is worth nothing then',
    input: noInput,
    output: newApiKeySchema,
    handle: async (_input, { services, principal }) => ({
      api_key: await services.accounts.rotateApiKey(principal.account.id),
    }),
  }),
  // Beyond the contract of docs/api.md, as the one of another account below.
  'DELETE /api/me/api_key': accountRoute({
    gate: 'account',
    summary: "Ends the caller's API key and closes its sockets; no error when there is none",
    input: noInput,
    output: okSchema,
    handle: (_input, { services, principal }) => services.accounts.endApiKey(principal.account.id),
  }),
  'GET /api/users': accountRoute({
    gate: 'admin',
    summary: 'All accounts',
    input: noInput,
    output: userListSchema,
    handle: (_input, { services }) => services.accounts.all.map(toUserDto),
  }),
  'POST /api/users': accountRoute({
    gate: 'admin',
    summary: 'Makes an account; an administrator has every permission',
    input: jsonInput(newUserSchema),
    output: userSchema,
    errors: { 400: 'the name is taken, or there is to be one account only', 429: TOO_MANY },
    handle: async (user, { services }) => toUserDto(await services.userAdmin.create(user)),
  }),
  'PUT /api/users/{id}': accountRoute({
    gate: 'admin',
    summary: 'Changes an account; what is left out stays as it is',
    input: jsonInput(userChangeSchema),
    output: userSchema,
    errors: { 400: 'the name is taken, or no enabled administrator would remain', 404: 'no such user' },
    handle: async (change, context) =>
      toUserDto(await context.services.userAdmin.change(numberInPath(context, 'id'), change)),
  }),
  'DELETE /api/users/{id}': accountRoute({
    gate: 'admin',
    summary: 'Deletes an account; its torrents go to account 1',
    input: noInput,
    output: okSchema,
    errors: { 400: 'account 1 or the caller', 404: 'no such user' },
    handle: (_input, context) =>
      context.services.userAdmin.delete(context.principal.account.id, numberInPath(context, 'id')),
  }),
  'POST /api/users/{id}/password': accountRoute({
    gate: 'admin',
    summary: 'Sets the password of an account and ends its sessions; its API key only with end_api_key',
    input: jsonInput(passwordResetSchema),
    output: okSchema,
    errors: { 404: 'no such user', 429: TOO_MANY },
    handle: ({ new_password, end_api_key }, context) =>
      context.services.userAdmin.setPassword(numberInPath(context, 'id'), new_password, {
        endsKey: end_api_key ?? false,
      }),
  }),
  'DELETE /api/users/{id}/api_key': accountRoute({
    gate: 'admin',
    summary: 'Ends the API key of an account and closes its sockets; no error when there is none',
    input: noInput,
    output: okSchema,
    errors: { 400: 'the id is no number', 404: 'no such user' },
    handle: (_input, context) => context.services.userAdmin.endApiKey(numberInPath(context, 'id')),
  }),
} satisfies RouteTable;
