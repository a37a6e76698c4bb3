// A dry run says of each action what a run would come to, also by what rules did and failed to do lately.
import t from 'tap';
import { RulesBench } from '../../../../support/rules-bench.js';

const HOUR_S = 3_600;
const PAUSE = { actions: [{ action: 'pause' }] };
/** Holds for torrents that {@link PAUSE} is not about. */
const RESUME = {
  when: { match: 'all', conditions: [{ field: 'ratio', op: 'at_most', value: 0.5 }] },
  actions: [{ action: 'resume' }],
};

/** A torrent, and the rule that pauses it. */
async function scene() {
  const bench = await RulesBench.begin();
  const torrent = await bench.add('a');
  const { automations, runs, previews } = bench.front();
  const pausing = await automations.create(bench.account, bench.rule(PAUSE));
  const outcomes = async (fields: object, ruleId?: number) => {
    const { matches } = await previews.of(bench.account, bench.rule(fields), ruleId);
    return matches.flatMap(({ actions }) => actions.map(({ outcome }) => outcome));
  };
  return { bench, torrent, runs, pausing, outcomes };
}

void t.test('what another rule did within the hour cools', async (t) => {
  const { bench, torrent, runs, outcomes } = await scene();
  await runs.look();
  t.same(bench.acts, ['a pause']);
  bench.setRatio(torrent, 0);
  await bench.library.pause({ id: torrent, by: bench.account.id });
  t.same(await outcomes(RESUME), ['cooling']);
  bench.now += HOUR_S;
  t.same(await outcomes(RESUME), ['do']);
});

void t.test('what the rule itself failed to do lately is not tried at once', async (t) => {
  const { bench, runs, pausing, outcomes } = await scene();
  t.same(await outcomes(PAUSE, pausing), ['do'], 'before any look');
  bench.onAct = () => {
    throw new Error('refused');
  };
  await runs.look();
  t.same(await outcomes(PAUSE, pausing), ['failed_lately']);
});
