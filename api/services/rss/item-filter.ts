// Which filter an item of a feed is added by (docs/semantics.md section 9): filters are OR-ed, the first by id wins,
// and where there is none nothing is added. Patterns are compiled once for all items of a poll.
import { createHash } from 'node:crypto';
import { setImmediate as othersRan } from 'node:timers/promises';
import { RequestError } from '../../errors.js';
import type { StoredFilter } from './feed-records.js';
import { compileExclusion, compileTitlePattern, type TitlePattern } from './title-pattern.js';

/** Matched at a time, some 10 microseconds each; and whatever they are, not for longer than this. */
const MATCHES_PER_STEP = 100;
const STEP_MS = 5;
/** Time of one poll, compiling included: 1,000 items times 100 common filters are a tenth of it. No spec value. */
const BUDGET_MS = 10_000;

export interface ItemFilterDeps {
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  /** Told of a pattern that does not compile any more. */
  readonly onInvalid: (filterId: number, reason: string) => void;
  /** For all titles together, compiling included. @default 10 s */
  readonly budgetMs?: number;
}

interface Compiled {
  readonly filter: StoredFilter;
  readonly matches: TitlePattern;
}

/** Returns the filters that count, in the order in which they are tried. */
export function enabledFilters(filters: readonly StoredFilter[], feedId: number): StoredFilter[] {
  const own = filters.filter((filter) => filter.feed_id === feedId && filter.enabled);
  return own.sort((a, b) => a.id - b.id);
}

/** Names what the filters let through: what was judged by others is to be judged again. */
export function digestOf(filters: readonly StoredFilter[]): string {
  const patterns = JSON.stringify(
    filters.map(({ id, regex, exclude_regex }) => [id, regex, ...(exclude_regex === undefined ? [] : [exclude_regex])]),
  );
  return createHash('sha256').update(patterns).digest('hex').slice(0, 32);
}

export class ItemFilter {
  #spentMs = 0;
  #stepStartedMs: number;
  #matches = 0;

  private constructor(
    private readonly deps: ItemFilterDeps,
    private readonly compiled: Compiled[],
  ) {
    this.#stepStartedMs = deps.nowMs();
  }

  /** @throws RequestError `UPSTREAM_FAILED` when it takes too long */
  static async compile(filters: readonly StoredFilter[], deps: ItemFilterDeps): Promise<ItemFilter> {
    const made = new ItemFilter(deps, []);
    for (const filter of filters) {
      try {
        made.compiled.push({ filter, matches: compileFilter(filter) });
      } catch (error) {
        deps.onInvalid(filter.id, String(error));
      }
      await made.#pause(MATCHES_PER_STEP);
    }
    return made;
  }

  /** Lets others run in between. @throws RequestError `UPSTREAM_FAILED` when all together take too long */
  async firstFor(title: string): Promise<StoredFilter | null> {
    // Others ran since.
    this.#stepStartedMs = this.deps.nowMs();
    for (const { filter, matches } of this.compiled) {
      const isMatch = matches(title);
      await this.#pause(1);
      if (isMatch) return filter;
    }
    this.#count();
    return null;
  }

  async #pause(matches: number): Promise<void> {
    this.#matches += matches;
    const isDue = this.#matches >= MATCHES_PER_STEP || this.deps.nowMs() - this.#stepStartedMs >= STEP_MS;
    if (!isDue) return;
    this.#count();
    this.#matches = 0;
    await othersRan();
    this.#stepStartedMs = this.deps.nowMs();
  }

  #count(): void {
    const now = this.deps.nowMs();
    this.#spentMs += now - this.#stepStartedMs;
    this.#stepStartedMs = now;
    if (this.#spentMs > (this.deps.budgetMs ?? BUDGET_MS))
      throw new RequestError('UPSTREAM_FAILED', 'filters: take too long for this feed');
  }
}

/** @throws RequestError `REGEX_INVALID` */
function compileFilter({ regex, exclude_regex = '' }: StoredFilter): TitlePattern {
  const [isWanted, isExcluded] = [compileTitlePattern(regex), compileExclusion(exclude_regex)];
  return (title) => isWanted(title) && !isExcluded(title);
}
