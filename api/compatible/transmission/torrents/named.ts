// The torrents that `ids` names, as far as the account is shown them: a number, hashes and numbers in a list, the recently
// active ones, or without it all. An empty list names none: to whom it meant all, a removal would be fatal.
import type { TorrentId } from '../../../../shared-protocol/ids.js';
import type { Access } from '../../../../shared-protocol/dto/torrents.js';
import { RequestError } from '../../../errors.js';
import type { ListedTorrent } from '../../../services/library/shares.js';
import { findTorrent, idsWithAccess, torrentsOf } from '../../selection.js';
import type { Call } from '../row.js';

const RECENTLY: ReadonlySet<unknown> = new Set(['recently-active', 'recently_active']);
/** No spec value: twice as many as there is room for hashes. */
const MAX_IDS = 50_000;
const FORMS = 'ids: expected a number, a list of numbers and hashes, or recently-active';

/** Whether the torrents that have changed lately are asked for, alone. */
export function wantsRecent({ args }: Call): boolean {
  return RECENTLY.has(args.value('ids'));
}

/** The oldest first, or in the order of `ids`. @throws RequestError `BODY_INVALID` */
export function torrentsNamed(call: Call): ListedTorrent[] {
  const ids = call.args.value('ids');
  if (ids === undefined) return oldestFirst(call);
  if (wantsRecent(call)) return oldestFirst(call).filter((torrent) => call.services.recentTorrents.has(torrent));
  return idsNamed(call, ids).flatMap((id) => findTorrent(call, id)?.torrent ?? []);
}

/** The ids to change; without `ids` all with which the account may do that. @throws RequestError `BODY_INVALID` */
export function idsToChange(call: Call, needed: Access): TorrentId[] {
  if (call.args.value('ids') === undefined) return idsWithAccess(call, needed);
  return torrentsNamed(call).map(({ id }) => id);
}

/** In the order of their numbers, as in Transmission. */
function oldestFirst(call: Call): ListedTorrent[] {
  const { torrentNumbers } = call.services;
  // Nearly in order already: the list of the account begins with what was added last, to the second.
  const torrents = torrentsOf(call).reverse();
  return torrents.sort((a, b) => torrentNumbers.numberOf(a.id) - torrentNumbers.numberOf(b.id));
}

/** Each once; numbers that are nobody's are left out. */
function idsNamed({ services }: Call, ids: unknown): string[] {
  const named: readonly unknown[] = Array.isArray(ids) ? ids : [ids];
  if (named.length > MAX_IDS) throw new RequestError('BODY_INVALID', `ids: at most ${MAX_IDS}`);
  const found = named.flatMap((name): string[] => {
    if (typeof name === 'string') return [name.toLowerCase()];
    if (typeof name !== 'number') throw new RequestError('BODY_INVALID', FORMS);
    const id = services.torrentNumbers.idOf(name);
    return id === undefined ? [] : [id];
  });
  return [...new Set(found)];
}
