// Torrents that a tool names, as far as its account is shown them: what it may not know of is as if it were not there.
import { parseTorrentId } from '../services/library/torrent-id.js';
import type { TorrentId } from '../../shared-protocol/ids.js';
import type { Access } from '../../shared-protocol/dto/torrents.js';
import { notFound } from '../errors.js';
import type { AccountContext, TorrentContext } from '../routes/route.js';
import { includesAccess, refOf, type ListedTorrent } from '../services/library/shares.js';

/** In the order of the account's list. */
export function torrentsOf({ services, principal }: AccountContext): ListedTorrent[] {
  return [...services.library.visibleTo(principal.account)];
}

/** Torrents with which the account may do that. */
export function idsWithAccess(context: AccountContext, needed: Access): TorrentId[] {
  const { services, principal } = context;
  const may = (torrent: ListedTorrent) => {
    const access = services.library.accessOf(principal.account, torrent);
    return access !== null && includesAccess(access, needed);
  };
  return torrentsOf(context).flatMap((torrent) => (may(torrent) ? [torrent.id] : []));
}

/** The torrent as the caller is shown it; null: there is none, or not for this account. */
export function findTorrent(context: AccountContext, named: string): TorrentContext | null {
  const { services, principal } = context;
  const parsed = parseTorrentId(named);
  const whole = parsed.kind === 'id' ? services.library.find(parsed.id) : undefined;
  if (!whole || services.library.accessOf(principal.account, whole) === null) return null;
  const torrent = services.library.shownTo(principal.account, whole);
  const share = principal.account.role === 'admin' ? { id: whole.id } : refOf(torrent);
  return { ...context, torrent, share };
}

/** @throws RequestError `NOT_FOUND` */
export function torrentNamed(context: AccountContext, named: string): TorrentContext {
  const found = findTorrent(context, named);
  if (!found) throw notFound('torrent');
  return found;
}
