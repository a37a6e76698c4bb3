// What a torrent file says around its info dictionary, as it is stored with the account that brought it. Pure.
import type { AccountId } from '../../../shared-protocol/ids.js';
import type { OriginRow, TorrentRow } from '../../../storage/types.js';
import type { TorrentOrigin } from '../../metainfo/index.js';

const NO_ORIGIN: TorrentOrigin = { comment: '', createdBy: '', createdAt: 0 };

/** Nothing where it says nothing. */
export function originRow({ comment, createdBy, createdAt }: TorrentOrigin, by: AccountId): Pick<TorrentRow, 'origin'> {
  if (comment === '' && createdBy === '' && createdAt === 0) return {};
  const origin: OriginRow = {
    by,
    ...(comment !== '' && { comment }),
    ...(createdBy !== '' && { createdBy }),
    ...(createdAt > 0 && { createdAt }),
  };
  return { origin };
}

/** `by`: the holder that it is shown to, also when the account that brought it has left; undefined: whatever there is. */
export function originFor({ origin }: Pick<TorrentRow, 'origin'>, by: AccountId | undefined): TorrentOrigin {
  if (!origin || (by !== undefined && origin.by !== by)) return NO_ORIGIN;
  const { comment = '', createdBy = '', createdAt = 0 } = origin;
  return { comment, createdBy, createdAt };
}
