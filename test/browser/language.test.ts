// How the language of the page is chosen: by the browser's, until the user says another.
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { openPage, testInBrowser } from './chromium.js';

void testInBrowser(t, 'the language is the browser’s until it is chosen', async (t, browser) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const { page, complaints } = await openPage(browser, { locale: 'de-AT' });
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  const isLanguage = (language: string) => page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' });

  await page.goto(daemon.url);
  await isLanguage('de');
  await page.getByLabel('Benutzername').fill('admin');
  await page.getByLabel('Passwort').fill(daemon.adminPassword);
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await page.getByText('Noch keine Torrents').waitFor();
  t.ok(loaded.some((path) => path.startsWith('/assets/de-')));

  await page.goto(`${daemon.url}/settings/web`);
  loaded.length = 0;
  await page.getByLabel('Sprache').selectOption('English');
  await isLanguage('en');
  t.equal(await page.getByLabel('Language').inputValue(), 'en');
  await page.reload();
  await isLanguage('en');
  t.notOk(
    loaded.some((path) => path.startsWith('/assets/de-')),
    'German is loaded only when it is shown',
  );

  // The menu has it for those who do not see that page.
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Language' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('menuitem', { name: 'Browser language' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await isLanguage('de');
  t.same(complaints, []);
});
