// How a tool of qBittorrent's interface signs in, over HTTP: what it is answered, what its session opens, and what sites and
// guesses cannot do.
import t from 'tap';
import { startHarness, type Harness } from '../../support/api-harness.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const GUARDED = '/api/v2/auth/none';

function login(harness: Harness, username: string, password: string, headers: Record<string, string> = {}) {
  const body = new URLSearchParams({ username, password }).toString();
  return harness.call('POST', '/api/v2/auth/login', { headers: { ...FORM, ...headers }, body });
}

async function sidOf(harness: Harness): Promise<string> {
  const answer = await login(harness, 'admin', harness.password);
  return (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
}

/** 404 for who is let in: there is no such route. */
async function isLetIn(harness: Harness, headers: Record<string, string>): Promise<boolean> {
  const { status, text } = await harness.call('GET', GUARDED, { headers });
  if (status === 403) t.equal(text, 'Forbidden');
  return status === 404;
}

void t.test('the form, the cookie, what it opens', async (t) => {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  const answer = await login(harness, 'admin', harness.password);
  t.match(answer, { status: 200, text: 'Ok.', headers: { 'content-type': /^text\/plain/ } });
  t.match(answer.headers['set-cookie'], [/^SID=[A-Za-z0-9_-]{43}; HttpOnly; SameSite=Strict; path=\/$/]);
  const [cookie = ''] = answer.headers['set-cookie'] ?? [];
  t.ok(await isLetIn(harness, { cookie }), 'a tool may send all of it back');
  t.equal((await harness.call('GET', '/api/me', { headers: { cookie } })).status, 401, 'it opens nothing else');
  t.notOk(await isLetIn(harness, { cookie: await harness.signIn() }), 'nor does the session of a browser open this');
  const key = await harness.apiKey();
  t.notOk(await isLetIn(harness, { cookie }), 'a new key ends it');
  t.ok(await isLetIn(harness, { authorization: `Bearer ${key}` }));
  t.match(await login(harness, 'admin', key), { status: 200, text: 'Ok.' }, 'the key in place of the password');
  const other = await sidOf(harness);
  t.equal((await harness.call('POST', '/api/v2/auth/logout', { headers: { cookie: other } })).status, 200);
  t.notOk(await isLetIn(harness, { cookie: other }));
});

void t.test('no credential is 403 and never 401; wrong ones are Fails., six of them 429', async (t) => {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  const none = await harness.call('GET', '/api/v2/app/webapiVersion');
  t.match(none, { status: 403, text: 'Forbidden' });
  t.notOk(none.headers['www-authenticate'], 'no browser asks for a password');
  for (let count = 0; count < 20; count++) t.equal((await login(harness, 'admin', harness.password)).text, 'Ok.');
  for (let count = 0; count < 5; count++)
    t.match(await login(harness, 'admin', 'wrong'), { status: 200, text: 'Fails.' });
  t.match(await login(harness, 'admin', 'wrong'), { status: 429, headers: { 'retry-after': '12' } });
  t.equal((await login(harness, 'admin', harness.password)).text, 'Ok.', 'who is known is not kept waiting by them');
  t.match(await harness.call('POST', '/api/login', { body: { username: 'admin', password: harness.password } }), {
    status: 200,
  });
});

void t.test('pages of other sites are refused, reading and with a session too', async (t) => {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  const cookie = await sidOf(harness);
  const refused = [
    { origin: 'http://evil.example' },
    { referer: 'http://evil.example/page' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
  ];
  for (const headers of refused) t.notOk(await isLetIn(harness, { cookie, ...headers }), JSON.stringify(headers));
  t.ok(await isLetIn(harness, { cookie, origin: harness.daemon.url }));
  t.ok(await isLetIn(harness, { cookie, 'sec-fetch-site': 'same-origin' }));
  t.match(await login(harness, 'admin', harness.password, { origin: 'http://evil.example' }), { status: 403 });
  const rebound = await harness.call('GET', GUARDED, { headers: { cookie, host: 'evil.example' } });
  t.equal(rebound.status, 421, "a name that is not this service's");
  t.equal((await harness.call('GET', '/api/v2/auth/logout', { headers: { cookie } })).status, 405, 'changes are POST');
  t.ok(await isLetIn(harness, { cookie }));
});

void t.test('hundreds of sessions of tools end none of a browser', async (t) => {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  const browser = await harness.signIn();
  const first = await sidOf(harness);
  for (let count = 0; count < 120; count++) await sidOf(harness);
  t.equal((await harness.call('GET', '/api/me', { headers: { cookie: browser } })).status, 200);
  t.notOk(await isLetIn(harness, { cookie: first }), 'the oldest of its own made room');
});

void t.test('off, there is nothing there, at once and by the command line', async (t) => {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  const cookie = await harness.signIn();
  const set = (body: unknown) =>
    harness.call('PUT', '/api/settings/compatible', { headers: { cookie, origin: harness.daemon.url }, body });
  t.equal((await set({ qbittorrent: false })).status, 200);
  t.same((await harness.call('GET', '/api/settings/compatible', { headers: { cookie } })).json(), {
    qbittorrent: false,
    transmission: true,
    pinned: [],
  });
  t.not((await login(harness, 'admin', harness.password)).text, 'Ok.');
  const pinned = await startHarness({ args: ['--compatible', 'none'] });
  t.teardown(() => pinned.close());
  t.not((await login(pinned, 'admin', pinned.password)).text, 'Ok.');
});
