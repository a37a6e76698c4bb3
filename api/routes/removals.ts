// docs/api.md, "Additions": removals that can be undone for a while. No other account's can be named.
import { newRemovalSchema, removalBegunSchema, removalListSchema } from '../../shared-protocol/dto/removals.js';
import { okSchema } from '../../shared-protocol/dto/fields.js';
import type { TorrentId } from '../../shared-protocol/ids.js';
import { doToEach } from './batch.js';
import { jsonInput, noInput } from './input.js';
import { accountRoute, numberInPath, type RouteTable } from './route.js';

export const removalRoutes = {
  'GET /api/removals': accountRoute({
    gate: 'account',
    summary: 'Removals of the caller that can still be undone',
    input: noInput,
    output: removalListSchema,
    handle: (_input, { services, principal }) => services.pendingRemovals.of(principal.account.id),
  }),
  'POST /api/removals': accountRoute({
    gate: 'account',
    summary:
      'Removes torrents that the caller owns after some seconds, unless it is undone, and tells of each whether it will; ' +
      'it is carried out whatever becomes of the caller',
    input: jsonInput(newRemovalSchema),
    output: removalBegunSchema,
    errors: { 400: 'more than 50 removals or 20,000 torrents of the caller are pending' },
    handle: async ({ ids, ...how }, context) => {
      const { services, principal } = context;
      const removable: TorrentId[] = [];
      const run = async ({ torrent }: { readonly torrent: { readonly id: TorrentId } }) => removable.push(torrent.id);
      const outcomes = await doToEach(ids, { access: 'owner', run }, context);
      if (removable.length === 0) return { id: null, due_at: 0, outcomes };
      const { id, due_at } = await services.pendingRemovals.begin(principal.account.id, removable, how);
      return { id, due_at, outcomes };
    },
  }),
  'DELETE /api/removals/{id}': accountRoute({
    gate: 'account',
    summary: 'Undoes a removal of the caller that has not begun',
    input: noInput,
    output: okSchema,
    errors: { 400: 'the id is no number', 404: 'no such removal, or it has begun' },
    handle: (_input, admitted) =>
      admitted.services.pendingRemovals.undo(admitted.principal.account.id, numberInPath(admitted, 'id')),
  }),
} satisfies RouteTable;
