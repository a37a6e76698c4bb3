// Settings in a browser: a form that is refused, saved and guarded; the schedule painted with mouse and keys; accounts;
// and a new password that ends the session it was set in.
import t from 'tap';
import type { Page } from 'playwright-core';
import type { RuleDto } from '../../shared-protocol/dto/schedule.js';
import { startDaemon } from '../support/daemon.js';
import { makeTorrent } from '../support/make-torrent.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

const TIMEOUT_MS = 30_000;
const NEW_PASSWORD = 'another-password';

void testInBrowser(t, 'settings in a browser', async (t, browser) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  await daemon.addTorrentFile(
    makeTorrent({ name: 'one', pieceLength: 16_384, files: new Uint8Array(1_000), trackers: [] }).torrentBytes,
  );
  const { page, complaints } = await openPage(browser);
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  await page.getByRole('link', { name: 'Settings' }).first().click();

  await t.test('a form says what is wrong, saves, and is not left by mistake', async (t) => {
    await goTo(page, 'Downloads');
    const folder = page.getByLabel('Folder to watch');
    await page.getByLabel('Enable watch folder').check();
    await folder.fill('/no/such/folder');
    await saveButton(page, 1).click();
    await page.getByText('No such folder on the server.').waitFor();
    t.equal(await folder.getAttribute('aria-invalid'), 'true', 'what the server says is at the field that it names');

    await page.getByRole('link', { name: 'Queue' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await page.getByRole('button', { name: 'Stay' }).click();
    t.equal(await folder.inputValue(), '/no/such/folder', 'still there');
    await page.getByRole('link', { name: 'Queue' }).click();
    await page.getByRole('button', { name: 'Leave' }).click();

    const downloads = page.getByLabel('Max active downloads');
    await downloads.fill('-2');
    await page.getByText('Must be 0 or more.').waitFor();
    await downloads.fill('7');
    await saveButton(page, 0).click();
    await page.getByText('Saved.').waitFor();
    const { json } = await daemon.api('GET', '/api/settings/queue_limits');
    t.equal(json['max_active_downloads'], 7);
  });

  await t.test('what a flag has decided is shown as it is, cannot be changed, and is not stored', async (t) => {
    await goTo(page, 'Peers');
    const dht = page.getByLabel('Enable DHT');
    await page.getByText('Set by --dht at start.').waitFor();
    t.same([await dht.isDisabled(), await dht.isChecked()], [true, false]);
    t.equal(await page.getByText('Set by --upnp at start.').count(), 1);
    t.ok(await page.getByLabel('Encryption', { exact: true }).isEnabled(), 'no flag says anything of it');
    await page.getByLabel('Peers per torrent').fill('66');
    await saveButton(page, 0).click();
    const json = await waitUntil('saved', TIMEOUT_MS, async () => {
      const stored = (await daemon.api('GET', '/api/settings/peer_limits')).json;
      return stored['max_peers_per_torrent'] === 66 ? stored : undefined;
    });
    t.match(json, { max_peers_per_torrent: 66, dht_enabled: true, upnp_enabled: true, encryption_enabled: true });
    const connections = page.getByRole('region', { name: 'Connections' });
    await connections.getByText('Set by --lsd at start.').waitFor();
    await connections.getByLabel('Upload slots of all torrents').fill('4');
    await connections.getByLabel('Encryption').selectOption('Allowed: unencrypted first, encrypted accepted');
    await saveButton(page, 1).click();
    await waitUntil('encryption', TIMEOUT_MS, async () => {
      const stored = (await daemon.api('GET', '/api/settings/connections')).json;
      return (stored['encryption'] === 'allowed' && stored['upload_slots'] === 4) || undefined;
    });
    await page.getByLabel('Peers per torrent').fill('67');
    await saveButton(page, 0).click();
    const both = await waitUntil('saved again', TIMEOUT_MS, async () => {
      const stored = (await daemon.api('GET', '/api/settings/peer_limits')).json;
      return stored['max_peers_per_torrent'] === 67 ? stored : undefined;
    });
    t.match(both, { encryption_enabled: false }, 'each form leaves alone what the other says');
  });

  await t.test('a window is painted with the mouse, past midnight', async (t) => {
    await goTo(page, 'Schedule');
    const friday = await centreOf(page, '4-22');
    const cell = await centreOf(page, '4-21');
    const height = friday.y - cell.y;
    await page.mouse.move(friday.x, friday.y);
    await page.mouse.down();
    await page.mouse.move(friday.x, friday.y + height * 7, { steps: 4 });
    await page.mouse.up();
    const dialog = page.getByRole('dialog', { name: 'New rule' });
    t.equal(await dialog.getByLabel('From').inputValue(), '22:00');
    t.equal(await dialog.getByLabel('To', { exact: true }).inputValue(), '06:00');
    t.ok(await dialog.getByLabel('Friday').isChecked());
    await dialog.getByLabel('Custom limits').check();
    await dialog.getByLabel('Download').fill('256');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('listitem').filter({ hasText: '22:00–06:00 (next day)' }).waitFor();
    const [rule] = (await daemon.api<readonly RuleDto[]>('GET', '/api/schedule_rules')).json;
    t.match(rule, { days_mask: 0b100000, start_min: 1320, end_min: 360, down_kbps: 256, alt_only: false });
  });

  await t.test('and with the keyboard alone', async (t) => {
    await page.locator('[data-cell="0-9"]').focus();
    for (const key of ['ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Enter']) {
      await page.keyboard.press(key);
    }
    const dialog = page.getByRole('dialog', { name: 'New rule' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Tue–Wed 09:00–12:00' }).waitFor();
    t.equal(await page.getByRole('gridcell', { name: /^Wednesday 11:00, rule 2/ }).count(), 1);
    await page.locator('[data-cell="1-10"]').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Edit rule 2' }).waitFor();
    await page.keyboard.press('Escape');
  });

  await t.test('an account is made, and sees settings that it may not change', async (t) => {
    await goTo(page, 'Accounts');
    await page.getByRole('button', { name: 'New account' }).click();
    const dialog = page.getByRole('dialog', { name: 'New account' });
    await dialog.getByLabel('Username').fill('vera');
    await dialog.getByLabel('Password').fill('short');
    await dialog.getByRole('button', { name: 'Create account' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'At least 8 characters.' }).waitFor();
    await dialog.getByLabel('Password').fill('password-of-vera');
    await dialog.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('listitem').filter({ hasText: 'vera' }).waitFor();

    const other = await openPage(browser);
    await signIn(other.page, daemon.url, 'vera', 'password-of-vera');
    await other.page.getByRole('link', { name: 'Settings' }).first().click();
    await goTo(other.page, 'Seeding');
    await other.page.getByText('You don’t have permission to change settings.').waitFor();
    t.ok(await other.page.getByLabel('Ratio limit').isDisabled());
    t.equal(await other.page.getByRole('link', { name: 'Accounts' }).count(), 0, 'nor is shown what is not for it');
    t.same(other.complaints, []);
    await other.context.close();
  });

  await t.test('a key is shown once, and a new password leads to the sign-in', async (t) => {
    await page.goto(`${daemon.url}/account`);
    await page.getByRole('button', { name: 'Regenerate API key' }).click();
    const warning = page.getByRole('dialog', { name: 'Regenerate API key' });
    await warning.getByRole('button', { name: 'Regenerate API key' }).click();
    const key = await page.getByRole('textbox', { name: 'Your new API key' }).inputValue();
    t.match(key, /^[\w-]{43}$/);
    await page.getByRole('button', { name: 'Done' }).click();

    await page.getByLabel('Current password').fill('wrong-password');
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('Confirm new password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('current password is incorrect').waitFor();
    await page.getByLabel('Current password').fill(daemon.adminPassword);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password was changed. Sign in with the new one').waitFor();
    const again = page.getByRole('dialog', { name: 'Sign in' });
    t.equal(await again.getByLabel('Username').inputValue(), 'admin');
    await again.getByLabel('Password').fill(NEW_PASSWORD);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    t.ok(await page.getByRole('heading', { name: 'API key', exact: true }).isVisible(), 'and goes on where it was');
  });

  t.same(complaints, []);
});

async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

function saveButton(page: Page, place: number) {
  return page.getByRole('button', { name: 'Save' }).nth(place);
}

async function centreOf(page: Page, cell: string): Promise<{ readonly x: number; readonly y: number }> {
  const place = page.locator(`[data-cell="${cell}"]`);
  await place.scrollIntoViewIfNeeded();
  const box = (await place.boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
