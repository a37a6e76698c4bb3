// The port of what was moved when: bytes by series, by UTC day and by five minutes. A series is a name; which there are is
// for who counts to say (`api/services/history/series-name.ts`). Owns what the two resolutions are, and how long each is kept.
import type { Moved } from './traffic-page.js';

export type { Moved } from './traffic-page.js';

export type Resolution = 'day' | '5min';

const DAY_S = 86_400;
/** Seconds of a point. */
export const POINT_S: { readonly [Name in Resolution]: number } = { day: DAY_S, '5min': 300 };
/** Points that are kept, the one that is under way among them. */
export const POINTS_KEPT: { readonly [Name in Resolution]: number } = { day: 400, '5min': (2 * DAY_S) / 300 };

/** The number of the point that a moment lies in. @param unixS seconds */
export function pointAt(resolution: Resolution, unixS: number): number {
  return Math.floor(unixS / POINT_S[resolution]);
}

export interface Point extends Moved {
  readonly point: number;
}

/** Bytes that were moved, to be added to those that are there. */
export interface TrafficBatch {
  /** Unix seconds; names the day and the five minutes. */
  readonly at: number;
  /** Series that end before what follows is added. */
  readonly forgotten: Iterable<string>;
  readonly moved: ReadonlyMap<string, Moved>;
  /** Lifetime counters up to which the bytes of a series have been counted with this. */
  readonly counters: ReadonlyMap<string, Moved>;
}

export interface Range {
  /** Numbers of points, the last one included. */
  readonly first: number;
  readonly last: number;
}

export interface TrafficHistory {
  /** All of them or nothing; durable when it resolves. */
  add(batches: readonly TrafficBatch[]): Promise<void>;
  /** Up to where the bytes of the series are counted; null: never. */
  counted(series: string): Moved | null;
  /** Points of one series in which something was moved, in order. */
  points(series: string, resolution: Resolution, range: Range): Promise<Point[]>;
  /** The sums of several series; of which nothing was moved, none. */
  sums(series: Iterable<string>, resolution: Resolution, range: Range): Promise<Map<string, Moved>>;
  /** Names of series that begin with the prefix. */
  names(prefix: string): string[];
  /** Points that are older than is kept at this moment, and what has had none since. @param unixS seconds */
  trim(unixS: number): Promise<void>;
  close(): Promise<void>;
}
