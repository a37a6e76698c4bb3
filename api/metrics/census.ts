// How many torrents there are in which state, and what they hold and move together. Reads their numbers in slices, so that
// counting a hundred thousand does not keep the thread from its work.
import { setImmediate as pause } from 'node:timers/promises';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import { emptyStats, type StatsReader, type TorrentStats } from '../../shared-protocol/stats-table.js';
import { hasFlag } from '../services/library/torrent-dto.js';

/** Each torrent is in one: what hinders it comes before what it does. */
export const TORRENT_STATES = [
  'missing',
  'verifying',
  'paused',
  'finished',
  'queued',
  'metadata',
  'downloading',
  'seeding',
] as const;
export type TorrentState = (typeof TORRENT_STATES)[number];

/** Bytes, and bytes per second. */
export interface Census {
  readonly states: Record<TorrentState, number>;
  /** Torrents with an error, whatever their state. */
  failed: number;
  totalBytes: number;
  bytesDone: number;
  /** Over the lifetimes of the torrents there are. */
  downloaded: number;
  uploaded: number;
  downloadRate: number;
  uploadRate: number;
  peers: number;
}

/** A slice takes well below a millisecond. */
const TORRENTS_PER_SLICE = 500;

export async function takeCensus(torrents: readonly TorrentFacts[], reader: StatsReader): Promise<Census> {
  const census = emptyCensus();
  const stats = emptyStats();
  for (const [index, facts] of torrents.entries()) {
    if (index % TORRENTS_PER_SLICE === TORRENTS_PER_SLICE - 1) await pause();
    if (reader.read(facts.row, facts.rowTag, stats)) count(census, facts, stats);
  }
  return census;
}

function count(census: Census, facts: TorrentFacts, stats: Readonly<TorrentStats>): void {
  census.states[stateOf(facts, stats)]++;
  if (facts.error !== null) census.failed++;
  census.totalBytes += facts.totalBytes;
  census.bytesDone += stats.bytesDone;
  census.downloaded += stats.totalDown;
  census.uploaded += stats.totalUp;
  census.downloadRate += stats.downloadRate;
  census.uploadRate += stats.uploadRate;
  census.peers += stats.peers;
}

function stateOf({ hasMetadata }: TorrentFacts, stats: Readonly<TorrentStats>): TorrentState {
  if (hasFlag(stats, 'filesMissing')) return 'missing';
  if (hasFlag(stats, 'verifying')) return 'verifying';
  if (hasFlag(stats, 'paused')) return hasFlag(stats, 'completed') ? 'finished' : 'paused';
  if (hasFlag(stats, 'queued')) return 'queued';
  if (hasFlag(stats, 'completed')) return 'seeding';
  return hasMetadata ? 'downloading' : 'metadata';
}

function emptyCensus(): Census {
  const states = {
    missing: 0,
    verifying: 0,
    paused: 0,
    finished: 0,
    queued: 0,
    metadata: 0,
    downloading: 0,
    seeding: 0,
  };
  const bytes = { totalBytes: 0, bytesDone: 0, downloaded: 0, uploaded: 0, downloadRate: 0, uploadRate: 0 };
  return { states, failed: 0, ...bytes, peers: 0 };
}
