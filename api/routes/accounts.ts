// interface.md, "Accounts": the caller's own.
import { z } from 'zod';
import { MIN_PASSWORD_LENGTH } from '../auth/passwords.js';
import { toUserDto } from '../services/account-records.js';
import { accountRoute, jsonInput, noInput, type Route } from './route.js';

/** Argon2 reads all of it: no spec value. */
const MAX_PASSWORD_LENGTH = 1024;

const passwordChangeSchema = z.object({
  old_password: z.string(),
  new_password: z
    .string()
    .min(MIN_PASSWORD_LENGTH, `at least ${MIN_PASSWORD_LENGTH} characters`)
    .max(MAX_PASSWORD_LENGTH, `at most ${MAX_PASSWORD_LENGTH} characters`),
});

export const accountRoutes: readonly Route[] = [
  accountRoute({
    method: 'get',
    path: '/api/me',
    gate: 'account',
    input: noInput,
    handle: (_input, { principal }) => ({ json: toUserDto(principal.account) }),
  }),
  accountRoute({
    method: 'post',
    path: '/api/me/password',
    gate: 'account',
    input: jsonInput(passwordChangeSchema),
    handle: ({ old_password, new_password }, { services, principal }) =>
      services.accounts.changePassword(principal.account.id, old_password, new_password),
  }),
  accountRoute({
    method: 'post',
    path: '/api/me/api_key/rotate',
    gate: 'account',
    input: noInput,
    handle: async (_input, { services, principal }) => ({
      json: { api_key: await services.accounts.rotateApiKey(principal.account.id) },
    }),
  }),
];
