// The first day with Swarmd: signing in with the password that the first start has made, setting an own one, dropping a
// torrent file, choosing what of it, watching it come from another program, and sharing it with somebody who only looks.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Browser, Locator, Page } from 'playwright-core';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { libtorrent, type PeerClient } from '../support/peers/index.js';
import { digestsOf, KIB, MIB, writePayload, type Payload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { openPage, signIn, submitSignIn } from './chromium.js';
import { dropFiles } from './drop.js';

const OWN_PASSWORD = 'a password of my own';
/** So that a download can be watched. */
const DOWN_KBPS = 1_024;

/** `addressOf`: where the browser has the daemon. @default its own address */
export async function firstDay(
  t: Test,
  browser: Browser,
  args: readonly string[] = [],
  addressOf: (t: Test, daemon: DaemonUnderTest) => Promise<string> = async (_t, { url }) => url,
): Promise<void> {
  const scratch = await makeScratch('first-day', 8 * MIB);
  t.teardown(() => scratch.remove());
  const payload = await writePayload(scratch.path, 4 * MIB, 64 * KIB);
  const [daemon, seed] = await Promise.all([startDaemon({ makesPassword: true, args }), libtorrent.start()]);
  t.teardown(() => Promise.all([daemon.stop(), seed.close()]));
  await seed.seed(payload.torrent(), scratch.path);
  const address = await addressOf(t, daemon);

  const { page, complaints } = await openPage(browser);
  await enter(t, page, daemon, address);
  await add(page, payload);
  await choose(t, page, daemon, payload);
  await watch(t, page, { daemon, seed, payload });
  await share(page, daemon);
  await look(t, browser, { daemon, payload, address });
  t.same(complaints, []);
}

async function enter(t: Test, page: Page, daemon: DaemonUnderTest, address: string): Promise<void> {
  const file = join(daemon.dataDir, 'initial-admin-password');
  await page.goto(address);
  await page.getByText('initial-admin-password').waitFor();
  await submitSignIn(page, 'admin', daemon.adminPassword);
  await page.getByText('No torrents yet').waitFor();
  t.ok(existsSync(file), 'until it is changed');
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Your account' }).click();
  await page.getByLabel('Current password').fill(daemon.adminPassword);
  await page.getByLabel('New password', { exact: true }).fill(OWN_PASSWORD);
  await page.getByLabel('Confirm new password').fill(OWN_PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  const again = page.getByRole('dialog', { name: 'Sign in' });
  await again.getByLabel('Password').fill(OWN_PASSWORD);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.waitFor({ state: 'detached' });
  t.notOk(existsSync(file), 'nobody needs it any more');
  await page.getByRole('link', { name: 'Torrents' }).first().click();
  await page.getByText('No torrents yet').waitFor();
}

async function add(page: Page, payload: Payload): Promise<void> {
  await dropFiles(page, [{ name: 'film.torrent', bytes: payload.torrent() }]);
  const dialog = page.getByRole('dialog', { name: 'Add torrents' });
  await dialog.getByLabel('Start paused').check();
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await listed(page, payload).getByText('Paused').waitFor();
}

/** Of the three files the largest is left for later. */
async function choose(t: Test, page: Page, daemon: DaemonUnderTest, payload: Payload): Promise<void> {
  await daemon.api('PUT', `/api/torrents/${payload.infoHash}/rate_limits`, { down_kbps: DOWN_KBPS, up_kbps: 0 });
  await listed(page, payload).dblclick();
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByLabel('Priority of extras').selectOption('High');
  await page.getByLabel('Priority of film.bin').selectOption('Do not download');
  const shown = (name: string) => page.getByLabel(`Priority of ${name}`).inputValue();
  t.same(await Promise.all(['film.bin', 'notes.bin', 'sound.bin'].map(shown)), ['skip', 'high', 'high']);
}

interface Download {
  readonly daemon: DaemonUnderTest;
  readonly seed: PeerClient;
  readonly payload: Payload;
}

async function watch(t: Test, page: Page, { daemon, seed, payload }: Download): Promise<void> {
  const file = (name: string) => page.getByRole('treegrid').getByRole('row', { name });
  const row = listed(page, payload);
  await page.getByRole('toolbar').getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('tab', { name: 'Peers' }).click();
  await page.getByRole('button', { name: 'Add peers…' }).click();
  await page.getByLabel('Addresses').fill(seed.address);
  await page.getByRole('dialog').getByRole('button', { name: 'Add peers' }).click();
  await page.getByRole('table', { name: 'Connected peers' }).getByText('libtorrent').waitFor();
  await page.getByRole('tab', { name: 'Files' }).click();
  await file('sound.bin').getByText('100%').waitFor();
  // Whatever is shown from here on is of what comes then.
  await row.getByText('Seeding').waitFor();
  t.equal(await file('film.bin').getByText('100%').count(), 0, 'what is skipped does not come');
  await page.getByLabel('Priority of film.bin').selectOption('Normal');
  await row.getByText('Downloading').waitFor();
  await row
    .getByText(/[1-9]\S* [KM]iB\/s/)
    .first()
    .waitFor();
  await row.getByText('Seeding').waitFor();
  await row.getByText('100%').waitFor();
  t.same(await digestsOf(payload, daemon.savePath), payload.digests, 'the same to the byte');
}

async function share(page: Page, daemon: DaemonUnderTest): Promise<void> {
  await daemon.api('POST', '/api/users', { username: 'bob', password: 'bobs password', role: 'user' });
  await page.getByRole('tab', { name: 'Sharing' }).click();
  await page.getByLabel('Account', { exact: true }).last().selectOption('bob');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('button', { name: 'Stop sharing with bob' }).waitFor();
}

interface Looked {
  readonly daemon: DaemonUnderTest;
  readonly payload: Payload;
  readonly address: string;
}

/** Everything is there to be seen; what would change something is absent, or says why it cannot be. */
async function look(t: Test, browser: Browser, { daemon, payload, address }: Looked): Promise<void> {
  const { page, complaints } = await openPage(browser);
  await signIn(page, address, 'bob', 'bobs password');
  const row = listed(page, payload);
  await row.getByText('Seeding').waitFor();
  await row.dblclick();
  t.equal(await page.getByRole('tab', { name: 'Sharing' }).count(), 0, 'no tab to share it further');
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('treegrid').getByText('sound.bin').waitFor();
  t.ok(await page.getByLabel('Priority of sound.bin').isDisabled());
  const tools = page.getByRole('toolbar');
  for (const { name, why } of [
    { name: 'Pause', why: 'You have view-only access to this torrent.' },
    { name: 'Remove…', why: 'Only the owner can do this.' },
  ]) {
    const button = tools.getByRole('button', { name });
    t.equal(await button.getAttribute('title'), `${name}\n${why}`, 'what it would do, and why it does not');
    t.equal(await button.getAttribute('aria-disabled'), 'true');
  }
  await row.click({ button: 'right' });
  for (const name of ['Pause', 'Force start', 'Sequential download', 'Force recheck', 'Remove…']) {
    t.ok(await page.getByRole('menuitem', { name }).isDisabled(), `${name} in the menu`);
  }
  await page.keyboard.press('Escape');
  await row.click();
  await page.keyboard.press('p');
  await page.getByText('You have view-only access to this torrent.').first().waitFor();
  t.notOk((await daemon.torrent(payload.infoHash)).paused);
  t.same(complaints, []);
}

function listed(page: Page, payload: Payload): Locator {
  return page.getByRole('grid', { name: 'Torrents' }).getByRole('row', { name: payload.name });
}
