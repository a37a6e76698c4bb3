// A newer release that the service finds by itself: said on whichever page is open, leads to where it is installed, and
// goes when it is waved away.
import { readlink } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { Egress } from '../../api/egress/egress.js';
import { cidrs } from '../../api/cli/option-values.js';
import { AddressPolicy } from '../../shared-protocol/address-policy.js';
import { ReleaseUpdater } from '../../api/services/updater/release-updater.js';
import { SILENT_LOG, startHarness } from '../support/api-harness.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { MACHINE, makeInstallation, packRelease, startReleaseServer } from '../support/releases.js';
import { TEST_CERTIFICATE } from '../support/tls-fixture.js';
import { VirtualClock } from '../support/virtual-clock.js';
import { openPage, testInBrowser } from './chromium.js';

const MINUTES_MS = 60_000;

void testInBrowser(t, 'an update is found', async (t, browser) => {
  const { root, running } = await makeInstallation();
  const server = await startReleaseServer();
  t.teardown(() => server.close());
  server.publish('0.2.0', await packRelease('0.2.0'));
  const egress = new Egress({
    policy: new AddressPolicy(cidrs('127.0.0.0/8')),
    certificateAuthorities: [TEST_CERTIFICATE],
  });
  const updater = new ReleaseUpdater(
    { egress, now: () => 1_700_000_000, log: SILENT_LOG },
    {
      url: server.manifestUrl,
      publicKey: '',
      currentVersion: '0.1.0',
      installSource: 'manual',
      programRoot: running,
      machine: MACHINE,
    },
  );
  const clock = new VirtualClock();
  const harness = await startHarness({ deps: { updater, clock } });
  t.teardown(() => harness.close());
  const { page, complaints } = await openPage(browser);
  const notice = page.getByRole('status').filter({ hasText: '0.2.0' });

  await page.goto(harness.daemon.url);
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password').fill(harness.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  // Ticks come by the clock of the service, and the first shows that the page is connected.
  const isConnected = page.getByText('No torrents yet');
  await waitUntil('a tick', 10_000, async () => {
    await clock.advance(1_000);
    return (await isConnected.count()) > 0 ? true : undefined;
  });
  t.equal(await notice.count(), 0);
  await clock.advance(5 * MINUTES_MS);
  await notice.getByText('Swarmd 0.2.0').waitFor();
  await notice.getByRole('link').click();
  await page.waitForURL('**/settings/updates');
  await page.getByRole('button', { name: 'Install' }).click();
  await page.getByText('Installed. Restart Swarmd to use it.').waitFor();
  t.equal(await readlink(join(root, 'current')), join('releases', '0.2.0'));

  await notice.getByRole('button').click();
  await notice.waitFor({ state: 'detached' });
  t.same(complaints, []);
});
