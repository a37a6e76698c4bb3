// torrents/*: in which order a torrent downloads, how it seeds, and whether it follows its category.
import { RequestError } from '../../../errors.js';
import type { TorrentContext } from '../../../routes/route.js';
import type { RouteTable } from '../row.js';
import { hasFlag } from './has-flag.js';
import { batched, editing } from './named.js';

export const toggleRoutes = {
  'torrents/toggleSequentialDownload': editing(() => (torrent) => {
    const { services, share } = torrent;
    return services.library.setSequential(share, !hasFlag(torrent, 'sequential'));
  }),
  'torrents/toggleFirstLastPiecePrio': editing(() => (torrent) => {
    const { services, share } = torrent;
    return services.library.setFirstLastFirst(share, !hasFlag(torrent, 'firstLastFirst'));
  }),
  'torrents/setSuperSeeding': batched(({ fields }) => ({
    action: 'super_seeding',
    enabled: fields.requiredFlag('value'),
  })),
  'torrents/setAutoManagement': editing(({ fields }) => {
    const isWanted = fields.requiredFlag('enable');
    return (torrent) => followCategory(torrent, isWanted);
  }),
} as const satisfies RouteTable;

/** Categories decide it for all torrents in them, so that what is so already is all that can be asked for. */
async function followCategory({ services, torrent }: TorrentContext, isWanted: boolean): Promise<void> {
  const { categoryId } = torrent.library;
  const isFollowing = categoryId !== null && services.labels.category(categoryId)?.auto_move === true;
  if (isFollowing !== isWanted) throw new RequestError('CONFLICT', 'whether torrents follow it is set in the category');
}
