// Records go from a data directory into a database and back, letter by letter, and nothing is done where something is in the way.
import { existsSync } from 'node:fs';
import { copyFile, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openDataDirectory } from '../../../storage/data-directory.js';
import { DirectoryStateStore } from '../../../storage/directory-state-store.js';
import { openDatabase, type Database } from '../../../storage/postgres/database.js';
import { openPostgresFeedMemory } from '../../../storage/postgres/postgres-feed-memory.js';
import { openPostgresLeases } from '../../../storage/postgres/postgres-leases.js';
import { PostgresStateStore } from '../../../storage/postgres/postgres-state-store.js';
import { carryToDatabase, carryToFiles } from '../../../storage/records/carry.js';
import { refuseMarked } from '../../../storage/records/mark.js';
import { testWith } from '../../support/peers/index.js';
import { postgres, PostgresCluster } from '../../support/postgres.js';
import {
  databaseFileIn,
  ITEMS,
  recordsScene,
  seenIn,
  seenInFiles,
  STORED,
  storeUnder,
} from '../../support/records-scene.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

let cluster: PostgresCluster;
if (postgres.isAvailable()) cluster = await PostgresCluster.start();

function suite(title: string, run: (t: Test, scene: Awaited<ReturnType<typeof recordsScene>>) => Promise<void>): void {
  void testWith(t, postgres, title, async (t) => run(t, await recordsScene(cluster)));
}

async function onDatabase<Value>(name: string, run: (database: Database) => Promise<Value>): Promise<Value> {
  const database = await openDatabase(cluster.address(name));
  try {
    return await run(database);
  } finally {
    await database.close();
  }
}

const seenInRows = (name: string) =>
  onDatabase(name, async (database) =>
    seenIn(new PostgresStateStore(database), await openPostgresFeedMemory(database)),
  );

suite('all come into a database, and back into a directory', async (t, { base, dataDir, database, databaseFile }) => {
  const before = await seenInFiles(dataDir);
  t.same(Object.keys(before.collections).sort(), Object.keys(STORED).sort());
  t.match(before, { feeds: [{ added: 1 }], hasTorrent: true });
  const carried = await carryToDatabase({ dataDir, databaseFile });
  t.match(carried, { already: false, database: new RegExp(`^PostgreSQL database ${database} at `) });
  t.match(carried.counts, {
    ...{ accounts: 2, settings: 1, 'labels: categories': 1, 'labels: tags': 0, feeds: 1, webhooks: 1 },
    ...{ preferences: 2, notices: 1, 'items of feeds': ITEMS },
  });
  t.same(await seenInRows(database), before);
  t.same(await seenInFiles(dataDir), before, 'the files are as they were');
  await t.rejects(refuseMarked(dataDir), { code: 'RECORDS_ELSEWHERE', message: /carried into PostgreSQL .* to-files/ });

  const elsewhere = join(base, 'elsewhere');
  t.match(await carryToFiles({ dataDir: elsewhere, databaseFile }), { already: false, counts: carried.counts });
  t.same(await seenInFiles(elsewhere), before);
  t.same(await seenInRows(database), before, 'the rows are as they were');
});

suite('a second time finds them carried', async (t, { dataDir, databaseFile }) => {
  await carryToDatabase({ dataDir, databaseFile });
  t.match(await carryToDatabase({ dataDir, databaseFile }), { already: true });
  await carryToFiles({ dataDir, databaseFile });
  await refuseMarked(dataDir);
  t.match(await carryToFiles({ dataDir, databaseFile }), { already: true });
});

