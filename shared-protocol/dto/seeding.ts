// Rules of when a torrent has seeded enough and what is done with it then, by torrent, category, tracker and for all
// (docs/semantics.md section 5); beyond the contract of docs/api.md. What a rule leaves out the next level decides.
import { z } from 'zod';
import { SEEDING_ACTIONS } from '../library-record.js';
import { idSchema } from './fields.js';
import { minutesLimitSchema, ratioLimitSchema } from './torrents.js';

/** No spec value: a name in the DNS. */
const MAX_HOST_LENGTH = 253;

const limitFields = {
  ratio_limit: ratioLimitSchema,
  time_min_limit: minutesLimitSchema,
  /** Minutes since payload moved last. */
  inactive_min_limit: minutesLimitSchema,
};
const actionFields = {
  action: z.enum(SEEDING_ACTIONS),
  /** Which one, where the action is `tag`. */
  tag_id: idSchema.optional(),
};

/** A rule; parts that are left out are inherited: from the category, then the tracker, then the defaults; null is no limit. */
export const seedingRuleSchema = z
  .object({ ...limitFields, ...actionFields })
  .partial()
  .meta({ id: 'SeedingRule' });
export type SeedingRuleDto = Readonly<z.infer<typeof seedingRuleSchema>>;

/** The rule for all: nothing is left to inherit from. */
export const seedingRuleForAllSchema = z.object({ ...limitFields, ...actionFields }).meta({ id: 'SeedingRuleForAll' });
export type SeedingRuleForAllDto = Readonly<z.infer<typeof seedingRuleForAllSchema>>;

/** The name or address of a host, as URLs have it; empty: the text is none. */
export function hostOf(text: string): string {
  const url = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : null;
  const isBare = url !== null && url.href === `http://${url.hostname}/`;
  return isBare ? url.hostname.replace(/\.$/, '') : '';
}

/** Holds for the trackers of the host and of all hosts below its name. */
const hostSchema = z
  .string()
  .trim()
  .max(MAX_HOST_LENGTH)
  .overwrite(hostOf)
  .refine((host) => host !== '', 'expected a host such as tracker.example, without port or path');

export const categorySeedingRuleSchema = seedingRuleSchema.extend({ category_id: idSchema });
export const trackerSeedingRuleSchema = seedingRuleSchema.extend({ host: z.string() });
export const seedingRulesSchema = z
  .object({
    defaults: seedingRuleForAllSchema,
    categories: z.array(categorySeedingRuleSchema),
    trackers: z.array(trackerSeedingRuleSchema),
  })
  .meta({ id: 'SeedingRules' });
export type SeedingRulesDto = Readonly<z.infer<typeof seedingRulesSchema>>;

export const seedingRuleForAllBodySchema = seedingRuleForAllSchema.superRefine(requireTag);
/** null: there is none. */
export const givenRuleSchema = seedingRuleSchema.superRefine(requireTag).nullable();
export const seedingRuleBodySchema = z.object({ rule: givenRuleSchema });
export const categorySeedingRuleBodySchema = z.object({ category_id: idSchema, rule: givenRuleSchema });
export const trackerSeedingRuleBodySchema = z.object({ host: hostSchema, rule: givenRuleSchema });

/** The level that a part of the rule is from. */
export const seedingSourceSchema = z.enum(['torrent', 'category', 'tracker', 'global']);
export type SeedingSource = z.infer<typeof seedingSourceSchema>;

export const seedingInForceSchema = z
  .object({
    /** The torrent's own; null: it has none. */
    own: seedingRuleSchema.nullable(),
    in_force: seedingRuleForAllSchema,
    from: z.object({
      ratio_limit: seedingSourceSchema,
      time_min_limit: seedingSourceSchema,
      inactive_min_limit: seedingSourceSchema,
      action: seedingSourceSchema,
    }),
  })
  .meta({ id: 'SeedingRuleInForce' });
export type SeedingInForceDto = Readonly<z.infer<typeof seedingInForceSchema>>;

function requireTag({ action, tag_id }: SeedingRuleDto, context: z.RefinementCtx): void {
  if (action === 'tag' && tag_id === undefined) {
    context.addIssue({ code: 'custom', path: ['tag_id'], message: 'required' });
  }
}
