// Which torrents rules would remove: every one by its rule.
import t from 'tap';
import { compileRule } from '../../../../../api/services/automations/compiled-rule.js';
import { removalsOf } from '../../../../../api/services/automations/marks.js';
import { newAutomationSchema, type AutomationAction } from '../../../../../shared-protocol/dto/automations.js';
import { factsOf } from '../../../../support/facts-of.js';

const TORRENTS = 20_000;
const remove: AutomationAction = { action: 'remove', delete_data: false };
const pause: AutomationAction = { action: 'pause' };

const ruleOf = (id: number, action: AutomationAction) => {
  const when = { match: 'all', conditions: [{ field: 'age', op: 'at_least', value: 0 }] };
  return compileRule(id, newAutomationSchema.parse({ name: 'r', when, actions: [action] }), {
    category: () => undefined,
    tag: () => undefined,
  });
};

void t.test('as many as an account may have are told by rule at once', async (t) => {
  const [first, second, other] = [ruleOf(1, remove), ruleOf(2, remove), ruleOf(3, pause)];
  const torrent = factsOf({});
  const deeds = Array.from({ length: TORRENTS }, (_, index) => ({
    torrent,
    steps: [
      { rule: index === 0 ? second : first, action: remove, outcome: 'do' as const },
      { rule: other, action: pause, outcome: 'do' as const },
    ],
  }));
  const removals = removalsOf(deeds);
  t.same(
    [...removals].map(([{ id }, torrents]) => [id, torrents.length]),
    [
      [2, 1],
      [1, TORRENTS - 1],
    ],
  );
});
