// Two small numbers of a torrent in one int32 of its row in the stats table: the place of its working tracker, and how
// far its check is. Pure.

/** Thousandths take up to 1,000. What is left are places of two million trackers. */
const CHECK_BITS = 10;
const CHECK_MASK = (1 << CHECK_BITS) - 1;

export interface TrackerAndCheck {
  /** Place in `TorrentFacts.trackers` of the first one that answered its last announce; -1: there is none. */
  workingTracker: number;
  /** Thousandths of what is to be hashed by the check under way that have been; 0 while there is none. */
  checkedPerMille: number;
}

export function packTrackerAndCheck({ workingTracker, checkedPerMille }: Readonly<TrackerAndCheck>): number {
  return ((workingTracker + 1) << CHECK_BITS) | checkedPerMille;
}

export function workingTrackerIn(packed: number): number {
  return (packed >> CHECK_BITS) - 1;
}

export function checkedPerMilleIn(packed: number): number {
  return packed & CHECK_MASK;
}