suite('a directory that they were carried from takes what became of them', async (t, scene) => {
  const { dataDir, database, databaseFile } = scene;
  await carryToDatabase(scene);
  for (const name of ['engine-options', 'engine-blocklist'])
    await writeFile(join(dataDir, name), 'of a front that is gone');
  await writeFile(join(dataDir, 'engine-id'), 'kept');
  await onDatabase(database, async (opened) => {
    const store = new PostgresStateStore(opened);
    await storeUnder(store, 'settings', { save_path: '/mnt' });
    await storeUnder(store, 'sessions', { sessions: [{ token: 'of a browser' }] });
    await store.remove('preferences/2');
    await (await openPostgresFeedMemory(opened)).forget(7);
  });
  await t.rejects(carryToDatabase({ dataDir, databaseFile }), {
    code: 'RECORDS_ELSEWHERE',
    message: /were carried into PostgreSQL .*, and are others than those of PostgreSQL .*: nothing was changed/,
  });
  const rows = await seenInRows(database);
  await carryToFiles(scene);
  t.same(await seenInFiles(dataDir), rows);
  t.match(rows, { feeds: [] });
  t.equal(rows.collections['preferences/2'], undefined);
  for (const gone of [
    'sessions.json',
    'engine-options',
    'engine-blocklist',
    'records-in-database',
    'preferences/2.json',
    'preferences/2.json.bak',
  ]) {
    t.notOk(existsSync(join(dataDir, gone)), `${gone} is not there`);
  }
  t.equal(await readFile(join(dataDir, 'engine-id'), 'utf8'), 'kept');
});

suite('records that are in the way are named, and stay', async (t, { base, dataDir, database, databaseFile }) => {
  await onDatabase(database, (opened) => storeUnder(new PostgresStateStore(opened), 'accounts', { accounts: [] }));
  await t.rejects(carryToDatabase({ dataDir, databaseFile }), {
    code: 'RECORDS_IN_THE_WAY',
    message: /^PostgreSQL database \S+ at \S+ has records already \(accounts\): nothing was changed$/,
  });
  await refuseMarked(dataDir);
  await t.rejects(carryToFiles({ dataDir, databaseFile }), {
    code: 'RECORDS_IN_THE_WAY',
    message:
      /data has records already \(accounts, automation-history, feeds, labels, notices\/2, …\): nothing was changed$/,
  });
  const of = join(base, 'sessions-alone');
  const sessions = await cluster.createDatabase();
  await onDatabase(sessions, (opened) => storeUnder(new PostgresStateStore(opened), 'sessions', { a: 1 }));
  await openDataDirectory(of).then((directory) => directory.release());
  const file = await databaseFileIn(of, cluster.address(sessions));
  await t.rejects(carryToDatabase({ dataDir, databaseFile: file }), /has records already \(sessions\)/);
});

suite('a source without records is refused', async (t, { base, dataDir, databaseFile }) => {
  const none = join(base, 'none');
  await t.rejects(carryToDatabase({ dataDir: none, databaseFile }), {
    code: 'RECORDS_MISSING',
    message: /none is no data directory: there is no layout.json in it$/,
  });
  t.notOk(existsSync(none), 'it was not made');
  await openDataDirectory(none).then((directory) => directory.release());
  await t.rejects(carryToDatabase({ dataDir: none, databaseFile }), {
    code: 'RECORDS_MISSING',
    message: /no accounts/,
  });
  await t.rejects(carryToFiles({ dataDir: none, databaseFile }), {
    code: 'RECORDS_MISSING',
    message: /^PostgreSQL .* no accounts/,
  });
  await writeFile(join(dataDir, 'labels.json'), 'torn');
  await rm(join(dataDir, 'labels.json.bak'), { force: true });
  await t.rejects(carryToDatabase({ dataDir, databaseFile }), { code: 'STORAGE_FAILED', message: /labels\.json/ });
});

suite('what is in use is refused', async (t, { dataDir, database, databaseFile }) => {
  const held = await openDataDirectory(dataDir);
  await t.rejects(carryToDatabase({ dataDir, databaseFile }), { code: 'STORAGE_LOCKED', message: /in use by process/ });
  held.release();
  const front = await openDatabase(cluster.address(database));
  const inUse = { code: 'STORAGE_LOCKED', message: /is in use: a front is connected to it; stop all fronts$/ };
  await t.rejects(carryToDatabase({ dataDir, databaseFile }), inUse);
  await t.rejects(carryToFiles({ dataDir: await temporaryDirectory(), databaseFile }), inUse);
  const lease = await openPostgresLeases(front).claim('front', 'killed', 3_600_000);
  await front.close();
  await t.rejects(carryToDatabase({ dataDir, databaseFile }), {
    code: 'STORAGE_LOCKED',
    message: /the lease front has not run out/,
  });
  await onDatabase(database, (opened) => openPostgresLeases(opened).release('front', 'killed', lease?.epoch ?? 0));
  t.match(await carryToDatabase({ dataDir, databaseFile }), { already: false });
});

