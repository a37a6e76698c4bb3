// How a tracker answered last, in the words of the page. What the tracker itself says is shown as it came. Pure.
import { inert } from '../../format/quantities.js';
import { t, type TextKey } from '../../strings/index.js';

const STATES: Readonly<Record<string, TextKey>> = {
  working: 'details.trackers.working',
  updating: 'details.trackers.updating',
  disabled: 'details.trackers.disabled',
  'not contacted': 'details.trackers.notContacted',
};

/** The engine's own failures. */
const FAILURES: readonly (readonly [RegExp, TextKey])[] = [
  [/^connection refused$/, 'details.trackers.refused'],
  [/^host name not found$/, 'details.trackers.noHost'],
  [/^(?:no answer(?: within \d+ s)?|timed out)$/, 'details.trackers.noAnswer'],
  [/^HTTP status (?<status>\d+)$/, 'details.trackers.http'],
  [/^(?:reply is not|invalid reply|unexpected reply|not an HTTP reply)\b/, 'details.trackers.noSense'],
  [/^refused by the tracker; what it says is not shown/, 'details.trackers.secret'],
];

/** `status`: as in TrackerDTO. */
export function trackerText(status: string): string {
  const state = STATES[status];
  if (state) return t(state);
  const failure = status.replace(/^error: /, '');
  for (const [pattern, text] of FAILURES) {
    const found = pattern.exec(failure);
    if (found) return t(text, found.groups);
  }
  return inert(failure);
}
