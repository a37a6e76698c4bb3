// Samples of the routes of docs/api.md, "Torrents", that say how one torrent is to be treated.
import { randomUUID } from 'node:crypto';
import type { torrentSettingRoutes } from '../../../../api/routes/torrent-settings.js';
import { OK, type Refusal, type Samples } from '../sample.js';

const UNKNOWN_ID = 987_654_321;
const POLICY = { use_global: false, ratio_limit: 1.5, time_min_limit: 60 };

/** A body that names the scene's torrent, and is wrong. */
const bad = (body: object, error: string | RegExp): Refusal => ({
  name: JSON.stringify(body),
  call: ({ torrentId }) => ({ body: { infohash: torrentId, ...body } }),
  status: 400,
  error,
});

export const torrentSettingSamples: Samples<typeof torrentSettingRoutes> = {
  'POST /api/torrents/category': {
    who: { access: 'editor' },
    call: async ({ torrentId, asAdmin }) => {
      const category = { name: randomUUID(), default_save_path: '', color: '' };
      const { id } = await asAdmin<{ id: number }>('POST', '/api/categories', category);
      return { body: { infohash: torrentId, category_id: id } };
    },
    answer: OK,
    refusals: [
      {
        name: 'an unknown category',
        call: ({ torrentId }) => ({ body: { infohash: torrentId, category_id: UNKNOWN_ID } }),
        status: 404,
        error: 'category not found',
      },
      bad({ category_id: 0 }, 'category_id: at least 1'),
    ],
  },
  'POST /api/torrents/file_priorities': {
    who: { access: 'editor' },
    call: ({ torrentId }) => ({ body: { infohash: torrentId, priorities: { 0: 'high' } } }),
    answer: OK,
    refusals: [
      bad({ priorities: { first: 'high' } }, 'priorities.first: expected file indices as keys'),
      bad({ priorities: { '-1': 'high' } }, 'priorities.-1: expected file indices as keys'),
      bad({ priorities: { 0: 1 } }, 'priorities.0: expected string'),
    ],
  },
  'POST /api/torrents/queue_position': {
    who: { access: 'editor' },
    call: ({ torrentId }) => ({ body: { infohash: torrentId, pos: 0 } }),
    answer: OK,
    refusals: [bad({ pos: 0.5 }, 'pos: expected int')],
  },
  'POST /api/torrents/force_start': {
    who: { access: 'editor' },
    call: ({ torrentId }) => ({ body: { infohash: torrentId, force: true } }),
    answer: OK,
  },
  'POST /api/torrents/sequential': {
    who: { access: 'editor' },
    call: ({ torrentId }) => ({ body: { infohash: torrentId, enabled: true } }),
    answer: OK,
  },
  'POST /api/torrents/first_last_first': {
    who: { access: 'editor' },
    call: ({ torrentId }) => ({ body: { infohash: torrentId, enabled: true } }),
    answer: OK,
    refusals: [bad({}, 'enabled: required')],
  },
  'GET /api/torrents/{id}/seed_policy': {
    who: { access: 'viewer' },
    call: () => ({}),
    answer: { use_global: true, ratio_limit: null, time_min_limit: null },
  },
  'PUT /api/torrents/{id}/seed_policy': {
    who: { access: 'editor' },
    call: () => ({ body: POLICY }),
    answer: OK,
    refusals: [
      bad({ use_global: false, time_min_limit: null }, 'ratio_limit: required'),
      bad({ use_global: false, ratio_limit: null }, 'time_min_limit: required'),
      bad({ ...POLICY, ratio_limit: -1 }, 'ratio_limit: must not be negative'),
      bad({ ...POLICY, time_min_limit: 1.5 }, 'time_min_limit: expected int'),
    ],
  },
  'GET /api/torrents/{id}/rate_limits': {
    who: { access: 'viewer' },
    call: () => ({}),
    answer: { down_kbps: 0, up_kbps: 0 },
  },
  'PUT /api/torrents/{id}/rate_limits': {
    who: { access: 'editor' },
    call: () => ({ body: { down_kbps: 100, up_kbps: 10.5 } }),
    answer: OK,
    refusals: [
      bad({ down_kbps: -1, up_kbps: 0 }, 'down_kbps: must not be negative'),
      bad({ down_kbps: 0, up_kbps: -0.5 }, 'up_kbps: must not be negative'),
    ],
  },
  'GET /api/torrents/{id}/peer_limits': {
    who: { access: 'viewer' },
    call: () => ({}),
    answer: { max_peers: 0, upload_slots: 0 },
  },
  'PUT /api/torrents/{id}/peer_limits': {
    who: { access: 'editor' },
    call: () => ({ body: { max_peers: 20, upload_slots: 4 } }),
    answer: OK,
    refusals: [
      bad({ max_peers: -1, upload_slots: 0 }, 'max_peers: must not be negative'),
      bad({ max_peers: 1.5, upload_slots: 0 }, 'max_peers: expected int'),
      bad({ max_peers: 0 }, 'upload_slots: required'),
      bad({ max_peers: 0, upload_slots: 10_001 }, 'upload_slots: at most 10000'),
    ],
  },
  'GET /api/torrents/{id}/super_seeding': {
    who: { access: 'viewer' },
    call: () => ({}),
    answer: { enabled: false },
  },
  'PUT /api/torrents/{id}/super_seeding': {
    who: { access: 'editor' },
    call: () => ({ body: { enabled: true } }),
    answer: OK,
    refusals: [bad({}, 'enabled: required'), bad({ enabled: 1 }, 'enabled: expected boolean')],
  },
};