suite('what a newer program has written is refused', async (t, { base, dataDir, database, databaseFile }) => {
  await onDatabase(database, async () => undefined);
  await cluster.query(database, `INSERT INTO collections VALUES ('accounts', 1, 1, '{}'), ('moods/1', 1, 1, '{}')`);
  const target = join(base, 'target');
  await t.rejects(carryToFiles({ dataDir: target, databaseFile }), {
    code: 'STORAGE_TOO_NEW',
    message: /the collection moods\/1/,
  });
  await cluster.query(database, 'INSERT INTO schema_migrations VALUES (99, now())');
  const newer = { code: 'STORAGE_TOO_NEW', message: /version 99/ };
  await t.rejects(carryToFiles({ dataDir: target, databaseFile }), newer);
  await t.rejects(carryToDatabase({ dataDir, databaseFile }), newer);
  await writeFile(join(dataDir, 'layout.json'), '{"version":99}');
  await t.rejects(carryToDatabase({ dataDir, databaseFile }), { code: 'STORAGE_TOO_NEW', message: /layout\.json/ });
});

suite('wherever the last steps into a directory were cut off, whoever opens it ends them', async (t, scene) => {
  const { base, dataDir, databaseFile } = scene;
  const [stale, fresh] = [join(base, 'stale'), join(base, 'fresh')];
  await cp(dataDir, stale, { recursive: true });
  await carryToDatabase(scene);
  await carryToFiles({ dataDir: fresh, databaseFile });
  const wanted = await seenInFiles(fresh);
  await storeUnder(new DirectoryStateStore(stale), 'preferences/9', { a: 1 });
  const arrived = [
    'accounts.json',
    'settings.json',
    'labels.json',
    'feeds.json',
    'webhooks.json',
    'automation-history.json',
  ];
  const parts = [...arrived, 'preferences', 'notices', 'feeds'];
  const cut = async (name: string, prepare: (directory: string) => Promise<void>) => {
    const directory = join(base, name);
    await cp(stale, directory, { recursive: true });
    await prepare(directory);
    t.same(await seenInFiles(directory), wanted, name);
    t.notOk(existsSync(join(directory, 'records-arriving')) || existsSync(join(directory, 'records-settling')), name);
  };
  const layDown = async (folder: string) => {
    for (const part of parts) await cp(join(fresh, part), join(folder, part), { recursive: true });
  };
  await cut('whole', (directory) => layDown(join(directory, 'records-arriving')));
  await cut('stale ones half gone', async (directory) => {
    await layDown(join(directory, 'records-arriving'));
    for (const gone of ['accounts.json', 'feeds']) await rm(join(directory, gone), { recursive: true });
  });
  for (let placed = 0; placed < parts.length; placed++) {
    await cut(`${placed} in their places`, async (directory) => {
      for (const name of [...parts, ...arrived.map((file) => `${file}.bak`)]) {
        await rm(join(directory, name), { recursive: true, force: true });
      }
      for (const [n, part] of parts.entries()) {
        const folder = n < placed ? directory : join(directory, 'records-settling');
        await cp(join(fresh, part), join(folder, part), { recursive: true });
      }
    });
  }
  const unfinished = join(base, 'unfinished');
  await cp(stale, unfinished, { recursive: true });
  const before = await seenInFiles(unfinished);
  await cp(join(fresh, 'notices'), join(unfinished, 'records-arriving.part', 'notices'), { recursive: true });
  await copyFile(join(fresh, 'accounts.json'), join(unfinished, 'records-arriving.part', 'accounts.json'));
  t.same(await seenInFiles(unfinished), before, 'what was not whole has changed nothing');
});
