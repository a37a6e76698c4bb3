// What an account may have and use: an administrator sets it in the page, and whose it is sees what is used of it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { Page } from 'playwright-core';
import { t as text } from '../../api/web/src/strings/index.js';
import type { AccountQuota } from '../../shared-protocol/dto/accounts.js';
import { ACCOUNT_PASSWORD, makeAccount } from '../support/daemon-account.js';
import { startDaemon } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { KIB } from '../support/peers/payload.js';
import { speakAll } from '../support/texts.js';
import { readAxe, violations } from './accessibility.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

const TIMEOUT_MS = 60_000;
const SIZE = 256 * KIB;
const PASSWORD = 'bobs password';
const BAD = 'lots';
const MAGNET = `magnet:?xt=urn:btih:${'b'.repeat(40)}&dn=counted`;
const NONE = { bytes: 0, torrents: 0, active: 0, down_kbps: 0, up_kbps: 0, up_bytes_month: 0 };
const SET: AccountQuota = { ...NONE, bytes: 1e9, torrents: 5, active: 3, up_bytes_month: 100e9 };

t.setTimeout(120_000);
await speakAll('en');
const axe = await readAxe();

void testInBrowser(t, 'quotas of accounts', async (t, browser) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const bob = { username: 'bob', password: PASSWORD, role: 'user', perm_add_torrents: true };
  const { json } = await daemon.api<{ readonly id: number }>('POST', '/api/users', bob);
  const quota = async () => {
    const { json: users } = await daemon.api<readonly { id: number; quota: AccountQuota }[]>('GET', '/api/users');
    return users.find(({ id }) => id === json.id)?.quota;
  };
  const { page, context, complaints } = await openPage(browser, { reducedMotion: 'reduce' });
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  await page.goto(`${daemon.url}/settings/accounts`);
  const dialog = page.getByRole('dialog');
  const field = (name: keyof AccountQuota) => dialog.locator(`input[name=${name}]`);
  const role = (value: 'admin' | 'user') => dialog.locator(`input[name=role][value=${value}]`);
  const save = () => dialog.getByRole('button', { name: text('common.save') }).click();

  await t.test('set by an administrator', async (t) => {
    await edit(page);
    t.notOk(await field('bytes').isVisible(), 'folded away where nothing is set');
    await toggle(page);
    await dialog.getByLabel(text('quotas.bound.bytes')).fill('1 GB');
    await dialog.getByText('954 MiB').waitFor();
    await dialog.getByLabel(text('quotas.bound.torrents')).fill('5');
    await dialog.getByLabel(text('quotas.bound.active')).fill('3');
    await dialog.getByLabel(text('quotas.bound.up_bytes_month')).fill('100 GB');
    t.same(await violations(page, axe), [], 'of the window');
    await save();
    await dialog.waitFor({ state: 'detached' });
    t.same(await quota(), SET);
  });

  await t.test('its row says how much is used of it, and that of an administrator nothing', async (t) => {
    const rowOf = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    for (const said of ['0 B of 954 MiB', '0 of 5 torrents', '0 of 3 running', '0 B of 93.1 GiB uploaded this month']) {
      await rowOf('bob').getByText(said).waitFor();
    }
    t.equal(await rowOf('admin').getByText(text('quotas.title')).count(), 0);
    t.same(await violations(page, axe), []);
  });

  await t.test('shown when it is opened again', async (t) => {
    await edit(page);
    t.ok(await field('bytes').isVisible(), 'unfolded where something is set');
    t.equal(await field('bytes').inputValue(), '1 GB');
    t.equal(await field('torrents').inputValue(), '5');
    t.equal(await field('active').inputValue(), '3');
    t.equal(await field('up_kbps').inputValue(), '');
    t.equal(await field('up_bytes_month').inputValue(), '100 GB');
  });

  await t.test('an entry that is no size is refused where it stands', async (t) => {
    const sent: string[] = [];
    page.on('request', (request) => void (request.method() === 'PUT' && sent.push(request.url())));
    await field('bytes').fill(BAD);
    await dialog.getByRole('alert').getByText(text('settings.form.noSize')).waitFor();
    await toggle(page);
    await save();
    t.ok(await field('bytes').isVisible(), 'and is not folded away');
    t.equal(await dialog.locator('input:focus').getAttribute('name'), 'bytes');
    t.same(sent, []);
    await field('bytes').fill('');
    t.ok(await field('bytes').isVisible(), 'it stays unfolded');
    await field('bytes').fill(BAD);
  });

  await t.test('an administrator has none, whatever was typed before', async (t) => {
    await role('admin').check();
    await field('bytes').waitFor({ state: 'detached' });
    await save();
    await dialog.waitFor({ state: 'detached' });
    t.same(await quota(), SET, 'what was set is there still');
    await page.getByText('0 B of 954 MiB').waitFor({ state: 'detached' });
    await edit(page);
    await role('user').check();
    await save();
    await dialog.waitFor({ state: 'detached' });
    t.same(await quota(), SET);
  });

  await t.test('statistics name the bounds', async () => {
    await page.goto(`${daemon.url}/statistics`);
    const row = page.getByRole('row').filter({ hasText: 'bob' });
    await row.getByText('0 B of 954 MiB').waitFor();
    await row.getByText('0 of 5 torrents').waitFor();
    await row.getByText('0 of 3 running').waitFor();
    await row.getByText('0 B of 93.1 GiB uploaded this month').waitFor();
  });
  t.same(complaints, []);
  await context.close();

  await t.test('whose it is sees what is used', async (t) => {
    const own = await openPage(browser, { reducedMotion: 'reduce' });
    await signIn(own.page, daemon.url, 'bob', PASSWORD);
    await own.page.evaluate(async (magnet) => {
      await fetch('api/torrents/magnet', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ magnet }),
      });
    }, MAGNET);
    await own.page.goto(`${daemon.url}/account`);
    const section = own.page.getByRole('region', { name: text('quotas.title') });
    await section.getByText('0 B of 954 MiB').waitFor();
    await section.getByText('1 of 5', { exact: true }).waitFor();
    await section.getByText('0 B of 93.1 GiB this month').waitFor();
    t.equal(await section.locator('dt').count(), 4, 'nothing of what is not bounded');
    t.same(await violations(own.page, axe), []);
    await daemon.api('PUT', `/api/users/${json.id}`, { quota: NONE });
    await own.page.reload();
    await own.page.getByRole('region', { name: text('accounts.password') }).waitFor();
    await own.page.waitForLoadState('networkidle');
    t.equal(await section.count(), 0, 'nothing where there is no bound');
    t.same(own.complaints, []);
    await own.context.close();
  });

  await t.test('a torrent says that its account has uploaded as much as it may this month', async (t) => {
    const home = join(daemon.savePath, 'alice');
    await mkdir(home);
    await writeFile(join(home, 'film'), seededBytes(1, SIZE));
    const alice = await makeAccount(daemon, 'alice', { home });
    const { torrentBytes } = makeTorrent({ name: 'film', pieceLength: 64 * KIB, files: seededBytes(1, SIZE) });
    const id = await alice.client.addTorrentFile(torrentBytes);
    await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
    const leech = await startDaemon();
    t.teardown(() => leech.stop());
    await leech.addTorrentFile(torrentBytes);
    await leech.addPeers(id, daemon.peerAddress);
    await leech.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
    const own = await openPage(browser);
    await signIn(own.page, daemon.url, 'alice', ACCOUNT_PASSWORD);
    await own.page.getByRole('row').nth(1).dblclick();
    const tab = (name: 'overview' | 'speed') =>
      own.page.getByRole('tab', { name: text(`details.tabs.${name}`) }).click();
    await tab('speed');
    const reasons = own.page.getByRole('region', { name: text('bottlenecks.title') }).getByRole('listitem');
    t.notMatch(await reasons.first().innerText(), /this month/);
    await daemon.api('PUT', `/api/users/${alice.id}`, { quota: { up_bytes_month: SIZE } });
    await tab('overview');
    await tab('speed');
    await reasons.getByText(/uploaded as much as it may this month, and uploads again from \w{3} 1, 20\d\d/).waitFor();
    t.equal(await reasons.count(), 1, 'and nothing else is the reason');
    t.same(own.complaints, []);
    await own.context.close();
  });
});

async function edit(page: Page): Promise<void> {
  await page.getByRole('button', { name: text('accounts.actionsOf', { name: 'bob' }) }).click();
  await page.getByRole('menuitem', { name: text('settings.edit') }).click();
}

/** Unfolds the quotas, or folds them. */
function toggle(page: Page): Promise<void> {
  return page.getByRole('dialog').locator('summary').click();
}
