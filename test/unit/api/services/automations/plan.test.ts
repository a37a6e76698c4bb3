// What is to be done to a torrent: order, one action of a kind, and everything that keeps a rule from acting.
import t from 'tap';
import { compileRule } from '../../../../../api/services/automations/compiled-rule.js';
import { MIN_AGE_S, planFor, type Remembered } from '../../../../../api/services/automations/plan.js';
import { Due } from '../../../../../api/services/automations/subject.js';
import {
  newAutomationSchema,
  type ActionOutcome,
  type AutomationAction,
} from '../../../../../shared-protocol/dto/automations.js';
import type { Access } from '../../../../../shared-protocol/dto/torrents.js';
import { parseAccountId } from '../../../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD, type LibraryRecord } from '../../../../../shared-protocol/library-record.js';
import { emptyStats, TORRENT_FLAGS } from '../../../../../shared-protocol/stats-table.js';
import { factsOf } from '../../../../support/facts-of.js';

const NOW = 1_700_000_000;
const LABELS = { category: () => undefined, tag: () => undefined };
const pause: AutomationAction = { action: 'pause' };
const resume: AutomationAction = { action: 'resume' };
const announce: AutomationAction = { action: 'announce' };
const remove: AutomationAction = { action: 'remove', delete_data: true };
const tag = (id: number): AutomationAction => ({ action: 'add_tag', tag_id: id });

interface Case {
  readonly name: string;
  readonly rules: readonly (readonly AutomationAction[])[];
  readonly library?: Partial<LibraryRecord>;
  readonly isPaused?: boolean;
  readonly age?: number;
  readonly access?: Access;
  readonly remembered?: Partial<Remembered>;
  readonly forMinutes?: number;
  /** Each step as `<rule> <action> <outcome>`. */
  readonly expected: readonly `${number} ${string} ${ActionOutcome}`[];
}

function planned({
  rules,
  library,
  isPaused = false,
  age = 86_400,
  access = 'owner',
  remembered,
  forMinutes = 0,
}: Case) {
  const compiled = rules.map((actions, place) => {
    const conditions = [{ field: 'age', op: 'at_least', value: 0 }];
    const fields = { name: 'r', when: { match: 'all', conditions }, actions, for_minutes: forMinutes };
    return compileRule(place + 1, newAutomationSchema.parse(fields), LABELS);
  });
  const subject = {
    facts: factsOf({ addedAt: NOW - age, library: { ...NEW_LIBRARY_RECORD, ...library } }),
    stats: { ...emptyStats(), flags: isPaused ? TORRENT_FLAGS.paused : 0 },
    ...{ now: NOW, torrents: 1, freeBytes: null },
  };
  const nothing: Remembered = {
    heldSince: () => null,
    wasDone: () => false,
    coolsUntil: () => 0,
    failedUntil: () => 0,
  };
  const due = new Due();
  const plan = planFor(compiled, () => ({ subject, access }), { ...nothing, ...remembered }, due);
  return {
    steps: plan.steps.map(({ rule, action, outcome }) => `${rule.id} ${action.action} ${outcome}`),
    due: due.at,
  };
}

const CASES: readonly Case[] = [
  { name: 'one rule', rules: [[pause]], expected: ['1 pause do'] },
  { name: 'it is so already', rules: [[pause]], isPaused: true, expected: ['1 pause in_effect'] },
  { name: 'the first rule wins', rules: [[pause], [resume]], expected: ['1 pause do', '2 resume taken'] },
  { name: 'also where it has nothing left to do', rules: [[pause], [resume]], isPaused: true, expected: ['1 pause in_effect', '2 resume taken'] }, // prettier-ignore
  { name: 'tags are kinds of their own', rules: [[tag(1)], [tag(2)]], expected: ['1 add_tag do', '2 add_tag do'] },
  {
    name: 'after a removal there is nothing',
    rules: [[remove], [tag(1)]],
    expected: ['1 remove do', '2 add_tag taken'],
  },
  {
    name: 'one added just now is not removed',
    rules: [[remove]],
    age: MIN_AGE_S - 1,
    expected: ['1 remove too_young'],
  },
  { name: 'but paused', rules: [[pause]], age: 0, expected: ['1 pause do'] },
  { name: 'an editor removes nothing', rules: [[remove], [pause]], access: 'editor', expected: ['1 remove forbidden', '2 pause do'] }, // prettier-ignore
  { name: 'a viewer does nothing', rules: [[pause], [tag(1)]], access: 'viewer', expected: ['1 pause forbidden', '2 add_tag forbidden'] }, // prettier-ignore
  { name: 'what another account may edit is not removed', rules: [[remove]], library: { shares: [{ accountId: parseAccountId(2), access: 'editor' }] }, expected: ['1 remove others_may_edit'] }, // prettier-ignore
  { name: 'nor what it once might', rules: [[remove]], library: { hasOthersChoices: true }, expected: ['1 remove others_may_edit'] }, // prettier-ignore
  { name: 'a viewer is no danger', rules: [[remove]], library: { shares: [{ accountId: parseAccountId(2), access: 'viewer' }] }, expected: ['1 remove do'] }, // prettier-ignore
  {
    name: 'once is once',
    rules: [[announce]],
    remembered: { wasDone: () => true },
    expected: ['1 announce done_before'],
  },
  { name: 'another rule acted lately', rules: [[pause]], remembered: { coolsUntil: () => NOW + 9 }, expected: ['1 pause cooling'] }, // prettier-ignore
  { name: 'it failed lately', rules: [[pause]], remembered: { failedUntil: () => NOW + 9 }, expected: ['1 pause failed_lately'] }, // prettier-ignore
  { name: 'it has to hold for longer, and does not stand before others', rules: [[pause]], forMinutes: 5, expected: ['1 pause waits'] }, // prettier-ignore
  { name: 'it has held for long enough', rules: [[pause]], forMinutes: 5, remembered: { heldSince: () => NOW - 300 }, expected: ['1 pause do'] }, // prettier-ignore
];

void t.test('order, kinds and what keeps a rule from acting', async (t) => {
  for (const given of CASES) t.same(planned(given).steps, given.expected, given.name);
});

void t.test('what only waits says until when', async (t) => {
  const at = (given: Omit<Case, 'name' | 'expected'>) => planned({ name: '', expected: [], ...given }).due;
  t.equal(at({ rules: [[remove]], age: MIN_AGE_S - 5 }), NOW + 5);
  t.equal(at({ rules: [[pause]], forMinutes: 5, remembered: { heldSince: () => NOW - 290 } }), NOW + 10);
  t.equal(at({ rules: [[pause]], remembered: { coolsUntil: () => NOW + 9 } }), NOW + 9);
  t.equal(at({ rules: [[pause]] }), Infinity);
});
