// What the list shows of a torrent that the server does not send.
import type { Torrent } from '../live/messages.js';

/** Bytes of what is wanted that are not there. Files may be skipped. */
export function remainingBytes({ progress, bytes_done, total_bytes }: Torrent): number {
  if (progress >= 1) return 0;
  return progress === 0 ? total_bytes - bytes_done : Math.round(bytes_done / progress - bytes_done);
}

/** Seconds for which it has been seeding by now. */
export function seedingS({ seeding_seconds, seeding_since }: Torrent, nowMs: number): number {
  return seeding_seconds + (seeding_since > 0 ? Math.max(0, Math.floor(nowMs / 1000) - seeding_since) : 0);
}

/** Seconds for which it has been neither stopped nor checked by now. */
export function activeS({ active_seconds, active_since }: Torrent, nowMs: number): number {
  return active_seconds + (active_since > 0 ? Math.max(0, Math.floor(nowMs / 1000) - active_since) : 0);
}

/** Seconds until it is complete at the rate of now; Infinity when it does not move, 0 when it is. */
export function etaS({ completed, progress, bytes_done, download_rate }: Torrent): number {
  if (completed) return 0;
  if (download_rate === 0 || progress === 0) return Infinity;
  // Of what is wanted: files may be skipped.
  const wanted = bytes_done / progress;
  return (wanted - bytes_done) / download_rate;
}
