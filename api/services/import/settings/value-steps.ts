// Limits, queue, seeding, schedule and blocklist of another program, each judged as a change of the same setting is.
import type { z } from 'zod';
import { newRuleSchema, type RuleDto } from '../../../../shared-protocol/dto/schedule.js';
import { seedingRuleForAllBodySchema, type SeedingRuleForAllDto } from '../../../../shared-protocol/dto/seeding.js';
import {
  addingDefaultsBodySchema,
  blocklistBodySchema,
  limitsSchema,
  queueLimitsSchema,
  type LimitsDto,
  type QueueLimitsDto,
} from '../../../../shared-protocol/dto/settings.js';
import { remark } from '../../../../shared-protocol/import-remarks/remark.js';
import { maskAddress } from '../../../../shared-protocol/masking.js';
import type { Account } from '../../../auth/account.js';
import type { Blocklist } from '../../blocklist/blocklist.js';
import { removes } from '../../library/seeding-in-force.js';
import type { AddingDefaults } from '../../library/adding-defaults.js';
import type { SeedingRules } from '../../library/seeding-rules.js';
import type { EngineSettings } from '../../settings/engine-settings.js';
import type { ScheduleRules } from '../../settings/schedule-rules.js';
import type { SpeedLimits } from '../../settings/speed-limits.js';
import type { ForeignSettings, ForeignWindow } from '../foreign-settings.js';
import { reasonOf } from '../reason-of.js';
import { comparedValues, leftOut, refusedValue, type Step } from './step.js';
import { ADDING, LIMITS, QUEUE, SEEDING, windowInWords, type Words } from './value-words.js';

export interface ValueDeps {
  readonly speedLimits: Pick<SpeedLimits, 'stored' | 'edit'>;
  readonly engineSettings: Pick<EngineSettings, 'queueLimits' | 'setQueueLimits'>;
  readonly addingDefaults: Pick<AddingDefaults, 'inForce' | 'change'>;
  readonly seedingRules: Pick<SeedingRules, 'defaults' | 'setDefaults'>;
  readonly scheduleRules: Pick<ScheduleRules, 'all' | 'create'>;
  readonly blocklist: Pick<Blocklist, 'shown' | 'check' | 'set'>;
}

/** @throws nothing that is about what that program has: that is said */
export async function valueSteps(deps: ValueDeps, by: Account, there: ForeignSettings): Promise<Step[]> {
  const { speedLimits, engineSettings, scheduleRules, blocklist } = deps;
  const steps = [
    group(LIMITS, limitsSchema, speedLimits.stored, there.limits, () =>
      speedLimits.edit((stored: LimitsDto) => ({ ...stored, ...there.limits })),
    ),
    group(QUEUE, queueLimitsSchema, engineSettings.queueLimits, there.queue, () =>
      engineSettings.setQueueLimits({ ...engineSettings.queueLimits, ...there.queue } as QueueLimitsDto),
    ),
    seedingStep(deps, by, there),
    excludedNamesStep(deps, by, there),
    ...there.schedule.map((window) => scheduleStep(scheduleRules, window)),
    ...(there.blocklistUrl === '' ? [] : [await blocklistStep(blocklist, there.blocklistUrl)]),
  ];
  return steps.filter(({ said }) => said.length > 0);
}

function group<Values extends object>(
  shown: Words<Values>,
  schema: z.ZodType,
  here: Values,
  there: Partial<Values>,
  apply: () => Promise<void>,
): Step {
  const said = comparedValues(here, there, shown);
  const { error } = schema.safeParse({ ...here, ...there });
  if (error) return leftOut(remark('LIST', { items: said.map(({ name }) => name) }), refusedValue(error));
  return { said, apply: said.some(({ result }) => result === 'changed') ? apply : null };
}

/** Torrents that are paused there at a limit are not to be removed by one that comes along. */
function seedingStep({ seedingRules }: ValueDeps, by: Account, { seeding }: ForeignSettings): Step {
  const here = seedingRules.defaults;
  const names = Object.keys(seeding);
  if (names.length > 0 && removes(here.action)) return leftOut(remark('SEEDING_LIMITS'), remark('REMOVED_HERE'));
  return group<SeedingRuleForAllDto>(SEEDING, seedingRuleForAllBodySchema, here, seeding, () =>
    seedingRules.setDefaults(by, { ...seedingRules.defaults, ...seeding }),
  );
}

/** Both what is excluded here and there. */
function excludedNamesStep({ addingDefaults }: ValueDeps, by: Account, { excludedNames }: ForeignSettings): Step {
  const { excluded_file_names: here } = addingDefaults.inForce;
  const both = [...new Set([...here, ...excludedNames])];
  const there = excludedNames.length === 0 ? {} : { excluded_file_names: both };
  return group(ADDING, addingDefaultsBodySchema, { excluded_file_names: here }, there, () =>
    addingDefaults.change(by, there),
  );
}

function scheduleStep(rules: ValueDeps['scheduleRules'], window: ForeignWindow): Step {
  const name = remark('ALT_SCHEDULE');
  const rule = newRuleSchema.safeParse({ ...window, down_kbps: 0, up_kbps: 0, alt_only: true, enabled: true });
  if (!rule.success) return leftOut(name, refusedValue(rule.error));
  const isSame = (known: RuleDto) =>
    known.alt_only &&
    known.enabled &&
    known.days_mask === window.days_mask &&
    known.start_min === window.start_min &&
    known.end_min === window.end_min;
  const to = windowInWords(window);
  if (rules.all.some(isSame)) return { said: [{ name, from: to, to, result: 'same', reason: null }], apply: null };
  return {
    said: [{ name, from: null, to, result: 'made', reason: null }],
    apply: async () => void (await rules.create(rule.data)),
  };
}

async function blocklistStep(blocklist: ValueDeps['blocklist'], url: string): Promise<Step> {
  const name = remark('BLOCKLIST');
  const body = blocklistBodySchema.safeParse({ url, enabled: true });
  if (!body.success) return leftOut(name, refusedValue(body.error));
  try {
    await blocklist.check(body.data, 'url');
  } catch (error) {
    return leftOut(remark('BLOCKLIST_AT', { address: maskAddress(url) }), reasonOf(error));
  }
  const here = blocklist.shown({ withSecrets: true });
  const address = (of: string) => remark('TEXT', { text: maskAddress(of) });
  const from = here.enabled && here.url !== '' ? address(here.url) : null;
  const to = address(body.data.url);
  if (here.enabled && here.url === body.data.url)
    return { said: [{ name, from, to, result: 'same', reason: null }], apply: null };
  return { said: [{ name, from, to, result: 'changed', reason: null }], apply: () => blocklist.set(body.data) };
}
