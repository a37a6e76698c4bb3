// `swarmd records` is killed at moments that a seed chooses, in both directions: where they came from all is as it was, where they
// go there is nothing or everything, and the command that is given again ends it. So it is with an archive that goes into a database.
import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { writeBackup } from '../../../storage/backup/write-backup.js';
import { openDataDirectory } from '../../../storage/data-directory.js';
import { openDatabase } from '../../../storage/postgres/database.js';
import { PostgresStateStore } from '../../../storage/postgres/postgres-state-store.js';
import { carryToDatabase } from '../../../storage/records/carry.js';
import { MAIN } from '../../support/daemon.js';
import { startHaltingRelay } from '../../support/halting-relay.js';
import { testWith } from '../../support/peers/index.js';
import { startChild } from '../../support/peers/child-process.js';
import { postgres, PostgresCluster } from '../../support/postgres.js';
import { databaseFileIn, ITEMS, recordsScene, seenInFiles, STORED, storeUnder } from '../../support/records-scene.js';
import { SeededRandom } from '../../support/seeded-random.js';
import { swarmd } from '../../support/swarmd-command.js';

const SEED = Number(process.env['SEED'] ?? 20_261_128);
const KILLS = 4;
/** The last bytes are COMMIT, its answer, and the farewell. */
const FROM_THE_END = [1, 12, 40];
const PATIENCE_MS = 20_000;
t.setTimeout(600_000);

let cluster: PostgresCluster;
if (postgres.isAvailable()) cluster = await PostgresCluster.start();

/** The words of a command before the data directory and the database. */
type Command = readonly string[];
const TO_DATABASE: Command = ['records', 'to-database'];
const TO_FILES: Command = ['records', 'to-files'];

const argsOf = (command: Command, dataDir: string, databaseFile: string) => [
  ...[...command, '--data-dir', dataDir, '--database-file', databaseFile],
];

/** Bytes that a run takes which nobody ends, and the moments of kills among them. */
async function moments(t: Test, command: Command, dataDir: string, database: string): Promise<number[]> {
  const relay = await startHaltingRelay(cluster.directory, Infinity);
  const databaseFile = await databaseFileIn(relay.directory, cluster.address(database, relay.directory));
  t.match(await swarmd(argsOf(command, dataDir, databaseFile)), { code: 0, out: /carried: from|restored:/ });
  relay.close();
  const random = new SeededRandom(SEED);
  t.comment(`seed ${SEED}, ${relay.passed} bytes`);
  const chosen = Array.from({ length: KILLS }, () => 1 + random.below(relay.passed - 1));
  return [...chosen, ...FROM_THE_END.map((bytes) => relay.passed - bytes)];
}

/** Runs until so many bytes have passed, and is killed then. */
async function killAt(limit: number, command: Command, dataDir: string, database: string): Promise<void> {
  const relay = await startHaltingRelay(cluster.directory, limit);
  const databaseFile = await databaseFileIn(relay.directory, cluster.address(database, relay.directory));
  const child = await startChild(process.execPath, [MAIN, ...argsOf(command, dataDir, databaseFile)]);
  await Promise.race([relay.halted, child.exited]);
  child.signal('SIGKILL');
  await child.exited;
  relay.close();
}

async function amountsIn(database: string) {
  const [there] = await cluster.query(database, `SELECT to_regclass('feed_items') IS NOT NULL AS made`);
  if (!there?.['made']) return { collections: 0, items: 0 };
  const [amounts] = await cluster.query(
    database,
    `SELECT (SELECT count(*)::int FROM collections WHERE data IS NOT NULL) AS collections,
            (SELECT count(*)::int FROM feed_items) AS items`,
  );
  return amounts as { collections: number; items: number };
}

void testWith(t, postgres, 'on the way into a database', async (t) => {
  const { base, dataDir, database } = await recordsScene(cluster);
  const before = await seenInFiles(dataDir);
  const measured = join(base, 'measured');
  await cp(dataDir, measured, { recursive: true });
  const limits = await moments(t, TO_DATABASE, measured, database);
  const outcomes = new Set<string>();
  for (const limit of limits) {
    const target = await cluster.createDatabase();
    const own = join(base, `at ${limit}`);
    await cp(dataDir, own, { recursive: true });
    await killAt(limit, TO_DATABASE, own, target);
    t.same(await seenInFiles(own), before, `${limit}: the files are as they were`);
    const { collections, items } = await amountsIn(target);
    const isWhole = collections > 0 || items > 0;
    if (isWhole)
      t.same({ collections, items }, { collections: Object.keys(STORED).length, items: ITEMS }, `${limit}: whole`);
    outcomes.add(isWhole ? 'whole' : 'empty');
    const databaseFile = await databaseFileIn(own, cluster.address(target));
    const said = isWhole ? /nothing was left to do/ : /carried: from|nothing was left to do/;
    t.match(await swarmd(argsOf(TO_DATABASE, own, databaseFile)), { code: 0, out: said }, `${limit}: given again`);
    t.same(await amountsIn(target), { collections: Object.keys(STORED).length, items: ITEMS });
    await rm(own, { recursive: true });
  }
  t.same([...outcomes].sort(), ['empty', 'whole'], 'kills on both sides of the commit');
});

