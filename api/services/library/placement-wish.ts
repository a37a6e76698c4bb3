// What decides on which engine a torrent is placed, from what a client says of its beginning. Pure.
import { isAbsolute } from 'node:path';
import type { AddingBody } from '../../../shared-protocol/dto/adding.js';
import type { Account } from '../../auth/account.js';
import type { PlacementWish } from '../../engines/placement/candidates.js';
import type { Labels } from './labels.js';

export function placementWish(
  { username }: Pick<Account, 'username'>,
  { save_path, category_id, tags }: Pick<AddingBody, 'save_path' | 'category_id' | 'tags'>,
  labels: Pick<Labels, 'category' | 'tag'>,
): PlacementWish {
  const category = labels.category(category_id ?? 0);
  return {
    torrent: {
      account: username,
      category: category?.name ?? null,
      tags: (tags ?? []).flatMap((id) => labels.tag(id)?.name ?? []),
    },
    // A relative one is below the default of whichever engine it is.
    path: save_path && isAbsolute(save_path) ? save_path : '',
    inherited: save_path ? '' : (category?.default_save_path ?? ''),
  };
}
