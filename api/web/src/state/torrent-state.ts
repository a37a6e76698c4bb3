// The one word for what a torrent is doing, made from its flags. What hinders it comes before what it does.
import type { Torrent } from '../live/messages.js';
import { worded } from '../net/worded.js';
import { announceFailure } from './announce-failure.js';

export type TorrentState =
  | 'missing'
  | 'error'
  | 'verifying'
  | 'moving'
  | 'paused'
  | 'finished'
  | 'queued'
  | 'metadata'
  | 'downloading'
  | 'stalled'
  | 'seeding';

type Facts = Pick<
  Torrent,
  | 'error'
  | 'files_missing'
  | 'verifying'
  | 'moving'
  | 'paused'
  | 'completed'
  | 'queued'
  | 'total_bytes'
  | 'download_rate'
>;

export function stateOf(torrent: Facts): TorrentState {
  if (torrent.files_missing) return 'missing';
  if (torrent.verifying) return 'verifying';
  if (torrent.moving) return 'moving';
  if (torrent.error && !isHeld(torrent.error)) return 'error';
  if (torrent.paused) return torrent.completed ? 'finished' : 'paused';
  if (torrent.queued) return 'queued';
  if (torrent.completed) return 'seeding';
  // Before its metadata is there a torrent has no size.
  if (torrent.total_bytes === 0) return 'metadata';
  return torrent.download_rate > 0 ? 'downloading' : 'stalled';
}

/** Paused by its account's quota: nothing is wrong with the torrent. */
function isHeld({ code }: NonNullable<Torrent['error']>): boolean {
  return code === 'QUOTA_EXCEEDED';
}

/** Problems in the order of the side bar, those that cost data first. */
export const PROBLEMS = ['disk', 'missing', 'error', 'unregistered', 'tracker'] as const;
export type Problem = (typeof PROBLEMS)[number];

const DISK_CODES: ReadonlySet<string> = new Set(['DISK_FULL', 'DISK_FAILED']);

/** The problem that people should know of; null: none. Of a torrent that does not run, nobody waits for trackers. */
export function problemOf(torrent: Facts & Pick<Torrent, 'tracker_error'>, state = stateOf(torrent)): Problem | null {
  const { error, tracker_error: trackerError } = torrent;
  switch (state) {
    case 'missing':
      return 'missing';
    case 'error':
      return error && DISK_CODES.has(error.code) ? 'disk' : 'error';
    case 'paused':
    case 'finished':
    case 'queued':
      return null;
    default:
      if (!trackerError) return null;
      return trackerError.code === 'UNREGISTERED' ? 'unregistered' : 'tracker';
  }
}

/** The message of the problem: a sentence of ours, or the tracker's own words; '' where nothing is. */
export function messageOf(torrent: Facts & Pick<Torrent, 'tracker_error'>): string {
  const problem = problemOf(torrent);
  if (problem === 'unregistered' || problem === 'tracker') {
    const { host = '', message = '' } = torrent.tracker_error ?? {};
    return [host, announceFailure(message)].filter(Boolean).join(': ');
  }
  return torrent.error ? worded(torrent.error.message, torrent.error) : '';
}
