// A rule of when a torrent has seeded enough as it is typed: each part of it is inherited, none, or its own. Pure.
import type { SeedingInForceDto, SeedingRuleDto } from '../../../../../shared-protocol/dto/seeding.js';
import { readRatio, readWhole } from '../details/limit-numbers.js';

export const LIMITS = ['ratio_limit', 'time_min_limit', 'inactive_min_limit'] as const;
export type LimitName = (typeof LIMITS)[number];
type Mode = 'inherit' | 'none' | 'own';

export interface DraftLimit {
  readonly mode: Mode;
  readonly text: string;
}

export type SeedingAction = NonNullable<SeedingRuleDto['action']>;

export interface SeedingDraft {
  readonly limits: Readonly<Record<LimitName, DraftLimit>>;
  readonly action: SeedingAction | 'inherit';
  readonly tagId: number | null;
}

export type DraftProblem = LimitName | 'tag';

export function draftOf(own: SeedingInForceDto['own']): SeedingDraft {
  const limit = (value: number | null | undefined): DraftLimit => {
    if (value === undefined) return { mode: 'inherit', text: '' };
    return value === null ? { mode: 'none', text: '' } : { mode: 'own', text: String(value) };
  };
  return {
    limits: {
      ratio_limit: limit(own?.ratio_limit),
      time_min_limit: limit(own?.time_min_limit),
      inactive_min_limit: limit(own?.inactive_min_limit),
    },
    action: own?.action ?? 'inherit',
    tagId: own?.tag_id ?? null,
  };
}

/** null: the number cannot be read, or is not there. */
function numberOf(name: LimitName, text: string): number | null {
  const typed = name === 'ratio_limit' ? readRatio(text) : readWhole(text);
  return typed.kind === 'limit' ? typed.limit : null;
}

export function problemsOf({ limits, action, tagId }: SeedingDraft): ReadonlySet<DraftProblem> {
  const wrong = LIMITS.filter((name) => limits[name].mode === 'own' && numberOf(name, limits[name].text) === null);
  return new Set<DraftProblem>(action === 'tag' && tagId === null ? [...wrong, 'tag'] : wrong);
}

/** The rule that a draft without problems says; null: all is inherited. */
export function ruleOf({ limits, action, tagId }: SeedingDraft): SeedingRuleDto | null {
  const rule: Partial<Record<LimitName, number | null>> = {};
  for (const name of LIMITS) {
    const { mode, text } = limits[name];
    if (mode !== 'inherit') rule[name] = mode === 'none' ? null : numberOf(name, text);
  }
  const then = action === 'inherit' ? {} : { action, ...(action === 'tag' && tagId !== null ? { tag_id: tagId } : {}) };
  const whole = { ...rule, ...then };
  return Object.keys(whole).length === 0 ? null : whole;
}
