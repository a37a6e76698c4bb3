// The short run of chaos: a daemon is killed again and again while it works, and nothing that it had
// promised is lost. The same rounds each time, and others that chance chooses; `npm run chaos` runs two hundred.
import t from 'tap';
import { renderChaos, runChaos } from '../chaos/rounds.js';

const ROUNDS = 6;

let piecesChecked = 0;

t.setTimeout(720_000);

for (const seed of [1, Date.now() % 2 ** 32]) {
  void t.test(`${ROUNDS} rounds, --seed ${seed}`, async (t) => {
    const report = await runChaos({ rounds: ROUNDS, seed });
    for (const line of renderChaos(report).split('\n')) t.comment(line);
    t.same(report.torrentsLost, [], 'torrents lost or changed');
    t.same(report.settingsLost, [], 'acknowledged settings lost');
    t.same(report.wrongPieces, [], 'pieces recorded that are wrong on disk');
    t.same(report.incomplete, [], 'torrents that did not complete');
    piecesChecked += report.piecesChecked;
  });
}

// Each kill of a few may come before the first piece.
void t.test('something was recorded', async (t) => t.ok(piecesChecked > 0));
