// What must hold after so many answers: the last value that was acknowledged, or one that was asked for later.
import { isDeepStrictEqual } from 'node:util';
import type { Facts, Promised } from './life.js';

interface Step {
  readonly answers: number;
  readonly value: unknown;
}

export class Promises {
  readonly #timelines = new Map<string, Step[]>();

  constructor(promised: readonly Promised[]) {
    for (const { answers, facts } of promised) {
      for (const [name, value] of Object.entries(facts)) {
        const timeline = this.#timelines.get(name) ?? [];
        timeline.push({ answers, value });
        this.#timelines.set(name, timeline);
      }
    }
  }

  /** What was acknowledged and is not so, one line each. */
  broken(facts: Facts, answers: number): string[] {
    return [...this.#timelines].flatMap(([name, timeline]) => {
      const last = timeline.findLastIndex((step) => step.answers <= answers);
      const torrent = /^(\S+) (?!present)/.exec(name)?.[1];
      // Nothing is promised yet; or of a torrent that is not there, which its `present` answers for.
      if (last < 0 || (torrent !== undefined && facts[`${torrent} present`] === undefined)) return [];
      const found = name.endsWith(' present') ? facts[name] === true : facts[name];
      const isAllowed = timeline.slice(last).some(({ value }) => isDeepStrictEqual(found, value));
      const expected = JSON.stringify(timeline[last]!.value);
      return isAllowed ? [] : [`${name} is ${JSON.stringify(found)}, ${expected} was acknowledged`];
    });
  }
}
