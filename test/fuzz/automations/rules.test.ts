// Rules that people would not write: none fails with anything but a refusal or takes long; and whatever the rules, looks
// that skip what cannot have changed find the same as looks that ask about everything.
import t from 'tap';
import fc from 'fast-check';
import { RequestError } from '../../../api/errors.js';
import { compileRule } from '../../../api/services/automations/compiled-rule.js';
import { planFor, type Remembered } from '../../../api/services/automations/plan.js';
import { Due, type Subject } from '../../../api/services/automations/subject.js';
import { Thresholds } from '../../../api/services/automations/thresholds.js';
import { AUTOMATION_STATES, MEASURES, newAutomationSchema } from '../../../shared-protocol/dto/automations.js';
import { emptyStats } from '../../../shared-protocol/stats-table.js';
import { factsOf } from '../../support/facts-of.js';
import { fuzzRuns } from '../../support/fuzzing.js';

const NOW = 1_700_000_000;
/** Of one name and one rule, on a machine with other things to do; what backtracks takes minutes. */
const MAX_MS = 3_000;
const LABELS = { category: () => undefined, tag: () => undefined };
const NOTHING: Remembered = {
  heldSince: () => null,
  wasDone: () => false,
  coolsUntil: () => 0,
  failedUntil: () => 0,
};

const numeric = fc.record({
  field: fc.constantFrom(...MEASURES),
  op: fc.constantFrom('at_least', 'at_most'),
  value: fc.oneof(fc.nat(5), fc.nat(300), fc.double({ min: 0, max: 3, noNaN: true })),
});
const state = fc.record({
  field: fc.constant('state'),
  op: fc.constantFrom('is', 'is_not'),
  values: fc.array(fc.constantFrom(...AUTOMATION_STATES), { minLength: 1, maxLength: 3 }),
});
const name = fc.record({
  field: fc.constant('name'),
  op: fc.constantFrom('matches', 'matches_not'),
  syntax: fc.constantFrom('glob', 'regex'),
  pattern: fc.oneof(
    fc.string({ minLength: 1, maxLength: 200 }),
    fc.constantFrom(
      '(a*)*b',
      '(a|aa)+$',
      '(.*){9}{9}{9}',
      'a{1000}{1000}',
      '*?*?*?*?*?*?*b',
      '(?:a?){200}a{200}',
      '\\',
      '[',
      '(?<n>',
    ),
  ),
});
const leaf = fc.oneof(numeric, numeric, state, name);
const group = (item: fc.Arbitrary<unknown>) =>
  fc.record({
    field: fc.constant('group'),
    match: fc.constantFrom('all', 'any'),
    conditions: fc.array(item, { minLength: 1, maxLength: 3 }),
  });
const when = fc.record({
  match: fc.constantFrom('all', 'any'),
  conditions: fc.array(fc.oneof(leaf, group(fc.oneof(leaf, group(leaf)))), { minLength: 1, maxLength: 4 }),
});
const ruleOf = (conditions: unknown) => ({ name: 'r', when: conditions, actions: [{ action: 'announce' }] });

void t.test('anything is refused or judged, and soon', async (t) => {
  let judged = 0;
  fc.assert(
    fc.property(fc.oneof(when, when, fc.anything({ maxDepth: 5 })), fc.string({ maxLength: 250 }), (given, text) => {
      const parsed = newAutomationSchema.safeParse(ruleOf(given));
      if (!parsed.success) return true;
      const beganMs = performance.now();
      try {
        const rule = compileRule(1, parsed.data, LABELS);
        for (const shown of [text, 'a'.repeat(250)]) {
          const subject = subjectOf({ now: NOW, facts: factsOf({ name: shown }) });
          planFor([rule], () => ({ subject, access: 'owner' }), NOTHING, new Due());
        }
        judged++;
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
      }
      return performance.now() - beganMs < MAX_MS;
    }),
    { numRuns: fuzzRuns(2_000) },
  );
  t.ok(judged > 100, `${judged} judged`);
});

const step = fc.record({
  seconds: fc.nat(200),
  totalUp: fc.nat(600),
  bytesDone: fc.constantFrom(0, 100, 200),
  uploadRate: fc.constantFrom(0, 0.5, 3),
  flags: fc.constantFrom(0, 1, 2, 3, 6, 8, 64),
  swarmSeeds: fc.integer({ min: -1, max: 4 }),
  /** Seconds ago. */
  activity: fc.nat(400),
  countedSince: fc.nat(400),
});

void t.test('what skips finds what asking everything finds', async (t) => {
  let asked = 0;
  let looks = 0;
  const numbers = fc.array(fc.oneof(numeric, state), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(numbers, { minLength: 1, maxLength: 3 }),
      fc.array(step, { maxLength: 12 }),
      (lists, steps) => {
        const rules = lists.map((conditions, place) =>
          compileRule(place + 1, newAutomationSchema.parse(ruleOf({ match: 'any', conditions })), LABELS),
        );
        const thresholds = new Thresholds(rules);
        const facts = factsOf({ addedAt: NOW - 100 });
        const judge = (subject: Subject, due: Due) =>
          planFor(rules, () => ({ subject, access: 'owner' }), NOTHING, due)
            .matching.map(({ id }) => id)
            .join();
        let now = NOW;
        let known: { readonly side: string; readonly due: number; readonly found: string } | null = null;
        for (const { seconds, activity, countedSince, ...stats } of steps) {
          now += seconds;
          const times = { lastActivityAt: now - activity, countedSince: now - countedSince };
          const subject = subjectOf({ now, facts, stats: { ...emptyStats(), ...stats, ...times } });
          looks++;
          const due = new Due();
          const side = thresholds.sideOf(subject);
          if (known === null || known.side !== side || known.due <= now) {
            asked++;
            known = { side, found: judge(subject, due), due: due.at };
          } else if (known.found !== judge(subject, due)) return false;
        }
        return true;
      },
    ),
    { numRuns: fuzzRuns(2_000) },
  );
  t.ok(asked > 100 && looks > asked + 100, `${looks} looks, ${asked} of them asked`);
});

function subjectOf(given: Pick<Subject, 'now' | 'facts'> & Partial<Subject>): Subject {
  return { stats: emptyStats(), freeBytes: null, torrents: 3, ...given };
}
