// The short run of downloads that are killed while their files get their names: nothing is lost, double or taken from others. The
// same rounds each time, and others that chance chooses.
import t from 'tap';
import { renderSuffixKills, runSuffixKills } from '../chaos/suffix-kills.js';

const ROUNDS = 8;

t.setTimeout(600_000);

for (const seed of [1, Date.now() % 2 ** 32]) {
  void t.test(`${ROUNDS} rounds, --seed ${seed}`, async (t) => {
    const report = await runSuffixKills({ rounds: ROUNDS, seed });
    for (const line of renderSuffixKills(report).split('\n')) t.comment(line);
    t.same(report.lost, [], 'lost');
    t.same(report.double, [], 'there twice');
    t.same(report.falseNames, [], 'own names of files that are not whole');
    t.same(report.strangersHarmed, [], 'files of others');
    // The last round is always downloaded to its end; how many come to theirs before is chance.
    t.ok(report.seen.incomplete > 0, 'names with the suffix were there after kills');
  });
}
