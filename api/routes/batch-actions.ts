// What a batch may do to each of its torrents: the access that it needs, which is that of the route for one torrent, and
// the same call of the services. An action that the schema names and this table lacks does not compile.
import type { BatchAction, BatchActionName } from '../../shared-protocol/dto/batch.js';
import type { Permission } from '../../shared-protocol/dto/accounts.js';
import type { Access } from '../../shared-protocol/dto/torrents.js';
import { toRateLimits } from '../services/settings/rate-units.js';
import type { TorrentContext } from './route.js';
import { seedingAccessOf } from './seeding.js';

/** The fields of one action. */
type Fields<Name extends BatchActionName> = Extract<BatchAction, { readonly action: Name }>;

/** The rights that an action asks for. */
export interface Needs {
  readonly access: Access;
  /** On top of the access. */
  readonly permission?: Permission;
}

/** An action on each torrent by itself. */
interface ActionOnEach<Name extends BatchActionName> extends Needs {
  readonly run: (fields: Fields<Name>, context: TorrentContext) => Promise<unknown>;
}

/** An action on all admitted torrents at once, which fails for all or none. */
interface ActionTogether<Name extends BatchActionName> extends Needs {
  readonly runTogether: (fields: Fields<Name>, contexts: readonly TorrentContext[]) => Promise<unknown>;
}

type Action<Name extends BatchActionName> = ActionOnEach<Name> | ActionTogether<Name>;

/** Something that is done to one torrent after the other, for those with the rights. */
export interface Deed extends Needs {
  readonly run: (context: TorrentContext) => Promise<unknown>;
}

/** Something that is done to all torrents at once, for those with the rights. */
export interface JointDeed extends Needs {
  readonly runTogether: (contexts: readonly TorrentContext[]) => Promise<unknown>;
}

export const BATCH_ACTIONS: { readonly [Name in BatchActionName]: Action<Name> } = {
  pause: editing((_fields, { services, share }) => services.running.pause(share)),
  resume: editing((_fields, { services, share, principal }) => services.running.resume(principal.account, share)),
  recheck: editing((_fields, { services, share, principal }) =>
    services.library.recheck(share, principal.account.role === 'admin'),
  ),
  announce: editing((_fields, { services, share }) => services.torrentTrackers.announceNow(share)),
  remove: {
    access: 'owner',
    run: ({ delete_data }, { services, share }) => services.library.remove(share, delete_data),
  },
  move: editing((fields, { services, principal, share, torrent }) =>
    services.moving.move(principal.account, share, torrent, fields),
  ),
  category: editing(({ category_id }, { services, principal, share, torrent }) =>
    services.categoryMoves.assign(principal.account, share, torrent, category_id),
  ),
  add_tag: editing(({ tag_id }, { services, share }) => services.torrentLabels.assignTag(share, tag_id)),
  remove_tag: editing(({ tag_id }, { services, share }) => services.torrentLabels.unassignTag(share, tag_id)),
  queue_position: editing(({ pos }, { services, share }) => services.library.setQueuePosition(share, pos)),
  queue_move: {
    access: 'editor',
    runTogether: async ({ to }, contexts) => {
      const shares = contexts.map(({ share }) => share);
      await contexts[0]?.services.library.moveInQueue(shares, to);
    },
  },
  force_start: editing(({ force }, { services, share }) => services.library.setForceStart(share, force)),
  sequential: editing(({ enabled }, { services, share }) => services.library.setSequential(share, enabled)),
  super_seeding: editing(({ enabled }, { services, share }) => services.library.setSuperSeeding(share, enabled)),
  first_last_first: editing(({ enabled }, { services, share }) => services.library.setFirstLastFirst(share, enabled)),
  seed_policy: editing(({ policy }, { services, share }) => services.seedPolicies.set(share, policy)),
  seeding_rule: editing(({ rule }, context) =>
    context.services.seedPolicies.setRule(context.share, rule, seedingAccessOf(context)),
  ),
  rate_limits: editing((limits, { services, share }) => services.library.setRateLimits(share, toRateLimits(limits))),
  peer_limits: editing(({ max_peers, upload_slots }, { services, share }) =>
    services.library.setPeerLimits(share, { maxPeers: max_peers, uploadSlots: upload_slots }),
  ),
  add_peers: editing(({ peers }, { services, torrent, principal }) =>
    services.library.addPeers(torrent.id, peers, principal.account),
  ),
  add_tracker: editing(({ url }, { services, share, principal }) =>
    services.torrentTrackers.add(share, url, principal.account),
  ),
  remove_tracker: editing(({ url }, { services, share }) => services.library.removeTracker(share, url)),
  set_trackers: editing(({ tiers }, { services, share, principal }) =>
    services.torrentTrackers.setTiers(share, tiers, principal.account),
  ),
  share: {
    access: 'owner',
    permission: 'perm_share',
    run: ({ user_id, access }, { services, principal, torrent }) =>
      services.sharing.grant(principal.account, torrent, user_id, access),
  },
  unshare: {
    access: 'owner',
    permission: 'perm_share',
    run: ({ user_id }, { services, torrent }) => services.sharing.revoke(torrent, user_id),
  },
};

/** The action with its fields. */
export function deedOf<Name extends BatchActionName>(fields: Fields<Name>): Deed | JointDeed {
  const action: Action<Name> = BATCH_ACTIONS[fields.action as Name];
  const { access, permission } = action;
  const needs: Needs = { access, ...(permission && { permission }) };
  if ('runTogether' in action) return { ...needs, runTogether: (contexts) => action.runTogether(fields, contexts) };
  return { ...needs, run: (context) => action.run(fields, context) };
}

/** An action for those who may edit the torrent. */
function editing<Name extends BatchActionName>(run: ActionOnEach<Name>['run']): ActionOnEach<Name> {
  return { access: 'editor', run };
}
