// Sample of how the service is at the moment.
import type { statusRoutes } from '../../../../api/routes/status.js';
import type { Samples } from '../sample.js';

export const statusSamples: Samples<typeof statusRoutes> = {
  'GET /api/status': {
    who: 'account',
    call: () => ({}),
    answer: {
      uptime: Number,
      down_rate: 0,
      up_rate: 0,
      limits: { source: 'global', down_kbps: 0, up_kbps: 0 },
      session: { down: 0, up: 0 },
      all_time: { down: 0, up: 0, since: 0 },
      ratio: null,
      disks: [{ free_bytes: Number, is_default: true }],
      port: { state: String },
      dht: { enabled: Boolean, nodes: Number },
    },
  },
};
