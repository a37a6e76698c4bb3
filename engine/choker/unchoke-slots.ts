// How many upload slots the measured upload rate is good for. As in libtorrent's rate based choker, each further slot
// has to carry more than the one before, so a slow line is not cut into slices that are worth nothing to any peer.
import type { UnchokeSlotsOptions } from './types.js';

/**
 * The slots to use from now on, one more or one less than `current` at most: a step for each evaluation, so that the
 * rate can follow. Shrinks only below the rate that the slot before it needs, so that it does not swing.
 */
export function unchokeSlots(uploadRateBytesPerSec: number, current: number, options: UnchokeSlotsOptions): number {
  const carried = slotsCarriedBy(Math.max(0, uploadRateBytesPerSec), options.thresholdBytesPerSec);
  let slots = current;
  if (carried > current) slots = current + 1;
  else if (carried < current - 1) slots = current - 1;
  return Math.min(options.maxSlots, Math.max(options.minSlots, slots));
}

/** The largest n with threshold × (1 + 2 + … + n) <= rate. */
function slotsCarriedBy(rate: number, threshold: number): number {
  return Math.floor((Math.sqrt(1 + (8 * rate) / threshold) - 1) / 2);
}
