// The bounds of an account one by one: how each reads, and how much of it is used. Pure.
import type { AccountQuota, QuotaUsageDto, UserDto } from '../../../../../shared-protocol/dto/accounts.js';
import { bytes, count, rate } from '../../format/quantities.js';

export type Bound = keyof AccountQuota;

/** From here one sees what is left of it. */
const NEARLY_ALL = 0.9;
const KIB = 1024;

/** In the order in which they are shown. */
export const BOUNDS: readonly Bound[] = ['bytes', 'torrents', 'active', 'up_bytes_month', 'down_kbps', 'up_kbps'];

/** The bounds that are set. */
export function boundsOf(quota: AccountQuota): readonly Bound[] {
  return BOUNDS.filter((bound) => quota[bound] > 0);
}

/** Quotas do not hold for administrators. */
export function isBounded({ role, quota }: UserDto): boolean {
  return role !== 'admin' && boundsOf(quota).length > 0;
}

/** Writes the bound, or how much of it is used. */
export function amountText(bound: Bound, amount: number): string {
  switch (bound) {
    case 'bytes':
    case 'up_bytes_month':
      return bytes(amount);
    case 'torrents':
    case 'active':
      return count(amount);
    case 'down_kbps':
    case 'up_kbps':
      return rate(amount * KIB);
  }
}

/** null: of a speed, which is not used up. */
export function usedOf(bound: Bound, used: QuotaUsageDto['used']): number | null {
  return bound === 'down_kbps' || bound === 'up_kbps' ? null : used[bound];
}

export function isNearlyAll(used: number, allowed: number): boolean {
  return used >= NEARLY_ALL * allowed;
}
