// Two fronts of one database and one engine, which is in memory behind its stream.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { createInProcessTransport } from './in-process-transport.js';
import { startHarness, type Harness } from './api-harness.js';
import { Client, openBrowser, scriptOf, THROUGH_A_PROXY } from './browser.js';
import { startHostedGroup } from './hosted-group.js';
import { MemoryEngine } from './memory-engine.js';
import { PostgresCluster } from './postgres.js';
import { temporaryDirectory } from './temporary-directory.js';

export const PASSWORD = 'correct horse battery';

export async function startTwoFronts(t: Test) {
  // The daemons have their engine from here, whichever the run of tests is for.
  const wanted = process.env['SWARMD_TEST_ENGINE'];
  process.env['SWARMD_TEST_ENGINE'] = '';
  t.teardown(() => void (process.env['SWARMD_TEST_ENGINE'] = wanted ?? ''));
  const base = await temporaryDirectory();
  const cluster = await PostgresCluster.start();
  const [databaseFile, passwordFile] = [join(base, 'database'), join(base, 'password')];
  await writeFile(databaseFile, `${cluster.address(await cluster.createDatabase())}\n`, { mode: 0o600 });
  await writeFile(passwordFile, `${PASSWORD}\n`, { mode: 0o600 });
  const engine = new MemoryEngine();
  const group = await startHostedGroup([
    {
      name: 'main',
      createEngine: () => createInProcessTransport(engine.handlers),
      options: { maxFronts: 2 },
    },
  ]);
  const fronts = new Set<Harness>();
  t.teardown(async () => {
    for (const front of fronts) await front.close();
    await group.close();
  });
  const startFront = async (name: string): Promise<Harness> => {
    const args = [
      ...THROUGH_A_PROXY,
      ...['--database-file', databaseFile, '--engines', group.file, '--admin-password-file', passwordFile],
    ];
    const front = await startHarness({ dataDir: join(base, name), args });
    fronts.add(front);
    return front;
  };
  return {
    ...{ base, cluster, databaseFile, engine, host: group.hosts[0]!, startFront },
    async stopFront(front: Harness): Promise<void> {
      fronts.delete(front);
      await front.close();
    },
    browser: (front: Harness, name = 'admin', password = PASSWORD): Promise<Client> =>
      openBrowser(front, name, password),
    /** The administrator by one key at each of the fronts. */
    async scripts(first: Harness, ...others: readonly Harness[]): Promise<Client[]> {
      const client = await scriptOf(first, await openBrowser(first, 'admin', PASSWORD));
      return [client, ...others.map((front) => new Client(front, client.headers))];
    },
  };
}
