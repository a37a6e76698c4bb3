// The engine is in a process of its own, and that is gone: the page says since when, shows what it told last, and says of
// what is done meanwhile why it was not; when the engine is back so is everything.
import t from 'tap';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MAIN, startDaemon } from '../support/daemon.js';
import { startOwnEngine } from '../support/own-engine.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

process.env['SWARMD_TEST_ENGINE'] = '';
t.setTimeout(180_000);

void testInBrowser(t, 'the engine is away', async (t, browser) => {
  const base = await temporaryDirectory();
  const [scratch, root] = [join(base, 'scratch'), join(base, 'root')];
  for (const folder of [scratch, root]) await mkdir(folder);
  const start = () => startOwnEngine(MAIN, { link: 'unix', dataDir: join(base, 'engine'), scratch });
  let engine = await start();
  t.teardown(() => engine.child.stop());
  const daemon = await startDaemon({ savePath: root, args: engine.flags });
  t.teardown(() => daemon.stop());
  await daemon.addMagnet(`magnet:?xt=urn:btih:${'a'.repeat(40)}&dn=stays-listed`);
  const { page } = await openPage(browser);
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  const row = page.getByRole('row', { name: 'stays-listed' });
  await row.waitFor();
  await engine.child.stop('SIGKILL');
  const away = page.getByText(/Engine away since \d/);
  await away.waitFor();
  t.ok(await row.isVisible(), 'what it told last is shown');
  const phone = await page.context().newPage();
  await phone.setViewportSize({ width: 390, height: 844 });
  await phone.goto(`${daemon.url}/settings`);
  await phone.getByText(/Engine away since \d/).waitFor();
  await phone.close();
  await row.click();
  await page.keyboard.press('p');
  await page
    .getByText(/The engine cannot be reached at the moment/)
    .first()
    .waitFor();
  engine = await start();
  await away.waitFor({ state: 'detached' });
  await daemon.api('POST', `/api/torrents/${'a'.repeat(40)}/pause`);
  await row.getByText('Paused').waitFor();
  t.pass('commands work again');
});
