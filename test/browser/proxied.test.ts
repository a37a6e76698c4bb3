// The first day with Swarmd behind nginx and Caddy, on a host of its own and at a path of one, by the blocks of docs/operate/reverse-proxy.md.
import { request } from 'node:http';
import t, { type Test } from 'tap';
import { caddy, startCaddy } from '../support/caddy.js';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { nginx, startNginx } from '../support/nginx.js';
import { libtorrent, testWith } from '../support/peers/index.js';
import { testInBrowser } from './chromium.js';
import { firstDay } from './first-day.js';

t.setTimeout(240_000);

for (const [program, start] of [
  [nginx, startNginx],
  [caddy, startCaddy],
] as const) {
  for (const [location, flags] of [
    ['/', []],
    ['/swarmd/', ['--base-path', '/swarmd/']],
  ] as const) {
    void testWith(t, [program, libtorrent], `the first day behind ${program.name}, at ${location}`, async (t) => {
      const behind = async (t: Test, daemon: DaemonUnderTest) => {
        const proxy = await start(location, daemon.url);
        t.teardown(() => proxy.stop());
        return proxy.url + location;
      };
      const args = ['--trusted-proxies', '127.0.0.0/8', ...flags];
      await testInBrowser(t, 'in Chromium', (t, browser) => firstDay(t, browser, args, behind));
    });
  }

  void testWith(t, program, `addresses of clients, cookies and paths behind ${program.name}`, async (t) => {
    const daemon = await startDaemon({ args: ['--trusted-proxies', '127.0.0.0/8', '--base-path', '/swarmd'] });
    t.teardown(() => daemon.stop());
    const proxy = await start('/swarmd/', daemon.url);
    t.teardown(() => proxy.stop());
    await passesOn(t, daemon, proxy.url);
  });
}

async function passesOn(t: Test, daemon: DaemonUnderTest, proxyUrl: string): Promise<void> {
  const status = async (path: string, base = proxyUrl) => (await fetch(base + path, { redirect: 'manual' })).status;
  t.equal(await status('/swarmd/api/healthz'), 200);
  t.equal(await status('/api/healthz', daemon.url), 200, 'without the path as well, as proxies that cut it ask');
  t.equal(await status('/swarmdx/api/healthz', daemon.url), 404);
  const bare = await fetch(`${daemon.url}/swarmd?search=x`, { redirect: 'manual' });
  t.match([bare.status, bare.headers.get('location')], [308, '/swarmd/?search=x']);
  await refersToItself(t, `${proxyUrl}/swarmd/`);

  const signIn = await fetch(`${proxyUrl}/swarmd/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: daemon.adminPassword }),
  });
  t.match(signIn.headers.get('set-cookie'), /; Path=\/swarmd; HttpOnly; SameSite=Strict/);

  const guess = (localAddress: string) => wrongPassword(`${proxyUrl}/swarmd/api/login`, localAddress);
  let last = 401;
  for (let tries = 0; last === 401 && tries < 100; tries++) last = await guess('127.0.0.2');
  t.equal(last, 429, 'one who guesses is stopped');
  t.equal(await guess('127.0.0.3'), 401, 'and no other client of the proxy');
}

/** All that the page names is there. */
async function refersToItself(t: Test, url: string): Promise<void> {
  const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
  const names = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, name]) => name!);
  t.ok(names.length > 2);
  for (const name of names) {
    t.match(name, /^\/swarmd\//);
    t.equal((await fetch(new URL(name, url))).status, 200, name);
  }
  const manifest = (await (await fetch(new URL('manifest.webmanifest', url))).json()) as { start_url: string };
  t.equal(manifest.start_url, '/swarmd/');
}

function wrongPassword(url: string, localAddress: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(url, { method: 'POST', localAddress, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ username: 'admin', password: `wrong ${Math.random()}` }));
  });
}
