// The port of the rates of the last hours: a record for each minute, with a sample for each second of it, of which the last ten
// minutes are kept, and the means of ten seconds, of which six hours are. Whose they are is for who samples to say.

/** Records with samples of seconds. */
export const SECONDS_KEPT_MIN = 10;
/** Records with means of ten seconds. */
export const TENS_KEPT_MIN = 6 * 60;

/** Bytes per second, down and up by turns; -1: not sampled. */
export interface MinuteOfRates {
  /** 60 pairs. */
  readonly seconds: readonly number[];
  /** Six pairs. */
  readonly tens: readonly number[];
}

export interface RateMinutes {
  /**
   * Durable when it resolves. Takes the place of what was stored of the minute; what is older than is kept, and what a clock
   * that was ahead has left, goes. @param minute unix seconds by 60
   */
  put(minute: number, rates: ReadonlyMap<string, MinuteOfRates>): Promise<void>;
  /** In order; `seconds` is empty where only the means are kept. */
  all(): Iterable<readonly [minute: number, rates: ReadonlyMap<string, MinuteOfRates>]>;
}
