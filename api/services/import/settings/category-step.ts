// How long torrents of a category are seeded, as another program has it. Other parts of the category's rule stay as they are here.
import { remark } from '../../../../shared-protocol/import-remarks/remark.js';
import { newCategorySchema } from '../../../../shared-protocol/dto/labels.js';
import { categorySeedingRuleBodySchema, type SeedingRuleDto } from '../../../../shared-protocol/dto/seeding.js';
import type { Account } from '../../../auth/account.js';
import { RequestError } from '../../../errors.js';
import { removes } from '../../library/seeding-in-force.js';
import type { SeedingRules } from '../../library/seeding-rules.js';
import type { ForeignCategorySeeding } from '../foreign-settings.js';
import { leftOut, refusedValue, type Step } from './step.js';
import { ratioInWords } from './value-words.js';

export interface CategoryDeps {
  readonly seedingRules: Pick<SeedingRules, 'defaults' | 'shownTo' | 'setOfCategory'>;
}

/** The category of a name, made where there is none; null: it cannot be one. */
export type FindCategory = (name: string) => Promise<number | null>;

/** `known`: the category of that name as long as nothing is made; null: there is none. */
export function categoryStep(
  { seedingRules }: CategoryDeps,
  by: Account,
  { category: name, ratioLimit }: ForeignCategorySeeding,
  { known, category }: { readonly known: number | null; readonly category: FindCategory },
): Step {
  const said = { name: remark('CATEGORY_RATIO_LIMIT', { category: name }), to: ratioInWords(ratioLimit), reason: null };
  const ruleOf = (id: number | null): SeedingRuleDto => {
    const found = seedingRules.shownTo(by).categories.find(({ category_id }) => category_id === id);
    const { category_id: _its, ...rule } = found ?? { category_id: id };
    return rule;
  };
  const here = ruleOf(known);
  if (removes(here.action ?? seedingRules.defaults.action)) return leftOut(said.name, remark('REMOVED_HERE'));
  if (!newCategorySchema.safeParse({ name, default_save_path: '', color: '' }).success)
    return leftOut(said.name, remark('CATEGORY_UNUSABLE'));
  const problem = categorySeedingRuleBodySchema.safeParse({ category_id: 1, rule: { ratio_limit: ratioLimit } }).error;
  if (problem) return leftOut(said.name, refusedValue(problem));
  const from = here.ratio_limit === undefined ? null : ratioInWords(here.ratio_limit);
  if (here.ratio_limit === ratioLimit) return { said: [{ ...said, from, result: 'same' }], apply: null };
  const apply = async () => {
    const id = await category(name);
    if (id === null) throw new RequestError('BODY_INVALID', 'category: cannot be made');
    await seedingRules.setOfCategory(by, id, { ...ruleOf(id), ratio_limit: ratioLimit });
  };
  return { said: [{ ...said, from, result: from === null ? 'made' : 'changed' }], apply };
}
