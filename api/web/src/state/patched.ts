// A torrent after a patch: as another object, for those who compare it with what it was, or the same one.
import type { Torrent, TorrentPatch } from '../live/messages.js';

/**
 * Returns the torrent with what the patch says. Field by field, as some hundred are made each second: a spread of so
 * many fields takes three times as long, and all torrents made here have one shape.
 */
export function patched(before: Torrent, patch: TorrentPatch): Torrent {
  const after: Torrent = {
    id: before.id,
    name: before.name,
    magnet: before.magnet,
    save_path: before.save_path,
    content_path: before.content_path,
    total_bytes: before.total_bytes,
    bytes_done: before.bytes_done,
    progress: before.progress,
    download_rate: before.download_rate,
    upload_rate: before.upload_rate,
    peers: before.peers,
    seeds: before.seeds,
    paused: before.paused,
    completed: before.completed,
    added_at: before.added_at,
    category_id: before.category_id,
    tags: before.tags,
    queue_position: before.queue_position,
    force_start: before.force_start,
    sequential: before.sequential,
    queued: before.queued,
    verifying: before.verifying,
    files_missing: before.files_missing,
    completed_at: before.completed_at,
    moving: before.moving,
    private: before.private,
    error: before.error,
    tracker_error: before.tracker_error,
    tracker_works: before.tracker_works,
    total_down: before.total_down,
    total_up: before.total_up,
    ratio: before.ratio,
    swarm_seeds: before.swarm_seeds,
    swarm_leechers: before.swarm_leechers,
    availability: before.availability,
    last_activity_at: before.last_activity_at,
    seeding_seconds: before.seeding_seconds,
    seeding_since: before.seeding_since,
    checking_progress: before.checking_progress,
    active_seconds: before.active_seconds,
    active_since: before.active_since,
    rate_limits: before.rate_limits,
    engine_away: before.engine_away,
    access: before.access,
    server_id: before.server_id,
    trackerHosts: before.trackerHosts,
  };
  patchInPlace(after, patch);
  return after;
}

/** The same object with what the patch says: nothing is left for the garbage collector of a torrent that nobody looks at. */
export function patchInPlace(torrent: Torrent, patch: TorrentPatch): void {
  for (const key in patch) {
    // The same id, and another text: maps find it by the one by which it is kept in them at once.
    if (key !== 'id') set(torrent, patch, key as keyof Torrent); // the keys of the patch itself
  }
}

function set<Field extends keyof Torrent>(
  after: { -readonly [Key in keyof Torrent]: Torrent[Key] },
  patch: TorrentPatch,
  field: Field,
): void {
  after[field] = patch[field] as Torrent[Field]; // it is among the keys of the patch
}
