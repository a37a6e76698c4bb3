// Sessions that end while somebody is at work, and too many attempts: the page says what has happened and what to do, and
// what was begun is still there afterwards.
import t from 'tap';
import type { Page } from 'playwright-core';
import { startDaemon } from '../support/daemon.js';
import { openPage, signIn, submitSignIn, testInBrowser } from './chromium.js';

const WAIT = /Too many attempts\. Try again in (\d+) seconds?\./;
/** As many attempts as there are for each address, and the one that is refused. */
const ATTEMPTS = 6;
const RETRY_AFTER_S = 12;

t.setTimeout(120_000);

void testInBrowser(t, 'sessions that end', async (t, browser) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());

  await t.test('signed out in another tab', async (t) => {
    const { page, context, complaints } = await openPage(browser);
    await signIn(page, daemon.url, 'admin', daemon.adminPassword);
    await begin(page, 'e');
    const other = await context.newPage();
    await other.goto(daemon.url);
    await other.getByRole('button', { name: 'Account' }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.getByLabel('Username').waitFor();
    t.equal(await other.getByText('Your session has expired').count(), 0, 'who signs out has no need to be told');
    await goesOn(page, daemon.adminPassword);
    t.match(await daemon.torrents(), [{ name: 'begun' }], 'what was begun is finished');
    await other.reload();
    await other.getByRole('row', { name: 'begun' }).waitFor();
    t.same(complaints, []);
    await context.close();
  });

  await t.test('ended by an administrator', async (t) => {
    const account = { username: 'bob', password: 'bobs password', role: 'user', perm_add_torrents: true };
    const { json } = await daemon.api<{ readonly id: number }>('POST', '/api/users', account);
    const { page, context, complaints } = await openPage(browser);
    await signIn(page, daemon.url, 'bob', 'bobs password');
    await begin(page, 'f');
    await daemon.api('POST', `/api/users/${json.id}/password`, { new_password: 'another password' });
    await goesOn(page, 'another password');
    t.same(complaints, []);
    await context.close();
  });

  await t.test('too many attempts', async (t) => {
    const { page, context, complaints } = await openPage(browser);
    await page.clock.install();
    await page.goto(daemon.url);
    const wait = page.getByRole('alert').filter({ hasText: WAIT });
    const button = page.getByRole('button', { name: 'Sign in' });
    for (let attempt = 1; attempt <= ATTEMPTS && (await wait.count()) === 0; attempt++) {
      const answer = page.waitForResponse('**/api/login');
      await submitSignIn(page, 'admin', `wrong ${attempt}`);
      await answer;
      await wait.or(page.getByRole('alert').filter({ hasText: 'Incorrect username or password.' })).waitFor();
    }
    const seconds = async () => Number(WAIT.exec((await wait.textContent()) ?? '')?.[1]);
    const first = await seconds();
    t.ok(first > RETRY_AFTER_S - 4 && first <= RETRY_AFTER_S, `${first} s, as the server says`);
    t.ok(await button.isDisabled());
    await page.clock.fastForward(3_000);
    t.ok((await seconds()) <= first - 3, 'it counts down');
    await page.clock.fastForward(RETRY_AFTER_S * 1_000);
    await wait.waitFor({ state: 'detached' });
    t.ok(await button.isEnabled(), 'and may be tried again');
    t.same(complaints, []);
    await context.close();
  });
});

/** Something that is not sent yet. */
async function begin(page: Page, digit: string): Promise<void> {
  await page.keyboard.press('a');
  await page.getByLabel('Magnet links').fill(`magnet:?xt=urn:btih:${digit.repeat(40)}&dn=begun`);
}

/** Told, asked, and back where it was. */
async function goesOn(page: Page, password: string): Promise<void> {
  const again = page.getByRole('dialog', { name: 'Sign in' });
  await again.getByText('Your session has expired. Sign in to continue.').waitFor();
  await again.getByLabel('Password').fill(password);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.waitFor({ state: 'detached' });
  const dialog = page.getByRole('dialog', { name: 'Add torrents' });
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}
