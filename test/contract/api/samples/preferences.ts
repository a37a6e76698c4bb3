// Samples of the routes of docs/api.md, "Additions": what the page keeps for an account.
import type { preferenceRoutes } from '../../../../api/routes/preferences.js';
import type { Samples } from '../sample.js';

export const preferenceSamples: Samples<typeof preferenceRoutes> = {
  'GET /api/me/preferences': { who: 'account', call: () => ({}), answer: {} },
  'PUT /api/me/preferences': {
    who: 'account',
    call: () => ({ body: { 'list.layout': { density: 'small', order: ['name', 'size'] }, unset: null } }),
    answer: { 'list.layout': { density: 'small', order: ['name', 'size'] } },
    refusals: [
      { name: 'no object', call: { body: [] }, status: 400, error: 'body: expected record' },
      { name: 'a name with a space', call: { body: { 'a b': 1 } }, status: 400, error: /^a b: expected a name/ },
      { name: 'a long name', call: { body: { ['x'.repeat(65)]: 1 } }, status: 400, error: /: expected a name/ },
      {
        name: 'what is nested without end',
        call: { body: `{"deep":${'['.repeat(50_000)}${']'.repeat(50_000)}}` },
        status: 400,
        error: 'deep: nested more than 16 levels deep',
      },
      {
        name: 'too much',
        call: { body: { much: 'x'.repeat(64 * 1024) } },
        status: 400,
        error: 'preferences: at most 64 KiB of an account',
      },
    ],
  },
};
