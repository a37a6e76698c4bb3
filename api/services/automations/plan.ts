// What is to be done to one torrent: rules in their order, one action of a kind. Owns who wins: the first rule whose
// conditions hold has the kind, also where nothing is left for it to do, so that no rule undoes what one before it keeps.
// Pure; docs/automations.md has the semantics.
import { kindOf, type ActionOutcome, type AutomationAction } from '../../../shared-protocol/dto/automations.js';
import type { Access } from '../../../shared-protocol/dto/torrents.js';
import { mayBeOthersChoice } from '../library/seeding-in-force.js';
import { includesAccess } from '../library/shares.js';
import type { CompiledRule } from './compiled-rule.js';
import { isInEffect, isOnce } from './effects.js';
import type { Due, Subject } from './subject.js';

/** A torrent that was added just now may have to be announced, checked and labelled before anything can be said of it. */
export const MIN_AGE_S = 600;

/** A torrent as a rule of some scope sees it. */
export interface View {
  readonly subject: Subject;
  readonly access: Access;
}

/** The past of a torrent. Times in unix seconds. */
export interface Remembered {
  /** Since when the conditions of the rule hold; null: they have only come to hold now. */
  heldSince(rule: CompiledRule): number | null;
  wasDone(rule: CompiledRule, kind: string): boolean;
  /** Until when another rule than the one that acted last is to leave the kind alone. */
  coolsUntil(kind: string, ruleId: number): number;
  failedUntil(ruleId: number, kind: string): number;
}

export interface Step {
  readonly rule: CompiledRule;
  readonly action: AutomationAction;
  readonly outcome: ActionOutcome;
}

export interface Plan {
  /** Rules whose conditions hold, also those that have to go on holding. */
  readonly matching: readonly CompiledRule[];
  readonly steps: readonly Step[];
}

const NOTHING: Plan = { matching: [], steps: [] };

export function planFor(
  rules: readonly CompiledRule[],
  viewOf: (rule: CompiledRule) => View | null,
  remembered: Remembered,
  due: Due,
): Plan {
  let matching: CompiledRule[] | null = null;
  let steps: Step[] | null = null;
  const taken = new Set<string>();
  for (const rule of rules) {
    const view = viewOf(rule);
    if (!view || !rule.when.test(view.subject, due)) continue;
    (matching ??= []).push(rule);
    const waits = isToWait(rule, view.subject, remembered, due);
    for (const action of rule.actions) {
      const kind = kindOf(action);
      const isTaken = taken.has(kind) || taken.has('remove');
      const outcome = waits ? 'waits' : isTaken ? 'taken' : outcomeOf(rule, action, view, remembered, due);
      // Who may not act decides nothing.
      if (!waits && outcome !== 'forbidden' && outcome !== 'others_may_edit') taken.add(kind);
      (steps ??= []).push({ rule, action, outcome });
    }
  }
  return matching ? { matching, steps: steps ?? [] } : NOTHING;
}

function isToWait(rule: CompiledRule, { now }: Subject, remembered: Remembered, due: Due): boolean {
  if (rule.forSeconds === 0) return false;
  const until = (remembered.heldSince(rule) ?? now) + rule.forSeconds;
  due.note(until, now);
  return until > now;
}

function outcomeOf(
  rule: CompiledRule,
  action: AutomationAction,
  { subject, access }: View,
  remembered: Remembered,
  due: Due,
): ActionOutcome {
  const { now, facts } = subject;
  const kind = kindOf(action);
  if (!includesAccess(access, action.action === 'remove' ? 'owner' : 'editor')) return 'forbidden';
  if (action.action === 'remove') {
    if (mayBeOthersChoice(facts.library)) return 'others_may_edit';
    const old = facts.addedAt + MIN_AGE_S;
    due.note(old, now);
    if (old > now) return 'too_young';
  }
  if (isInEffect(action, subject)) return 'in_effect';
  if (isOnce(action) && remembered.wasDone(rule, kind)) return 'done_before';
  const failed = remembered.failedUntil(rule.id, kind);
  due.note(failed, now);
  if (failed > now) return 'failed_lately';
  const cools = remembered.coolsUntil(kind, rule.id);
  due.note(cools, now);
  return cools > now ? 'cooling' : 'do';
}
