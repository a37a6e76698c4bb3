// Samples of totals, of figures for Prometheus, and of the push channel's address.
import type { statsRoutes } from '../../../../api/routes/stats.js';
import type { Samples } from '../sample.js';

export const statsSamples: Samples<typeof statsRoutes> = {
  'GET /api/stats': {
    who: 'account',
    call: () => ({}),
    answer: {
      total_torrents: Number,
      active_torrents: Number,
      seeding_torrents: 0,
      total_download_rate: 0,
      total_upload_rate: 0,
      total_peers: 0,
    },
  },
  'GET /api/stats/history': {
    who: 'account',
    call: () => ({ query: '?by=total&resolution=5min' }),
    answer: { resolution: '5min', step: 300, total: { down: Number, up: Number }, points: [] },
    refusals: [
      { name: 'no resolution', call: { query: '?resolution=hour' }, status: 400, error: /^resolution: / },
      { name: 'no time', call: { query: '?from=yesterday' }, status: 400, error: 'from: expected unix seconds' },
      { name: 'no category', call: { query: '?by=category' }, status: 400, error: 'id: required' },
      { name: 'no such account', call: { query: '?by=account&id=999' }, status: 404, error: 'user not found' },
      {
        name: 'no such torrent',
        call: { query: `?by=torrent&id=${'0'.repeat(40)}` },
        status: 404,
        error: 'torrent not found',
      },
    ],
  },
  'GET /api/stats/traffic': {
    who: 'account',
    call: () => ({ query: '?by=tracker' }),
    answer: { resolution: 'day', step: 86_400, series: [] },
    refusals: [
      { name: 'of nothing that is counted', call: { query: '?by=peer' }, status: 400, error: /^by: / },
      { name: 'no such account', call: { query: '?by=torrent&account=999' }, status: 404, error: 'user not found' },
    ],
  },
  'GET /api/stats/rates': {
    who: 'account',
    call: () => ({ query: '?seconds=86400&points=100' }),
    answer: { step: 900, from: Number, down: Array, up: Array },
    refusals: [
      { name: 'no time', call: { query: '?seconds=day' }, status: 400, error: /^seconds: / },
      { name: 'more than is kept', call: { query: '?seconds=63072001' }, status: 400, error: /^seconds: / },
      { name: 'too many steps', call: { query: '?points=2161' }, status: 400, error: /^points: / },
      { name: 'no such account', call: { query: '?account=999' }, status: 404, error: 'user not found' },
    ],
  },
  'GET /metrics': { who: 'admin', call: () => ({}), answer: /^swarmd_torrents\{state="downloading"\} \d+$/m },
  'GET /api/ws': { who: 'account', call: () => ({}), status: 426, answer: { error: 'websocket upgrade required' } },
};
