// Schedule rules: kept as they were sent, under ids of their own.
import t from 'tap';
import {
  NO_RULES,
  ScheduleRules,
  scheduleSchema,
  type ScheduleData,
} from '../../../../../api/services/settings/schedule-rules.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';

const RULE = {
  days_mask: 62,
  start_min: 1320,
  end_min: 360,
  down_kbps: 100,
  up_kbps: 0,
  alt_only: false,
  enabled: true,
};
const UNKNOWN = { code: 'NOT_FOUND', message: 'rule not found' };

function start(data: ScheduleData = NO_RULES) {
  const collection = new MemoryCollection(data, (changed) => scheduleSchema.parse(changed));
  const told: number[] = [];
  const rules: ScheduleRules = new ScheduleRules({
    collection,
    onChanged: async () => void told.push(rules.all.length),
  });
  return { collection, rules, told };
}

void t.test('made, changed, deleted', async (t) => {
  const { rules, told } = start();
  t.same(rules.all, []);
  t.equal(await rules.create(RULE), 1);
  t.equal(await rules.create({ ...RULE, days_mask: 0 }), 2);
  await rules.change({ ...RULE, id: 2, alt_only: true });
  t.same(rules.all, [
    { ...RULE, id: 1 },
    { ...RULE, id: 2, alt_only: true },
  ]);
  await rules.delete(1);
  t.same(
    rules.all.map(({ id }) => id),
    [2],
  );
  await t.rejects(rules.delete(1), UNKNOWN);
  await t.rejects(rules.change({ ...RULE, id: 1 }), UNKNOWN);
  t.same(told, [1, 2, 2, 1], 'told of each change that was made, and of no other');
});

void t.test('an id that came with a new rule is not its id, and none is given out twice', async (t) => {
  const { rules, collection } = start();
  const made = { ...RULE, id: 77 };
  t.equal(await rules.create(made), 1);
  await rules.delete(1);
  const again = start(collection.data).rules;
  t.equal(await again.create(RULE), 2);
});

void t.test('there is an end to them', async (t) => {
  const all = Array.from({ length: 1_000 }, (_, index) => ({ ...RULE, id: index + 1 }));
  const { rules } = start({ next_id: 1_001, rules: all });
  await t.rejects(rules.create(RULE), { code: 'BODY_INVALID', message: 'rules: at most 1000' });
});
