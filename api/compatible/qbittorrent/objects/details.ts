// What `torrents/info` adds to the objects where it is asked to: their trackers, in one look of the engine at many torrents.
import { refOf } from '../../../services/library/shares.js';
import { shownTrackers } from '../../shown-trackers.js';
import type { Call } from '../row.js';
import type { ObjectEntry } from './object-entry.js';
import { trackerObject } from './tracker-object.js';

/** The text of an entry of these as the request asks for it. `now`: Unix seconds. */
export async function withDetails(
  { fields, services, principal }: Call,
  entries: readonly ObjectEntry[],
  now: number,
): Promise<(entry: ObjectEntry) => string> {
  if (!fields.flag('includeTrackers')) return (entry) => entry.text(now);
  const isAdmin = principal.account.role === 'admin';
  const shares = entries.map(({ from: { torrent } }) => (isAdmin ? { id: torrent.id } : refOf(torrent)));
  const looks = await services.library.details(shares, ['trackers']);
  const trackers = new Map(entries.map((entry, index) => [entry, looks[index]?.trackers ?? []]));
  return (entry) => {
    const shown = shownTrackers(trackers.get(entry) ?? [], entry.from.access !== 'viewer').map(trackerObject);
    return `${entry.text(now).slice(0, -1)},"trackers":${JSON.stringify(shown)}}`;
  };
}
