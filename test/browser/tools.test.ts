// Programs of others in a browser: an interface that is switched off, and what is to be entered where.
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

void testInBrowser(t, 'programs of others, in the settings', async (t, browser) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const { page, complaints } = await openPage(browser);
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  await page.goto(`${daemon.url}/settings/tools`);
  await page.getByLabel('App', { exact: true }).selectOption('Radarr');
  const radarr = page.getByRole('group', { name: 'Radarr' });
  await radarr.getByText(new URL(daemon.url).port, { exact: true }).waitFor();
  t.ok(await radarr.getByRole('button', { name: 'Copy Host' }).isVisible());

  // A box of a form that has not come yet is empty as well.
  await page.getByRole('checkbox', { name: 'qBittorrent API', checked: true }).uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The API this app needs is turned off.').waitFor();
  const { json } = await daemon.api('GET', '/api/settings/compatible');
  t.match(json, { qbittorrent: false, transmission: true });
  await page.getByLabel('App', { exact: true }).selectOption('tremc');
  await page.getByText('tremc --connect').waitFor();
  t.equal(await page.getByText('The API this app needs is turned off.').count(), 0, 'that is the other one');

  await daemon.api('POST', '/api/users', { username: 'vera', password: 'password-of-vera', role: 'user' });
  const other = await openPage(browser);
  await signIn(other.page, daemon.url, 'vera', 'password-of-vera');
  await other.page.goto(`${daemon.url}/settings/tools`);
  await other.page.getByText('Only an administrator can do this.').waitFor();
  await other.page.getByRole('group', { name: 'Sonarr' }).getByText('vera', { exact: true }).waitFor();
  await other.page.getByRole('button', { name: 'Create API key' }).click();
  const key = await other.page.getByRole('textbox', { name: 'Your new API key' }).inputValue();
  await other.page.getByRole('group', { name: 'Sonarr' }).getByText(key, { exact: true }).waitFor();
  const me = await fetch(`${daemon.url}/api/me`, { headers: { authorization: `Bearer ${key}` } });
  t.match(await me.json(), { username: 'vera' });
  t.same([complaints, other.complaints], [[], []]);
});
