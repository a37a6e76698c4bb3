// Samples of the routes of docs/api.md, "Public and session".
import type { sessionRoutes } from '../../../../api/routes/session.js';
import { OK, type Samples } from '../sample.js';

const VERSION = /^\d+\.\d+\.\d+/;

export const sessionSamples: Samples<typeof sessionRoutes> = {
  'GET /api/bootstrap': {
    who: 'anybody',
    call: () => ({}),
    answer: { flavor: 'daemon', version: VERSION, multi_user: true },
  },
  'GET /api/version': { who: 'account', call: () => ({}), answer: { version: VERSION } },
  'GET /api/healthz': { who: 'anybody', call: () => ({}), answer: OK },
  'POST /api/login': {
    who: 'anybody',
    call: ({ harness }) => ({ body: { username: 'Admin', password: harness.password } }),
    answer: OK,
    refusals: [
      {
        name: 'a wrong password',
        call: { body: { username: 'admin', password: 'wrong' } },
        status: 401,
        error: 'invalid credentials',
      },
      { name: 'no password', call: { body: { username: 'admin' } }, status: 400, error: 'password: required' },
    ],
  },
  'POST /api/signin': {
    who: 'anybody',
    call: () => ({ body: { token: 'nobody has it' } }),
    status: 401,
    answer: { error: 'invalid credentials' },
  },
  'POST /api/signin/proxy': {
    who: 'anybody',
    call: () => ({}),
    status: 404,
    answer: { error: 'no proxy signs users in here' },
  },
  'POST /api/logout': { who: 'anybody', call: () => ({}), answer: OK },
};
