// Automations: rules of an account that act on torrents while conditions hold (docs/automations.md); beyond the contract
// of docs/api.md.
import { z } from 'zod';
import { countSchema, idSchema, kbpsSchema, nameSchema, pathSchema, reasonSchema, timeSchema } from './fields.js';
import { hostOf } from './seeding.js';
import { minutesLimitSchema, ratioLimitSchema, TRACKER_ERROR_CODES } from './torrents.js';

/** Rules of one account; each is judged for each of its torrents that changes. */
export const MAX_RULES_OF_ACCOUNT = 50;
export const MAX_CONDITIONS = 20;
export const MAX_DEPTH = 3;
/** A person writes it by hand. */
const MAX_PATTERN_LENGTH = 200;
const MAX_CHOICES = 50;
const MAX_ACTIONS = 8;
const MAX_FOR_MINUTES = 43_200;
export const DEFAULT_MAX_REMOVALS = 50;
const MOST_REMOVALS = 1_000;

export const AUTOMATION_STATES = [
  'downloading',
  'seeding',
  'stalled',
  'paused',
  'queued',
  'checking',
  'moving',
  'completed',
  'incomplete',
  'files_missing',
  'error',
] as const;
export type AutomationState = (typeof AUTOMATION_STATES)[number];

/**
 * Numbers that a condition compares. Sizes in bytes, spans in minutes, rates in bytes per second; `progress` from 0 to 1;
 * `free_space` of the volume that the torrent lies on; `torrents` is how many the account owns.
 */
export const MEASURES = [
  'ratio',
  'uploaded',
  'downloaded',
  'size',
  'progress',
  'age',
  'completed_age',
  'seeding_time',
  'inactive_time',
  'download_rate',
  'upload_rate',
  'swarm_seeds',
  'swarm_leechers',
  'free_space',
  'torrents',
] as const;
export type Measure = (typeof MEASURES)[number];

const isOrNot = z.enum(['is', 'is_not']);
const some = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(MAX_CHOICES);
const condition = <Field extends string, Shape extends z.ZodRawShape>(field: Field, shape: Shape) =>
  z.object({ field: z.literal(field), ...shape });
const hostSchema = z
  .string()
  .trim()
  .max(253)
  .overwrite(hostOf)
  .refine((host) => host !== '', 'expected a host such as tracker.example, without port or path');

const conditions = [
  condition('state', { op: isOrNot, values: some(z.enum(AUTOMATION_STATES)) }),
  condition('tracker_error', { op: isOrNot, values: some(z.enum(TRACKER_ERROR_CODES)) }),
  condition('private', { value: z.boolean() }),
  /** null: without a category. */
  condition('category', { op: isOrNot, category_ids: some(idSchema.nullable()) }),
  condition('tags', { op: z.enum(['any', 'all', 'none']), tag_ids: some(idSchema) }),
  /** Any of its trackers; names below a host are included. */
  condition('tracker', { op: isOrNot, hosts: some(hostSchema) }),
  condition('name', {
    op: z.enum(['matches', 'matches_not']),
    syntax: z.enum(['glob', 'regex']),
    pattern: z.string().min(1).max(MAX_PATTERN_LENGTH),
  }),
  condition('save_path', {
    op: z.enum(['below', 'not_below']),
    path: pathSchema.refine((path) => path.startsWith('/'), 'expected an absolute path'),
  }),
  z.object({
    field: z.enum(MEASURES),
    op: z.enum(['at_least', 'at_most']),
    value: z.number().min(0).max(Number.MAX_SAFE_INTEGER),
  }),
] as const;

const joined = z.enum(['all', 'any']);
const group = <Item extends z.ZodType>(item: Item) =>
  z.object({ field: z.literal('group'), match: joined, conditions: z.array(item).min(1).max(MAX_CONDITIONS) });

const leafSchema = z.discriminatedUnion('field', conditions);
const innerGroup = group(leafSchema);
const outerGroup = group(z.discriminatedUnion('field', [...conditions, innerGroup]));
const whenSchema = z.object({
  match: joined,
  conditions: z
    .array(z.discriminatedUnion('field', [...conditions, outerGroup]))
    .min(1)
    .max(MAX_CONDITIONS),
});

/** A condition that is no group. */
export type Condition = Readonly<z.infer<typeof leafSchema>>;
export interface ConditionGroup {
  readonly match: 'all' | 'any';
  readonly conditions: readonly (Condition | (ConditionGroup & { readonly field: 'group' }))[];
}

const action = <Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) =>
  z.object({ action: z.literal(name), ...shape });
const actionSchema = z.discriminatedUnion('action', [
  action('pause', {}),
  action('resume', {}),
  action('announce', {}),
  action('category', { category_id: idSchema.nullable() }),
  action('add_tag', { tag_id: idSchema }),
  action('remove_tag', { tag_id: idSchema }),
  action('rate_limits', { down_kbps: kbpsSchema, up_kbps: kbpsSchema }),
  /** The torrent's own seeding rule becomes these limits, at which it pauses; null is no limit. */
  action('share_limits', {
    ratio_limit: ratioLimitSchema,
    time_min_limit: minutesLimitSchema,
    inactive_min_limit: minutesLimitSchema,
  }),
  action('queue', { to: z.enum(['top', 'bottom']) }),
  action('move', { path: pathSchema.refine((path) => path !== '', 'must not be empty') }),
  action('remove', { /** Deletes the data as well. */ delete_data: z.boolean() }),
]);
export type AutomationAction = Readonly<z.infer<typeof actionSchema>>;

