// Does a series of samples grow? A straight line by least squares, with the interval that holds its slope with 99 %
// certainty. Samples that follow one another are alike, so the interval is made wider by how alike (the lag-1
// autocorrelation of what the line leaves over): without that, slow swings would pass for slopes. Pure.

export interface Slope {
  /** Units of the values for one unit of the times. */
  readonly perTime: number;
  readonly low: number;
  readonly high: number;
  /** Standard deviation of what the line leaves over. */
  readonly noise: number;
}

/** Two-sided 99 % points of Student's t, by degrees of freedom; above 30 the normal distribution's. */
const T_99 = [63.7, 9.92, 5.84, 4.6, 4.03, 3.71, 3.5, 3.36, 3.25, 3.17, 3.11, 3.05, 3.01, 2.98, 2.95] as const;
const T_99_TO_30 = 2.85;
const T_99_NORMAL = 2.58;
const MAX_LIKENESS = 0.95;

/** @throws Error with fewer than three samples */
export function slopeOf(times: readonly number[], values: readonly number[]): Slope {
  const count = times.length;
  if (count < 3 || values.length !== count) throw new Error(`a slope of ${count} times and ${values.length} values`);
  const meanTime = mean(times);
  const meanValue = mean(values);
  const spread = sum(times.map((time) => (time - meanTime) ** 2));
  const perTime = sum(times.map((time, i) => (time - meanTime) * (values[i]! - meanValue))) / spread;
  const left = values.map((value, i) => value - meanValue - perTime * (times[i]! - meanTime));
  const noise = Math.sqrt(sum(left.map((rest) => rest ** 2)) / (count - 2));
  const likeness = likenessOf(left);
  const wider = Math.sqrt((1 + likeness) / (1 - likeness));
  const margin = studentT(count - 2) * wider * (noise / Math.sqrt(spread));
  return { perTime, low: perTime - margin, high: perTime + margin, noise };
}

/** Between 0 and {@link MAX_LIKENESS}: samples that alternate make nothing narrower. */
function likenessOf(left: readonly number[]): number {
  const all = sum(left.map((rest) => rest ** 2));
  if (all === 0) return 0;
  const pairs = sum(left.slice(1).map((rest, i) => rest * left[i]!));
  return Math.min(MAX_LIKENESS, Math.max(0, pairs / all));
}

function studentT(degrees: number): number {
  return T_99[degrees - 1] ?? (degrees <= 30 ? T_99_TO_30 : T_99_NORMAL);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}
