// Why the user may not do something with torrents, as the server would decide; null when they may.
import { inert } from '../format/quantities.js';
import type { Torrent } from '../live/messages.js';
import { awayServerOf } from '../state/servers.js';
import { t } from '../strings/index.js';

/** Pause, resume, recheck, priorities, labels, limits. */
export function refusedToEdit(torrents: readonly Pick<Torrent, 'access' | 'server_id'>[]): string | null {
  const { length: count } = torrents.filter(({ access }) => access === 'viewer');
  if (count === 0) return refusedByAway(torrents);
  return torrents.length === 1 ? t('permission.viewer') : t('permission.viewerOfSome', { count });
}

/** Deleting and sharing. */
export function refusedToOwn(torrents: readonly Pick<Torrent, 'access' | 'server_id'>[]): string | null {
  const { length: count } = torrents.filter(({ access }) => access !== 'owner');
  if (count === 0) return refusedByAway(torrents);
  return torrents.length === 1 ? t('permission.owner') : t('permission.ownerOfSome', { count });
}

/** Where none of them is on a server that is there; of some that are, the others are done and these are told of. */
function refusedByAway(torrents: readonly Pick<Torrent, 'server_id'>[]): string | null {
  const servers = torrents.map(awayServerOf);
  const [first] = servers;
  if (!first || servers.includes(undefined)) return null;
  const names = new Set(servers.map((server) => inert(server?.name ?? '')));
  return t('permission.away', { name: [...names].join(', ') });
}
