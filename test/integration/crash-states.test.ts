// The power is cut at every moment of recorded lives, and what any legal disk may hold then is
// read with the daemon's own loaders. It always loads, all that was acknowledged is there, and no piece is claimed whose
// bytes did not survive. `node dist/test/crash/main.js --samples 200` looks at more states.
import t from 'tap';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { enumerateCrashes } from '../crash/enumerate.js';
import { recordLives } from '../crash/life.js';
import { whyNoStrace } from '../crash/strace.js';
import { MIB } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { SeededRandom } from '../support/seeded-random.js';

t.setTimeout(180_000);

void t.test('a power cut at any moment', { skip: whyNoStrace() ?? false }, async (t) => {
  const scratch = await makeScratch('crash-states', 64 * MIB);
  t.teardown(() => scratch.remove());
  const root = join(scratch.path, 'root');
  await mkdir(root);
  const recorded = await recordLives(root, join(scratch.path, 'sources'));
  const seed = Date.now() % 2 ** 32;
  const { moments, states, claimedPieces, failures } = await enumerateCrashes(recorded, {
    random: new SeededRandom(seed),
    scratch: scratch.path,
    samples: 4,
    maxStates: 800,
  });
  t.comment(`--seed ${seed}: ${moments} moments, ${states} different states, ${claimedPieces} claims of pieces`);
  t.ok(moments > 200 && states > 200 && claimedPieces > 1_000, 'there was something to lose');
  t.same(failures.slice(0, 20), [], `${failures.length} failures`);
});
