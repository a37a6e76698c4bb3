// Sample of save paths that are completed.
import type { pathRoutes } from '../../../../api/routes/paths.js';
import type { Samples } from '../sample.js';

export const pathSamples: Samples<typeof pathRoutes> = {
  'GET /api/paths': {
    who: 'account',
    call: () => ({ query: '?prefix=' }),
    answer: { paths: [String], complete: true, allowed: true },
    refusals: [
      {
        name: 'longer than a path',
        call: { query: `?prefix=/${'x'.repeat(4096)}` },
        status: 400,
        error: /^prefix: /,
      },
    ],
  },
};
