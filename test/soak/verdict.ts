// Whether a daemon grew: a measure has grown when its slope is surely above zero and it makes a difference. What a young
// program still compiles and allocates once stays below `ALLOWED` however long it runs; what leaks does not. Pure.
import { MEASURES, type Measure, type Sample } from './samples.js';
import { slopeOf, type Slope } from './slope.js';

/** Of the samples in the order of time: what is warmed up in them does not count. */
const WARM_UP_SHARE = 1 / 3;

/** Growth over the samples that count; units of the measure. */
const ALLOWED: Readonly<Record<Measure, number>> = {
  'resident MB': 16,
  'heap of main MB': 2,
  'heap of engine MB': 2,
  'buffers of main MB': 1,
  'buffers of engine MB': 1,
  descriptors: 2,
  'resources of main': 2,
  'resources of engine': 2,
  'timers of main': 2,
  'timers of engine': 2,
};

export interface TimedSample {
  readonly minute: number;
  readonly sample: Sample;
}

export interface Verdict {
  readonly measure: Measure;
  /** Per minute. */
  readonly slope: Slope;
  readonly first: number;
  readonly last: number;
  readonly hasGrown: boolean;
}

/** @throws Error with fewer than five samples */
export function judge(samples: readonly TimedSample[]): Verdict[] {
  const counted = samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
  const minutes = counted.map(({ minute }) => minute);
  const span = minutes[minutes.length - 1]! - minutes[0]!;
  return MEASURES.map((measure) => {
    const values = counted.map(({ sample }) => sample[measure]);
    const slope = slopeOf(minutes, values);
    const hasGrown = slope.low > 0 && slope.perTime * span > ALLOWED[measure];
    return { measure, slope, first: values[0]!, last: values[values.length - 1]!, hasGrown };
  });
}

export function renderVerdicts(verdicts: readonly Verdict[]): string {
  const lines = verdicts.map(({ measure, slope, first, last, hasGrown }) => {
    const interval = `${slope.low.toFixed(3)} to ${slope.high.toFixed(3)}`;
    return [
      hasGrown ? 'GROWS ' : 'steady',
      measure.padEnd(22),
      `${first.toFixed(1)} → ${last.toFixed(1)}`.padStart(18),
      `${slope.perTime.toFixed(3)} a minute`.padStart(18),
      `(99 %: ${interval})`,
    ].join('  ');
  });
  return lines.join('\n');
}
