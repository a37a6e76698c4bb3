// The one word for what a torrent is doing, made from its flags. What hinders it comes before what it does.
import type { Torrent } from '../live/messages.js';

export type TorrentState =
  'missing' | 'verifying' | 'paused' | 'finished' | 'queued' | 'metadata' | 'downloading' | 'stalled' | 'seeding';

type Flags = Pick<
  Torrent,
  'files_missing' | 'verifying' | 'paused' | 'completed' | 'queued' | 'total_bytes' | 'download_rate'
>;

export function stateOf(torrent: Flags): TorrentState {
  if (torrent.files_missing) return 'missing';
  if (torrent.verifying) return 'verifying';
  if (torrent.paused) return torrent.completed ? 'finished' : 'paused';
  if (torrent.queued) return 'queued';
  if (torrent.completed) return 'seeding';
  // Before its metadata is there a torrent has no size.
  if (torrent.total_bytes === 0) return 'metadata';
  return torrent.download_rate > 0 ? 'downloading' : 'stalled';
}
