// Limits of speed over all torrents, those in force while the alternative ones are wished for among them. Bytes per second.
import { z } from 'zod';
import { toBytesPerSec, toKbps } from '../../limit-units.js';
import { preferenceGroup } from '../../../preference-group.js';

/** So that it fits as KiB per second, and a sum of some does. */
const MAX_BYTES_PER_SEC = 2 ** 50;

const limitSchema = z.number().min(-1).max(MAX_BYTES_PER_SEC);

export const speedPreferences = preferenceGroup({
  shown: ({ services }) => {
    const { down_kbps, up_kbps, alt_down_kbps, alt_up_kbps } = services.speedLimits.stored;
    return {
      dl_limit: toBytesPerSec(down_kbps),
      up_limit: toBytesPerSec(up_kbps),
      alt_dl_limit: toBytesPerSec(alt_down_kbps),
      alt_up_limit: toBytesPerSec(alt_up_kbps),
    };
  },
  wishes: z.object({
    dl_limit: limitSchema.optional(),
    up_limit: limitSchema.optional(),
    alt_dl_limit: limitSchema.optional(),
    alt_up_limit: limitSchema.optional(),
  }),
  prepare:
    ({ dl_limit, up_limit, alt_dl_limit, alt_up_limit }, _shown, { services }) =>
    () =>
      services.speedLimits.edit((stored) => ({
        ...stored,
        ...(dl_limit !== undefined && { down_kbps: toKbps(dl_limit) }),
        ...(up_limit !== undefined && { up_kbps: toKbps(up_limit) }),
        ...(alt_dl_limit !== undefined && { alt_down_kbps: toKbps(alt_dl_limit) }),
        ...(alt_up_limit !== undefined && { alt_up_kbps: toKbps(alt_up_limit) }),
      })),
});
