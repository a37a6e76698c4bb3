// The log in the browser: live, found by words, level and part, as a file, for administrators alone.
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

t.setTimeout(120_000);

void testInBrowser(t, 'the log', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context);
  await page.goto(`${world.daemon.url}/settings/log`);
  const lines = page.getByRole('list', { name: 'Log lines' });
  const line = (text: string) => lines.getByRole('listitem').filter({ hasText: text });
  await line('ready').first().waitFor();

  await t.test('what is logged now is there without a reload', async (t) => {
    const before = await line('speed limits in force').count();
    await world.daemon.api('POST', '/api/settings/alt_speed/toggle', {});
    await line('speed limits in force').nth(before).waitFor();
    t.match(await lines.getByRole('listitem').first().innerText(), 'speed limits in force', 'the newest is the first');
  });

  await t.test('words, level and part choose', async () => {
    await page.getByRole('searchbox', { name: 'Search the log' }).fill('PEERPORT=');
    await line('speed limits in force').first().waitFor({ state: 'detached' });
    await line('ready').first().waitFor();
    await page.getByLabel('Level').selectOption('error');
    await page.getByText('No matching lines.').waitFor();
    await page.getByLabel('Level').selectOption('debug');
    await page.getByLabel('Source').selectOption('engine');
    await page.getByText('No matching lines.').waitFor();
    await page.getByLabel('Source').selectOption('api');
    await line('ready').first().waitFor();
  });

  await t.test('all of it is a file', async (t) => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const file = await download;
    t.equal(file.suggestedFilename(), 'swarmd-log.jsonl');
    const [first = ''] = (await readFile(await file.path(), 'utf8')).split('\n');
    t.match(JSON.parse(first), { level: String, time: String, name: String, msg: String });
  });

  await t.test('other accounts have no such page', async (t) => {
    const { page: others, context: viewers } = await openPage(browser);
    await world.enter(viewers, 'viewer');
    await others.goto(`${world.daemon.url}/settings/about`);
    await others.getByRole('link', { name: 'About' }).waitFor();
    t.equal(await others.getByRole('link', { name: 'Log', exact: true }).count(), 0);
    await viewers.close();
  });
  t.same(complaints, []);
});
