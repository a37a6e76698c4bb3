// A torrent's own limits of speed and peers.
import { torrentPeerLimitsSchema, kbpsPairSchema } from '../../../../shared-protocol/dto/torrents.js';
import { RequestError } from '../../../errors.js';
import { toKbps, toRateLimits } from '../../../services/settings/rate-units.js';
import type { Arguments } from '../arguments.js';
import type { Call } from '../row.js';
import type { Judge } from './judge.js';

/** Units of 1,024 bytes a second; 0: no limit. */
type NextLimit = (before: number) => number;

export function setSpeeds({ args }: Call): Judge | null {
  const [down, up] = [nextLimit(args, 'download_limit'), nextLimit(args, 'upload_limit')];
  if (!down && !up) return null;
  return async ({ services, share }) => {
    const { down_kbps, up_kbps } = toKbps(await services.library.rateLimits(share));
    const limits = kbpsPairSchema.parse({
      down_kbps: down?.(down_kbps) ?? down_kbps,
      up_kbps: up?.(up_kbps) ?? up_kbps,
    });
    return () => services.library.setRateLimits(share, toRateLimits(limits));
  };
}

/** A limit that is not switched on holds for nothing; one that is, is never 0, which would be none. @throws RequestError `BODY_INVALID` */
function nextLimit(args: Arguments, name: 'download_limit' | 'upload_limit'): NextLimit | null {
  const [limit, isLimited] = [args.number(name), args.flag(`${name}ed`)];
  if (limit === undefined && isLimited === undefined) return null;
  if (limit !== undefined && !kbpsPairSchema.shape.down_kbps.safeParse(limit).success) {
    throw new RequestError('BODY_INVALID', `${name}: expected a speed of 0 or more`);
  }
  if (isLimited === false) return () => 0;
  const own = limit === undefined ? undefined : Math.max(1, Math.ceil(limit));
  return (before) => {
    const isOn = isLimited ?? before > 0;
    if (isOn && own === undefined && before === 0) throw new RequestError('BODY_INVALID', `${name}: required`);
    return isOn ? (own ?? before) : 0;
  };
}

export function setPeerLimit({ args }: Call): Judge | null {
  const limit = args.integer('peer_limit');
  if (limit === undefined) return null;
  const parsed = torrentPeerLimitsSchema.shape.max_peers.safeParse(limit);
  if (!parsed.success) throw new RequestError('BODY_INVALID', 'peer_limit: expected 0 to 10000');
  return async ({ services, share }) => {
    const { uploadSlots } = await services.library.peerLimits(share);
    return () => services.library.setPeerLimits(share, { maxPeers: parsed.data, uploadSlots });
  };
}
