// Samples of the routes of docs/api.md, "Additions": the log. What is kept of it is in test/unit/api/log-records.test.ts.
import type { logRoutes } from '../../../../api/routes/log.js';
import type { Samples } from '../sample.js';

export const logSamples: Samples<typeof logRoutes> = {
  'GET /api/log': {
    who: 'admin',
    call: () => ({ query: '?level=info&part=api&text=ready&after=0' }),
    answer: { records: [{ id: Number, level: 'info', part: 'api', message: 'ready' }], last: Number, level: 'info' },
    refusals: [
      { name: 'no level', call: { query: '?level=loud' }, status: 400, error: /^level: / },
      { name: 'no part', call: { query: '?part=page' }, status: 400, error: /^part: / },
      { name: 'no number', call: { query: '?after=x' }, status: 400, error: /^after: / },
    ],
  },
  'GET /api/log/file': { who: 'admin', call: () => ({}), answer: /^\{"level":"info",.*"msg":"ready"\}$/m },
};
