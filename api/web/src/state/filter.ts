// Which torrents the list shows: a conjunction of what is chosen in the side bar and what is typed into the search. Pure.
import type { Torrent } from '../live/messages.js';
import { stateOf, type TorrentState } from './torrent-state.js';

export type StateFilter = 'all' | 'downloading' | 'seeding' | 'completed' | 'paused' | 'active' | 'queued' | 'trouble';

export const STATE_FILTERS = [
  'all',
  'downloading',
  'seeding',
  'completed',
  'active',
  'queued',
  'paused',
  'trouble',
] as const satisfies readonly StateFilter[];

/** One choice of each kind; null is any. */
export interface Filter {
  readonly state: StateFilter;
  /** 0: those without one. */
  readonly categoryId: number | null;
  /** 0: those without any. */
  readonly tagId: number | null;
  /** '': those without any. */
  readonly trackerHost: string | null;
  readonly search: string;
}

export const NO_FILTER: Filter = { state: 'all', categoryId: null, tagId: null, trackerHost: null, search: '' };

const STATES: Readonly<Record<Exclude<StateFilter, 'all' | 'active' | 'completed'>, ReadonlySet<TorrentState>>> = {
  downloading: new Set(['downloading', 'stalled', 'metadata']),
  seeding: new Set(['seeding']),
  paused: new Set(['paused', 'finished']),
  queued: new Set(['queued']),
  trouble: new Set(['missing']),
};

export function isInState(torrent: Torrent, filter: StateFilter): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'active':
      return torrent.download_rate > 0 || torrent.upload_rate > 0;
    case 'completed':
      return torrent.completed;
    default:
      return STATES[filter].has(stateOf(torrent));
  }
}

/** Words in any order; each must be in the name, or be (the beginning of) the info hash. */
export function compileFilter(filter: Filter): (torrent: Torrent) => boolean {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  const { categoryId, tagId, trackerHost } = filter;
  return (torrent) => {
    if (!isInState(torrent, filter.state)) return false;
    if (categoryId !== null && (torrent.category_id ?? 0) !== categoryId) return false;
    if (tagId !== null && !hasTag(torrent, tagId)) return false;
    if (trackerHost !== null && !hasTracker(torrent, trackerHost)) return false;
    if (words.length === 0) return true;
    const name = torrent.name.toLowerCase();
    return words.every((word) => name.includes(word) || torrent.id.startsWith(word));
  };
}

function hasTag({ tags }: Torrent, tagId: number): boolean {
  return tagId === 0 ? tags.length === 0 : tags.some(({ id }) => id === tagId);
}

function hasTracker({ trackerHosts }: Torrent, host: string): boolean {
  return host === '' ? trackerHosts.length === 0 : trackerHosts.includes(host);
}
