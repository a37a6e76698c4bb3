// Which points a client is shown: of UTC days, or of five minutes, no more and no older than are kept. Pure.
import { POINT_S, pointAt, POINTS_KEPT, type Range, type Resolution } from '../../../storage/traffic-history.js';

export interface RangeAsked {
  readonly resolution?: Resolution | undefined;
  /** Unix seconds, decimal. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface RangeGiven extends Range {
  readonly resolution: Resolution;
}

/** Points without a beginning or an end that was asked for: a month of days, a day of five minutes. */
const USUAL_POINTS: { readonly [Name in Resolution]: number } = { day: 30, '5min': 288 };

/** Whole points, those included in which the range begins and ends. @param now unix seconds */
export function rangeOf({ resolution = 'day', from, to }: RangeAsked, now: number): RangeGiven {
  const newest = pointAt(resolution, now);
  const oldest = newest - POINTS_KEPT[resolution] + 1;
  const last = Math.min(newest, to === undefined ? newest : pointAt(resolution, Number(to)));
  const wanted = from === undefined ? last - USUAL_POINTS[resolution] + 1 : pointAt(resolution, Number(from));
  return { resolution, first: Math.max(oldest, wanted), last };
}

/** The form in which it is answered; a range without a point is empty. */
export function rangeDto({ resolution, first, last }: RangeGiven) {
  const step = POINT_S[resolution];
  return { resolution, step, from: first * step, to: Math.max(first, last + 1) * step };
}

/** Without points before this moment. @param unixS seconds */
export function notBefore(range: RangeGiven, unixS: number): RangeGiven {
  return { ...range, first: Math.max(range.first, pointAt(range.resolution, unixS)) };
}
