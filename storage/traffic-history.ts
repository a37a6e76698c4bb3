// The port of what was moved when: bytes by series, by UTC day and by five minutes. A series is a name; which there are is
// for who counts to say (`api/services/history/series-name.ts`). Owns what the resolutions are, and how long each is kept:
// of most series days and two days of five minutes; of those that are named lasting also a month of five minutes, two years
// of hours, and the sum of all that ever was.
import type { RateMinutes } from './rate-minutes.js';
import type { Moved } from './traffic-page.js';

export type { Moved } from './traffic-page.js';

export type Resolution = 'day' | '5min';

const DAY_S = 86_400;
/** Seconds of a point. */
export const POINT_S: { readonly [Name in Resolution]: number } = { day: DAY_S, '5min': 300 };
/** Points that are kept, the one that is under way among them. */
export const POINTS_KEPT: { readonly [Name in Resolution]: number } = { day: 400, '5min': (2 * DAY_S) / 300 };

/** Resolutions in which lasting series are kept longer. */
export type LastingResolution = '5min' | 'hour';

/** Seconds of a point of a lasting series. */
export const LASTING_POINT_S: { readonly [Name in LastingResolution]: number } = { '5min': 300, hour: 3_600 };
/** Points of them that are kept: 30 days, and two years. */
export const LASTING_POINTS_KEPT: { readonly [Name in LastingResolution]: number } = {
  '5min': (30 * DAY_S) / 300,
  hour: 2 * 365 * 24,
};

/** The number of the point that a moment lies in. @param unixS seconds */
export function pointAt(resolution: Resolution | LastingResolution, unixS: number): number {
  return Math.floor(unixS / (resolution === 'hour' ? LASTING_POINT_S.hour : POINT_S[resolution]));
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
  /** Series of which more is kept. @default none */
  readonly lasting?: Iterable<string>;
  /** Lifetime counters up to which the bytes of a series have been counted with this. */
  readonly counters: ReadonlyMap<string, Moved>;
}

export interface Range {
  /** Numbers of points, the last one included. */
  readonly first: number;
  readonly last: number;
}

/** All that a lasting series ever moved, and the UTC day on which that began. */
export interface Ever extends Moved {
  readonly firstDay: number;
}

export interface TrafficHistory {
  /** The rates of the last hours. */
  readonly rates: RateMinutes;
  /** All of them or nothing; durable when it resolves. */
  add(batches: readonly TrafficBatch[]): Promise<void>;
  /** Up to where the bytes of the series are counted; null: never. */
  counted(series: string): Moved | null;
  /** Points of one series in which something was moved, in order. */
  points(series: string, resolution: Resolution, range: Range): Promise<Point[]>;
  /** Points of a lasting series in which something was moved, in order. */
  lastingPoints(series: string, resolution: LastingResolution, range: Range): Promise<Point[]>;
  /** null: nothing, or no lasting series. */
  ever(series: string): Ever | null;
  /** The sums of several series; of which nothing was moved, none. */
  sums(series: Iterable<string>, resolution: Resolution, range: Range): Promise<Map<string, Moved>>;
  /** Names of series that begin with the prefix. */
  names(prefix: string): string[];
  /** Points that are older than is kept at this moment, and what has had none since. @param unixS seconds */
  trim(unixS: number): Promise<void>;
  close(): Promise<void>;
}
