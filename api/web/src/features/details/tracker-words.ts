// How a tracker answered last, in the words of the page. What the tracker itself says is shown as it came. Pure.
import { inert } from '../../format/quantities.js';
import { announceFailure } from '../../state/announce-failure.js';
import { t, type TextKey } from '../../strings/index.js';

const STATES: Readonly<Record<string, TextKey>> = {
  working: 'details.trackers.working',
  updating: 'details.trackers.updating',
  disabled: 'details.trackers.disabled',
  'not contacted': 'details.trackers.notContacted',
};

/** `status`: as in TrackerDTO. */
export function trackerText(status: string): string {
  const state = STATES[status];
  if (state) return t(state);
  return inert(announceFailure(status.replace(/^error: /, '')));
}
