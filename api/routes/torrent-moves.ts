// docs/api.md, "Torrents": where a torrent's files lie, and their way to another save path.
import { okSchema } from '../../shared-protocol/dto/fields.js';
import { moveBodySchema, moveSchema } from '../../shared-protocol/dto/torrents.js';
import { jsonInput, noInput } from './input.js';
import { torrentRoute, type RouteTable } from './route.js';

const CONFLICT = { 409: 'a file lies there already, or a move is under way that does not allow it' };

export const torrentMoveRoutes = {
  'POST /api/torrents/{id}/move': torrentRoute({
    access: 'editor',
    summary:
      'Moves its files to another save path, in the background; with existing nothing is moved, and what lies there is ' +
      'checked. The path must be one for the caller and for the owner of the torrent; one that other accounts hold too ' +
      'is moved by administrators only',
    input: jsonInput(moveBodySchema),
    output: okSchema,
    errors: CONFLICT,
    handle: (body, { services, principal, share, torrent }) =>
      services.moving.move(principal.account, share, torrent, body),
  }),
  'GET /api/torrents/{id}/move': torrentRoute({
    access: 'viewer',
    summary: 'How far its move is, and why the last one failed',
    input: noInput,
    output: moveSchema,
    handle: (_input, { services, share, torrent }) => services.moving.status(share, torrent),
  }),
  'DELETE /api/torrents/{id}/move': torrentRoute({
    access: 'editor',
    summary: 'Ends its move, all files being where they were when it answers; forgets why the last one failed',
    input: noInput,
    output: okSchema,
    errors: CONFLICT,
    handle: (_input, { services, share }) => services.moving.cancel(share),
  }),
} satisfies RouteTable;
