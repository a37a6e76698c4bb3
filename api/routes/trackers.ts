// The trackers of a torrent beyond adding and removing one, and announce addresses in many torrents at once.
import { okSchema } from '../../shared-protocol/dto/fields.js';
import {
  announceNowSchema,
  replacedTrackersSchema,
  replaceTrackersBodySchema,
  tiersBodySchema,
  trackerListSchema,
} from '../../shared-protocol/dto/trackers.js';
import { maskTracker } from '../../shared-protocol/masking.js';
import { toTrackerDto } from '../services/library/inspector-dto.js';
import { includesAccess } from '../services/library/shares.js';
import { jsonInput, noInput } from './input.js';
import { accountRoute, torrentRoute, type RouteTable } from './route.js';

export const trackerRoutes = {
  'GET /api/torrents/{id}/trackers': torrentRoute({
    access: 'viewer',
    summary: 'The trackers in their tiers, and how announces went; without passkeys for those who may not edit',
    input: noInput,
    output: trackerListSchema,
    handle: async (_input, { services, principal, share, torrent }) => {
      const access = services.library.accessOf(principal.account, torrent);
      const isMasked = !access || !includesAccess(access, 'editor');
      const trackers = (await services.torrentTrackers.list(share)).map(toTrackerDto);
      return isMasked ? trackers.map(maskTracker) : trackers;
    },
  }),
  'PUT /api/torrents/{id}/trackers': torrentRoute({
    access: 'editor',
    summary: 'Puts trackers in tiers in place of those before, in the order given; none empties the list',
    input: jsonInput(tiersBodySchema),
    output: okSchema,
    handle: ({ tiers }, { services, share, principal }) =>
      services.torrentTrackers.setTiers(share, tiers, principal.account),
  }),
  'POST /api/torrents/{id}/announce': torrentRoute({
    access: 'editor',
    summary: 'Announces at once, never oftener than a tracker allows',
    input: noInput,
    output: announceNowSchema,
    errors: { 409: 'it does not run' },
    handle: async (_input, { services, share }) => {
      const { announced, waiting, nextAnnounce } = await services.torrentTrackers.announceNow(share);
      return { ok: true as const, announced, waiting, next_announce: nextAnnounce };
    },
  }),
  'POST /api/trackers/replace': accountRoute({
    gate: 'account',
    summary:
      'Replaces an announce address, or how it begins, in every torrent that the caller may edit; with dry_run it tells where',
    input: jsonInput(replaceTrackersBodySchema),
    output: replacedTrackersSchema,
    handle: ({ find, replace, dry_run }, { services, principal }) =>
      services.torrentTrackers.replace(principal.account, { find, replace, isDryRun: dry_run }),
  }),
} satisfies RouteTable;
