// Trackers as an account is shown them by a tool: who may not edit the torrent sees no passkeys, neither in an address nor in
// what a tracker answered, which may repeat the key that it was asked with.
import type { TrackerDetail } from '../../shared-protocol/commands/details.js';
import { maskSaid, maskTracker } from '../../shared-protocol/masking.js';

export function shownTrackers(trackers: readonly TrackerDetail[], mayEdit: boolean): readonly TrackerDetail[] {
  return mayEdit ? trackers : trackers.map(masked);
}

function masked(tracker: TrackerDetail): TrackerDetail {
  return { ...maskTracker(tracker), message: maskSaid(tracker.url, tracker.message) };
}
