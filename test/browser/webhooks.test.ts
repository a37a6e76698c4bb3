// Webhooks on the page, with a receiver that checks what arrives: made, tried, failing and going on, ended by the receiver,
// changed and deleted; what is refused stands at its field; the secret is seen once, and none of it by another account.
import t from 'tap';
import type { Page } from 'playwright-core';
import { t as text } from '../../api/web/src/strings/index.js';
import type { WebhookDto } from '../../shared-protocol/dto/webhooks.js';
import { startDaemon } from '../support/daemon.js';
import { ACCOUNT_PASSWORD, makeAccount } from '../support/daemon-account.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { speakAll } from '../support/texts.js';
import { startUpstream } from '../support/upstream.js';
import { startReceiver } from '../support/webhook-receiver.js';
import { openPage, signIn, testInBrowser } from './chromium.js';
import { hasFocus, tabTo } from './keys.js';
import { openLooks } from './looks.js';

const TIMEOUT_MS = 30_000;

await speakAll('en');
t.setTimeout(180_000);

const addButton = (page: Page) => page.locator('main').getByRole('button', { name: text('webhooks.add') });

void testInBrowser(t, 'a webhook from the first message to the last', async (t, browser) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const ann = await makeAccount(daemon, 'ann');
  const receiver = await startReceiver(t);
  const url = `${receiver.upstream.origin}/ann?key=1`;
  const add = (digit: string) => ann.client.addMagnet(`magnet:?xt=urn:btih:${digit.repeat(40)}&dn=${digit}`);
  const heard = (count: number) => waitUntil(`message ${count}`, TIMEOUT_MS, () => receiver.heard[count - 1]);
  const stored = async () => (await ann.client.api<WebhookDto[]>('GET', '/api/webhooks')).json;
  const { page, context, complaints } = await openPage(browser);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, daemon.url, 'ann', ACCOUNT_PASSWORD);
  await page.goto(`${daemon.url}/settings/webhooks`);
  const dialog = page.getByRole('dialog');
  const row = page.getByRole('list', { name: text('webhooks.list') }).getByRole('listitem');
  const test = row.getByRole('button', { name: text('webhooks.testOf', { url }) });
  const isOn = row.getByRole('checkbox', { name: text('webhooks.enable', { url }) });
  const looksWell = await openLooks(page);

  await t.test('what is refused stands at its field', async (t) => {
    await page.getByText(text('webhooks.emptyTitle')).waitFor();
    await looksWell(t, 'none');
    await addButton(page).focus();
    await page.keyboard.press('Enter');
    const field = dialog.getByLabel(text('webhooks.url'), { exact: true });
    await hasFocus(field);
    for (const [typed, said] of [
      ['', 'Required.'],
      ['nonsense', 'Enter an http or https URL.'],
      ['ftp://receiver.invalid/', 'Enter an http or https URL.'],
      ['http://169.254.169.254/', text('server.privateAddress')],
    ] as const) {
      await field.fill(typed);
      await page.keyboard.press('Enter');
      await dialog
        .locator(`#${await field.getAttribute('aria-describedby')}`)
        .getByText(said, { exact: true })
        .waitFor();
      t.equal(await field.getAttribute('aria-invalid'), 'true', said);
      await hasFocus(field);
    }
    await field.fill(url);
    for (const box of await dialog.getByRole('checkbox').all()) await box.uncheck();
    await field.press('Enter');
    await dialog.getByRole('alert').getByText(text('webhooks.noEvent')).waitFor();
    await hasFocus(dialog.getByRole('checkbox').first());
    await looksWell(t, 'the dialog, with a problem');
    t.same(await stored(), []);
  });

  await t.test('its secret is shown once', async (t) => {
    for (const box of await dialog.getByRole('checkbox').all()) await box.check();
    await dialog.getByRole('button', { name: text('webhooks.add') }).click();
    const secret = page.getByLabel(text('webhooks.secret.title', { url })).getByRole('textbox');
    await hasFocus(secret);
    const shown = await secret.inputValue();
    t.match(shown, /^whsec_/);
    receiver.trust(shown);
    await page.getByText(text('webhooks.secret.once')).waitFor();
    await looksWell(t, 'the secret');
    await page.getByRole('button', { name: text('webhooks.secret.copy') }).click();
    const note = page.getByText('Copied.');
    await note.waitFor();
    await looksWell(t, 'the secret, with a note');
    t.equal(await page.evaluate('navigator.clipboard.readText()'), shown);
    await page.getByRole('button', { name: text('webhooks.secret.done') }).click();
    await secret.waitFor({ state: 'detached' });
    await hasFocus(addButton(page));
    t.notOk((await page.content()).includes(shown));
    t.match(await stored(), [{ url, enabled: true, events: ['added', 'metadata', 'completed', 'error', 'removed'] }]);
    await note.waitFor({ state: 'detached' });
    await row.getByText(text('webhooks.never')).waitFor();
    await row.getByText(text('webhooks.allEvents')).waitFor();
  });

  await t.test('a test says what the receiver answered', async (t) => {
    await test.click();
    await row.getByRole('status').getByText('The receiver took the test message (HTTP 204).').waitFor();
    t.same(receiver.types(), ['webhook.test']);
    for (const [status, said] of [
      [500, 'HTTP 500: the receiver failed.'],
      [302, 'HTTP 302: the receiver redirects to another URL. Enter that one.'],
      [410, 'HTTP 410: the receiver wants no more messages.'],
    ] as const) {
      receiver.answer(status);
      await test.click();
      await row.getByRole('status').getByText(`The test message did not arrive. ${said}`).waitFor();
    }
    await hasFocus(test);
    receiver.answer(204);
    t.match(await stored(), [{ enabled: true, last_attempt: 0 }], 'and nothing comes of it');
  });

  await t.test('what happens arrives, and is tried again where it fails', async (t) => {
    await add('a');
    await heard(2);
    await row.getByText(/^Last delivered: /).waitFor();
    receiver.answer(503);
    await add('b');
    await row.getByText(text('webhooks.state.failing'), { exact: true }).waitFor();
    await row.getByText(/^Last attempt failed \(.+\): HTTP 503: the receiver failed\.$/).waitFor();
    await row.getByText(/^1 message is waiting\. Next attempt: /).waitFor();
    await looksWell(t, 'one that fails');
    receiver.answer(204);
    await row.getByRole('button', { name: text('webhooks.tryNowOf', { url }) }).click();
    await heard(3);
    await row.getByText(text('webhooks.state.failing'), { exact: true }).waitFor({ state: 'detached' });
    t.same(receiver.types(), ['webhook.test', 'torrent.added', 'torrent.added']);
  });

  await t.test('the receiver ends it, and it is turned on again', async (t) => {
    receiver.answer(410);
    await add('c');
    await row.getByText(/^Turned off by the receiver \(.+\): it answered HTTP 410/).waitFor();
    t.equal(await isOn.isChecked(), false);
    await looksWell(t, 'one that is off');
    receiver.answer(204);
    await isOn.press('Space');
    await row.getByText(text('webhooks.state.off'), { exact: true }).waitFor({ state: 'detached' });
    await hasFocus(isOn);
    await add('d');
    t.match(await heard(4), { type: 'torrent.added', data: { name: 'd' } });
    await isOn.press('Space');
    await row.getByText(text('webhooks.off')).waitFor();
    t.match(await stored(), [{ enabled: false, gone_at: 0 }]);
    await isOn.press('Space');
    await row.getByText(text('webhooks.off')).waitFor({ state: 'detached' });
  });

  await t.test('its events are changed, and the focus goes back', async (t) => {
    const edit = row.getByRole('button', { name: text('webhooks.edit', { url }) });
    await edit.focus();
    await page.keyboard.press('Enter');
    await dialog.locator(':focus').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await hasFocus(edit);
    await page.keyboard.press('Enter');
    for (const event of ['added', 'metadata', 'error'] as const) {
      await dialog.getByLabel(text(`webhooks.event.${event}`)).uncheck();
    }
    await dialog.getByRole('button', { name: text('common.save') }).click();
    await dialog.waitFor({ state: 'detached' });
    await hasFocus(edit);
    await row.getByText('Download completed · Removed', { exact: true }).waitFor();
    await ann.client.api('DELETE', `/api/torrents/${await add('e')}`);
    t.match(await heard(5), { type: 'torrent.removed', data: { name: 'e' } }, 'and nothing of its beginning');
  });

  await t.test('another secret takes the place of the first', async (t) => {
    await row.getByRole('button', { name: text('webhooks.newSecretOf', { url }) }).click();
    await dialog.getByText(text('webhooks.newSecretText', { url })).waitFor();
    await dialog.getByRole('button', { name: text('webhooks.newSecretConfirm') }).click();
    const secret = page.getByLabel(text('webhooks.secret.title', { url })).getByRole('textbox');
    await hasFocus(secret);
    receiver.trust(await secret.inputValue());
    await looksWell(t, 'another secret');
    await page.getByRole('button', { name: text('webhooks.secret.done') }).click();
    await test.click();
    await row.getByRole('status').getByText('The receiver took the test message (HTTP 204).').waitFor();
    t.equal(receiver.types().at(-1), 'webhook.test');
  });

  await t.test('it is deleted by keys alone', async (t) => {
    const remove = row.getByRole('button', { name: text('webhooks.deleteOf', { url }) });
    await remove.focus();
    await page.keyboard.press('Enter');
    await dialog.getByText(url).waitFor();
    const confirm = dialog.getByRole('button', { name: text('webhooks.deleteConfirm') });
    await dialog.locator(':focus').waitFor();
    await tabTo(confirm);
    await page.keyboard.press('Enter');
    await page.getByText(text('webhooks.emptyTitle')).waitFor();
    await hasFocus(addButton(page));
    t.same(await stored(), []);
  });
  t.same(receiver.bad, [], 'all of it was signed with the secret that was shown');
  t.same(complaints, []);
});

