// Sample of the room that there is and that torrents take.
import type { storageRoutes } from '../../../../api/routes/storage.js';
import type { Samples } from '../sample.js';

export const storageSamples: Samples<typeof storageRoutes> = {
  'GET /api/storage': {
    who: 'account',
    call: () => ({}),
    answer: { volumes: [{ total_bytes: Number, free_bytes: Number, used_bytes: Number, torrents: Number }] },
  },
};
