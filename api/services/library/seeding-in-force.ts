// Which limits and which action hold for a torrent: of each the first level that says something about it, the torrent's
// own rule, its category's, that of the first of its trackers which has one, the defaults. Owns who is safe from what:
// nothing that others than its owner can change ever leads to its removal. Pure.
import type {
  SeedingInForceDto,
  SeedingRuleDto,
  SeedingRuleForAllDto,
  SeedingSource,
} from '../../../shared-protocol/dto/seeding.js';
import type {
  LibraryRecord,
  SeedingAction,
  SeedingLimit,
  SeedPolicy,
} from '../../../shared-protocol/library-record.js';

/** The rules of the levels above the torrent; null: there is none. */
export interface SharedRules {
  readonly category: SeedingRuleDto | null;
  readonly tracker: SeedingRuleDto | null;
  readonly defaults: SeedingRuleForAllDto;
}

/** Leaves all to the next level. */
const NOTHING: SeedingRuleDto = {};

export function removes(action: SeedingAction | undefined): boolean {
  return action === 'remove' || action === 'remove_with_data';
}

export function seedingInForce(
  record: Pick<LibraryRecord, 'seedPolicy' | 'shares' | 'hasOthersChoices'>,
  { category, tracker, defaults }: SharedRules,
): SeedingInForceDto {
  const own = record.seedPolicy && ruleOf(record.seedPolicy);
  const levels: Readonly<Record<SeedingSource, SeedingRuleDto>> = {
    torrent: own ?? NOTHING,
    category: category ?? NOTHING,
    tracker: tracker ?? NOTHING,
    global: defaults,
  };
  const from = {
    ratio_limit: sourceOf(levels, 'ratio_limit'),
    time_min_limit: sourceOf(levels, 'time_min_limit'),
    inactive_min_limit: sourceOf(levels, 'inactive_min_limit'),
    action: sourceOf(levels, 'action'),
  };
  const { action = 'pause', tag_id } = levels[from.action];
  const isSpared = removes(action) && from.action !== 'torrent' && mayBeOthersChoice(record);
  const in_force: SeedingRuleForAllDto = {
    ratio_limit: levels[from.ratio_limit].ratio_limit ?? null,
    time_min_limit: levels[from.time_min_limit].time_min_limit ?? null,
    inactive_min_limit: levels[from.inactive_min_limit].inactive_min_limit ?? null,
    action: isSpared ? 'pause' : action,
    ...(action === 'tag' && tag_id !== undefined && { tag_id }),
  };
  return { own, in_force, from };
}

function sourceOf(levels: Readonly<Record<SeedingSource, SeedingRuleDto>>, part: keyof SeedingRuleDto): SeedingSource {
  if (levels.torrent[part] !== undefined) return 'torrent';
  if (levels.category[part] !== undefined) return 'category';
  return levels.tracker[part] === undefined ? 'global' : 'tracker';
}

/** The rule that a torrent's own policy is. */
export function ruleOf(policy: SeedPolicy): SeedingRuleDto {
  const { ratioLimit, minutesLimit, inactiveMinutesLimit = null, action = 'pause', tagId } = policy;
  return {
    ...(ratioLimit !== 'inherited' && { ratio_limit: ratioLimit }),
    ...(minutesLimit !== 'inherited' && { time_min_limit: minutesLimit }),
    ...(inactiveMinutesLimit !== 'inherited' && { inactive_min_limit: inactiveMinutesLimit }),
    ...(action !== 'inherited' && { action }),
    ...(tagId !== undefined && { tag_id: tagId }),
  };
}

export function policyOf(rule: SeedingRuleDto): SeedPolicy {
  const given = (limit: number | null | undefined): SeedingLimit => (limit === undefined ? 'inherited' : limit);
  return {
    ratioLimit: given(rule.ratio_limit),
    minutesLimit: given(rule.time_min_limit),
    inactiveMinutesLimit: given(rule.inactive_min_limit),
    action: rule.action ?? 'inherited',
    ...(rule.action === 'tag' && rule.tag_id !== undefined && { tagId: rule.tag_id }),
  };
}

/** The category, the trackers or the limits may be the choice of editors, who may be none any more, or of strangers. */
export function mayBeOthersChoice({
  shares,
  hasOthersChoices,
}: Pick<LibraryRecord, 'shares' | 'hasOthersChoices'>): boolean {
  return hasOthersChoices === true || shares.some(({ access }) => access === 'editor');
}
