// Looks at torrents by rules with patterns on names: whatever the patterns, one at a time is compiled or looked for before
// others have their turn; and a look has an end, from which the next goes on.
import t, { type Test } from 'tap';
import { compileRule } from '../../../../../api/services/automations/compiled-rule.js';
import { Evaluation } from '../../../../../api/services/automations/evaluation.js';
import { Memory, NO_AUTOMATION_MEMORY } from '../../../../../api/services/automations/memory.js';
import { Sight } from '../../../../../api/services/automations/sight.js';
import type { ListedTorrent } from '../../../../../api/services/library/shares.js';
import { re2 } from '../../../../../api/services/rss/re2.js';
import { newAutomationSchema } from '../../../../../shared-protocol/dto/automations.js';
import { ADMIN_ACCOUNT_ID, parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../../../../shared-protocol/library-record.js';
import { emptyStats } from '../../../../../shared-protocol/stats-table.js';
import { factsOf } from '../../../../support/facts-of.js';

const ACCOUNT = { id: ADMIN_ACCOUNT_ID, role: 'admin' } as const;
const LABELS = { category: () => undefined, tag: () => undefined };
/** What one pattern takes, by the clock of these tests. */
const STEP_MS = 10;
const NAME = 'a'.repeat(200);

const slow = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ field: 'name', op: 'matches', syntax: 'regex' },
    pattern: `(?:.?){${100 + n}}[^a]`,
  }));
const ruleOf = (id: number, conditions: readonly object[]) =>
  compileRule(
    id,
    newAutomationSchema.parse({ name: 'r', when: { match: 'any', conditions }, actions: [{ action: 'resume' }] }),
    LABELS,
  );

/** A clock that nothing moves but patterns, and how many of them others had to wait for at most. */
function patternClock(t: Test) {
  const { RE2JS } = re2();
  const { compile } = RE2JS;
  const { matcher } = RE2JS.prototype;
  t.teardown(() => {
    RE2JS.compile = compile;
    RE2JS.prototype.matcher = matcher;
  });
  const seen = { nowMs: 0, steps: 0, inARow: 0, mostInARow: 0 };
  const step = () => {
    seen.nowMs += STEP_MS;
    seen.steps++;
    seen.mostInARow = Math.max(seen.mostInARow, ++seen.inARow);
  };
  RE2JS.compile = (...given) => {
    step();
    return compile.apply(RE2JS, given);
  };
  RE2JS.prototype.matcher = function (...given) {
    step();
    return matcher.apply(this, given);
  };
  let isOver = false;
  const others = () => {
    seen.inARow = 0;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  t.teardown(() => (isOver = true));
  return seen;
}

function evaluationOf(torrents: ListedTorrent[], rules: ReturnType<typeof ruleOf>[], nowMs: () => number) {
  const collection = { data: NO_AUTOMATION_MEMORY, update: async () => undefined };
  const memory = new Memory({ collection, now: () => 0 } as unknown as ConstructorParameters<typeof Memory>[0]);
  const library = {
    visibleTo: () => torrents,
    shareFor: (_id: unknown, torrent: ListedTorrent) => torrent,
    stats: { sequence: () => 1, read: (_row: number, _tag: number, into: object) => (Object.assign(into, { ...emptyStats(), flags: 1 }), true) }, // prettier-ignore
  };
  const remembered = () => ({ heldSince: () => null, wasDone: () => false, coolsUntil: () => 0, failedUntil: () => 0 });
  const deps = { library, memory, nowMs, remembered } as unknown as ConstructorParameters<typeof Evaluation>[0];
  return new Evaluation(deps, new Sight(deps, ACCOUNT as ConstructorParameters<typeof Sight>[1], false), rules);
}

const torrentsNamed = (count: number, name: string) =>
  Array.from({ length: count }, (_, row) =>
    factsOf({
      id: parseInfoHash(row.toString(16).padStart(40, '0')),
      row,
      library: { ...NEW_LIBRARY_RECORD, name },
    }),
  );
const circumstances = { now: 1_700_000_000, torrents: 1, freeBytesAt: () => null };

void t.test('others have their turn after each pattern, and looks go on where the one before ended', async (t) => {
  const clock = patternClock(t);
  const torrents = torrentsNamed(20, NAME);
  const rules = [1, 2, 3].map((id) => ruleOf(id, slow(20)));
  const evaluation = evaluationOf(torrents, rules, () => clock.nowMs);
  // Compiled once, and looked for in each name once.
  const all = 60 + 60 * torrents.length;
  let looks = 0;
  for (; clock.steps < all && looks < 100; looks++) {
    const before = clock.steps;
    t.same(await evaluation.look(circumstances, ''), []);
    t.ok(clock.steps - before <= 42, `${clock.steps - before} steps in 0.4 s`);
  }
  t.equal(clock.steps, all);
  t.ok(looks >= 30);
  t.equal(clock.mostInARow, 1);
  await evaluation.look(circumstances, 'other');
  t.equal(clock.steps, all, 'what names are is remembered');
});

void t.test(
  'a pattern that is too large, for all names or for a long one, holds of nothing, and nor does its opposite',
  async (t) => {
    const condition = { field: 'name', syntax: 'regex' };
    const tooLarge = { ...condition, pattern: '(?:.?){600}' };
    const forShort = { ...condition, pattern: '(?:.?){400}' };
    for (const [conditions, names] of [
      [[tooLarge], []],
      [[forShort], ['a']],
      [[{ ...condition, pattern: '^(?:foo|bar|a)' }], ['a', NAME]],
    ] as const) {
      for (const op of ['matches', 'matches_not']) {
        const torrents = [...torrentsNamed(1, 'a'), ...torrentsNamed(2, NAME).slice(1)];
        const rule = ruleOf(1, conditions.map((each) => ({ ...each, op }))); // prettier-ignore
        const deeds = await evaluationOf(torrents, [rule], () => 0).look(circumstances, '');
        const expected = op === 'matches' ? names : [];
        t.same(
          deeds.map(({ torrent }) => torrent.library.name),
          expected,
          `${op} ${conditions[0].pattern}`,
        );
      }
    }
  },
);
