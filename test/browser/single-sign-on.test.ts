// Whom a reverse proxy has signed in is signed in here without a password, by the blocks of docs/operate/reverse-proxy.md: Caddy, where in
// the place of Authelia stands a server that says who it is, or nobody; and nginx with a password of its own.
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { caddy, startCaddyWithGatekeeper } from '../support/caddy.js';
import { startDaemon } from '../support/daemon.js';
import { nginx, startNginxWithPassword } from '../support/nginx.js';
import { testWith } from '../support/peers/index.js';
import { openPage, testInBrowser } from './chromium.js';
import { readAxe, violations } from './accessibility.js';

const KEY = 'what the proxy shows'.replaceAll(' ', '-').padEnd(32, 'x');

t.setTimeout(180_000);

interface Gatekeeper {
  readonly url: string;
  /** '': it names nobody. */
  user: string;
}

async function startGatekeeper(t: Test): Promise<Gatekeeper> {
  const server = createServer((_request, response) => {
    response.writeHead(200, gatekeeper.user === '' ? {} : { 'Remote-User': gatekeeper.user }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  // A TCP server has an address object.
  const gatekeeper: Gatekeeper = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, user: 'admin' };
  return gatekeeper;
}

async function startTrustingDaemon(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'swarmd-key-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const keyFile = join(folder, 'key');
  await writeFile(keyFile, KEY);
  const trusting = ['--trusted-proxies', '127.0.0.0/8'];
  const daemon = await startDaemon({
    args: [...trusting, '--proxy-user-header', 'Remote-User', '--proxy-key-file', keyFile],
  });
  t.teardown(() => daemon.stop());
  return daemon;
}

async function startBehindGatekeeper(t: Test) {
  const daemon = await startTrustingDaemon(t);
  const gatekeeper = await startGatekeeper(t);
  const proxy = await startCaddyWithGatekeeper(daemon.url, gatekeeper.url, KEY);
  t.teardown(() => proxy.stop());
  return { daemon, gatekeeper, proxy };
}

const list = (page: Page) => page.getByText('No torrents yet');
const again = (page: Page) => page.getByRole('button', { name: 'Use single sign-on' });

void testWith(t, caddy, 'signed in by the proxy', async (t) => {
  await testInBrowser(t, 'in Chromium', async (t, browser) => {
    const { daemon, gatekeeper, proxy } = await startBehindGatekeeper(t);
    const { page, context, complaints } = await openPage(browser);

    await page.goto(proxy.url);
    await list(page).waitFor();
    t.pass('the first page that is seen is the list');

    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await again(page).waitFor();
    t.equal(await list(page).count(), 0, 'who signs out is not signed in at once');
    t.same(await violations(page, await readAxe()), []);
    await again(page).click();
    await list(page).waitFor();

    const next = page.waitForResponse('**/api/signin/proxy');
    await daemon.api('POST', '/api/users/1/password', { new_password: 'another password' });
    t.equal((await next).status(), 200, 'another session follows one that has ended');
    await daemon.api('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${'e'.repeat(40)}&dn=later` });
    const row = page.getByRole('row', { name: 'later' });
    await row.waitFor();
    t.equal(await page.getByLabel('Password').count(), 0, 'and nobody was asked');

    gatekeeper.user = 'eve';
    await page.reload();
    await page.getByText('There is no account "eve". Ask an administrator for one.').waitFor();
    gatekeeper.user = 'admin';
    await again(page).click();
    await row.waitFor();
    t.equal(await page.getByText('There is no account').count(), 0);

    t.same(complaints, []);
    await context.close();
  });

  await t.test('what a browser says of itself is not passed on', async (t) => {
    const { gatekeeper, proxy } = await startBehindGatekeeper(t);
    gatekeeper.user = '';
    const headers = { 'remote-user': 'admin', 'swarmd-proxy-key': 'guess' };
    const answer = await fetch(`${proxy.url}/api/signin/proxy`, { method: 'POST', headers });
    // Caddy 2.6 passes on the name of a placeholder where it has no value for it.
    t.match(
      [answer.status, await answer.json()],
      [401, { error: /^the proxy names no user$|"\{http\.reverse_proxy\./ }],
    );
  });
});

void testWith(t, nginx, 'signed in by the password that nginx asks for', async (t) => {
  const daemon = await startTrustingDaemon(t);
  const proxy = await startNginxWithPassword(daemon.url, { user: 'admin', password: 'of nginx', key: KEY });
  t.teardown(() => proxy.stop());
  const signIn = (password: string) => {
    const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
    return fetch(`${proxy.url}/api/signin/proxy`, { method: 'POST', headers: { authorization, 'remote-user': 'eve' } });
  };
  t.equal((await signIn('wrong')).status, 401);
  const answer = await signIn('of nginx');
  t.match([answer.status, answer.headers.get('set-cookie')], [200, /^service_session=/]);
});
