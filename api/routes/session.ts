// docs/api.md, "Public and session": who is this service, signing in and out, and whether it is well.
import {
  bootstrapSchema,
  loginBodySchema,
  signInBodySchema,
  versionSchema,
} from '../../shared-protocol/dto/accounts.js';
import { okSchema } from '../../shared-protocol/dto/fields.js';
import { RequestError } from '../errors.js';
import { clearedSessionCookie, sessionCookie, sessionTokenOf } from '../auth/authenticate.js';
import { jsonInput, noInput } from './input.js';
import { Reply } from './reply.js';
import type { Services } from './services.js';
import { accountRoute, publicRoute, type RouteTable } from './route.js';

export const sessionRoutes = {
  'GET /api/bootstrap': publicRoute({
    gate: 'public',
    summary: 'Which build answers, and its version',
    input: noInput,
    output: bootstrapSchema,
    handle: (_input, { services: { about, proxiedUsers } }) => ({
      flavor: about.flavor,
      version: about.version,
      multi_user: about.flavor === 'daemon',
      ...(proxiedUsers.isOn && { proxy_sign_in: true as const }),
    }),
  }),
  'GET /api/version': accountRoute({
    gate: 'account',
    summary: 'Version of this build',
    input: noInput,
    output: versionSchema,
    handle: (_input, { services }) => ({ version: services.about.version }),
  }),
  'GET /api/healthz': publicRoute({
    gate: 'public',
    summary: 'Whether the engine answers',
    input: noInput,
    output: okSchema,
    errors: { 503: 'the engine does not answer' },
    handle: async (_input, { services }) => void (await services.engineHealth.check()),
  }),
  'POST /api/login': publicRoute({
    gate: 'login',
    summary: 'Opens a session of 12 hours and sets its cookie',
    input: jsonInput(loginBodySchema),
    output: okSchema,
    errors: { 401: 'wrong user name or password' },
    handle: async ({ username, password }, { services, client }) => {
      await services.newestRecords?.look();
      const account = await services.accounts.signIn(username, password, services.loginLimit.requester(client.ip));
      // Its password may be another one by the time that the session is stored.
      const isStill = () => services.accounts.find(account.id)?.password_hash === account.password_hash;
      return signedIn(await services.sessions.create(account.id, isStill), client.isSecure, services);
    },
  }),
  'POST /api/signin': publicRoute({
    gate: 'login',
    summary: 'Exchanges the token of a sign-in link for a session (desktop)',
    input: jsonInput(signInBodySchema),
    output: okSchema,
    errors: { 401: 'unknown, used or expired token' },
    handle: async ({ token }, { services, client }) => {
      const accountId = services.signInLinks.redeem(token);
      return signedIn(await services.sessions.create(accountId), client.isSecure, services);
    },
  }),
  'POST /api/signin/proxy': publicRoute({
    // Nothing can be guessed: several tabs may ask at once.
    gate: 'public',
    summary: 'Opens a session for the user whom the reverse proxy has signed in, and sets its cookie',
    input: noInput,
    output: okSchema,
    errors: {
      401: 'the proxy names no user, or one whose account is not there or disabled',
      404: 'no proxy signs users in here',
    },
    handle: async (_input, { services, client, request }) => {
      if (!services.proxiedUsers.isOn) throw new RequestError('NOT_FOUND', 'no proxy signs users in here');
      const proxied = services.proxiedUsers.of(request);
      if (proxied === null) throw new RequestError('PROXY_USER_REFUSED', 'the proxy names no user');
      await services.newestRecords?.look();
      const { id } = services.accounts.signInProxied(proxied);
      const isStill = () => services.accounts.findByName(proxied)?.id === id;
      return signedIn(await services.sessions.create(id, isStill), client.isSecure, services);
    },
  }),
  'POST /api/logout': publicRoute({
    gate: 'public',
    summary: 'Ends the session of the cookie, if there is one',
    input: noInput,
    output: okSchema,
    handle: async (_input, { services, client, request }) => {
      await services.sessions.revoke(sessionTokenOf(request.headers) ?? '');
      return new Reply(
        { ok: true as const },
        { 'Set-Cookie': clearedSessionCookie(client.isSecure, services.about.basePath) },
      );
    },
  }),
} satisfies RouteTable;

function signedIn(token: string, isSecure: boolean, { about }: Pick<Services, 'about'>): Reply<{ ok: true }> {
  return new Reply({ ok: true as const }, { 'Set-Cookie': sessionCookie(token, isSecure, about.basePath) });
}
