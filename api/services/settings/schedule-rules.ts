// Other speed limits at certain times of the week: which rules there are. No id is given out twice.
import { z } from 'zod';
import { idSchema } from '../../../shared-protocol/dto/fields.js';
import { ruleSchema, type RuleDto } from '../../../shared-protocol/dto/schedule.js';
import { because } from '../../../shared-protocol/reasons.js';
import type { Collection } from '../../../storage/types.js';
import { notFound, RequestError } from '../../errors.js';

/** No spec value: all are looked at each minute, and a week has 336 half hours. */
const MAX_RULES = 1_000;

export const scheduleSchema = z.object({ next_id: idSchema, rules: z.array(ruleSchema) });
export type ScheduleData = z.infer<typeof scheduleSchema>;
export const NO_RULES: ScheduleData = { next_id: 1, rules: [] };

export interface ScheduleRulesDeps {
  readonly collection: Collection<ScheduleData>;
  /** Awaited by the caller that made the change: what the rules say holds before the client is answered. */
  readonly onChanged: () => Promise<void>;
}

export class ScheduleRules {
  constructor(private readonly deps: ScheduleRulesDeps) {}

  /** By ascending id. */
  get all(): readonly RuleDto[] {
    return this.deps.collection.data.rules;
  }

  /** Resolves with the rule's id. @throws RequestError `BODY_INVALID` past the bound; AppError `STORAGE_FAILED` */
  async create(rule: Omit<RuleDto, 'id'>): Promise<number> {
    let id = 0;
    await this.deps.collection.update((data) => {
      if (data.rules.length >= MAX_RULES)
        throw new RequestError(
          'BODY_INVALID',
          `rules: at most ${MAX_RULES}`,
          because('QUOTA_EXCEEDED', { of: 'rules', max: MAX_RULES }),
        );
      id = data.next_id++;
      data.rules.push({ ...rule, id });
    });
    await this.deps.onChanged();
    return id;
  }

  /** @throws RequestError `NOT_FOUND`; AppError `STORAGE_FAILED` */
  async change(rule: RuleDto): Promise<void> {
    await this.deps.collection.update(({ rules }) => {
      rules[indexIn(rules, rule.id)] = rule;
    });
    await this.deps.onChanged();
  }

  /** @throws as {@link change} */
  async delete(id: number): Promise<void> {
    await this.deps.collection.update(({ rules }) => void rules.splice(indexIn(rules, id), 1));
    await this.deps.onChanged();
  }
}

function indexIn(rules: readonly RuleDto[], id: number): number {
  const index = rules.findIndex((rule) => rule.id === id);
  if (index === -1) throw notFound('rule');
  return index;
}
