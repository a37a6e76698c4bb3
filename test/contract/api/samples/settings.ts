// Samples of the routes of docs/api.md, "Settings", that hold for the whole service.
import { join } from 'node:path';
import type { settingRoutes } from '../../../../api/routes/settings.js';
import { OK, type Refusal, type Samples, type Scene } from '../sample.js';

const LIMITS = { down_kbps: 300, up_kbps: 200, alt_down_kbps: 30, alt_up_kbps: 20, alt_active: false };
const QUEUE = { max_active_downloads: 5, max_active_seeds: 0 };
const CONNECTIONS = { max_peers: 500, upload_slots: 0, encryption: 'preferred', lsd_enabled: true };
const PEERS = {
  listen_port: 51_413,
  max_peers_per_torrent: 0,
  dht_enabled: true,
  encryption_enabled: true,
  upnp_enabled: true,
};
const SEEDING = { ratio_limit: null, time_min_limit: null };
const FOLDER = { path: '', delete_after_add: false, enabled: false };

const bad = (good: object, change: object, error: string | RegExp): Refusal => ({
  name: JSON.stringify(change).slice(0, 70),
  call: { body: { ...good, ...change } },
  status: 400,
  error,
});
const files = ({ harness }: Scene) => harness.filesDir;

export const settingSamples: Samples<typeof settingRoutes> = {
  'GET /api/settings/save_path': { who: 'account', call: () => ({}), answer: { path: /^\/.*files$/ } },
  'PUT /api/settings/save_path': {
    who: 'perm_change_settings',
    call: (scene) => ({ body: { path: files(scene) } }),
    answer: OK,
    refusals: [
      bad({}, { path: '' }, 'path: must not be empty'),
      bad({}, { path: 'files' }, 'path: Enter an absolute path, e.g. /data/torrents.'),
      bad({}, { path: '/a\0b' }, 'path: contains a NUL character'),
      bad({}, { path: `/${'x'.repeat(4096)}` }, 'path: at most 4096 characters'),
      {
        name: 'a file',
        call: ({ harness }) => ({ body: { path: join(harness.dataDir, 'runtime.json') } }),
        status: 400,
        error: 'path: not a directory',
      },
    ],
  },
  'GET /api/settings/limits': {
    who: 'account',
    call: () => ({}),
    answer: { down_kbps: Number, up_kbps: Number, alt_down_kbps: Number, alt_up_kbps: Number, alt_active: Boolean },
  },
  'PUT /api/settings/limits': {
    who: 'perm_change_settings',
    call: () => ({ body: LIMITS }),
    answer: OK,
    refusals: [
      bad(LIMITS, { down_kbps: -1 }, 'down_kbps: must not be negative'),
      bad(LIMITS, { alt_up_kbps: -0.1 }, 'alt_up_kbps: must not be negative'),
      bad(LIMITS, { up_kbps: 1e300 }, /^up_kbps: at most /),
    ],
  },
  'GET /api/settings/limits_in_force': {
    who: 'account',
    call: () => ({}),
    answer: { source: String, rule_id: null, down_kbps: Number, up_kbps: Number, now: /T\d\d:\d\d:\d\d[+-]\d\d:\d\d$/ },
  },
  'POST /api/settings/alt_speed/toggle': {
    who: 'perm_change_settings',
    call: () => ({}),
    answer: { alt_active: Boolean },
  },
  'GET /api/settings/queue_limits': {
    who: 'account',
    call: () => ({}),
    answer: { max_active_downloads: Number, max_active_seeds: Number },
  },
  'PUT /api/settings/queue_limits': {
    who: 'perm_change_settings',
    call: () => ({ body: QUEUE }),
    answer: OK,
    refusals: [
      bad(QUEUE, { max_active_downloads: -1 }, 'max_active_downloads: must not be negative'),
      bad(QUEUE, { max_active_seeds: 1.5 }, 'max_active_seeds: expected int'),
      bad(QUEUE, { stalled_minutes: 10_081 }, 'stalled_minutes: at most 10080'),
    ],
  },
  'GET /api/settings/peer_limits': {
    who: 'account',
    call: () => ({}),
    answer: { listen_port: Number, max_peers_per_torrent: Number, dht_enabled: Boolean, upnp_enabled: Boolean },
  },
  'PUT /api/settings/peer_limits': {
    who: 'perm_change_settings',
    call: () => ({ body: PEERS }),
    answer: OK,
    refusals: [
      bad(PEERS, { listen_port: 65_536 }, 'listen_port: at most 65535'),
      bad(PEERS, { listen_port: -1 }, 'listen_port: must not be negative'),
      bad(PEERS, { max_peers_per_torrent: -1 }, 'max_peers_per_torrent: must not be negative'),
    ],
  },
  'GET /api/settings/connections': {
    who: 'account',
    call: () => ({}),
    answer: { max_peers: Number, upload_slots: Number, encryption: String, lsd_enabled: Boolean, pinned: Array },
  },
  'PUT /api/settings/connections': {
    who: 'perm_change_settings',
    call: () => ({ body: CONNECTIONS }),
    answer: OK,
    refusals: [
      bad(CONNECTIONS, { max_peers: 65_536 }, 'max_peers: at most 65535'),
      bad(CONNECTIONS, { upload_slots: -1 }, 'upload_slots: must not be negative'),
      bad(CONNECTIONS, { encryption: 'weak' }, /^encryption: expected /),
    ],
  },
  'GET /api/settings/seeding_defaults': {
    who: 'account',
    call: () => ({}),
    answer: { ratio_limit: null, time_min_limit: null },
  },
  'PUT /api/settings/seeding_defaults': {
    who: 'perm_change_settings',
    call: () => ({ body: SEEDING }),
    answer: OK,
    refusals: [
      bad(SEEDING, { ratio_limit: -0.5 }, 'ratio_limit: must not be negative'),
      bad(SEEDING, { time_min_limit: -1 }, 'time_min_limit: must not be negative'),
      bad(SEEDING, { time_min_limit: 0.5 }, 'time_min_limit: expected int'),
    ],
  },
  'GET /api/settings/adding': {
    who: 'account',
    call: () => ({}),
    answer: {
      content_layout: String,
      incomplete_path: '',
      incomplete_suffix: null,
      preallocation: String,
      paused: false,
      portable_names: false,
      excluded_file_names: [],
      pinned: [],
    },
  },
  'PUT /api/settings/adding': {
    who: 'perm_change_settings',
    call: () => ({ body: { content_layout: 'original', preallocation: 'none', paused: false } }),
    answer: OK,
    refusals: [
      bad({}, { content_layout: 'flat' }, /^content_layout: /),
      bad({}, { preallocation: 'some' }, /^preallocation: /),
      bad({}, { paused: 'yes' }, /^paused: /),
      bad({}, { portable_names: 'yes' }, /^portable_names: /),
      bad({}, { excluded_file_names: '*.exe' }, /^excluded_file_names: /),
      bad({}, { excluded_file_names: ['a/b'] }, /^excluded_file_names\.0: .*without \//),
      bad({}, { excluded_file_names: [' '] }, 'excluded_file_names.0: must not be empty'),
      bad({}, { excluded_file_names: Array.from({ length: 51 }, String) }, /^excluded_file_names: /),
      bad({}, { incomplete_suffix: 'part' }, /^incomplete_suffix: /),
      bad({}, { incomplete_suffix: '.a/b' }, /^incomplete_suffix: /),
      bad({}, { incomplete_path: 'relative' }, 'incomplete_path: Enter an absolute path, e.g. /data/torrents.'),
    ],
  },
  'GET /api/settings/compatible': {
    who: 'account',
    call: () => ({}),
    answer: { qbittorrent: Boolean, transmission: Boolean, pinned: [] },
  },
  'PUT /api/settings/compatible': {
    who: 'admin',
    call: () => ({ body: { qbittorrent: true, transmission: true } }),
    answer: OK,
    refusals: [bad({}, { qbittorrent: 'yes' }, /^qbittorrent: /)],
  },
  'GET /api/settings/watch_folder': { who: 'account', call: () => ({}), answer: FOLDER },
  'PUT /api/settings/watch_folder': {
    who: 'perm_change_settings',
    call: () => ({ body: FOLDER }),
    answer: OK,
    refusals: [
      bad(FOLDER, { enabled: true }, 'path: must not be empty'),
      bad(FOLDER, { enabled: true, path: 'watch' }, 'path: Enter an absolute path, e.g. /data/torrents.'),
      {
        name: 'a folder that is not there',
        call: (scene) => ({ body: { ...FOLDER, enabled: true, path: join(files(scene), 'not', 'there') } }),
        status: 400,
        error: 'path: no such directory',
      },
    ],
  },
  'GET /api/settings/blocklist': {
    who: 'account',
    call: () => ({}),
    answer: { url: String, enabled: false, last_loaded_at: 0, entries: 0 },
  },
  'PUT /api/settings/blocklist': {
    who: 'perm_change_settings',
    call: () => ({ body: { url: '', enabled: false } }),
    answer: OK,
    refusals: [
      bad({ enabled: true }, { url: '' }, /^url: /),
      bad({ enabled: true }, { url: 'ftp://lists.example/a' }, /^url: /),
      bad({ enabled: true }, { url: 'http://127.0.0.1/list' }, /^url: /),
      bad({ enabled: true }, { url: 'http://[::1]/list' }, /^url: /),
      bad({ enabled: true }, { url: 'http://localhost/list' }, /^url: /),
    ],
  },
  'POST /api/settings/blocklist/refresh': {
    who: 'perm_change_settings',
    call: async (scene) => {
      await scene.asAdmin('PUT', '/api/settings/blocklist', { url: '', enabled: false });
      return {};
    },
    status: 400,
    answer: { error: /url/i },
  },
};
