// Samples of the routes by which the API describes itself.
import type { documentationRoutes } from '../../../../api/routes/documentation.js';
import type { Samples } from '../sample.js';

const unknownFile = (file: string) => ({
  name: `a file called ${file}`,
  call: { params: { file } },
  status: 404,
  error: 'file not found',
});

export const documentationSamples: Samples<typeof documentationRoutes> = {
  'GET /api/openapi.json': {
    who: 'account',
    call: () => ({}),
    answer: { openapi: '3.1.0', info: { title: 'Swarmd', version: /^\d+\./ }, paths: { '/api/login': { post: {} } } },
  },
  'GET /api/docs': { who: 'account', call: () => ({}), answer: /<script src="\/api\/docs\/start\.js">/ },
  'GET /api/docs/{file}': {
    who: 'account',
    call: () => ({ params: { file: 'start.js' } }),
    answer: /url: '\/api\/openapi\.json'/,
    refusals: [
      'package.json',
      '..%2fpackage.json',
      '..%2f..%2f..%2fetc%2fpasswd',
      '__proto__',
      'constructor',
      'swagger-ui.css%00',
      'x'.repeat(3_000),
    ].map(unknownFile),
  },
};
