// The short run of chaos in a fleet: parts of it are killed, stand still or are cut off while it is worked on, nothing that was
// acknowledged is lost, no file is written by an engine whose it is not, and it is whole again within a time. `npm run chaos:fleet` runs
// a hundred rounds.
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { namespacesUnavailable } from '../../support/namespaces.js';
import { startChild } from '../../support/peers/child-process.js';
import { testWith } from '../../support/peers/index.js';
import { writesUnavailable } from '../../support/peers/writes.js';
import { postgres } from '../../support/postgres.js';

const MAIN = fileURLToPath(new URL('../../chaos/fleet/main.js', import.meta.url));
const ROUNDS = 4;
const SEED = 58;
const OUTCOME = /^(\d+) changes acknowledged; (\d+) writes seen; whole after .+ at most$/;

t.setTimeout(600_000);

const unavailable = namespacesUnavailable() || writesUnavailable();

void testWith(t, postgres, `${ROUNDS} rounds, --seed ${SEED}`, async (t) => {
  if (unavailable) return void t.comment(unavailable);
  const lines: string[] = [];
  // In what time is for `npm run chaos:fleet` on a machine that does nothing else.
  const limits = ['--longest-s', '5', '--whole-within-s', '80'];
  const args = ['--rounds', String(ROUNDS), '--seed', String(SEED), '--nodes', '2', ...limits];
  const child = await startChild('unshare', ['--net', process.execPath, MAIN, ...args], {
    onLine: (line) => {
      lines.push(line);
      t.comment(line);
    },
  });
  t.teardown(() => child.stop());
  const { code } = await child.exited;
  t.equal(code, 0, `${lines.join('\n')}\n${child.stderr}`);
  const [, acknowledged, writes] = lines.map((line) => OUTCOME.exec(line)).find((found) => found !== null) ?? [];
  t.ok(Number(acknowledged) > 100, `${acknowledged} changes were acknowledged`);
  t.ok(Number(writes) > 0, `${writes} writes were seen`);
});
