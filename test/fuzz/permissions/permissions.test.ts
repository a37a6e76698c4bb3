// Accounts with random rights do random things with torrents that collide in hash, name and file, on a daemon with real
// files, while files are put in their way by hand: no account ever reads, changes or removes a byte or a fact that the rules
// do not give it. The rules are the two models; a failure says what was done before it.
import t from 'tap';
import { FUZZ_SEED, fuzzRuns, keepFailingInput } from '../../support/fuzzing.js';
import { ACTS } from './acts.js';
import { checkFiles, checkLists, checkPlace, Fault } from './checks.js';
import { add, byHand, recheck, remove, restart, seed, settled, type FileAct, type Touched } from './file-acts.js';
import { World } from './world.js';

const ACTS_PER_WORLD = 320;
const ACTS_PER_RESTART = 120;
const ACTS_SHOWN = 12;

t.setTimeout(900_000);

void t.test(`random acts of four accounts, seed ${FUZZ_SEED}`, async (t) => {
  const world = await World.start(t, FUZZ_SEED);
  const log: string[] = [];
  const allowed = new Map<number, number>();
  const kinds = new Map<string, number>();
  const count = fuzzRuns(ACTS_PER_WORLD);
  try {
    for (let number = 1; number <= count; number++) {
      const done = await oneAct(world, number, log);
      if (!done) continue;
      allowed.set(done.status, (allowed.get(done.status) ?? 0) + 1);
      if (done.downloaded?.disk.hasDownloaded) kinds.set('downloads', (kinds.get('downloads') ?? 0) + 1);
      if (done.removed && done.removed.size > 0) kinds.set('deletions', (kinds.get('deletions') ?? 0) + 1);
      if (world.all.some(({ shares }) => shares.length > 1)) kinds.set('held by several', 1);
    }
  } catch (error) {
    if (!(error instanceof Fault)) log.push(String(error));
    t.fail(
      `${String(error)}\n${log.slice(-ACTS_SHOWN).join('\n')}\n${keepFailingInput('permissions', log.join('\n'))}`,
    );
    return;
  }
  t.comment(JSON.stringify([...allowed, ...kinds]));
  for (const status of [200, 400, 403]) t.ok(allowed.get(status), `some were answered ${status}`);
  for (const kind of ['downloads', 'deletions', 'held by several']) t.ok(kinds.get(kind), `there were ${kind}`);
  t.notMatch(world.daemon.stderr, /"level":"(error|fatal)"/, 'no failure of ours was logged');
});

async function oneAct(world: World, number: number, log: string[]): Promise<Touched | null> {
  const person = world.pick(world.people);
  const act: FileAct = number % ACTS_PER_RESTART === 0 ? restart : chosen(world);
  const done = await act(world, person);
  if (!done) return null;
  log.push(`${number} ${person.username}: ${done.said}, ${done.status}`);
  if (done.status !== done.expected) throw new Fault(`answered ${done.status}, not ${done.expected}`);
  if (done.placed) await checkPlace(world, done.placed);
  await settled(world, () => checkFiles(world, done));
  await checkLists(world);
  return done;
}

function chosen(world: World): FileAct {
  const which = world.below(100);
  if (which < 32) return add;
  if (which < 46) return seed;
  if (which < 58) return remove;
  if (which < 65) return recheck;
  if (which < 73) return byHand;
  return world.pick(ACTS);
}
