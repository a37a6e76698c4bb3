// The file with the password that a front has made up at the first start of all: it goes when that is changed at another front,
// at once, or at the next start of a front that was not there.
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startHarness, type Harness } from '../../support/api-harness.js';
import { openBrowser, THROUGH_A_PROXY } from '../../support/browser.js';
import { testWith } from '../../support/peers/index.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { postgres, PostgresCluster } from '../../support/postgres.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const TIMEOUT_MS = 30_000;
const OTHER_PASSWORD = 'another horse battery';

/** Fronts of a new database, each with an engine of its own; the first one that starts makes the password. */
async function setUp(t: Test) {
  const [cluster, base] = await Promise.all([PostgresCluster.start(), temporaryDirectory()]);
  const databaseFile = join(base, 'database');
  await writeFile(databaseFile, `${cluster.address(await cluster.createDatabase())}\n`, { mode: 0o600 });
  const startFront = async (name: string): Promise<Harness> => {
    const args = [...THROUGH_A_PROXY, '--database-file', databaseFile];
    const front = await startHarness({ dataDir: join(base, name), args });
    t.teardown(() => front.close());
    return front;
  };
  const has = (name: string) =>
    access(join(base, name, 'initial-admin-password')).then(
      () => true,
      () => false,
    );
  return { startFront, has };
}

async function changePassword(front: Harness, password: string): Promise<void> {
  const browser = await openBrowser(front, 'admin', password);
  await browser.ask('POST', '/api/me/password', { old_password: password, new_password: OTHER_PASSWORD });
}

void testWith(
  t,
  postgres,
  'a front that was not there removes it at its start, and not before it is stale',
  async (t) => {
    const { startFront, has } = await setUp(t);
    const first = await startFront('one');
    await first.close();
    const again = await startFront('one');
    t.ok(await has('one'), 'it holds what opens account 1');
    await again.close();
    const other = await startFront('other');
    t.notOk(await has('other'));
    await changePassword(other, first.password);
    t.ok(await has('one'));
    await startFront('one');
    t.notOk(await has('one'));
  },
);

void testWith(t, postgres, 'a front that is there removes it when it hears of the change', async (t) => {
  const { startFront, has } = await setUp(t);
  const [first, other] = [await startFront('one'), await startFront('other')];
  await changePassword(other, first.password);
  await waitUntil('the file goes', TIMEOUT_MS, async () => ((await has('one')) ? undefined : true));
});
