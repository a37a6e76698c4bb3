// A sample of the route of docs/api.md, "Additions", that gives torrents to another program.
import type { exportRoutes } from '../../../../api/routes/exports.js';
import type { Samples } from '../sample.js';

export const exportSamples: Samples<typeof exportRoutes> = {
  'GET /api/export': { who: 'account', call: () => ({}), answer: /^PK\u0003\u0004/ },
};
