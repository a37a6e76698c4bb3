// Samples of the routes of docs/api.md, "Torrents", that move a torrent's files.
import type { torrentMoveRoutes } from '../../../../api/routes/torrent-moves.js';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import { OK, type Refusal, type Samples } from '../sample.js';

const bad = (body: object, error: string | RegExp): Refusal => ({
  name: JSON.stringify(body).slice(0, 40),
  call: { body },
  status: 400,
  error,
});

export const torrentMoveSamples: Samples<typeof torrentMoveRoutes> = {
  'POST /api/torrents/{id}/move': {
    who: { access: 'editor' },
    call: () => ({ body: { path: 'elsewhere' } }),
    answer: OK,
    refusals: [
      bad({}, 'path: required'),
      bad({ path: '' }, 'path: must not be empty'),
      bad({ path: 7 }, 'path: expected string'),
      bad({ path: 'a\0b' }, 'path: contains a NUL character'),
      bad({ path: 'p'.repeat(5_000) }, /^path: /),
      bad({ path: 'elsewhere', existing: 'yes' }, 'existing: expected boolean'),
    ],
  },
  'GET /api/torrents/{id}/move': {
    who: { access: 'viewer' },
    call: ({ harness, torrentId }) => {
      const error = { code: 'DISK_FULL', message: 'no room left on the disk' } as const;
      const move = { state: 'failed', path: '/srv/films', bytesDone: 1, bytesTotal: 2, error } as const;
      harness.engine.setMove(parseInfoHash(torrentId), move);
      return {};
    },
    answer: {
      state: 'failed',
      path: '/srv/films',
      bytes_done: 1,
      bytes_total: 2,
      error: 'no room left on the disk',
      code: 'DISK_FULL',
    },
  },
  'DELETE /api/torrents/{id}/move': { who: { access: 'editor' }, call: () => ({}), answer: OK },
};
