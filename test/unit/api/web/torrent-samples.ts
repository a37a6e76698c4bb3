// Torrents as the page has them, by what a test cares about.
import type { Torrent } from '../../../../api/web/src/live/messages.js';

const PLAIN: Torrent = {
  server_id: undefined,
  id: '',
  name: 'name',
  magnet: '',
  save_path: '/data',
  content_path: '/data',
  total_bytes: 1_000,
  bytes_done: 0,
  progress: 0,
  download_rate: 0,
  upload_rate: 0,
  peers: 0,
  seeds: 0,
  paused: false,
  completed: false,
  added_at: 1_700_000_000,
  category_id: null,
  tags: [],
  queue_position: 0,
  force_start: false,
  sequential: false,
  queued: false,
  verifying: false,
  files_missing: false,
  completed_at: null,
  moving: false,
  private: false,
  error: null,
  tracker_error: null,
  tracker_works: false,
  total_down: 0,
  total_up: 0,
  ratio: 0,
  swarm_seeds: -1,
  swarm_leechers: -1,
  availability: null,
  last_activity_at: 0,
  seeding_seconds: 0,
  seeding_since: 0,
  checking_progress: null,
  active_seconds: 0,
  active_since: 0,
  rate_limits: null,
  engine_away: false,
  access: 'owner',
  trackerHosts: [],
};

/** `id` is padded to an info hash by the test where that matters. */
export function torrent(id: string, change: Partial<Torrent> = {}): Torrent {
  return { ...PLAIN, id, ...change };
}

/** As the server sends it. */
export function dto(id: string, change: Partial<Torrent> = {}) {
  const { trackerHosts: _derived, ...sent } = torrent(id, change);
  return sent;
}
