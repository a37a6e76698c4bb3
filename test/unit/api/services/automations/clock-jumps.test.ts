// A wall clock that is years ahead for a while makes all torrents old: no rule removes any because of it.
import t from 'tap';
import { parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { RulesBench } from '../../../../support/rules-bench.js';

const MINUTE_S = 60;
const YEAR_S = 365 * 86_400;
const ID = parseInfoHash('a'.repeat(40));

void t.test('removals wait until the clock has gone on evenly for an hour', async (t) => {
  const bench = await RulesBench.begin();
  await bench.add('a');
  const { automations, runs } = bench.front();
  const conditions = [{ field: 'age', op: 'at_least', value: 30 * 24 * 60 }];
  const old = { when: { match: 'all', conditions }, actions: [{ action: 'remove', delete_data: true }] };
  await automations.create(bench.account, bench.rule(old));
  const isThere = () => bench.library.find(ID) !== undefined;
  for (const setBy of [0, 10 * YEAR_S, -YEAR_S, 0]) {
    bench.setBy = setBy;
    for (let minutes = 0; minutes < 15; minutes++) {
      bench.now += MINUTE_S;
      await runs.look();
    }
    t.ok(isThere(), `set by ${setBy} s`);
  }
  for (let days = 0; days < 30; days++) {
    bench.now += 24 * 60 * MINUTE_S;
    await runs.look();
  }
  t.notOk(isThere(), 'what is old by a clock that goes on evenly goes');
});
