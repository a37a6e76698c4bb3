// Samples of the routes of trackers: tiers, an announce at once, and addresses in many torrents.
import type { trackerRoutes } from '../../../../api/routes/trackers.js';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import { OK, type Refusal, type Samples } from '../sample.js';
import { shownTracker } from '../../../support/shown-details.js';

const UNKNOWN_TORRENT: Refusal = {
  name: 'an unknown torrent',
  call: { params: { id: '0'.repeat(40) }, body: { tiers: [] } },
  status: 404,
  error: 'torrent not found',
};

export const trackerSamples: Samples<typeof trackerRoutes> = {
  'GET /api/torrents/{id}/trackers': {
    who: { access: 'viewer' },
    call: ({ harness, torrentId }) => {
      const figures = { seeds: 3, peers: 4, downloaded: 5, lastAnnounce: 6, nextAnnounce: 7 };
      const tracker = shownTracker({ url: 'http://t.example/announce', tier: 1, status: 'working', ...figures });
      harness.engine.setDetails(parseInfoHash(torrentId), { trackers: [tracker] });
      return {};
    },
    answer: [{ url: 'http://t.example/announce', tier: 1, status: 'working', seeds: 3, last_announce: 6 }],
    refusals: [UNKNOWN_TORRENT],
  },
  'PUT /api/torrents/{id}/trackers': {
    who: { access: 'editor' },
    call: () => ({ body: { tiers: [['http://a.example/announce'], ['udp://b.example:1']] } }),
    answer: OK,
    refusals: [
      UNKNOWN_TORRENT,
      { name: 'no tiers', call: { body: {} }, status: 400, error: 'tiers: required' },
      { name: 'no lists', call: { body: { tiers: ['http://a.example/'] } }, status: 400, error: /^tiers/ },
      { name: 'too many', call: { body: { tiers: Array(31).fill([]) } }, status: 400, error: /^tiers/ },
      { name: 'no tracker', call: { body: { tiers: [['ftp://a']] } }, status: 400, error: /^tiers\[0\]\[0\]: / },
    ],
  },
  'POST /api/torrents/{id}/announce': {
    who: { access: 'editor' },
    call: () => ({}),
    answer: { ok: true, waiting: 0, next_announce: 0 },
    refusals: [
      UNKNOWN_TORRENT,
      {
        name: 'a paused torrent',
        call: async ({ asAdmin, torrentId }) => {
          await asAdmin('POST', `/api/torrents/${torrentId}/pause`);
          return {};
        },
        status: 409,
        error: /does not run/,
      },
    ],
  },
  'POST /api/trackers/replace': {
    who: 'account',
    call: () => ({ body: { find: 'http://a.example/', replace: 'http://b.example/', dry_run: true } }),
    answer: { failed: [] },
    refusals: [
      { name: 'nothing to find', call: { body: { find: '', replace: 'http://b' } }, status: 400, error: /^find: / },
      { name: 'no address', call: { body: { find: 'http://a', replace: 'b' } }, status: 400, error: /^replace: / },
      { name: 'nothing', call: { body: {} }, status: 400, error: 'find: required' },
    ],
  },
};
