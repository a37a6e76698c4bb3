// Sample of the engines of a front.
import type { engineRoutes } from '../../../../api/routes/engines.js';
import type { Samples } from '../sample.js';

export const engineSamples: Samples<typeof engineRoutes> = {
  // The daemon of the tests has one alone.
  'GET /api/engines': { who: 'admin', call: () => ({}), answer: [] },
};
