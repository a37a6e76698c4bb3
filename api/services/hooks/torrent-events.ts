// What happened to a torrent between two states of it, for each account that sees it before or after. Pure. An account is
// told of what is in its list: a torrent that is shared with it is `added`, one that is taken from it `removed`.
import type { HookEvent } from '../../../shared-protocol/hook-events.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { sharesByAccount, type ListedTorrent } from '../library/shares.js';

/** Something that happened to a torrent, as its reader is shown it: the last state there was of it. */
export interface TorrentEvent {
  readonly event: HookEvent;
  readonly torrent: ListedTorrent;
}

/** Events of one torrent as one reader saw it before and sees it after; undefined: it does not see it. */
export function eventsBetween(before: ListedTorrent | undefined, after: ListedTorrent | undefined): TorrentEvent[] {
  if (!after) return before ? [{ event: 'removed', torrent: before }] : [];
  if (before === after) return [];
  const events: HookEvent[] = [];
  if (!before) events.push('added');
  else if (!before.hasMetadata && after.hasMetadata) events.push('metadata');
  // One that is added where others have it already was never seen incomplete.
  const wasIncomplete = before ? before.completedAt === null : after.own !== undefined;
  if (wasIncomplete && after.completedAt !== null) events.push('completed');
  if (after.error && after.error.code !== before?.error?.code) events.push('error');
  return events.map((event) => ({ event, torrent: after }));
}

/** Events for each account that holds the torrent or that it is shared with. */
export function eventsByAccount(
  before: ListedTorrent | undefined,
  after: ListedTorrent | undefined,
): Map<AccountId, TorrentEvent[]> {
  const [old, now] = [before, after].map((torrent) => (torrent ? sharesByAccount(torrent) : new Map())) as [
    Map<AccountId, ListedTorrent>,
    Map<AccountId, ListedTorrent>,
  ];
  const events = new Map<AccountId, TorrentEvent[]>();
  for (const accountId of new Set([...old.keys(), ...now.keys()])) {
    const own = eventsBetween(old.get(accountId), now.get(accountId));
    if (own.length > 0) events.set(accountId, own);
  }
  return events;
}
