// Why the user may not do something with torrents, as the server would decide; null when they may.
import type { Torrent } from '../live/messages.js';
import { t } from '../strings/index.js';

/** Pause, resume, recheck, priorities, labels, limits. */
export function refusedToEdit(torrents: readonly Pick<Torrent, 'access'>[]): string | null {
  return torrents.some(({ access }) => access === 'viewer') ? t('permission.viewer') : null;
}

/** Deleting and sharing. */
export function refusedToOwn(torrents: readonly Pick<Torrent, 'access'>[]): string | null {
  return torrents.some(({ access }) => access !== 'owner') ? t('permission.owner') : null;
}
