// A backup of a front has the records of its database, in the form in which a single machine has them: it is restored on one machine,
// and into another database.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { startDaemon, type DaemonUnderTest } from '../../support/daemon.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { testWith } from '../../support/peers/index.js';
import { makeScratch } from '../../support/peers/scratch.js';
import { postgres, PostgresCluster } from '../../support/postgres.js';
import { databaseFileIn } from '../../support/records-scene.js';
import { swarmd } from '../../support/swarmd-command.js';

t.setTimeout(300_000);
/** The engine is a thread of the front here, so that its torrents are in the backup as well. */
process.env['SWARMD_TEST_ENGINE'] = '';

async function namesAt(daemon: DaemonUnderTest) {
  const { json: users } = await daemon.api<readonly { username: string }[]>('GET', '/api/users');
  const { json: categories } = await daemon.api<readonly { name: string; default_save_path: string }[]>(
    'GET',
    '/api/categories',
  );
  return {
    users: users.map(({ username }) => username),
    categories: categories.map(({ name, default_save_path }) => ({ name, default_save_path })),
    torrents: (await daemon.torrents()).map(({ id }) => id),
  };
}

void testWith(t, postgres, 'records of a database come along, and go where they are wanted', async (t) => {
  const scratch = await makeScratch('fleet-backup');
  t.teardown(() => scratch.remove());
  const at = (name: string) => join(scratch.path, name);
  const cluster = await PostgresCluster.start();
  const database = async (name: string) => {
    await mkdir(at(name));
    return databaseFileIn(at(name), cluster.address(await cluster.createDatabase()));
  };
  const [first, second] = [await database('first'), await database('second')];
  const savePath = at('downloads');
  const own = await startDaemon({ dataDir: at('data'), savePath });
  await own.stop();
  const carrying = ['records', 'to-database', '--data-dir', at('data'), '--database-file', first];
  t.match(await swarmd(carrying), { code: 0 });
  const front = await startDaemon({ dataDir: at('data'), savePath, args: ['--database-file', first] });
  t.teardown(() => front.stop());
  await front.api('POST', '/api/users', { username: 'bob', password: 'bobs password' });
  await front.api('POST', '/api/categories', { name: 'Films', default_save_path: join(savePath, 'films'), color: '' });
  const made = makeTorrent({ name: 'one.bin', pieceLength: 16_384, files: seededBytes(1, 16_384) });
  await front.addTorrentFile(made.torrentBytes);
  const wanted = await namesAt(front);
  t.match(wanted, { users: ['admin', 'bob'], categories: [{ name: 'Films' }] });
  t.equal(wanted.torrents.length, 1);
  const archive = at('state.tar.gz');
  t.match(await swarmd(['backup', archive, '--data-dir', at('data')]), { code: 0, out: /^written: / });
  await front.stop();

  const restore = (name: string, ...args: readonly string[]) =>
    swarmd(['restore', archive, '--data-dir', at(name), ...args]);
  t.match(await restore('single'), { code: 0, out: /^restored: / });
  const single = await startDaemon({ dataDir: at('single'), savePath });
  t.teardown(() => single.stop());
  t.same(await namesAt(single), wanted, 'on one machine');
  await single.stop();

  const elsewhere = at('elsewhere');
  const withMap = ['--database-file', second, '--map', `${savePath}=${elsewhere}`];
  t.match(await restore('other', ...withMap), { code: 0, out: /--database-file/ });
  await mkdir(join(at('other'), 'restoring'));
  t.match(
    await restore('other', ...withMap),
    { code: 0 },
    'one that was cut off when the records were there is done again',
  );
  await t.rejects(startDaemon({ dataDir: at('other'), savePath: elsewhere }), /were carried into PostgreSQL/);
  const other = await startDaemon({ dataDir: at('other'), savePath: elsewhere, args: ['--database-file', second] });
  t.teardown(() => other.stop());
  const moved = [{ name: 'Films', default_save_path: join(elsewhere, 'films') }];
  t.same(await namesAt(other), { ...wanted, categories: moved }, 'into another database');
  t.match(await restore('third', ...withMap), { code: 1, err: /is in use: a front is connected/ });
  await other.api('POST', '/api/categories', { name: 'Series', default_save_path: elsewhere, color: '' });
  await other.stop();
  t.match(await restore('third', ...withMap), { code: 1, err: /PostgreSQL .* has records already \(accounts, / });
});
