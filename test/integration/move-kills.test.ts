// The short run of moves that are killed: within and across two volumes, nothing is lost, double, claimed falsely, or taken
// from others. The same rounds each time, and others that chance chooses; `npm run chaos:moves` runs two hundred.
import t from 'tap';
import { renderMoveKills, runMoveKills } from '../chaos/move-kills.js';

const ROUNDS = 4;

t.setTimeout(720_000);

for (const seed of [1, Date.now() % 2 ** 32]) {
  void t.test(`${ROUNDS} rounds, --seed ${seed}`, async (t) => {
    const report = await runMoveKills({ rounds: ROUNDS, seed });
    for (const line of renderMoveKills(report).split('\n')) t.comment(line);
    t.same(report.lost, [], 'lost');
    t.same(report.double, [], 'there twice');
    t.same(report.falseClaims, [], 'pieces recorded that are wrong on disk');
    t.same(report.strangersHarmed, [], 'files of others');
    t.same(report.failed, [], 'moves that failed');
  });
}
