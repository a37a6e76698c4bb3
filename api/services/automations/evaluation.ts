// The looks at the torrents of one account, by its rules as they are. Owns: a torrent is judged when its facts are other
// ones, when its numbers have come to another side of a bound, or when the clock has; every other costs a comparison.
import type { TorrentId } from '../../../shared-protocol/ids.js';
import type { ListedTorrent } from '../library/shares.js';
import type { CompiledRule } from './compiled-rule.js';
import { isOnce } from './effects.js';
import type { Memory } from './memory.js';
import { planFor, type Plan, type Remembered, type View } from './plan.js';
import { askNames } from './rule-names.js';
import type { Circumstances, Sight, SightDeps } from './sight.js';
import { Due } from './subject.js';
import { Thresholds } from './thresholds.js';
import { TimeBudget } from './time-budget.js';

/** The time of one look; the next goes on where this one ended. Patterns that an account writes may be slow. */
const BUDGET_MS = 400;

/** A torrent to be judged, as rules of each scope see it. */
interface ToJudge {
  readonly sequence: number;
  readonly side: string;
  readonly viewOf: (scope: CompiledRule['scope']) => View | null;
}

interface Judged {
  readonly torrent: ListedTorrent;
  sequence: number;
  side: string;
  readonly due: number;
}

export interface EvaluationDeps extends SightDeps {
  readonly memory: Memory;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  /** The memory of the torrent and the account at the moment. */
  readonly remembered: (torrent: TorrentId) => Remembered;
}

/** Steps to be done to a torrent. */
export interface Deeds {
  readonly torrent: ListedTorrent;
  readonly steps: Plan['steps'];
}

export class Evaluation {
  readonly thresholds: Thresholds;
  readonly #judged = new Map<TorrentId, Judged>();
  /** Rules that remember torrents. */
  readonly #remembering: readonly CompiledRule[];
  #from = 0;
  #circumstances = '';
  #isSwept = false;

  constructor(
    private readonly deps: EvaluationDeps,
    readonly sight: Sight,
    readonly rules: readonly CompiledRule[],
  ) {
    this.thresholds = new Thresholds(rules);
    this.#remembering = rules.filter(({ forSeconds, actions }) => forSeconds > 0 || actions.some(isOnce));
  }

  /** Judges what has changed and what is due. `circumstances`: alike as long as all that is about the account is. */
  async look(circumstances: Circumstances, alike: string): Promise<Deeds[]> {
    const torrents = this.sight.torrents();
    const isAnew = alike !== this.#circumstances;
    const deeds: Deeds[] = [];
    const budget = new TimeBudget(this.deps.nowMs, BUDGET_MS);
    const start = this.#from < torrents.length ? this.#from : 0;
    for (let i = 0; i < torrents.length; i++) {
      const place = (start + i) % torrents.length;
      const torrent = torrents[place]!;
      const isInTime = !budget.isDue() || (await budget.pass());
      const toJudge = isInTime ? this.#toJudge(torrent, circumstances, isAnew) : null;
      const isAsked = !toJudge || (await this.#askNames(toJudge, budget));
      if (!isInTime || !isAsked) {
        this.#from = place;
        return deeds;
      }
      if (!toJudge) continue;
      const steps = this.#judge(torrent, toJudge).steps.filter(({ outcome }) => outcome === 'do');
      if (steps.length > 0) deeds.push({ torrent, steps });
    }
    this.#from = 0;
    this.#circumstances = alike;
    this.#sweep(torrents);
    return deeds;
  }

  /** The next look judges it again. */
  again(id: TorrentId): void {
    this.#judged.delete(id);
  }

  /** null: nothing that rules ask about is other than it was. */
  #toJudge(torrent: ListedTorrent, circumstances: Circumstances, isAnew: boolean): ToJudge | null {
    const sequence = this.deps.library.stats.sequence(torrent.row);
    const before = this.#judged.get(torrent.id);
    const isKnown = before?.torrent === torrent && before.due > circumstances.now;
    if (isKnown && before.sequence === sequence && !isAnew) return null;
    const viewOf = this.sight.viewsOf(torrent, circumstances);
    const base = viewOf?.('visible');
    if (!viewOf || !base) return null;
    const side = this.thresholds.sideOf(base.subject);
    if (isKnown && before.side === side) {
      before.sequence = sequence;
      return null;
    }
    return { sequence, side, viewOf };
  }

  #askNames({ viewOf }: ToJudge, budget: TimeBudget): Promise<boolean> {
    return askNames(this.rules, (scope) => viewOf(scope)?.subject.facts, budget);
  }

  #judge(torrent: ListedTorrent, { sequence, side, viewOf }: ToJudge): Plan {
    const due = new Due();
    const plan = planFor(this.rules, ({ scope }) => viewOf(scope), this.deps.remembered(torrent.id), due);
    for (const rule of this.#remembering) {
      if (!plan.matching.includes(rule)) this.deps.memory.release(rule, torrent.id);
      else if (rule.forSeconds > 0) this.deps.memory.hold(rule, torrent.id, this.#remembering);
    }
    this.#judged.set(torrent.id, { torrent, sequence, side, due: due.at });
    return plan;
  }

  #sweep(torrents: readonly ListedTorrent[]): void {
    if (this.#judged.size <= torrents.length && this.#isSwept) return;
    this.#isSwept = true;
    const there = new Set<TorrentId>(torrents.map(({ id }) => id));
    for (const id of this.#judged.keys()) if (!there.has(id)) this.#judged.delete(id);
    for (const rule of this.#remembering) this.deps.memory.keepOnly(rule, there);
  }
}
