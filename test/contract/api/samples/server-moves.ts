// Samples of the routes of docs/api.md, "Additions": moves between servers. Servers that there are, and what becomes of a
// move, are in test/integration/remotes/.
import type { serverMoveRoutes } from '../../../../api/routes/server-moves.js';
import type { Refusal, Samples } from '../sample.js';

const UNKNOWN_ID = '987654321';
const HASH = 'a'.repeat(40);

const refused = (name: string, body: object, status: number, error: string | RegExp): Refusal => ({
  name,
  call: (scene) => ({ body: { infohash: scene.torrentId, from: null, to: 987654321, ...body } }),
  status,
  error,
});

export const serverMoveSamples: Samples<typeof serverMoveRoutes> = {
  'GET /api/server_moves': { who: 'account', call: () => ({}), answer: [] },
  'POST /api/server_moves': {
    who: 'perm_add_torrents',
    call: () => ({ body: { infohash: HASH, from: null, to: 987654321 } }),
    status: 404,
    answer: { error: 'torrent not found' },
    refusals: [
      refused('no info hash', { infohash: 'x' }, 400, /^infohash: expected /),
      refused('nowhere', { to: null }, 400, 'to: it is there already'),
      refused('no server', { to: 'attic' }, 400, /^to: /),
      refused('another way', { politeness: 'rude' }, 400, /^politeness: /),
      refused('what is not there', {}, 409, 'infohash: not all of it is there to be moved'),
      refused('from a server that there is not', { from: 987654321, to: null }, 404, 'server not found'),
    ],
  },
  'DELETE /api/server_moves/{id}': {
    who: 'account',
    call: () => ({ params: { id: UNKNOWN_ID } }),
    status: 404,
    answer: { error: 'move not found' },
  },
};
