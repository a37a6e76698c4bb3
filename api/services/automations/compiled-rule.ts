// A rule ready to be asked. Its patterns, which may take long, are compiled when they are first asked (name-pattern.ts).
import { createHash } from 'node:crypto';
import type { AutomationFields, ConditionGroup } from '../../../shared-protocol/dto/automations.js';
import type { KnownLabels } from '../library/torrent-dto.js';
import { compileGroup, type CompiledGroup } from './conditions.js';
import { RuleNames } from './rule-names.js';

const MINUTE_S = 60;

export interface CompiledRule {
  readonly id: number;
  /** Digest of what the rule says, without its name and switch. */
  readonly digest: string;
  readonly scope: AutomationFields['scope'];
  readonly when: CompiledGroup;
  readonly conditions: ConditionGroup;
  /** To be asked before the rule is. */
  readonly names: RuleNames;
  readonly forSeconds: number;
  readonly actions: AutomationFields['actions'];
  readonly maxRemovals: number;
}

export function compileRule(id: number, fields: AutomationFields, labels: KnownLabels): CompiledRule {
  const { scope, when, for_minutes, actions, max_removals } = fields;
  const names = new RuleNames();
  return {
    ...{ id, scope, when: compileGroup(when, labels, names), conditions: when, names },
    digest: createHash('sha256').update(textOf(fields)).digest('base64url'),
    forSeconds: for_minutes * MINUTE_S,
    actions,
    maxRemovals: max_removals,
  };
}

/** A rule without its name and switch, as text. */
export function textOf({ scope, when, for_minutes, actions, max_removals }: AutomationFields): string {
  return JSON.stringify([scope, when, for_minutes, actions, max_removals]);
}
