// How an announce failed, as people read it. A TrackerDTO tells it as a text (docs/api.md), in which what hindered the announce and what the
// tracker says itself are alike. Pure.
import { t, type TextKey } from '../strings/index.js';

type ServerText = Extract<TextKey, `server.${string}`>;

/** Named groups are filled in. */
const FAILURES: readonly (readonly [RegExp, ServerText])[] = [
  [/^connection refused$/, 'server.refused'],
  [/^connection (?:closed|reset)$/, 'server.closed'],
  [/^connection failed$/, 'server.noConnection'],
  [/^(?:host|network) unreachable$/, 'server.noWay'],
  [/^host name (?:not found|lookup failed)$/, 'server.noHost'],
  [/^(?:no answer(?: within \d+ s)?|(?:connection )?timed out)$/, 'server.late'],
  [/^HTTP status (?<status>\d+)$/, 'server.http'],
  [/^(?:reply is not|invalid reply|unexpected reply|not an HTTP (?:reply|answer))\b/, 'server.noSense'],
  [/^the certificate or TLS of the server is not valid$/, 'server.certificate'],
  [/^refused by the tracker; what it says is not shown/, 'server.secret'],
];

/** The failure in the language of the page; the tracker's own words as they came. */
export function announceFailure(said: string): string {
  for (const [pattern, text] of FAILURES) {
    const found = pattern.exec(said);
    if (found) return t(text, found.groups);
  }
  return said;
}
