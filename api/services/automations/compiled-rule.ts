// A rule ready to be asked: made once when it is stored, since patterns take long to compile.
import { createHash } from 'node:crypto';
import type { AutomationFields, ConditionGroup } from '../../../shared-protocol/dto/automations.js';
import type { KnownLabels } from '../library/torrent-dto.js';
import { compileGroup, type CompiledGroup } from './conditions.js';

const MINUTE_S = 60;

export interface CompiledRule {
  readonly id: number;
  /** Digest of what the rule says, without its name and switch. */
  readonly digest: string;
  readonly scope: AutomationFields['scope'];
  readonly when: CompiledGroup;
  readonly conditions: ConditionGroup;
  readonly forSeconds: number;
  readonly actions: AutomationFields['actions'];
  readonly maxRemovals: number;
}

/** @throws RequestError `REGEX_INVALID` */
export function compileRule(id: number, fields: AutomationFields, labels: KnownLabels): CompiledRule {
  const { scope, when, for_minutes, actions, max_removals } = fields;
  const compiled = compileGroup(when, labels);
  return {
    ...{
      id,
      digest: createHash('sha256').update(textOf(fields)).digest('base64url'),
      scope,
      when: compiled,
      conditions: when,
    },
    forSeconds: for_minutes * MINUTE_S,
    actions,
    maxRemovals: max_removals,
  };
}

/** A rule without its name and switch, as text. */
export function textOf({ scope, when, for_minutes, actions, max_removals }: AutomationFields): string {
  return JSON.stringify([scope, when, for_minutes, actions, max_removals]);
}
