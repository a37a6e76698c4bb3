// The dry run: what a rule would do now, by the same functions as at work, and why not.
import type { ActionOutcome, AutomationFields, AutomationPreview } from '../../../shared-protocol/dto/automations.js';
import type { TorrentId } from '../../../shared-protocol/ids.js';
import type { Account } from '../../auth/account.js';
import { RequestError } from '../../errors.js';
import { shownName, type KnownLabels } from '../library/torrent-dto.js';
import type { AutomationRuns } from './automation-runs.js';
import type { Automations } from './automations.js';
import { compileRule, type CompiledRule } from './compiled-rule.js';
import { failingPath } from './conditions.js';
import type { Memory } from './memory.js';
import { planFor, type Remembered } from './plan.js';
import type { RecentDeeds } from './recent-deeds.js';
import { askNames } from './rule-names.js';
import { Sight, type SightDeps } from './sight.js';
import { Due } from './subject.js';
import { circumstancesOf, type CircumstancesDeps } from './circumstances.js';
import { TimeBudget } from './time-budget.js';

/** Patterns may be slow: what has not been looked at by then is not. */
const BUDGET_MS = 1_000;
const MAX_MATCHES = 200;
const MAX_MISSES = 50;
/** A rule that is not stored. */
const DRAFT = 0;

export interface PreviewsDeps extends CircumstancesDeps {
  readonly library: CircumstancesDeps['library'] & SightDeps['library'];
  readonly automations: Pick<Automations, 'checked' | 'active'>;
  readonly memory: Memory;
  readonly runs: Pick<AutomationRuns, 'recentDeedsOf'>;
  readonly labels: KnownLabels;
  readonly nowMs: () => number;
}

export class Previews {
  readonly #busy = new Set<number>();

  constructor(private readonly deps: PreviewsDeps) {}

  /** One at a time of an account. @throws RequestError `QUOTA_EXCEEDED`; as storing the rule would */
  async of(account: Account, given: AutomationFields, id: number | undefined): Promise<AutomationPreview> {
    if (this.#busy.has(account.id)) {
      throw new RequestError('QUOTA_EXCEEDED', 'preview: one at a time of an account', { of: 'previews' });
    }
    this.#busy.add(account.id);
    try {
      const draft = compileRule(DRAFT, given, this.deps.labels);
      const fields = await this.deps.automations.checked(account, given, draft);
      return await this.#look(account, { ...draft, actions: fields.actions }, id ?? DRAFT);
    } finally {
      this.#busy.delete(account.id);
    }
  }

  async #look(account: Account, draft: CompiledRule, id: number): Promise<AutomationPreview> {
    const { automations, memory, nowMs, runs } = this.deps;
    const active = automations.active(account.id);
    const place = active.findIndex((rule) => rule.id === id);
    const stored = active[place];
    const rule: CompiledRule = { ...draft, id: stored?.id ?? DRAFT };
    const rules: CompiledRule[] = [...(stored ? active.slice(0, place) : active), rule];
    const sight = new Sight(
      this.deps,
      account,
      rules.some(({ scope }) => scope === 'visible'),
    );
    const asksFreeSpace = JSON.stringify(rules.map(({ conditions }) => conditions)).includes('"free_space"');
    const circumstances = await circumstancesOf(this.deps, account, sight, asksFreeSpace);
    const answer = { torrents: 0, matching: 0, acting: 0, removals: 0, complete: true };
    const matches: AutomationPreview['matches'] = [];
    const misses: AutomationPreview['misses'] = [];
    const recent = runs.recentDeedsOf(account.id);
    const budget = new TimeBudget(nowMs, BUDGET_MS);
    for (const torrent of sight.torrents()) {
      const isInTime = !budget.isDue() || (await budget.pass());
      const viewOf = isInTime ? sight.viewsOf(torrent, circumstances) : null;
      const view = viewOf?.(rule.scope);
      const isAsked = !viewOf || !view || (await askNames(rules, (scope) => viewOf(scope)?.subject.facts, budget));
      if (!isInTime || !isAsked) {
        answer.complete = false;
        break;
      }
      if (!viewOf || !view) continue;
      answer.torrents++;
      const due = new Due();
      const plan = planFor(rules, ({ scope }) => viewOf(scope), rememberedOf(torrent.id, memory, recent), due);
      const shown = { id: torrent.id, name: shownName(view.subject.facts) };
      if (!plan.matching.includes(rule)) {
        if (misses.length < MAX_MISSES) misses.push({ ...shown, failing: failingPath(rule.when, view.subject, due) });
        continue;
      }
      answer.matching++;
      const steps = plan.steps.filter((step) => step.rule === rule);
      const isActing = steps.some(({ outcome }) => outcome === 'do');
      if (isActing) answer.acting++;
      answer.removals += steps.filter(({ outcome, action }) => outcome === 'do' && action.action === 'remove').length;
      const actions = steps.map(({ action, outcome }): { action: string; outcome: ActionOutcome } => ({
        action: action.action,
        outcome,
      }));
      if (matches.length < MAX_MATCHES) matches.push({ ...shown, actions });
    }
    const { removals, ...counts } = answer;
    return { ...counts, would_hold: removals > rule.maxRemovals, matches, misses };
  }
}

/** A rule that is not stored has no past; what others did holds for it as well. */
function rememberedOf(torrent: TorrentId, memory: Memory, recent: RecentDeeds | null): Remembered {
  return {
    heldSince: (rule) => (rule.id === DRAFT ? null : memory.heldSince(rule, torrent)),
    wasDone: (rule, kind) => rule.id !== DRAFT && memory.wasDone(rule, torrent, kind),
    coolsUntil: (kind, ruleId) => recent?.coolsUntil(torrent, kind, ruleId) ?? 0,
    failedUntil: (ruleId, kind) => recent?.failedUntil(torrent, kind, ruleId) ?? 0,
  };
}
