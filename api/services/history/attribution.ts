// Whose the bytes of a torrent are. Pure. Each account counts what its torrents move, whole, as if no other account held
// them; so the accounts together may come to more than the total, which has each byte once. Of several who hold a torrent
// those count it who run it, all where none does. A torrent's bytes belong to one tracker: the first that works, in the
// order of the tiers, or the first where none does.
import { trackerHostOf } from '../../../shared-protocol/tracker-host.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { sharesOf, type ListedTorrent } from '../library/shares.js';

export interface Counting {
  readonly accountId: AccountId;
  /** The id of its category; empty without one. */
  readonly category: string;
  /** Announce addresses, a line each, of this account. */
  readonly trackers: string;
}

/** The accounts that count what the torrent moves; each once. */
export function countedFor(torrent: ListedTorrent): Counting[] {
  const shares = sharesOf(torrent);
  const running = shares.filter(({ own }) => !own?.paused);
  return (running.length > 0 ? running : shares).map(({ ownerId, library, trackers }) => ({
    accountId: ownerId,
    category: library.categoryId === null ? '' : String(library.categoryId),
    trackers,
  }));
}

/**
 * The tracker that the bytes belong to, by host; empty: there is none. `working`: hosts of those that work, in order.
 * Another account's trackers are none of this one's, so only those in its lines count.
 */
export function trackerOf(lines: string, working: readonly string[]): string {
  const urls = lines === '' ? [] : lines.split('\n');
  if (working.length > 0) {
    const own = new Set(urls.map(trackerHostOf));
    const first = working.find((host) => own.has(host));
    if (first !== undefined) return first;
  }
  return urls.length > 0 ? trackerHostOf(urls[0]!) : '';
}
