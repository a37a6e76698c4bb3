// The state of a torrent in qBittorrent 5's words, and what its filters of the list let through. Pure.
import type { TorrentFacts } from '../../../shared-protocol/events.js';
import type { TorrentStats } from '../../../shared-protocol/stats-table.js';
import { hasFlag } from '../../services/library/torrent-dto.js';

export type TorrentState =
  | 'missingFiles'
  | 'error'
  | 'moving'
  | 'metaDL'
  | 'forcedMetaDL'
  | 'checkingUP'
  | 'checkingDL'
  | 'stoppedUP'
  | 'stoppedDL'
  | 'queuedUP'
  | 'queuedDL'
  | 'forcedUP'
  | 'forcedDL'
  | 'uploading'
  | 'downloading'
  | 'stalledUP'
  | 'stalledDL';

/** The first that holds. `UP` and its like: all that is wanted is there. */
export function stateOf(
  { error, hasMetadata }: Pick<TorrentFacts, 'error' | 'hasMetadata'>,
  stats: Readonly<Pick<TorrentStats, 'flags' | 'downloadRate' | 'uploadRate'>>,
): TorrentState {
  const isComplete = hasFlag(stats, 'completed');
  const isForced = hasFlag(stats, 'forceStart');
  if (hasFlag(stats, 'filesMissing')) return 'missingFiles';
  if (error) return 'error';
  if (hasFlag(stats, 'moving')) return 'moving';
  if (!hasMetadata && !hasFlag(stats, 'paused')) return isForced ? 'forcedMetaDL' : 'metaDL';
  if (hasFlag(stats, 'verifying')) return isComplete ? 'checkingUP' : 'checkingDL';
  if (hasFlag(stats, 'paused')) return isComplete ? 'stoppedUP' : 'stoppedDL';
  if (hasFlag(stats, 'queued')) return isComplete ? 'queuedUP' : 'queuedDL';
  if (isForced) return isComplete ? 'forcedUP' : 'forcedDL';
  if (isComplete) return Math.round(stats.uploadRate) > 0 ? 'uploading' : 'stalledUP';
  return Math.round(stats.downloadRate) > 0 ? 'downloading' : 'stalledDL';
}

interface Filtered {
  readonly state: TorrentState;
  /** Bytes per second. */
  readonly upspeed: number;
}
type Filter = (torrent: Filtered) => boolean;

const DOWNLOADING: ReadonlySet<TorrentState> = new Set<TorrentState>([
  'metaDL',
  'forcedMetaDL',
  'checkingDL',
  'stoppedDL',
  'queuedDL',
  'forcedDL',
  'downloading',
  'stalledDL',
]);
const SEEDING: ReadonlySet<TorrentState> = new Set<TorrentState>([
  'checkingUP',
  'queuedUP',
  'forcedUP',
  'uploading',
  'stalledUP',
]);
const AT_WORK: ReadonlySet<TorrentState> = new Set<TorrentState>([
  'metaDL',
  'forcedMetaDL',
  'downloading',
  'forcedDL',
  'uploading',
  'forcedUP',
]);

const isStopped: Filter = ({ state }) => state === 'stoppedUP' || state === 'stoppedDL';
const isActive: Filter = ({ state, upspeed }) => AT_WORK.has(state) || (state === 'stalledDL' && upspeed > 0);

/** By name; those of version 4 are taken too. */
const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['downloading', ({ state }) => DOWNLOADING.has(state)],
  ['seeding', ({ state }) => SEEDING.has(state)],
  ['completed', ({ state }) => SEEDING.has(state) || state === 'stoppedUP'],
  ['stopped', isStopped],
  ['paused', isStopped],
  ['running', (torrent) => !isStopped(torrent)],
  ['resumed', (torrent) => !isStopped(torrent)],
  ['active', isActive],
  ['inactive', (torrent) => !isActive(torrent)],
  ['stalled', ({ state }) => state === 'stalledUP' || state === 'stalledDL'],
  ['stalled_uploading', ({ state }) => state === 'stalledUP'],
  ['stalled_downloading', ({ state }) => state === 'stalledDL'],
  ['checking', ({ state }) => state === 'checkingUP' || state === 'checkingDL'],
  ['moving', ({ state }) => state === 'moving'],
  ['errored', ({ state }) => state === 'error' || state === 'missingFiles'],
]);

/** null: every torrent, as for `all` and for names that are not known. */
export function filterNamed(name: string | undefined): Filter | null {
  return FILTERS.get(name ?? '') ?? null;
}
