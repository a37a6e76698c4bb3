// interface.md, "Public and session": who is this service, signing in and out, and whether it is well.
import { z } from 'zod';
import { clearedSessionCookie, sessionCookie, sessionTokenOf } from '../auth/authenticate.js';
import { accountRoute, jsonInput, noInput, publicRoute, type Route } from './route.js';

const loginSchema = z.object({ username: z.string(), password: z.string() });

export const sessionRoutes: readonly Route[] = [
  publicRoute({
    method: 'get',
    path: '/api/bootstrap',
    gate: 'public',
    input: noInput,
    handle: (_input, { services: { about } }) => ({
      json: { flavor: about.flavor, version: about.version, multi_user: about.flavor === 'daemon' },
    }),
  }),
  accountRoute({
    method: 'get',
    path: '/api/version',
    gate: 'account',
    input: noInput,
    handle: (_input, { services }) => ({ json: { version: services.about.version } }),
  }),
  publicRoute({
    method: 'get',
    path: '/api/healthz',
    gate: 'public',
    input: noInput,
    handle: (_input, { services }) => services.engineHealth.check(),
  }),
  publicRoute({
    method: 'post',
    path: '/api/login',
    gate: 'login',
    input: jsonInput(loginSchema),
    handle: async ({ username, password }, { services, client }) => {
      const account = await services.accounts.signIn(username, password);
      const token = services.sessions.create(account.id);
      return { json: { ok: true }, headers: { 'Set-Cookie': sessionCookie(token, client.isSecure) } };
    },
  }),
  publicRoute({
    method: 'post',
    path: '/api/logout',
    gate: 'public',
    input: noInput,
    handle: (_input, { services, client, request }) => {
      services.sessions.revoke(sessionTokenOf(request.headers) ?? '');
      return { json: { ok: true }, headers: { 'Set-Cookie': clearedSessionCookie(client.isSecure) } };
    },
  }),
];
