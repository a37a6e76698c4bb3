// docs/api.md, "Remotes": torrents that go from one server to another.
import { newIdSchema, okSchema } from '../../shared-protocol/dto/fields.js';
import { newServerMoveSchema, serverMoveListSchema } from '../../shared-protocol/dto/server-moves.js';
import { jsonInput, noInput } from './input.js';
import { accountRoute, numberInPath, type RouteTable } from './route.js';

export const serverMoveRoutes = {
  'GET /api/server_moves': accountRoute({
    gate: 'account',
    summary: "The caller's moves between servers, those that go on and the last ones that have ended",
    input: noInput,
    output: serverMoveListSchema,
    handle: (_input, { services, principal }) => services.serverMoves.of(principal.account.id),
  }),
  'POST /api/server_moves': accountRoute({
    gate: 'perm_add_torrents',
    summary:
      'Moves a torrent that the caller owns from this service or a remote to another: it is copied, verified, known to a ' +
      'tracker there, and only then removed',
    input: jsonInput(newServerMoveSchema),
    output: newIdSchema,
    errors: {
      404: 'no such server, or no such torrent there',
      409: 'it is not whole, paused, or being moved already',
      502: 'a server failed',
      503: 'a server is away',
    },
    handle: async (move, { services, principal }) => ({
      id: await services.serverMoves.begin(principal.account, move),
    }),
  }),
  'DELETE /api/server_moves/{id}': accountRoute({
    gate: 'account',
    summary: 'Ends a move of the caller, whose copy is removed unless it was there before; forgets one that has ended',
    input: noInput,
    output: okSchema,
    errors: { 400: 'the id is no number', 404: 'no such move' },
    handle: (_input, context) =>
      context.services.serverMoves.end(context.principal.account.id, numberInPath(context, 'id')),
  }),
} satisfies RouteTable;
