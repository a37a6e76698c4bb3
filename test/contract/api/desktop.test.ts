// The desktop flavour: the user comes in by a link, the page behind it works as served, and nothing is ever forbidden.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import vm from 'node:vm';
import t, { type Test } from 'tap';
import { ROUTES } from '../../../api/routes/index.js';
import { httpCall, startHarness, type Harness, type HarnessOptions } from '../../support/api-harness.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const DESKTOP = ['--flavor', 'desktop'];

async function start(t: Test, options: HarnessOptions = {}) {
  const opened: string[] = [];
  const clock = new VirtualClock();
  const deps = { clock, openPage: (file: string) => void opened.push(file) };
  const harness = await startHarness({ ...options, args: DESKTOP, deps });
  t.teardown(() => harness.close());
  return { harness, opened, clock };
}

function tokenIn(notice: string | undefined): string {
  return /#(\S+)$/.exec(notice ?? '')?.[1] ?? '';
}

async function signInByLink({ notices, call }: Harness): Promise<string> {
  const answer = await call('POST', '/api/signin', { body: { token: tokenIn(notices.at(-1)) } });
  return (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
}

void t.test('each start shows a link that is good once; there is no password', async (t) => {
  const dataDir = await temporaryDirectory();
  const { harness, opened } = await start(t, { dataDir });
  t.equal(harness.notices.length, 1);
  t.match(harness.notices[0], new RegExp(`^sign in: ${harness.daemon.url}/signin#[A-Za-z0-9_-]{43}$`));
  t.same(opened, [join(dataDir, 'sign-in.html')]);
  await t.rejects(readFile(join(dataDir, 'initial-admin-password')), { code: 'ENOENT' });
  t.match((await harness.call('GET', '/api/bootstrap')).json(), { flavor: 'desktop', multi_user: false });
  const token = tokenIn(harness.notices[0]);
  const signIn = () => harness.call('POST', '/api/signin', { body: { token } });
  const [first, second] = [await signIn(), await signIn()];
  t.match(first.headers['set-cookie'], [/^service_session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict/]);
  t.match([second.status, second.json()], [401, { error: 'invalid credentials' }]);
  const cookie = await harness.daemon.offerSignIn().then(() => signInByLink(harness));
  const me = await harness.call('GET', '/api/me', { headers: { cookie } });
  t.match(me.json(), { id: 1, role: 'admin', password_set: false });
  t.equal((await harness.call('GET', '/api/torrents')).status, 401, 'everybody needs a credential here too');
  for (const password of ['', 'admin']) await t.rejects(harness.signIn(password));
  await harness.close();
  const again = await start(t, { dataDir });
  t.equal(again.harness.notices.length, 1);
  t.ok(await signInByLink(again.harness));
});

void t.test(
  'the browser is given a page that only its user may read, until its link is used or worth nothing',
  async (t) => {
    const dataDir = await temporaryDirectory();
    const { harness, opened, clock } = await start(t, { dataDir });
    const page = join(dataDir, 'sign-in.html');
    const gone = async () => {
      while ((await readFile(page).catch(() => null)) !== null) await new Promise((resolve) => setImmediate(resolve));
    };
    t.equal((await stat(page)).mode & 0o777, 0o600);
    const html = await readFile(page, 'utf8');
    t.ok(
      html.includes(`<meta http-equiv="refresh" content="0; url=${harness.notices[0]?.slice('sign in: '.length)}">`),
    );
    t.notMatch(html, /<script/);
    const first = tokenIn(harness.notices[0]);
    await harness.daemon.offerSignIn();
    t.ok((await readFile(page, 'utf8')).includes(tokenIn(harness.notices[1])));
    t.equal((await harness.call('POST', '/api/signin', { body: { token: first } })).status, 200);
    t.ok((await readFile(page, 'utf8')).includes(tokenIn(harness.notices[1])), 'the page of another link stays');
    t.ok(await signInByLink(harness));
    await gone();
    await harness.daemon.offerSignIn();
    t.equal(opened.length, 3);
    await clock.advance(60_000);
    await gone();
    await harness.daemon.offerSignIn();
    t.ok(await readFile(page));
    await harness.close();
    await t.rejects(readFile(page), { code: 'ENOENT' });
    await writeFile(page, 'left by a crash');
    const daemon = await startHarness({ dataDir, args: DESKTOP });
    t.teardown(() => daemon.close());
    await t.rejects(readFile(page), { code: 'ENOENT' }, 'and none where no browser is to be opened');
  },
);

void t.test('accounts of a time as a daemon are not let in', async (t) => {
  const dataDir = await temporaryDirectory();
  const daemon = await startHarness({ dataDir });
  const cookie = await daemon.signIn();
  const bob = { username: 'bob', password: 'bobs password' };
  await daemon.call('POST', '/api/users', { headers: { cookie, origin: daemon.daemon.url }, body: bob });
  await daemon.close();
  const { harness } = await start(t, { dataDir });
  t.equal((await harness.call('POST', '/api/login', { body: bob })).status, 401);
  t.ok(await harness.signIn(daemon.password), 'account 1 is');
});

void t.test('a link of another page is refused, and is still good', async (t) => {
  const { harness } = await start(t);
  const body = { token: tokenIn(harness.notices[0]) };
  const foreign = await harness.call('POST', '/api/signin', { headers: { origin: 'http://evil.example' }, body });
  t.match([foreign.status, foreign.json()], [403, { error: 'origin mismatch' }]);
  t.ok(await signInByLink(harness));
});

/** What the page's script sees of a browser; `fetch` asks the real service. */
async function visit({ daemon }: Harness, hash: string) {
  const document = await httpCall(`${daemon.url}/signin`, 'GET');
  const [, source = ''] = /<script src="([^"]+)"/.exec(document.text) ?? [];
  const script = await httpCall(`${daemon.url}${source}`, 'GET');
  const status = { textContent: '' };
  const shown = { document, script, status, replaced: '', went: '' };
  let done: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (done = resolve));
  const said = new Proxy(status, {
    set: (target, _name, text: string) => {
      target.textContent = text;
      done();
      return true;
    },
  });
  const goTo = (url: string) => {
    shown.went = url;
    done();
  };
  vm.runInNewContext(script.text, {
    location: { hash, pathname: '/signin', replace: goTo },
    history: { replaceState: (_state: unknown, _title: string, url: string) => (shown.replaced = url) },
    document: { getElementById: (id: string) => (id === 'status' ? said : null) },
    fetch: async (path: string, { method, body }: { method: string; body: string }) => {
      const { status } = await httpCall(`${daemon.url}${path}`, method, { headers: { origin: daemon.url }, body });
      return { ok: status === 200, status };
    },
  });
  await ended;
  return shown;
}

