// Samples of the route that does one thing to many torrents.
import type { batchRoutes } from '../../../../api/routes/batch.js';
import type { Samples } from '../sample.js';

const NONE = '0'.repeat(40);

export const batchSamples: Samples<typeof batchRoutes> = {
  'POST /api/torrents/batch': {
    who: 'account',
    call: () => ({ body: { ids: [NONE], action: 'pause' } }),
    answer: { outcomes: [{ id: NONE, ok: false }] },
    refusals: [
      { name: 'no torrents', call: { body: { ids: [], action: 'pause' } }, status: 400, error: /^ids: / },
      {
        name: 'torrents that are no list',
        call: { body: { ids: NONE, action: 'pause' } },
        status: 400,
        error: /^ids: /,
      },
      { name: 'no action', call: { body: { ids: [NONE] } }, status: 400, error: /^action: / },
      { name: 'an unknown action', call: { body: { ids: [NONE], action: 'burn' } }, status: 400, error: /^action: / },
      {
        name: 'a field of an action that is missing',
        call: { body: { ids: [NONE], action: 'force_start' } },
        status: 400,
        error: 'force: required',
      },
    ],
  },
};
