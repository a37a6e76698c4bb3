// Whether something grows: the slope of the line that is nearest to the samples by least squares.

export interface Sample {
  readonly at: number;
  readonly value: number;
}

/** Units of `value` for one unit of `at`; NaN with fewer than two points in time. */
export function slope(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) => samples.reduce((sum, each) => sum + of(each), 0) / samples.length;
  const [meanAt, meanValue] = [mean(({ at }) => at), mean(({ value }) => value)];
  let [covariance, variance] = [0, 0];
  for (const { at, value } of samples) {
    covariance += (at - meanAt) * (value - meanValue);
    variance += (at - meanAt) ** 2;
  }
  return covariance / variance;
}
