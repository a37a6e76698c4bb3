// The short run of renames that are killed: nothing is lost, double or taken from others. The same rounds each time, and
// others that chance chooses.
import t from 'tap';
import { renderRenameKills, runRenameKills } from '../chaos/rename-kills.js';

const ROUNDS = 6;

t.setTimeout(300_000);

for (const seed of [1, Date.now() % 2 ** 32]) {
  void t.test(`${ROUNDS} rounds, --seed ${seed}`, async (t) => {
    const report = await runRenameKills({ rounds: ROUNDS, seed });
    for (const line of renderRenameKills(report).split('\n')) t.comment(line);
    t.same(report.lost, [], 'lost');
    t.same(report.double, [], 'there twice');
    t.same(report.strangersHarmed, [], 'files of others');
    t.ok(report.renames > 0);
  });
}
