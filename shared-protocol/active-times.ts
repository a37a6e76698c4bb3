// For how long a torrent has been at work, from its row of figures: what was counted, and what has passed since. So nothing
// is written while a torrent goes on with what it does. Pure.
import { TORRENT_FLAGS, type TorrentStats } from './stats-table.js';

type CountedStats = Readonly<Pick<TorrentStats, 'flags' | 'activeSeconds' | 'seedingSeconds' | 'countedSince'>>;

/** Seconds, at a moment in Unix seconds, for which the torrent has been neither stopped nor checked. */
export function activeSecondsOf({ activeSeconds, countedSince }: CountedStats, now: number): number {
  return Math.floor(activeSeconds + passedSince(countedSince, now));
}

/** The part of {@link activeSecondsOf} for which the torrent was complete. */
export function seedingSecondsOf({ flags, seedingSeconds, countedSince }: CountedStats, now: number): number {
  const isSeeding = (flags & TORRENT_FLAGS.completed) !== 0;
  return Math.floor(seedingSeconds + (isSeeding ? passedSince(countedSince, now) : 0));
}

/** The clock may have been set back. */
function passedSince(countedSince: number, now: number): number {
  return countedSince === 0 ? 0 : Math.max(0, now - countedSince);
}
