// docs/api.md, "Torrents" and "Accounts and sharing": who else may see a torrent.
import { shareTargetListSchema } from '../../shared-protocol/dto/accounts.js';
import { okSchema } from '../../shared-protocol/dto/fields.js';
import { shareBodySchema, shareListSchema } from '../../shared-protocol/dto/torrents.js';
import { jsonInput, noInput } from './input.js';
import { accountRoute, numberInPath, torrentRoute, type RouteTable } from './route.js';

export const shareRoutes = {
  'GET /api/torrents/{id}/shares': torrentRoute({
    access: 'owner',
    summary: 'Who may see the torrent, its owner first',
    input: noInput,
    output: shareListSchema,
    handle: (_input, { services, torrent }) => services.sharing.list(torrent),
  }),
  'POST /api/torrents/{id}/shares': torrentRoute({
    access: 'owner',
    permission: 'perm_share',
    summary: 'Lets another account see the torrent, or changes how',
    input: jsonInput(shareBodySchema),
    output: okSchema,
    errors: { 400: 'the owner or the caller', 404: 'no such torrent or user' },
    handle: ({ user_id, access }, { services, principal, torrent }) =>
      services.sharing.grant(principal.account, torrent, user_id, access),
  }),
  'DELETE /api/torrents/{id}/shares/{userID}': torrentRoute({
    access: 'owner',
    permission: 'perm_share',
    summary: 'Takes that back; no error when there is nothing to take',
    input: noInput,
    output: okSchema,
    errors: { 400: 'the owner' },
    handle: (_input, context) => context.services.sharing.revoke(context.torrent, numberInPath(context, 'userID')),
  }),
  'GET /api/share_targets': accountRoute({
    gate: 'perm_share',
    summary: 'Accounts that torrents can be shared with',
    input: noInput,
    output: shareTargetListSchema,
    handle: (_input, { services, principal }) => services.sharing.targets(principal.account),
  }),
} satisfies RouteTable;
