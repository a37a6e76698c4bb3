// Samples of totals, of figures for Prometheus, and of the push channel's address.
import type { statsRoutes } from '../../../../api/routes/stats.js';
import type { Samples } from '../sample.js';

export const statsSamples: Samples<typeof statsRoutes> = {
  'GET /api/stats': {
    who: 'account',
    call: () => ({}),
    answer: {
      total_torrents: Number,
      active_torrents: Number,
      seeding_torrents: 0,
      total_download_rate: 0,
      total_upload_rate: 0,
      total_peers: 0,
    },
  },
  'GET /metrics': { who: 'admin', call: () => ({}), answer: /^swarmd_torrents\{state="downloading"\} \d+$/m },
  'GET /api/ws': { who: 'account', call: () => ({}), status: 426, answer: { error: 'websocket upgrade required' } },
};
