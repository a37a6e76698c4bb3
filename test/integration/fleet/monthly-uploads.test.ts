// What an account may upload in a month, where two fronts lead to its torrents: what one has counted holds at both, also at the
// one whose history began later, and neither lets the account upload again that the other has stopped.
import t from 'tap';
import { openBrowser, scriptOf, type Client } from '../../support/browser.js';
import { testWith } from '../../support/peers/index.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { postgres } from '../../support/postgres.js';
import { magnetOf, torrentId } from '../../support/two-engines.js';
import { startTwoFronts, PASSWORD } from '../../support/two-fronts.js';

const ALLOWED = 1_000_000;
const TIMEOUT_MS = 60_000;

t.setTimeout(180_000);

void testWith(t, postgres, 'uploads of a month, over two fronts', async (t) => {
  const { engine, startFront, scripts } = await startTwoFronts(t);
  const one = await startFront('one');
  const [admin] = await scripts(one);
  const { id } = await admin!.ask<{ id: number }>('POST', '/api/users', {
    ...{ username: 'bob', password: PASSWORD, perm_add_torrents: true, quota: { up_bytes_month: ALLOWED } },
  });
  const bob = await scriptOf(one, await openBrowser(one, 'bob', PASSWORD));
  await bob.ask('POST', '/api/torrents/magnet', { magnet: magnetOf(1) });
  const used = async (client: Client) =>
    (await client.ask<{ used: { up_bytes_month: number } }>('GET', '/api/quota')).used.up_bytes_month;
  const isStopped = () =>
    engine.accountLimits.some(({ accountId, isUploadStopped }) => accountId === id && isUploadStopped);

  engine.setStats(torrentId(1), { totalUp: ALLOWED });
  await waitUntil('counted', TIMEOUT_MS, async () => ((await used(bob)) === ALLOWED ? true : undefined));
  await admin!.ask('PUT', `/api/users/${id}`, { perm_share: true });
  t.ok(isStopped());
  const refused = { status: 400, code: 'QUOTA_EXCEEDED' };
  const addAnother = async (client: Client) => {
    const { status, ...answer } = await client.call('POST', '/api/torrents/magnet', { magnet: magnetOf(2) });
    return { status, code: answer.json<{ code?: string }>().code };
  };
  t.same(await addAnother(bob), refused);

  const other = await startFront('other');
  const [, adminThere] = await scripts(one, other);
  const bobThere = await scriptOf(other, await openBrowser(other, 'bob', PASSWORD));
  t.equal(await used(bobThere), ALLOWED, 'before its own history had any of it');
  t.same(await addAnother(bobThere), refused);
  await adminThere!.ask('PUT', `/api/users/${id}`, { perm_share: false });
  t.ok(isStopped(), 'also after another front has told the engine its limits');

  await adminThere!.ask('PUT', `/api/users/${id}`, { quota: { up_bytes_month: 2 * ALLOWED } });
  t.notOk(isStopped());
  t.same((await addAnother(bobThere)).status, 200);
});
