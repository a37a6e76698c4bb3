// What rules did last, to which torrents, when. Bounded by rule and by account: the oldest goes first.
import { z } from 'zod';
import { runSchema, type AutomationRun } from '../../../shared-protocol/dto/automations.js';
import { idSchema } from '../../../shared-protocol/dto/fields.js';
import type { Collection } from '../../../storage/types.js';

const MAX_RUNS_OF_RULE = 25;
const MAX_SHOWN = 20;
/** Lines of torrents of all rules of an account. */
const MAX_LINES_OF_ACCOUNT = 2_000;
const MAX_NAME_LENGTH = 120;
/** Runs of a rule that follow each other so closely are told as one. */
const MERGED_WITHIN_S = 300;

export const automationHistorySchema = z.object({
  /** The newest run of a rule first. */
  rules: z.array(z.object({ rule_id: idSchema, user_id: idSchema, runs: z.array(runSchema) })),
});
export type AutomationHistoryData = z.infer<typeof automationHistorySchema>;
export const NO_AUTOMATION_HISTORY: AutomationHistoryData = { rules: [] };

export interface NewRun extends AutomationRun {
  readonly ruleId: number;
}

export class RunHistory {
  constructor(private readonly collection: Collection<AutomationHistoryData>) {}

  of(ruleId: number): readonly AutomationRun[] {
    return this.collection.data.rules.find(({ rule_id }) => rule_id === ruleId)?.runs ?? [];
  }

  /** @throws AppError `STORAGE_FAILED` */
  async add(accountId: number, runs: readonly NewRun[]): Promise<void> {
    if (runs.length === 0) return;
    await this.collection.update((data) => {
      for (const { ruleId, ...run } of runs) {
        let entry = data.rules.find(({ rule_id }) => rule_id === ruleId);
        if (!entry) data.rules.push((entry = { rule_id: ruleId, user_id: accountId, runs: [] }));
        entry.runs = withRun(entry.runs, bounded(run));
      }
      dropOldest(data.rules.filter(({ user_id }) => user_id === accountId));
    });
  }

  /** @throws AppError `STORAGE_FAILED` */
  async forget(isGone: (entry: { readonly rule_id: number; readonly user_id: number }) => boolean): Promise<void> {
    if (!this.collection.data.rules.some(isGone)) return;
    await this.collection.update((data) => {
      data.rules = data.rules.filter((entry) => !isGone(entry));
    });
  }
}

function bounded(run: AutomationRun): AutomationRun {
  const shown = run.shown.slice(0, MAX_SHOWN).map((each) => ({ ...each, name: each.name.slice(0, MAX_NAME_LENGTH) }));
  return { ...run, shown };
}

/** With the run before, where both did something within a few minutes. */
function withRun(runs: readonly AutomationRun[], run: AutomationRun): AutomationRun[] {
  const [last, ...older] = runs;
  if (!last || last.kind !== run.kind || run.at - last.at > MERGED_WITHIN_S)
    return [run, ...runs].slice(0, MAX_RUNS_OF_RULE);
  if (run.kind === 'held') return [run, ...older];
  const merged = {
    // It keeps its beginning, lest runs without a break become one for good.
    ...last,
    torrents: last.torrents + run.torrents,
    failed: last.failed + run.failed,
    shown: [...run.shown, ...last.shown].slice(0, MAX_SHOWN),
  };
  return [merged, ...older];
}

function dropOldest(entries: AutomationHistoryData['rules']): void {
  const lines = () =>
    entries.reduce((sum, { runs }) => sum + runs.reduce((n, { shown }) => n + shown.length + 1, 0), 0);
  while (lines() > MAX_LINES_OF_ACCOUNT) {
    const oldest = entries
      .filter(({ runs }) => runs.length > 0)
      .sort((a, b) => (a.runs.at(-1)?.at ?? 0) - (b.runs.at(-1)?.at ?? 0))[0];
    if (!oldest) return;
    oldest.runs.pop();
  }
}
