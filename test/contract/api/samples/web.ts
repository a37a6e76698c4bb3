// Samples of `/api/settings/web`. Moving the listener is web.test.ts.
import type { webRoutes } from '../../../../api/routes/web.js';
import { OK, type Samples } from '../sample.js';

const STORED = { enabled: true, port: 9480, bind_all: false, username: 'admin' };

export const webSamples: Samples<typeof webRoutes> = {
  'GET /api/settings/web': {
    who: 'admin',
    call: () => ({}),
    answer: { ...STORED, api_key: /^(?:|.{4})$/ },
  },
  'PUT /api/settings/web': {
    who: 'admin',
    call: () => ({ body: { ...STORED, api_key: 'ignored' } }),
    answer: OK,
    refusals: [
      { name: 'a port above all', call: { body: { ...STORED, port: 65_536 } }, status: 400, error: /^port: at most/ },
      { name: 'a port below all', call: { body: { ...STORED, port: -1 } }, status: 400, error: /^port: / },
      {
        name: 'a name with a colon',
        call: { body: { ...STORED, username: 'a:b' } },
        status: 400,
        error: /^username: /,
      },
      {
        name: 'a name that is taken',
        call: async ({ asAdmin }) => {
          await asAdmin('POST', '/api/users', { username: 'Taken', password: 'eight or more' });
          return { body: { ...STORED, username: 'taken' } };
        },
        status: 400,
        error: /^username: /,
      },
    ],
  },
  'PUT /api/settings/web/password': {
    who: 'admin',
    call: ({ harness }) => ({ body: { password: harness.password } }),
    answer: OK,
    refusals: [
      { name: 'a short one', call: { body: { password: '7 chars' } }, status: 400, error: /^password: at least 8/ },
    ],
  },
  'POST /api/settings/web/api_key/rotate': {
    who: 'admin',
    call: () => ({}),
    answer: { api_key: /^[A-Za-z0-9_-]{43}$/ },
  },
};
