// A minute of the soak (`npm run soak`): torrents, peers and users come and go, and nothing of them stays in the daemon.
import t from 'tap';
import { runSoak } from '../soak/soak.js';
import { renderVerdicts } from '../soak/verdict.js';

const MINUTES = 1;

t.setTimeout(240_000);

void t.test('nothing grows in a minute of churn', async (t) => {
  const { verdicts, churned, samples } = await runSoak(MINUTES, () => undefined);
  t.comment(renderVerdicts(verdicts));
  t.ok(samples.length >= 6, `${samples.length} samples`);
  t.ok(churned.torrents >= 20 && churned.peers >= 80 && churned.clients >= 10, JSON.stringify(churned));
  t.same(
    verdicts.filter(({ hasGrown }) => hasGrown).map(({ measure }) => measure),
    [],
    renderVerdicts(verdicts),
  );
});
