// Speeds as clients write them and as the engine takes them. docs/semantics.md section 4: KB are 1,024 bytes; 0 is no
// limit on both sides.
import type { RateLimits } from '../../../shared-protocol/commands/limits.js';
import type { LimitsDto } from '../../../shared-protocol/dto/settings.js';
import type { KbpsPair } from '../../../shared-protocol/dto/torrents.js';

const KIB = 1024;

export const NO_LIMITS: LimitsDto = { down_kbps: 0, up_kbps: 0, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false };

export function toRateLimits({ down_kbps, up_kbps }: KbpsPair): RateLimits {
  return { downBytesPerSec: down_kbps * KIB, upBytesPerSec: up_kbps * KIB };
}

export function toKbps({ downBytesPerSec, upBytesPerSec }: RateLimits): KbpsPair {
  return { down_kbps: Math.floor(downBytesPerSec / KIB), up_kbps: Math.floor(upBytesPerSec / KIB) };
}
