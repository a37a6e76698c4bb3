// The rules of qBittorrent for feeds: `rss/download_rules.json`. Only those that filters here say exactly are taken, in the order in
// which they are tried there; a rule with a condition that filters do not know would add what it should not. Pure.
import { z } from 'zod';
import { remark, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';
import { RequestError } from '../../../errors.js';
import { exclusionOf, patternOfExpression, patternOfWords, wordsIn } from '../../rss/title-words.js';
import type { ForeignFilter, ForeignSettings, LeftOut } from '../foreign-settings.js';
import type { IniValues } from '../ini-file.js';
import { reasonOf } from '../reason-of.js';
import { reasonAmong } from '../settings-values.js';

const text = z.string().nullish();
const ruleSchema = z.object({
  enabled: z.boolean().default(true),
  priority: z.number().default(0),
  useRegex: z.boolean().default(false),
  mustContain: z.string().default(''),
  mustNotContain: z.string().default(''),
  episodeFilter: z.string().default(''),
  smartFilter: z.boolean().default(false),
  ignoreDays: z.number().default(0),
  affectedFeeds: z.array(z.string()).default([]),
  addPaused: z.boolean().nullish(),
  assignedCategory: text,
  savePath: text,
  torrentContentLayout: text,
  /** From version 4.6 on, in place of the four above. */
  torrentParams: z
    .object({
      category: text,
      save_path: text,
      download_path: text,
      content_layout: text,
      operating_mode: text,
      stopped: z.boolean().nullish(),
      skip_checking: z.boolean().nullish(),
      tags: z.array(z.string()).nullish(),
      upload_limit: z.number().nullish(),
      download_limit: z.number().nullish(),
      ratio_limit: z.number().nullish(),
      seeding_time_limit: z.number().nullish(),
      inactive_seeding_time_limit: z.number().nullish(),
    })
    .nullish(),
});
type Rule = z.infer<typeof ruleSchema>;

/** `rules`: what the file holds. */
export function rulesThere(
  rules: Readonly<Record<string, unknown>>,
  ini: IniValues,
): Pick<ForeignSettings, 'filters' | 'leftOut'> {
  const isAdding = ini.get('RSS/AutoDownloader\\EnableProcessing') === 'true';
  const filters: (ForeignFilter & { readonly priority: number })[] = [];
  const leftOut: LeftOut[] = [];
  for (const [name, value] of Object.entries(rules)) {
    const parsed = ruleSchema.safeParse(value);
    const reason = parsed.success ? unsaid(parsed.data) : remark('UNREADABLE');
    if (reason) leftOut.push({ name: remark('RULE', { name }), reason });
    else if (parsed.success) filters.push({ ...filterOf(name, parsed.data, isAdding), priority: parsed.data.priority });
  }
  const inOrder = filters.sort((one, other) => one.priority - other.priority || compare(one.name, other.name));
  return { filters: inOrder.map(({ priority: _tried, ...filter }) => filter), leftOut };
}

function filterOf(name: string, rule: Rule, isAdding: boolean): ForeignFilter {
  const { torrentParams: params, useRegex, mustContain, mustNotContain } = rule;
  const pattern = useRegex ? patternOfExpression : patternOf;
  const hasStar = !useRegex && [mustContain, mustNotContain].some((words) => /[*?]/.test(withoutOuterStars(words)));
  return {
    name,
    regex: pattern(mustContain),
    excludeRegex: exclusionOf(mustNotContain, pattern),
    feedUrls: rule.affectedFeeds,
    category: params?.category || rule.assignedCategory || '',
    tags: params?.tags ?? [],
    isPaused: rule.addPaused === true || params?.stopped === true,
    savePath: params?.save_path || rule.savePath || '',
    isEnabled: rule.enabled && isAdding,
    note: both(hasStar ? remark('STAR_NO_SLASH') : null, rule.enabled && !isAdding ? remark('RULES_OFF') : null),
  };
}

function both(one: Remark | null, other: Remark | null): Remark | null {
  return one && other ? remark('BOTH', { one, other }) : (one ?? other);
}

/** Why filters cannot say it; null: they can. */
function unsaid(rule: Rule): Remark | null {
  const { torrentParams: params } = rule;
  const found = reasonAmong([
    [rule.episodeFilter !== '', remark('RULE_EPISODES')],
    [rule.smartFilter, remark('RULE_SMART_EPISODES')],
    [rule.ignoreDays > 0, remark('RULE_IGNORES_DAYS')],
    [isSet(rule.torrentContentLayout) || isSet(params?.content_layout), remark('RULE_LAYOUT')],
    [isSet(params?.download_path), remark('RULE_INCOMPLETE_PATH')],
    [params?.operating_mode === 'Forced', remark('RULE_FORCED')],
    [params?.skip_checking === true, remark('RULE_SKIPS_CHECK')],
    [(params?.upload_limit ?? 0) > 0 || (params?.download_limit ?? 0) > 0, remark('RULE_SPEEDS')],
    [hasOwnLimits(params), remark('RULE_SEEDING')],
    [rule.affectedFeeds.length === 0, remark('RULE_NO_FEED')],
  ]);
  if (found) return found;
  const words = rule.useRegex ? [] : [rule.mustContain, rule.mustNotContain];
  if (words.some((each) => each.includes('['))) return remark('RULE_BRACKETS');
  if (words.some(hasStarAmongWords)) return remark('RULE_STARS');
  try {
    filterOf('', rule, false);
    return null;
  } catch (error) {
    if (error instanceof RequestError) return reasonOf(error);
    throw error;
  }
}

function isSet(value: string | null | undefined): boolean {
  return value !== null && value !== undefined && value !== '';
}

/** -2 stands for those of all torrents. */
function hasOwnLimits(params: Rule['torrentParams']): boolean {
  const limits = [params?.ratio_limit, params?.seeding_time_limit, params?.inactive_seeding_time_limit];
  return limits.some((limit) => (limit ?? -2) !== -2);
}

/** A pattern is looked for anywhere, so that a star at either end of a word says nothing. */
function withoutOuterStars(words: string): string {
  return words.replace(/(^|[\s|])\*+|\*+(?=$|[\s|])/g, '$1');
}

/** Such words may begin within one another there, which no pattern says. */
function hasStarAmongWords(words: string): boolean {
  const alternatives = withoutOuterStars(words).split('|').map(wordsIn);
  return alternatives.some((alternative) => alternative.length > 1 && /[*?]/.test(alternative.join('')));
}

function patternOf(words: string): string {
  return patternOfWords(withoutOuterStars(words), '[^/]');
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
