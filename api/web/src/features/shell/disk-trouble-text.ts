// Which disk refuses writes, and why, in words: as the first torrent that waits for it says. Pure.
import { inert } from '../../format/quantities.js';
import { messageOf, problemOf } from '../../state/torrent-state.js';
import { t } from '../../strings/index.js';

type Known = Parameters<typeof messageOf>[0] & { readonly save_path: string };

/** `count`: of all that wait. '' where none does. */
export function diskTroubleText(torrents: Iterable<Known>, count: number): string {
  for (const torrent of torrents) {
    if (problemOf(torrent) !== 'disk') continue;
    // A sentence is made with it.
    const message = inert(messageOf(torrent)).replace(/\.$/, '');
    // The path of another account's folder is not told.
    if (torrent.save_path === '') return t('problem.onDisk', { message, count });
    return t('problem.onDiskAt', { path: inert(torrent.save_path), message, count });
  }
  return '';
}