void t.test('the page of the link', async (t) => {
  const { harness } = await start(t);
  const hash = `#${tokenIn(harness.notices[0])}`;
  const good = await visit(harness, hash);
  t.same([good.went, good.replaced], ['/', '/signin'], 'on to the interface, the token out of the history');
  t.match(good.document.headers, { 'content-type': 'text/html; charset=utf-8', 'referrer-policy': 'no-referrer' });
  t.match(good.script.headers, { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' });
  for (const { headers } of [good.document, good.script]) {
    t.match(headers['content-security-policy'], /^default-src 'self';form-action 'self';frame-ancestors 'none'/);
  }
  t.notMatch(
    good.document.text,
    /<script(?! src)|<style|style=|onload=|https?:/,
    'nothing inline, nothing from elsewhere',
  );
  t.equal((await harness.call('GET', '/signin/style.css')).headers['content-type'], 'text/css; charset=utf-8');
  t.match((await visit(harness, hash)).status.textContent, /already been used or has expired/);
  t.match((await visit(harness, '')).status.textContent, /needs a sign-in link/);
  for (let attempt = 0; attempt < 3; attempt++) await visit(harness, '#guess');
  t.match((await visit(harness, '#guess')).status.textContent, /Too many attempts/);
});

void t.test('the daemon has no such page', async (t) => {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  await harness.daemon.offerSignIn();
  t.equal(harness.notices.length, 1, 'the password of the first start, and no link');
  t.match((await harness.call('GET', '/signin')).json(), { error: 'not found' });
});

void t.test('settings stop the listener; a new link starts it again', async (t) => {
  const { harness } = await start(t);
  const [cookie, from] = [await signInByLink(harness), harness.daemon.url];
  const body = { enabled: false, port: 0, bind_all: false, username: 'admin' };
  const answer = await harness.call('PUT', '/api/settings/web', { headers: { cookie, origin: from }, body });
  t.equal(answer.status, 200, 'answered first');
  while (harness.daemon.url !== '') await new Promise<void>((resolve) => void setImmediate(resolve));
  await t.rejects(httpCall(`${from}/api/bootstrap`, 'GET'), { code: 'ECONNREFUSED' });
  await harness.daemon.offerSignIn();
  const again = await signInByLink(harness);
  const stored = await harness.call('GET', '/api/settings/web', { headers: { cookie: again } });
  t.match(stored.json(), { enabled: false }, 'as it is stored');
});

void t.test('no route is forbidden; there is one account', async (t) => {
  const { harness } = await start(t);
  const headers = { cookie: await signInByLink(harness), origin: harness.daemon.url };
  for (const { method, path, name } of ROUTES) {
    if (name === 'POST /api/logout') continue;
    const answer = await harness.call(method, path.replace(/\{\w+\}/g, '7'), {
      headers,
      body: method === 'GET' ? undefined : {},
    });
    t.not(answer.status, 403, name);
    t.not(answer.status, 401, name);
  }
  const body = { username: 'bob', password: 'eight or more' };
  const second = await harness.call('POST', '/api/users', { headers, body });
  t.match([second.status, second.json()], [400, { error: 'single account' }]);
});

void t.test('--admin-password-file sets a password here too', async (t) => {
  const file = new URL(import.meta.url).pathname; // its first line will do
  const harness = await startHarness({ args: [...DESKTOP, '--admin-password-file', file] });
  t.teardown(() => harness.close());
  const [password = ''] = (await readFile(file, 'utf8')).split('\n');
  await t.resolves(harness.signIn(password));
});
