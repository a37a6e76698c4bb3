// Where a torrent that has been added stops by itself: each share that was to stop there is paused, in one write with what
// brought it there or in the next. A torrent that is to stop after its check does nothing from then on, whether or not the
// pause is stored already: the row asks for it until it is. Pure.
import type { StopPoint } from '../../shared-protocol/commands/adding.js';
import type { HolderRow, TorrentRow } from '../../storage/types.js';

/** The change of a share that has come to this point. */
export function stoppedAt({ stopAfter = null }: HolderRow, point: StopPoint): Partial<HolderRow> {
  return stopAfter === point ? { paused: true, stopAfter: null } : {};
}

/** Whether one share at least is to pause now that nothing of what lies there is to be checked any more. */
export function hasStopAfterCheck({ summary, stopAfter = null, holders }: TorrentRow): boolean {
  if (!summary) return false;
  return holders ? holders.some((holder) => holder.stopAfter === 'check') : stopAfter === 'check';
}

/** Whether the torrent as a whole has come to where it was to stop. */
export function stopsHere(
  { summary, stopAfter = null }: Pick<TorrentRow, 'summary' | 'stopAfter'>,
  check: 'none' | 'queued' | 'running',
): boolean {
  return stopAfter === 'check' && summary !== null && check === 'none';
}
