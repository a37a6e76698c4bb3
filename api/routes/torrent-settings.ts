// docs/api.md, "Torrents": how one torrent is to be treated.
import { okSchema } from '../../shared-protocol/dto/fields.js';
import {
  categoryBodySchema,
  firstLastFirstBodySchema,
  forceStartBodySchema,
  kbpsPairSchema,
  prioritiesBodySchema,
  queuePositionBodySchema,
  seedPolicyBodySchema,
  seedPolicySchema,
  sequentialBodySchema,
  superSeedingSchema,
  torrentPeerLimitsSchema,
} from '../../shared-protocol/dto/torrents.js';
import { toKbps, toRateLimits } from '../services/settings/rate-units.js';
import { jsonInput, noInput } from './input.js';
import { bodyTorrentRoute, torrentRoute, type RouteTable } from './route.js';

export const torrentSettingRoutes = {
  'POST /api/torrents/category': bodyTorrentRoute({
    access: 'editor',
    summary: 'Puts the torrent into a category, or with null out of it; moves no data',
    input: jsonInput(categoryBodySchema),
    output: okSchema,
    errors: { 404: 'no such torrent or category' },
    handle: ({ category_id }, { services, principal, share, torrent }) =>
      services.categoryMoves.assign(principal.account, share, torrent, category_id),
  }),
  'POST /api/torrents/file_priorities': bodyTorrentRoute({
    access: 'editor',
    summary: 'Sets priorities by file index; files not named keep theirs',
    input: jsonInput(prioritiesBodySchema),
    output: okSchema,
    handle: ({ priorities }, { services, share }) => services.library.setFilePriorities(share, priorities),
  }),
  'POST /api/torrents/queue_position': bodyTorrentRoute({
    access: 'editor',
    summary: 'Moves the torrent in the queue, from 0; clamped',
    input: jsonInput(queuePositionBodySchema),
    output: okSchema,
    handle: ({ pos }, { services, share }) => services.library.setQueuePosition(share, pos),
  }),
  'POST /api/torrents/force_start': bodyTorrentRoute({
    access: 'editor',
    summary: 'Lets the torrent run whatever the queue says',
    input: jsonInput(forceStartBodySchema),
    output: okSchema,
    handle: ({ force }, { services, share }) => services.library.setForceStart(share, force),
  }),
  'POST /api/torrents/sequential': bodyTorrentRoute({
    access: 'editor',
    summary: 'Downloads the earliest pieces first',
    input: jsonInput(sequentialBodySchema),
    output: okSchema,
    handle: ({ enabled }, { services, share }) => services.library.setSequential(share, enabled),
  }),
  'POST /api/torrents/first_last_first': bodyTorrentRoute({
    access: 'editor',
    summary: 'Downloads the beginning and the end of each wanted file before all else',
    input: jsonInput(firstLastFirstBodySchema),
    output: okSchema,
    handle: ({ enabled }, { services, share }) => services.library.setFirstLastFirst(share, enabled),
  }),
  'GET /api/torrents/{id}/seed_policy': torrentRoute({
    access: 'viewer',
    summary: 'When seeding ends',
    input: noInput,
    output: seedPolicySchema,
    handle: (_input, { services, torrent }) => services.seedPolicies.of(torrent),
  }),
  'PUT /api/torrents/{id}/seed_policy': torrentRoute({
    access: 'editor',
    summary: 'Sets when seeding ends; use_global goes back to the defaults',
    input: jsonInput(seedPolicyBodySchema),
    output: okSchema,
    handle: (policy, { services, share }) => services.seedPolicies.set(share, policy),
  }),
  'GET /api/torrents/{id}/rate_limits': torrentRoute({
    access: 'viewer',
    summary: "The torrent's own limits",
    input: noInput,
    output: kbpsPairSchema,
    handle: async (_input, { services, share }) => toKbps(await services.library.rateLimits(share)),
  }),
  'PUT /api/torrents/{id}/rate_limits': torrentRoute({
    access: 'editor',
    summary: "Sets the torrent's own limits, in force at once",
    input: jsonInput(kbpsPairSchema),
    output: okSchema,
    handle: (pair, { services, share }) => services.library.setRateLimits(share, toRateLimits(pair)),
  }),
  'GET /api/torrents/{id}/peer_limits': torrentRoute({
    access: 'viewer',
    summary: "The torrent's own bounds on connections and upload slots; 0 is none",
    input: noInput,
    output: torrentPeerLimitsSchema,
    handle: async (_input, { services, share }) => {
      const { maxPeers, uploadSlots } = await services.library.peerLimits(share);
      return { max_peers: maxPeers, upload_slots: uploadSlots };
    },
  }),
  'PUT /api/torrents/{id}/peer_limits': torrentRoute({
    access: 'editor',
    summary:
      "Sets the torrent's own bounds on connections and upload slots, in force at once and never above the service's",
    input: jsonInput(torrentPeerLimitsSchema),
    output: okSchema,
    handle: ({ max_peers, upload_slots }, { services, share }) =>
      services.library.setPeerLimits(share, { maxPeers: max_peers, uploadSlots: upload_slots }),
  }),
  'GET /api/torrents/{id}/super_seeding': torrentRoute({
    access: 'viewer',
    summary: 'Whether it is to super-seed once it is whole (BEP 16)',
    input: noInput,
    output: superSeedingSchema,
    handle: (_input, { torrent }) => ({ enabled: torrent.superSeeding ?? false }),
  }),
  'PUT /api/torrents/{id}/super_seeding': torrentRoute({
    access: 'editor',
    summary: 'Lets it super-seed once it is whole: peers that come are shown one piece after the other (BEP 16)',
    input: jsonInput(superSeedingSchema),
    output: okSchema,
    handle: ({ enabled }, { services, share }) => services.library.setSuperSeeding(share, enabled),
  }),
} satisfies RouteTable;
