// A rule of qBittorrent and the filters that it is here: all filters of one name, one for each feed. A filter without a name is
// a rule by itself, which is called by its id. What filters do not know is refused, never left out in silence. Pure.
import { z } from 'zod';
import type { FilterDto } from '../../../../shared-protocol/dto/rss.js';
import { pathSchema } from '../../../../shared-protocol/dto/fields.js';
import { RequestError } from '../../../errors.js';
import { exclusionOf, expressionOf, patternOfExpression, patternOfWords } from '../../../services/rss/title-words.js';

/** No spec values. */
const MAX_TEXT_LENGTH = 1_000;
const MAX_FEEDS = 100;

const textField = z.string().max(MAX_TEXT_LENGTH);

export const ruleDefSchema = z.object({
  enabled: z.boolean().default(true),
  useRegex: z.boolean().default(false),
  mustContain: textField.default(''),
  mustNotContain: textField.default(''),
  episodeFilter: textField.default(''),
  smartFilter: z.boolean().default(false),
  ignoreDays: z.number().default(0),
  addPaused: z.boolean().nullish(),
  affectedFeeds: z.array(z.string().max(4_096)).max(MAX_FEEDS).default([]),
  assignedCategory: textField.nullish(),
  savePath: pathSchema.nullish(),
  /** In place of those above from qBittorrent 4.6 on. */
  torrentParams: z
    .object({
      category: textField.nullish(),
      save_path: pathSchema.nullish(),
      stopped: z.boolean().nullish(),
      tags: z.array(textField).nullish(),
    })
    .nullish(),
});
export type RuleDef = z.infer<typeof ruleDefSchema>;

export function ruleNameOf({ id, name }: FilterDto): string {
  return name ?? `filter ${id}`;
}

/** The patterns of its filters. @throws RequestError `RSS_REFUSED` for what filters do not know */
export function patternsOf(rule: RuleDef): Pick<FilterDto, 'regex'> & { readonly exclude_regex: string } {
  const { mustContain, mustNotContain, episodeFilter, smartFilter, ignoreDays } = rule;
  const unknown = { episodeFilter: episodeFilter !== '', smartFilter, ignoreDays: ignoreDays > 0 };
  for (const [field, isWanted] of Object.entries(unknown)) {
    if (isWanted) throw new RequestError('RSS_REFUSED', `${field}: there is no such thing in filters here`);
  }
  const patternOf = rule.useRegex ? patternOfExpression : patternOfWords;
  return { regex: patternOf(mustContain), exclude_regex: exclusionOf(mustNotContain, patternOf) };
}

export function isPaused({ addPaused, torrentParams }: RuleDef): boolean {
  return addPaused === true || torrentParams?.stopped === true;
}

export function tagNamesOf({ torrentParams }: RuleDef): readonly string[] {
  return torrentParams?.tags ?? [];
}

export function categoryNameOf({ assignedCategory, torrentParams }: RuleDef): string {
  return torrentParams?.category || assignedCategory || '';
}

export function savePathOf({ savePath, torrentParams }: RuleDef): string {
  return torrentParams?.save_path || savePath || '';
}

/** Names of what the filters of a rule give to torrents. */
export interface RuleLabels {
  readonly category: string;
  readonly tags: readonly string[];
}

/** `filters`: of the rule, one at least; the first says what it looks for. `feeds`: their addresses. */
export function toRuleObject(filters: readonly FilterDto[], { category, tags }: RuleLabels, feeds: readonly string[]) {
  const [first] = filters;
  const paused = first?.paused ?? null;
  const savePath = first?.save_path ?? '';
  return {
    enabled: filters.some(({ enabled }) => enabled),
    useRegex: true,
    mustContain: expressionOf(first?.regex ?? ''),
    mustNotContain: expressionOf(first?.exclude_regex ?? ''),
    episodeFilter: '',
    smartFilter: false,
    previouslyMatchedEpisodes: [],
    affectedFeeds: feeds,
    ignoreDays: 0,
    lastMatch: '',
    priority: 0,
    addPaused: paused,
    assignedCategory: category,
    savePath,
    torrentContentLayout: null,
    torrentParams: { category, save_path: savePath, tags, ...(paused && { stopped: true }) },
  };
}
