// Lines that transmission-remote writes otherwise for Swarmd than for Transmission 3.00, and why.
import type { Difference } from '../../../support/compatible/differences.js';

const SESSION = /^-si$/;
const DETAILS = / -i$/;
const TRACKERS = / -it$/;

/** A line that both have, with another value. */
function otherValue(of: RegExp, real: RegExp, swarmd: RegExp, because: string): readonly Difference[] {
  return [
    { of, line: real, only: 'real', because },
    { of, line: swarmd, only: 'swarmd', because },
  ];
}

export const REMOTE_DIFFERENCES: readonly Difference[] = [
  ...otherValue(
    SESSION,
    /^ {2}Configuration directory: <its own>$/,
    /^ {2}Configuration directory:$/,
    'where the data directory lies is told to nobody',
  ),
  ...otherValue(
    SESSION,
    /^ {2}Maximum memory cache size: 4/,
    /^ {2}Maximum memory cache size: 0/,
    'there is no cache of that kind',
  ),
  ...otherValue(SESSION, /^ {2}Peer limit: 200$/, /^ {2}Peer limit: 1000$/, 'another default'),
  ...otherValue(
    SESSION,
    /^ {2}(Up|Down)load speed limit: Unlimited \(Disabled limit: 100 kB/,
    /^ {2}(Up|Down)load speed limit: Unlimited \(Disabled limit: 0 kB/,
    'a limit that is off has no figure',
  ),
  ...otherValue(DETAILS, /^ {2}Peer limit: 50$/, /^ {2}Peer limit: 80$/, 'another default'),
  {
    of: DETAILS,
    line: /^ {2}Date finished: /,
    only: 'swarmd',
    because: 'what lay there when it was added has been complete since',
  },
  ...otherValue(
    DETAILS,
    /^ {2}Honors Session Limits: No$/,
    /^ {2}Honors Session Limits: Yes$/,
    'no torrent is out of the limits of all',
  ),
  ...otherValue(
    DETAILS,
    /^ {2}Bandwidth Priority: High$/,
    /^ {2}Bandwidth Priority: Normal$/,
    'torrents share the line without priorities',
  ),
  ...otherValue(
    TRACKERS,
    /^ {2}Tracker \d: http:\/\/<address>$/,
    /^ {2}Tracker \d: <address>$/,
    'since 4.0 the host has no scheme',
  ),
  {
    of: TRACKERS,
    line: /^ {2}(Tracker had \d+ seeders|Asking for peer counts)/,
    only: 'real',
    because: 'trackers tell of the swarm when they are announced to, and are not scraped besides',
  },
  ...otherValue(/ -f$/, /^ {2}[12]: .* Low /, /^ {2}[12]: .* Normal /, 'files have no low priority'),
  ...otherValue(
    / -tr 99$/,
    /^Error: invalid argument$/,
    /^Error: trackers: there is none/,
    'the sentence says what is wrong',
  ),
];
