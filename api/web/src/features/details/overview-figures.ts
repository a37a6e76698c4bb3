// Figures of the overview that the server does not send. Pure.
import type { TrackerDto } from '../../../../../shared-protocol/dto/inspector.js';
import type { Torrent } from '../../live/messages.js';
import { activeS, seedingS } from '../../state/derived.js';

/** Seconds until the first of the trackers is asked, by the clock of the browser; undefined where none is to be. */
export function nextAnnounceS(
  trackers: readonly Pick<TrackerDto, 'next_announce'>[] | undefined,
  nowS: number,
): number | undefined {
  const due = (trackers ?? []).map(({ next_announce: at }) => at).filter((at) => at > 0);
  return due.length === 0 ? undefined : Math.max(0, Math.min(...due) - nowS);
}

/** Bytes per second while it downloaded, and while it was active at all; null: nothing was transferred so far. */
export function averageRates(
  torrent: Torrent,
  nowMs: number,
): { readonly down: number | null; readonly up: number | null } {
  const active = activeS(torrent, nowMs);
  const over = (sum: number, seconds: number) => (sum === 0 || active === 0 ? null : sum / Math.max(1, seconds));
  return {
    down: over(torrent.total_down, active - seedingS(torrent, nowMs)),
    up: over(torrent.total_up, active),
  };
}