/** Actions of one kind exclude each other: a rule has one of each, and so has a torrent in an evaluation. */
export function kindOf(given: AutomationAction): string {
  switch (given.action) {
    case 'pause':
    case 'resume':
      return 'run';
    case 'add_tag':
    case 'remove_tag':
      return `tag ${given.tag_id}`;
    default:
      return given.action;
  }
}

const actionsSchema = z
  .array(actionSchema)
  .min(1)
  .max(MAX_ACTIONS)
  .refine(
    (actions) => new Set(actions.map(kindOf)).size === actions.length,
    'two of them would undo each other: one of a kind',
  )
  .refine(
    (actions) => actions.length === 1 || actions.every((each) => each.action !== 'remove'),
    'what removes the torrent is the only action',
  );

export function conditionsIn({ conditions: items }: ConditionGroup): Condition[] {
  return items.flatMap((item) => (item.field === 'group' ? conditionsIn(item) : [item]));
}

const fields = {
  name: nameSchema,
  enabled: z.boolean(),
  /** `own`: torrents that the account owns; `visible`: all that it sees, as far as it may change them. */
  scope: z.enum(['own', 'visible']),
  when: whenSchema.refine(
    (when) => conditionsIn(when).length <= MAX_CONDITIONS,
    `at most ${MAX_CONDITIONS} conditions in all groups`,
  ),
  /** The conditions have to hold without a break for so long. */
  for_minutes: countSchema.max(MAX_FOR_MINUTES),
  actions: actionsSchema,
  /** Torrents that it may remove in an hour; it stops where there would be more. */
  max_removals: z.int().min(1).max(MOST_REMOVALS),
};
export const newAutomationSchema = z.object({
  ...fields,
  enabled: fields.enabled.default(true),
  scope: fields.scope.default('own'),
  for_minutes: fields.for_minutes.default(0),
  max_removals: fields.max_removals.default(DEFAULT_MAX_REMOVALS),
});
export type AutomationFields = Readonly<z.infer<typeof newAutomationSchema>>;
/** Fields that are left out stay. `position`: among the account's rules, from 0. A rule that is enabled goes on where it was stopped. */
export const automationChangeSchema = z.object({ ...fields, position: countSchema }).partial();
export type AutomationChange = Readonly<z.infer<typeof automationChangeSchema>>;

export const heldSchema = z.object({ at: timeSchema, /** How many it would have removed. */ torrents: countSchema });
export const storedAutomationSchema = z.object({
  ...fields,
  id: idSchema,
  user_id: idSchema,
  created_at: timeSchema,
  /** When it stopped itself before it removed more than it may; null: it goes on. */
  held: heldSchema.nullable(),
});
export const automationSchema = storedAutomationSchema
  .extend({ /** When it last did something; 0: never. */ last_run: timeSchema })
  .meta({ id: 'AutomationDTO' });
export type AutomationDto = Readonly<z.infer<typeof automationSchema>>;
/** In the order in which they are judged, by account. */
export const automationListSchema = z.array(automationSchema);
export const automationsQuerySchema = z.object({ all: z.literal('1').optional() });

export const runSchema = z
  .object({
    at: timeSchema,
    /** `held`: it did nothing, since it would have removed too many. */
    kind: z.enum(['acted', 'held']),
    /** How many torrents it was about, and with how many of them it failed. */
    torrents: countSchema,
    failed: countSchema,
    /** The first of them. */
    shown: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        actions: z.array(z.string()),
        /** For people; null: all of it was done. */
        error: z.string().nullable(),
        /** Why it failed, for programs; left out where there is no code for it. */
        reason: reasonSchema.optional(),
      }),
    ),
  })
  .meta({ id: 'AutomationRun' });
export type AutomationRun = Readonly<z.infer<typeof runSchema>>;
/** The newest first. */
export const runListSchema = z.array(runSchema);

/**
 * The fate of an action: it would be done; it is so already; a rule before it, or another one lately, decides this kind;
 * it was done since the conditions hold; the torrent was added just now; others may edit what would be removed; the account
 * may not; it failed lately; the conditions do not hold for long enough.
 */
export const OUTCOMES = [
  'do',
  'in_effect',
  'taken',
  'cooling',
  'done_before',
  'too_young',
  'others_may_edit',
  'forbidden',
  'failed_lately',
  'waits',
] as const;
export type ActionOutcome = (typeof OUTCOMES)[number];

export const previewBodySchema = z.object({
  rule: newAutomationSchema,
  /** The rule that it takes the place of. @default a new one, behind all others */
  id: idSchema.optional(),
});
export const previewSchema = z
  .object({
    /** Torrents that were looked at, and how many of them the conditions hold for. */
    torrents: countSchema,
    matching: countSchema,
    /** Torrents to which something would be done now. */
    acting: countSchema,
    /** Whether all torrents were looked at: there is time for a second's work. */
    complete: z.boolean(),
    /** Whether it would remove more than it may, and stop itself instead. */
    would_hold: z.boolean(),
    /** The first of those that match. */
    matches: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        actions: z.array(z.object({ action: z.string(), outcome: z.enum(OUTCOMES) })),
      }),
    ),
    /** The first of the others, and the places of the first condition that fails: in the groups from the outside in. */
    misses: z.array(z.object({ id: z.string(), name: z.string(), failing: z.array(countSchema) })),
  })
  .meta({ id: 'AutomationPreview' });
export type AutomationPreview = Readonly<z.infer<typeof previewSchema>>;
