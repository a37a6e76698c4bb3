// Samples of the routes of docs/api.md, "Torrents", that name a torrent and its files.
import type { torrentNameRoutes } from '../../../../api/routes/torrent-names.js';
import { OK, type Refusal, type Samples } from '../sample.js';

const bad = (body: object, error: string | RegExp): Refusal => ({
  name: JSON.stringify(body).slice(0, 40),
  call: { body },
  status: 400,
  error,
});

export const torrentNameSamples: Samples<typeof torrentNameRoutes> = {
  'PUT /api/torrents/{id}/name': {
    who: { access: 'editor' },
    call: () => ({ body: { name: 'Another name' } }),
    answer: OK,
    refusals: [
      bad({}, 'name: required'),
      bad({ name: 7 }, 'name: expected string'),
      bad({ name: 'a\nb' }, 'name: must not contain control characters'),
      bad({ name: 'n'.repeat(241) }, /^name: /),
    ],
  },
  'POST /api/torrents/{id}/rename': {
    who: { access: 'editor' },
    call: () => ({ body: { from: 'show/film', to: 'show/other' } }),
    answer: { ok: true, state: 'none' },
    refusals: [
      bad({ from: 'a' }, 'to: required'),
      bad({ from: '', to: 'b' }, 'from: must not be empty'),
      bad({ from: 'a', to: '' }, 'to: must not be empty'),
      bad({ from: 'a', to: 'a\0b' }, 'to: contains a NUL character'),
      bad({ from: 'a', to: 'p'.repeat(5_000) }, /^to: /),
    ],
  },
};
