// Speeds as clients write them and as the engine takes them. semantics.md section 4: KB are 1,024 bytes, fractions are
// rounded down; 0 is no limit on both sides.
import { z } from 'zod';
import type { RateLimits } from '../../shared-protocol/commands.js';

const KIB = 1024;
/** So that bytes per second are whole numbers that JSON can hold. */
const MAX_KBPS = Math.floor(Number.MAX_SAFE_INTEGER / KIB);

const kbpsSchema = z
  .number()
  .min(0, 'must not be negative')
  .max(MAX_KBPS, `at most ${MAX_KBPS}`)
  .transform((kbps) => Math.floor(kbps));

/** interface.md, TorrentRateLimitsDTO. */
export const kbpsPairSchema = z.object({ down_kbps: kbpsSchema, up_kbps: kbpsSchema });
export type KbpsPair = Readonly<z.infer<typeof kbpsPairSchema>>;

/** interface.md, LimitsDTO: the alternative pair holds while it is active. */
export const limitsSchema = kbpsPairSchema.extend({
  alt_down_kbps: kbpsSchema,
  alt_up_kbps: kbpsSchema,
  alt_active: z.boolean(),
});
export type LimitsDto = Readonly<z.infer<typeof limitsSchema>>;

export const NO_LIMITS: LimitsDto = { down_kbps: 0, up_kbps: 0, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false };

export function toRateLimits({ down_kbps, up_kbps }: KbpsPair): RateLimits {
  return { downBytesPerSec: down_kbps * KIB, upBytesPerSec: up_kbps * KIB };
}

export function toKbps({ downBytesPerSec, upBytesPerSec }: RateLimits): KbpsPair {
  return { down_kbps: Math.floor(downBytesPerSec / KIB), up_kbps: Math.floor(upBytesPerSec / KIB) };
}

/** Of the two pairs, the one that holds. */
export function pairInForce(limits: LimitsDto): KbpsPair {
  return limits.alt_active ? { down_kbps: limits.alt_down_kbps, up_kbps: limits.alt_up_kbps } : limits;
}