void testInBrowser(t, 'whose webhooks they are', async (t, browser) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const ann = await makeAccount(daemon, 'ann', { perm_add_torrents: false });
  const silent = await startUpstream((_request, response) => response.writeHead(404).end());
  t.teardown(() => silent.close());
  const { page, complaints } = await openPage(browser);
  await signIn(page, daemon.url, 'ann', ACCOUNT_PASSWORD);

  await t.test('an account without permissions has them as well, found by the search', async (t) => {
    await page.goto(`${daemon.url}/settings`);
    const search = page.getByLabel(text('settings.search.label'));
    for (const words of ['n8n', 'home assistant', 'callback', 'discord']) {
      await search.fill(words);
      await page.getByRole('link', { name: text('webhooks.add') }).waitFor();
    }
    await page.getByRole('link', { name: text('webhooks.add') }).click();
    await hasFocus(addButton(page));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel(text('webhooks.url'), { exact: true }).fill(`${silent.origin}/private`);
    await page.keyboard.press('Enter');
    await page.getByText(text('webhooks.secret.once')).waitFor();
    const item = page.getByRole('listitem').filter({ hasText: '/private' });
    await item.getByRole('button', { name: /^Send test message/ }).click();
    await item.getByText(/HTTP 404: the receiver has nothing at this URL\.$/).waitFor();
    const refused = await daemon.api('POST', `/api/webhooks/1/test`);
    t.equal(refused.status, 404);
  });

  await t.test('nobody else sees them, administrators included', async (t) => {
    const { page: others, context } = await openPage(browser);
    await signIn(others, daemon.url, 'admin', daemon.adminPassword);
    await others.goto(`${daemon.url}/settings/webhooks`);
    await others.getByText(text('webhooks.emptyTitle')).waitFor();
    t.notOk((await others.content()).includes('/private'));
    await context.close();
  });

  await t.test('one that is deleted elsewhere goes, and is told of where it is changed', async (t) => {
    await page.getByRole('button', { name: new RegExp(`^Edit .*/private$`) }).click();
    const dialog = page.getByRole('dialog');
    await ann.client.api('DELETE', '/api/webhooks/1');
    await page.getByText(text('webhooks.emptyTitle')).waitFor();
    await dialog.getByRole('button', { name: text('common.save') }).click();
    await dialog.getByRole('alert').getByText('This no longer exists.').waitFor();
    await dialog.getByRole('button', { name: text('common.cancel') }).click();
    t.pass();
  });

  await t.test('as many as there may be', async (t) => {
    for (let made = 0; made < 20; made++) {
      await ann.client.api('POST', '/api/webhooks', { url: `${silent.origin}/${made}` });
    }
    await page
      .locator('main')
      .getByRole('button', { name: text('webhooks.add'), disabled: true })
      .waitFor();
    t.equal(await addButton(page).getAttribute('title'), text('webhooks.full', { max: 20 }));
  });
  t.same(complaints, []);
});
