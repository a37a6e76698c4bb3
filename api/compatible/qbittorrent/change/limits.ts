// torrents/*: speeds of torrents, and when they have seeded enough. Here speeds are bytes per second, in the services KiB:
// rounded up, as 0 would be no limit.
import type { KbpsPair } from '../../../../shared-protocol/dto/torrents.js';
import type { SeedingRuleDto } from '../../../../shared-protocol/dto/seeding.js';
import { RequestError } from '../../../errors.js';
import type { TorrentContext } from '../../../routes/route.js';
import { seedingAccessOf } from '../../../routes/seeding.js';
import { toKbps, toRateLimits } from '../../../services/settings/rate-units.js';
import type { RouteTable } from '../row.js';
import { toKbps as roundedUp } from '../limit-units.js';
import { editing } from './named.js';
import { seedingLimitsIn, type SeedingLimits } from './seeding-limits.js';

export const limitRoutes = {
  'torrents/setDownloadLimit': limiting('down_kbps'),
  'torrents/setUploadLimit': limiting('up_kbps'),
  'torrents/setShareLimits': editing(({ fields }) => {
    for (const name of ['ratioLimit', 'seedingTimeLimit']) fields.given(name);
    const limits = seedingLimitsIn(fields);
    return (torrent) => setLimits(torrent, limits);
  }),
} as const satisfies RouteTable;

/** The limit of the other direction stays as it is. */
function limiting(direction: keyof KbpsPair) {
  return editing(({ fields }) => {
    const limit = fields.integer('limit');
    if (limit === undefined) throw new RequestError('BODY_INVALID', 'limit: required');
    const kbps = roundedUp(limit);
    return async ({ services, share }) => {
      const before = toKbps(await services.library.rateLimits(share));
      await services.library.setRateLimits(share, toRateLimits({ ...before, [direction]: kbps }));
    };
  });
}

/** Limits that are not named stay as they are. */
async function setLimits(context: TorrentContext, limits: SeedingLimits): Promise<void> {
  const { services, share, torrent } = context;
  const { tag_id, ...own } = services.seedPolicies.inForce(torrent).own ?? {};
  const parts = Object.entries({ ...own, ...limits }).filter(([, value]) => value !== 'inherited');
  const rule = Object.fromEntries(parts) as SeedingRuleDto;
  const isTagging = rule.action === 'tag' && tag_id !== undefined;
  const isEmpty = parts.length === 0;
  await services.seedPolicies.setRule(
    share,
    isEmpty ? null : { ...rule, ...(isTagging && { tag_id }) },
    seedingAccessOf(context),
  );
}
