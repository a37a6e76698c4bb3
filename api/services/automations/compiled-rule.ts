// A rule ready to be asked: made once when it is stored, since patterns take long to compile.
import type { AutomationFields, ConditionGroup } from '../../../shared-protocol/dto/automations.js';
import type { KnownLabels } from '../library/torrent-dto.js';
import { compileGroup, type CompiledGroup } from './conditions.js';

const MINUTE_S = 60;

export interface CompiledRule {
  readonly id: number;
  readonly scope: AutomationFields['scope'];
  readonly when: CompiledGroup;
  readonly conditions: ConditionGroup;
  readonly forSeconds: number;
  readonly actions: AutomationFields['actions'];
  readonly maxRemovals: number;
}

/** @throws RequestError `REGEX_INVALID` */
export function compileRule(
  id: number,
  { scope, when, for_minutes, actions, max_removals }: AutomationFields,
  labels: KnownLabels,
): CompiledRule {
  const compiled = compileGroup(when, labels);
  return {
    ...{ id, scope, when: compiled, conditions: when },
    forSeconds: for_minutes * MINUTE_S,
    actions,
    maxRemovals: max_removals,
  };
}