/** A directory whose records were carried into a database, and have changed there. */
async function joined() {
  const scene = await recordsScene(cluster);
  await carryToDatabase(scene);
  const opened = await openDatabase(cluster.address(scene.database));
  await storeUnder(new PostgresStateStore(opened), 'settings', { save_path: '/mnt' });
  await opened.close();
  return { ...scene, stale: await seenInFiles(scene.dataDir) };
}

void testWith(t, postgres, 'on the way into files, while rows are read', async (t) => {
  const { base, dataDir, database, databaseFile, stale } = await joined();
  const rows = await amountsIn(database);
  const measured = join(base, 'measured');
  await cp(dataDir, measured, { recursive: true });
  const limits = await moments(t, TO_FILES, measured, database);
  const wanted = await seenInFiles(measured);
  t.not(wanted.collections['settings'], stale.collections['settings']);
  for (const limit of limits) {
    const own = join(base, `at ${limit}`);
    await cp(dataDir, own, { recursive: true });
    await killAt(limit, TO_FILES, own, database);
    t.same(await amountsIn(database), rows, `${limit}: the rows are as they were`);
    const seen = await seenInFiles(own);
    t.same(seen, existsSync(join(own, 'records-in-database')) ? stale : wanted, `${limit}: as before, or all`);
    t.match(await swarmd(argsOf(TO_FILES, own, databaseFile)), { code: 0 }, `${limit}: given again`);
    t.same(await seenInFiles(own), wanted);
    await rm(own, { recursive: true });
  }
});

void testWith(t, postgres, 'on the way into files, while these take their places', async (t) => {
  const { base, dataDir, databaseFile, stale } = await joined();
  const measured = join(base, 'measured');
  await cp(dataDir, measured, { recursive: true });
  t.match(await swarmd(argsOf(TO_FILES, measured, databaseFile)), { code: 0 });
  const wanted = await seenInFiles(measured);
  const places: readonly ((directory: string) => boolean)[] = [
    (directory) => existsSync(join(directory, 'records-arriving.part')),
    (directory) => existsSync(join(directory, 'records-arriving.part', 'settings.json')),
    (directory) => existsSync(join(directory, 'records-arriving.part', 'feeds', 'data.mdb')),
    (directory) => existsSync(join(directory, 'records-arriving')),
    (directory) => !existsSync(join(directory, 'feeds.json')),
    (directory) => existsSync(join(directory, 'records-settling')),
    (directory) => existsSync(join(directory, 'records-settling')) && existsSync(join(directory, 'accounts.json')),
    (directory) => !existsSync(join(directory, 'records-in-database')),
  ];
  for (const [n, isThere] of places.entries()) {
    const own = join(base, `place ${n}`);
    await cp(dataDir, own, { recursive: true });
    const child = await startChild(process.execPath, [MAIN, ...argsOf(TO_FILES, own, databaseFile)]);
    // The moment may be missed.
    const deadline = performance.now() + PATIENCE_MS;
    while (!isThere(own) && child.isRunning && performance.now() < deadline) await turn();
    child.signal('SIGKILL');
    await child.exited;
    const isOver = existsSync(join(own, 'records-arriving')) || !existsSync(join(own, 'records-in-database'));
    const seen = await seenInFiles(own);
    t.same(seen, isOver ? wanted : stale, `${n}: ${isOver ? 'all' : 'as before'}`);
    t.match(await swarmd(argsOf(TO_FILES, own, databaseFile)), { code: 0 }, `${n}: given again`);
    t.same(await seenInFiles(own), wanted);
    await rm(own, { recursive: true });
  }
});

void testWith(t, postgres, 'while an archive is restored into a database', async (t) => {
  const { base, dataDir, database } = await recordsScene(cluster);
  const archive = join(base, 'state.tar.gz');
  await writeBackup({ dataDir, databaseFile: null, file: archive, program: 'test', now: 1 });
  const restore: Command = ['restore', archive];
  const outcomes = new Set<string>();
  const whole = { collections: Object.keys(STORED).length, items: ITEMS };
  for (const limit of await moments(t, restore, join(base, 'measured'), database)) {
    const [target, own] = [await cluster.createDatabase(), join(base, `at ${limit}`)];
    await killAt(limit, restore, own, target);
    const there = await amountsIn(target);
    const isEmpty = there.collections === 0 && there.items === 0;
    if (!isEmpty) t.same(there, whole, `${limit}: whole`);
    outcomes.add(isEmpty ? 'empty' : 'whole');
    if (existsSync(join(own, 'restoring')))
      await t.rejects(openDataDirectory(own), /do it again/, 'nobody begins on it');
    const databaseFile = await databaseFileIn(base, cluster.address(target));
    // One that was killed when all was over finds the directory.
    const again = existsSync(join(own, 'restoring')) ? { code: 0 } : { code: 1, err: /is not empty/ };
    t.match(await swarmd(argsOf(restore, own, databaseFile)), again, `${limit}: given again`);
    t.same(await amountsIn(target), whole);
    t.ok(existsSync(join(own, 'records-in-database')) && !existsSync(join(own, 'accounts.json')));
    await rm(own, { recursive: true });
  }
  t.same([...outcomes].sort(), ['empty', 'whole'], 'kills on both sides of the commit');
});
