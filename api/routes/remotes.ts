// docs/api.md, "Remotes": other Swarmds whose torrents are shown and worked on from here.
import { userSchema, versionSchema } from '../../shared-protocol/dto/accounts.js';
import { newIdSchema, okSchema } from '../../shared-protocol/dto/fields.js';
import {
  newRemoteSchema,
  remoteChangeSchema,
  remoteListSchema,
  remoteTestSchema,
  serverPlaceListSchema,
  serversQuerySchema,
} from '../../shared-protocol/dto/remotes.js';
import { storageSchema } from '../../shared-protocol/dto/storage.js';
import { parseInfoHash } from '../../shared-protocol/ids.js';
import { jsonInput, noInput, queryInput } from './input.js';
import { accountRoute, numberInPath, type RouteTable } from './route.js';

const UNKNOWN = { 400: 'the id is no number', 404: 'no such server' };

export const remoteRoutes = {
  'GET /api/remotes': accountRoute({
    gate: 'account',
    summary: 'The remotes that the caller sees, and how it goes with them; to administrators all, and where they are',
    input: noInput,
    output: remoteListSchema,
    handle: (_input, { services, principal }) => services.remotes.list(principal.account),
  }),
  'POST /api/remotes': accountRoute({
    gate: 'admin',
    summary:
      'Sets up a remote: another Swarmd, by the key of an account there, for accounts here. The key is never shown',
    input: jsonInput(newRemoteSchema),
    output: newIdSchema,
    handle: async (remote, { services, principal }) => ({
      id: await services.remotes.create(principal.account.id, remote),
    }),
  }),
  'PUT /api/remotes/{id}': accountRoute({
    gate: 'admin',
    summary: 'Changes a remote; another URL or way of TLS needs the key again',
    input: jsonInput(remoteChangeSchema),
    output: okSchema,
    errors: UNKNOWN,
    handle: (change, context) =>
      context.services.remotes.change(context.principal.account.id, numberInPath(context, 'id'), change),
  }),
  'POST /api/remotes/{id}/test': accountRoute({
    gate: 'admin',
    summary: 'Asks a remote now: its version, whose key it is and what that account may, and how much room there is',
    input: noInput,
    output: remoteTestSchema,
    errors: { ...UNKNOWN, 502: 'it answers with an error', 503: 'it does not answer' },
    handle: async (_input, context) => {
      const { remotes } = context.services;
      const [asker, id] = [context.principal.account.id, numberInPath(context, 'id')];
      const { username, role, perm_add_torrents } = await remotes.askAny(asker, id, get('/api/me'), userSchema);
      const { version } = await remotes.askAny(asker, id, get('/api/version'), versionSchema);
      const { volumes } = await remotes.askAny(asker, id, get('/api/storage'), storageSchema);
      const free_bytes = volumes.find((volume) => volume.is_default)?.free_bytes ?? null;
      return { version, username, role, perm_add_torrents, free_bytes };
    },
  }),
  'GET /api/servers': accountRoute({
    gate: 'account',
    summary:
      'The servers that the caller sees, this one and its remotes; with infohash those that have the torrent, of one that is ' +
      'away as it was last',
    input: queryInput(serversQuerySchema),
    output: serverPlaceListSchema,
    handle: ({ infohash }, { services, principal }) =>
      infohash === undefined
        ? services.serverPlacement.all(principal.account)
        : services.serverPlacement.having(principal.account, parseInfoHash(infohash)),
  }),
  'DELETE /api/remotes/{id}': accountRoute({
    gate: 'admin',
    summary: 'Forgets a remote; nothing changes there',
    input: noInput,
    output: okSchema,
    errors: UNKNOWN,
    handle: (_input, context) => context.services.remotes.remove(numberInPath(context, 'id')),
  }),
} satisfies RouteTable;

function get(path: string): { readonly method: string; readonly path: string } {
  return { method: 'GET', path };
}
