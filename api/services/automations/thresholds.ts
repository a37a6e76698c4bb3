// The numbers of a torrent, coarse: on which side of each bound of an account's rules they are. As long as that stays as it
// was no condition can turn out otherwise by them, so that ten thousand torrents that seed cost no look at any rule. Pure.
import { conditionsIn, MEASURES, type ConditionGroup, type Measure } from '../../../shared-protocol/dto/automations.js';
import { readMeasure } from './measures.js';
import { STATES } from './states.js';
import type { Subject } from './subject.js';

const UNKNOWN = 0xff_ff;

export class Thresholds {
  readonly #bounds: readonly { readonly measure: Measure; readonly bounds: readonly number[] }[];
  readonly #asksRates: boolean;

  constructor(rules: readonly { readonly conditions: ConditionGroup }[]) {
    const conditions = rules.flatMap((rule) => conditionsIn(rule.conditions));
    this.#bounds = MEASURES.map((measure) => ({
      measure,
      bounds: [
        ...new Set(
          conditions.flatMap((each) => (each.field === measure && 'value' in each ? [Number(each.value)] : [])),
        ),
      ],
    })).filter(({ bounds }) => bounds.length > 0);
    this.#asksRates = conditions.some((each) => each.field === 'state' && each.values.includes('stalled'));
  }

  get asksFreeSpace(): boolean {
    return this.#bounds.some(({ measure }) => measure === 'free_space');
  }

  /** Alike for subjects that no rule can tell apart by their numbers. */
  sideOf(subject: Subject): string {
    let side = String.fromCharCode(subject.stats.flags);
    if (this.#asksRates) side += STATES.stalled(subject) ? 's' : '-';
    for (const { measure, bounds } of this.#bounds) {
      const value = readMeasure(measure, subject);
      side += String.fromCharCode(value === null ? UNKNOWN : placeOf(value, bounds));
    }
    return side;
  }
}

/** On a bound is a place of its own: there both comparisons hold. */
function placeOf(value: number, bounds: readonly number[]): number {
  let place = 0;
  for (const bound of bounds) place += value > bound ? 2 : value === bound ? 1 : 0;
  return place;
}
