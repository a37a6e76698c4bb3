// What the list shows of a torrent that the server does not send.
import type { Torrent } from '../live/messages.js';

/** Seconds until it is complete at the rate of now; Infinity when it does not move, 0 when it is. */
export function etaS({ completed, progress, bytes_done, download_rate }: Torrent): number {
  if (completed) return 0;
  if (download_rate === 0 || progress === 0) return Infinity;
  // Of what is wanted: files may be skipped.
  const wanted = bytes_done / progress;
  return (wanted - bytes_done) / download_rate;
}
