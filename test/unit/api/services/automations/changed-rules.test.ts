// The past of a rule that is changed: by other words it has none, at whichever front it was changed.
import t from 'tap';
import { RulesBench } from '../../../../support/rules-bench.js';

const MINUTE_S = 60;

/** Two fronts, of which the first leads, and a rule whose conditions have held for half of its hour. */
async function startHalfway() {
  const bench = await RulesBench.begin();
  const torrent = await bench.add('a');
  const [{ automations, runs }, other] = [bench.front(), bench.front()];
  const id = await automations.create(bench.account, bench.rule({ for_minutes: 60, actions: [{ action: 'pause' }] }));
  await runs.look();
  bench.now += 30 * MINUTE_S;
  await runs.look();
  const lookAfter = async (minutes: number) => {
    bench.now += minutes * MINUTE_S;
    await runs.look();
    return bench.acts;
  };
  return { bench, torrent, id, automations, runs, other: other.automations, lookAfter };
}

void t.test('a rule whose conditions another front has changed begins to wait anew', async (t) => {
  const { bench, id, other, lookAfter } = await startHalfway();
  const when = { match: 'all', conditions: [{ field: 'ratio', op: 'at_least', value: 2 }] };
  await other.change(bench.account, id, { when: bench.rule({ when, actions: [{ action: 'pause' }] }).when });
  t.same(await lookAfter(31), []);
  t.same(await lookAfter(28), []);
  t.same(await lookAfter(32), ['a pause']);
});

void t.test('one that has got another name goes on', async (t) => {
  const { bench, id, other, lookAfter } = await startHalfway();
  await other.change(bench.account, id, { name: 'another' });
  t.same(await lookAfter(29), []);
  t.same(await lookAfter(1), ['a pause']);
});

void t.test('while a rule is off nobody looks, and that time does not count', async (t) => {
  const { bench, id, other, lookAfter } = await startHalfway();
  await other.change(bench.account, id, { enabled: false });
  t.same(await lookAfter(1), []);
  await other.change(bench.account, id, { enabled: true });
  t.same(await lookAfter(31), []);
  t.same(await lookAfter(60), ['a pause']);
});

void t.test('while an account is off nobody looks, and that time does not count', async (t) => {
  const { bench, lookAfter } = await startHalfway();
  bench.isAccountOff = true;
  t.same(await lookAfter(31), []);
  bench.isAccountOff = false;
  t.same(await lookAfter(31), []);
  t.same(await lookAfter(60), ['a pause']);
});

void t.test('what is done once is done again by a rule that says something else', async (t) => {
  const bench = await RulesBench.begin();
  await bench.add('a');
  const [{ automations, runs }, other] = [bench.front(), bench.front()];
  const announces = bench.rule({ actions: [{ action: 'announce' }] });
  const id = await automations.create(bench.account, announces);
  for (let round = 0; round < 2; round++) await runs.look();
  t.same(bench.acts, ['a announce']);
  await other.automations.change(bench.account, id, { for_minutes: 1 });
  await runs.look();
  bench.now += MINUTE_S;
  await runs.look();
  t.same(bench.acts, ['a announce', 'a announce']);
});
