// What rules do to torrents: the calls of the services that routes make for the same act of a person.
import type { ShareRef } from '../../../shared-protocol/commands/shares.js';
import type { AutomationAction } from '../../../shared-protocol/dto/automations.js';
import type { Account } from '../../auth/account.js';
import type { CategoryMoves } from '../library/category-moves.js';
import type { Library } from '../library/library.js';
import type { Moving } from '../library/moving.js';
import type { Running } from '../library/running.js';
import { ruleOf } from '../library/seeding-in-force.js';
import type { SeedPolicies } from '../library/seed-policies.js';
import type { ListedTorrent } from '../library/shares.js';
import type { TorrentLabels } from '../library/torrent-labels.js';
import type { TorrentTrackers } from '../library/torrent-trackers.js';
import { toRateLimits } from '../settings/rate-units.js';
import { policyWith } from './effects.js';

export interface DeedsDeps {
  readonly library: Pick<Library, 'remove' | 'setRateLimits' | 'moveInQueue'>;
  readonly running: Pick<Running, 'pause' | 'resume'>;
  readonly torrentTrackers: Pick<TorrentTrackers, 'announceNow'>;
  readonly categoryMoves: Pick<CategoryMoves, 'assign'>;
  readonly torrentLabels: Pick<TorrentLabels, 'assignTag' | 'unassignTag'>;
  readonly seedPolicies: Pick<SeedPolicies, 'setRule'>;
  readonly moving: Pick<Moving, 'move'>;
}

/** @throws RequestError, AppError as the route of the act */
export async function act(
  deps: DeedsDeps,
  action: AutomationAction,
  { account, share, torrent }: { readonly account: Account; readonly share: ShareRef; readonly torrent: ListedTorrent },
): Promise<void> {
  switch (action.action) {
    case 'pause':
      return deps.running.pause(share);
    case 'resume':
      return deps.running.resume(account, share);
    case 'announce':
      return void (await deps.torrentTrackers.announceNow(share));
    case 'category':
      return deps.categoryMoves.assign(account, share, torrent, action.category_id);
    case 'add_tag':
      return deps.torrentLabels.assignTag(share, action.tag_id);
    case 'remove_tag':
      return deps.torrentLabels.unassignTag(share, action.tag_id);
    case 'rate_limits':
      return deps.library.setRateLimits(share, toRateLimits(action));
    case 'share_limits':
      return deps.seedPolicies.setRule(share, ruleOf(policyWith(action)), 'editor');
    case 'queue':
      return deps.library.moveInQueue([share], action.to);
    case 'move':
      return deps.moving.move(account, share, torrent, { path: action.path });
    case 'remove':
      return deps.library.remove(share, action.delete_data);
  }
}
