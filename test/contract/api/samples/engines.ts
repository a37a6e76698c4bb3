// Sample of the engines of a front.
import type { engineRoutes } from '../../../../api/routes/engines.js';
import type { Samples } from '../sample.js';

export const engineSamples: Samples<typeof engineRoutes> = {
  // The daemon of the tests has one alone.
  'GET /api/engines': { who: 'admin', call: () => ({}), answer: [] },
  'PUT /api/engines/{name}': {
    who: 'admin',
    call: () => ({ params: { name: 'a' }, body: { draining: true } }),
    status: 404,
    answer: { error: 'engine not found' },
    refusals: [{ name: 'no state', call: { params: { name: 'a' }, body: {} }, status: 400, error: /^draining: / }],
  },
};
