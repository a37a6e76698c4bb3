// A torrent's own limits: of speed and peers, and of its seeding. Speeds are in units of 1,024 bytes a second, as
// `units` of `session-get` says.
import type { SeedingLimit } from '../../../../shared-protocol/library-record.js';
import { hasFlag } from '../../../services/library/torrent-dto.js';
import { toKbps } from '../../../services/settings/rate-units.js';
import type { Columns, View } from './view.js';

/** A limit of all torrents, one of its own, or none. */
export const LIMIT_MODE = { global: 0, own: 1, none: 2 };
const NO_LIMITS = { down_kbps: 0, up_kbps: 0 };

const peerLimits = () => 'peer limits' as const;

export const limitsColumns = {
  downloadLimit: { of: (view) => kbpsOf(view).down_kbps },
  downloadLimited: { of: (view) => kbpsOf(view).down_kbps > 0 },
  uploadLimit: { of: (view) => kbpsOf(view).up_kbps },
  uploadLimited: { of: (view) => kbpsOf(view).up_kbps > 0 },
  'peer-limit': { needs: peerLimits, of: maxPeersOf },
  maxConnectedPeers: { needs: peerLimits, of: maxPeersOf },
  honorsSessionLimits: { of: () => true },
  bandwidthPriority: { of: () => 0 },
  sequentialDownload: { of: ({ stats }) => hasFlag(stats, 'sequential') },

  seedRatioMode: { of: ({ facts }) => modeOf(facts.library.seedPolicy?.ratioLimit) },
  seedRatioLimit: { of: (view) => view.services.seedPolicies.inForce(view.facts).in_force.ratio_limit ?? 0 },
  /** Minutes of seeding: tools that set it mean so, and the time without activity has no name here. */
  seedIdleMode: { of: ({ facts }) => modeOf(facts.library.seedPolicy?.minutesLimit) },
  seedIdleLimit: { of: (view) => view.services.seedPolicies.inForce(view.facts).in_force.time_min_limit ?? 0 },
} as const satisfies Columns;

function modeOf(limit: SeedingLimit | undefined): number {
  if (limit === undefined || limit === 'inherited') return LIMIT_MODE.global;
  return limit === null ? LIMIT_MODE.none : LIMIT_MODE.own;
}

function kbpsOf({ facts }: View) {
  return facts.rateLimits ? toKbps(facts.rateLimits) : NO_LIMITS;
}

/** Without one of its own that of every torrent. */
function maxPeersOf({ peerLimits, services }: View): number {
  return peerLimits?.maxPeers || services.engineSettings.maxPeersPerTorrent;
}
