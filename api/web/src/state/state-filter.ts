// The states that the list can be narrowed down to; a torrent may be in several of them. Pure.
import type { Torrent } from '../live/messages.js';
import { PROBLEMS, problemOf, stateOf, type Problem, type TorrentState } from './torrent-state.js';

export const STATE_FILTERS = [
  'all',
  'downloading',
  'seeding',
  'completed',
  'active',
  'inactive',
  'stalled',
  'queued',
  'paused',
  'checking',
  'moving',
  'metadata',
  'trouble',
  ...PROBLEMS,
] as const;

export type StateFilter = (typeof STATE_FILTERS)[number];

/** Choices that are shown where some torrent has the problem. */
export const PROBLEM_FILTERS = ['trouble', ...PROBLEMS] as const satisfies readonly StateFilter[];

/** Choices by what a torrent does. */
export const ACTIVITY_FILTERS = STATE_FILTERS.filter((filter) => !PROBLEM_FILTERS.some((each) => each === filter));

/** Choices that are made of more than the state. */
type OtherFilter = 'all' | 'active' | 'inactive' | 'completed' | 'trouble' | Problem;

const STATES: Readonly<Record<Exclude<StateFilter, OtherFilter>, ReadonlySet<TorrentState>>> = {
  downloading: new Set(['downloading', 'stalled', 'metadata']),
  seeding: new Set(['seeding']),
  stalled: new Set(['stalled']),
  paused: new Set(['paused', 'finished']),
  queued: new Set(['queued']),
  checking: new Set(['verifying']),
  metadata: new Set(['metadata']),
  moving: new Set(['moving']),
};

export function isInState(torrent: Torrent, filter: StateFilter): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'active':
      return isMoving(torrent);
    case 'inactive':
      return !isMoving(torrent);
    case 'completed':
      return torrent.completed;
    case 'trouble':
      return problemOf(torrent) !== null;
    case 'disk':
    case 'missing':
    case 'error':
    case 'unregistered':
    case 'tracker':
      return problemOf(torrent) === filter;
    default:
      return STATES[filter].has(stateOf(torrent));
  }
}

function isMoving({ download_rate, upload_rate }: Torrent): boolean {
  return download_rate > 0 || upload_rate > 0;
}
