// What the patterns of a rule say of names. Owns: they are asked one by one before the rule is, with turns for others in
// between, and what they said is remembered for as long as the facts are the same: numbers change far more often than names.
import type { ListedTorrent } from '../library/shares.js';
import { shownName } from '../library/torrent-dto.js';
import type { NamePattern } from './name-pattern.js';
import type { TimeBudget } from './time-budget.js';

/** Answers in one number, of which there is one for each rule and torrent: a bit for each pattern, above them how many were asked. */
const ASKED = 2 ** 20;

export class RuleNames {
  readonly #patterns: NamePattern[] = [];
  readonly #known = new WeakMap<ListedTorrent, number>();

  get patterns(): readonly NamePattern[] {
    return this.#patterns;
  }

  /** Returns how to read what the pattern says; null: nothing of this name. Asks where nobody has. */
  add(pattern: NamePattern): (facts: ListedTorrent) => boolean | null {
    const place = this.#patterns.push(pattern) - 1;
    return (facts) => {
      while (this.#asked(facts) <= place) this.#askNext(facts);
      if (!pattern.isFor(shownName(facts))) return null;
      return (this.#answers(facts) & (1 << place)) !== 0;
    };
  }

  isAsked(facts: ListedTorrent): boolean {
    return this.#asked(facts) === this.#patterns.length;
  }

  /** Asks what was not asked yet; false: the time was up before, and the next time goes on from there. */
  async ask(facts: ListedTorrent, budget: TimeBudget): Promise<boolean> {
    while (!this.isAsked(facts)) {
      const pattern = this.#patterns[this.#asked(facts)]!;
      if (pattern.isReady) this.#askNext(facts);
      else pattern.makeReady();
      if (budget.isDue() && !(await budget.pass())) return this.isAsked(facts);
    }
    return true;
  }

  #askNext(facts: ListedTorrent): void {
    const [asked, answers] = [this.#asked(facts), this.#answers(facts)];
    const isFound = this.#patterns[asked]?.isFoundIn(shownName(facts)) ?? false;
    this.#known.set(facts, answers + ASKED + (isFound ? 1 << asked : 0));
  }

  #answers(facts: ListedTorrent): number {
    return this.#known.get(facts) ?? 0;
  }

  #asked(facts: ListedTorrent): number {
    return Math.floor(this.#answers(facts) / ASKED);
  }
}

/** A rule as far as names are concerned. */
interface Asking<Scope> {
  readonly scope: Scope;
  readonly names: RuleNames;
}

/** Asks all rules about a torrent; false: the time was up before. */
export async function askNames<Scope>(
  rules: readonly Asking<Scope>[],
  factsFor: (scope: Scope) => ListedTorrent | undefined,
  budget: TimeBudget,
): Promise<boolean> {
  for (const { scope, names } of rules) {
    const facts = names.patterns.length > 0 && factsFor(scope);
    if (facts && !names.isAsked(facts) && !(await names.ask(facts, budget))) return false;
  }
  return true;
}
