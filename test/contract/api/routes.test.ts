// Every route of the table over real HTTP: success, 401, the origin check, malformed requests and unknown ids. A route
// without a sample fails here, so a new one cannot be forgotten.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash } from 'argon2';
import t, { type Test } from 'tap';
import { accountsSchema, type Account } from '../../../api/services/account-records.js';
import { parseAccountId } from '../../../shared-protocol/ids.js';
import { openCollection } from '../../../storage/lowdb-collection.js';
import { ROUTES, type Route } from '../../../api/routes/index.js';
import { CHEAP_ARGON2, multipart, startHarness, type CallOptions, type Harness } from '../../support/api-harness.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';

const HASH = '0123456789abcdef0123456789abcdef01234567';
const UNKNOWN = 'f'.repeat(40);
const MAGNET = `magnet:?xt=urn:btih:${HASH}&dn=Sample`;
const TORRENT = makeTorrent({ name: 'file.bin', pieceLength: 16_384, files: seededBytes(1, 40_000) });

interface Sample {
  readonly good: CallOptions | ((harness: Harness) => CallOptions);
  /** Requests that are refused with 400, and what the message says. */
  readonly bad?: readonly { readonly call: CallOptions; readonly error: RegExp }[];
  /** Of the answer to the good one. */
  readonly expected: object;
  readonly goodStatus?: number;
}

const OK = { ok: true };
const LIMITS = { down_kbps: 0, up_kbps: 0, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false };
const NOT_JSON = { call: { body: '{"a":' }, error: /^body: not valid JSON$/ };
const NOT_OBJECT = { call: { body: '[]' }, error: /^body: expected object$/ };

const SAMPLES: Readonly<Record<string, Sample>> = {
  'get /api/bootstrap': { good: {}, expected: { flavor: 'daemon', version: /^\d+\.\d+\.\d+$/, multi_user: true } },
  'get /api/version': { good: {}, expected: { version: /^\d+\.\d+\.\d+$/ } },
  'get /api/healthz': { good: {}, expected: OK },
  'post /api/login': {
    good: ({ password }) => ({ body: { username: 'Admin', password } }),
    bad: [NOT_JSON, NOT_OBJECT, { call: { body: { username: 'admin' } }, error: /^password: required$/ }],
    expected: OK,
  },
  'post /api/logout': { good: {}, expected: OK },
  'get /api/torrents': { good: {}, expected: [{ id: HASH }] },
  'post /api/torrents/magnet': {
    good: { body: { magnet: MAGNET, save_path: null, unknown: 1 } },
    bad: [
      NOT_JSON,
      { call: { body: {} }, error: /^magnet: required$/ },
      { call: { body: { magnet: 7 } }, error: /^magnet: expected string$/ },
      { call: { body: { magnet: 'http://a/b' } }, error: /^magnet: / },
      { call: { body: { magnet: MAGNET, save_path: 'a\0b' } }, error: /^save_path: contains a NUL/ },
    ],
    expected: { id: HASH },
  },
  'post /api/torrents/file': {
    good: multipart({ file: TORRENT.torrentBytes, save_path: 'sub' }),
    bad: [
      { call: { body: 'x' }, error: /^body: expected multipart/ },
      { call: multipart({ save_path: '/x' }), error: /^file: required$/ },
      { call: multipart({ file: Buffer.from('d3:fooe') }), error: /^torrent: / },
      {
        call: { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x\r\n' },
        error: /Unexpected end of form/,
      },
    ],
    expected: { id: TORRENT.infoHash },
  },
  'post /api/torrents/:id/pause': { good: {}, expected: OK },
  'post /api/torrents/:id/resume': { good: {}, expected: OK },
  'post /api/torrents/:id/recheck': { good: {}, expected: OK },
  'post /api/torrents/:id/peers': {
    good: { body: { peers: ['127.0.0.1:6881'] } },
    bad: [
      NOT_JSON,
      { call: { body: { peers: 'a' } }, error: /^peers: expected array$/ },
      { call: { body: { peers: ['x', 5] } }, error: /^peers\.1: expected string$/ },
      { call: { body: { peers: ['nonsense'] } }, error: /^peers: expected host:port/ },
    ],
    expected: OK,
  },
  'delete /api/torrents/:id': { good: {}, expected: OK },
  'get /api/torrents/:id/rate_limits': { good: {}, expected: { down_kbps: 0, up_kbps: 0 } },
  'put /api/torrents/:id/rate_limits': {
    good: { body: { down_kbps: 2048, up_kbps: 0.5 } },
    bad: [
      NOT_JSON,
      { call: { body: { down_kbps: 1 } }, error: /^up_kbps: required$/ },
      { call: { body: { down_kbps: '1', up_kbps: 1 } }, error: /^down_kbps: expected number$/ },
      { call: { body: { down_kbps: 1, up_kbps: -1 } }, error: /^up_kbps: must not be negative$/ },
    ],
    expected: OK,
  },
  'get /api/settings/limits': { good: {}, expected: LIMITS },
  'put /api/settings/limits': {
    good: { body: { ...LIMITS, up_kbps: 5 } },
    bad: [
      NOT_JSON,
      { call: { body: { ...LIMITS, alt_active: undefined } }, error: /^alt_active: required$/ },
      { call: { body: { ...LIMITS, alt_up_kbps: -0.1 } }, error: /^alt_up_kbps: must not be negative$/ },
      { call: { body: { ...LIMITS, down_kbps: 2 ** 53 } }, error: /^down_kbps: at most \d+$/ },
    ],
    expected: OK,
  },
  'post /api/settings/alt_speed/toggle': { good: {}, expected: { alt_active: true } },
  'get /api/stats': { good: {}, expected: { total_torrents: 1, active_torrents: 1, total_peers: 0 } },
  'post /api/inspector/focus': {
    good: { body: { id: HASH, tabs: ['files', 'speed', 'nonsense'] } },
    bad: [
      NOT_JSON,
      { call: { body: {} }, error: /^id: required$/ },
      { call: { body: { id: 'nonsense' } }, error: /^id: expected an info hash/ },
      { call: { body: { id: HASH, tabs: 'files' } }, error: /^tabs: expected array$/ },
    ],
    expected: OK,
  },
  'post /api/inspector/clear': { good: {}, expected: OK },
  'get /api/ws': { good: {}, expected: { error: 'websocket upgrade required' }, goodStatus: 426 },
  'get /api/me': { good: {}, expected: { id: 1, username: 'admin', role: 'admin', perm_share: true } },
  'post /api/me/password': {
    good: ({ password }) => ({ body: { old_password: password, new_password: 'a new password' } }),
    bad: [
      NOT_JSON,
      { call: { body: { old_password: 'x', new_password: 'short' } }, error: /^new_password: at least 8 characters$/ },
      {
        call: { body: { old_password: 'wrong', new_password: 'long enough' } },
        error: /^current password is incorrect$/,
      },
    ],
    expected: OK,
  },
  'post /api/me/api_key/rotate': { good: {}, expected: { api_key: /^[A-Za-z0-9_-]{43}$/ } },
};

const pathOf = (route: Route, id = HASH) => route.path.replace(':id', id);
const isPublic = (route: Route) => route.gate === 'public' || route.gate === 'login';
const method = (route: Route) => route.method.toUpperCase();

function withHeaders(call: CallOptions, headers: Record<string, string>): CallOptions {
  return { ...call, headers: { ...call.headers, ...headers } };
}

for (const route of ROUTES) {
  const name = `${route.method} ${route.path}`;
  const sample = SAMPLES[name];
  void t.test(name, async (t) => {
    if (!sample) return void t.fail(`no sample for ${name}`);
    const harness = await startHarness();
    t.teardown(() => harness.close());
    // One attempt of the five that a source has at once; samples of the login route take the others.
    const cookie = await harness.signIn();
    const key = await harness.apiKey(cookie);
    await harness.call('POST', '/api/torrents/magnet', {
      headers: { authorization: `Bearer ${key}` },
      body: { magnet: MAGNET },
    });
    const bearer = { authorization: `Bearer ${key}` };
    const good = typeof sample.good === 'function' ? sample.good(harness) : sample.good;
    const send = (call: CallOptions, id?: string) => harness.call(method(route), pathOf(route, id), call);

    if (!isPublic(route)) {
      const stranger = await send(good);
      t.match(stranger, { status: 401, headers: { 'www-authenticate': 'Bearer' } });
      t.same(stranger.json(), { error: 'unauthorized' });
      t.equal((await send(withHeaders(good, { authorization: 'Bearer wrong' }))).status, 401);
      t.equal(
        (await send(withHeaders(good, { cookie: 'service_session=wrong', origin: harness.daemon.url }))).status,
        401,
      );
    }
    if (route.method !== 'get') {
      const foreign = await send(withHeaders(good, { cookie, origin: 'http://evil.example' }));
      t.match([foreign.status, foreign.json()], [403, { error: 'origin mismatch' }]);
      if (!isPublic(route)) {
        const silent = await send(withHeaders(good, { cookie }));
        t.match([silent.status, silent.json()], [403, { error: 'missing origin' }]);
      }
    }
    for (const { call, error } of sample.bad ?? []) {
      const refused = await send(withHeaders(call, bearer));
      t.equal(refused.status, 400, refused.text);
      t.match(refused.json()['error'], error);
    }
    if (route.path.includes(':id')) {
      const unknown = await send(withHeaders(good, bearer), UNKNOWN);
      t.match([unknown.status, unknown.json()], [404, { error: 'torrent not found' }]);
      t.equal((await send(withHeaders(good, bearer), 'f'.repeat(64))).status, 404);
      const malformed = await send(withHeaders(good, bearer), 'nonsense');
      t.match([malformed.status, malformed.json()], [400, { error: /^id: expected an info hash/ }]);
    }
    const answer = await send(withHeaders(good, { cookie, origin: harness.daemon.url }), HASH.toUpperCase());
    t.equal(answer.status, sample.goodStatus ?? 200, answer.text);
    t.match(answer.json(), sample.expected);
    t.match(answer.headers, { 'content-type': /^application\/json/, 'cache-control': 'no-store' });
  });
}

void t.test('every sample belongs to a route', async (t) => {
  const names = ROUTES.map((route) => `${route.method} ${route.path}`);
  t.same(Object.keys(SAMPLES).sort(), names.sort());
});

void t.test('what no route answers', async (t) => {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  const headers = { authorization: `Bearer ${await harness.apiKey()}` };
  const status = async (verb: string, path: string, call: CallOptions = {}) => {
    const answer = await harness.call(verb, path, call);
    t.match(answer.json()['error'], /./);
    return answer.status;
  };
  t.equal(await status('GET', '/api/nope'), 401, 'an unknown path tells a stranger nothing');
  t.equal(await status('GET', '/api/nope', { headers }), 404);
  t.equal(await status('GET', '/'), 404);
  t.equal(await status('GET', '/api/login'), 405);
  t.equal(await status('PUT', '/api/torrents'), 401);
  const wrong = await harness.call('PUT', '/api/torrents', { headers });
  t.match(wrong, { status: 405, headers: { allow: 'GET' } });
  t.equal(await status('POST', '/api/torrents/%ZZ/pause', { headers }), 400);
  const preflight = await harness.call('OPTIONS', '/api/torrents', { headers: { origin: 'http://evil.example' } });
  t.equal(preflight.status, 204);
  t.notOk(Object.keys(preflight.headers).some((name) => name.startsWith('access-control')));
});

void t.test('bodies over 1 MiB are refused, whoever sends them', async (t) => {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  const answer = await harness.call('POST', '/api/login', { body: `"${'x'.repeat(1024 * 1024)}"` });
  t.match([answer.status, answer.json()], [413, { error: 'request body too large' }]);
});

void t.test('users without a flag or access are forbidden, and learn nothing of torrents', async (t) => {
  const { harness, cookie } = await withSecondAccount(t);
  const headers = { cookie, origin: harness.daemon.url };
  const refused = [
    await harness.call('POST', '/api/torrents/magnet', { headers, body: { magnet: MAGNET } }),
    await harness.call('POST', `/api/torrents/${HASH}/pause`, { headers }),
    await harness.call('POST', `/api/torrents/${UNKNOWN}/pause`, { headers }),
    await harness.call('DELETE', `/api/torrents/nonsense`, { headers }),
  ];
  for (const answer of refused) t.match([answer.status, answer.json()], [403, { error: 'forbidden' }]);
  t.same((await harness.call('GET', '/api/torrents', { headers })).json(), []);
  t.match((await harness.call('GET', '/api/stats', { headers })).json(), { total_torrents: 0 });
  t.match((await harness.call('GET', '/api/me', { headers })).json(), { id: 2, role: 'user', perm_share: false });
});

/** `admin` with one torrent, and `bob` who may do nothing in particular, stored as account management will store him. */
async function withSecondAccount(t: Test) {
  const dataDir = await mkdtemp(join(tmpdir(), 'swarmd-api-'));
  const first = await startHarness({ dataDir });
  const bearer = { authorization: `Bearer ${await first.apiKey()}` };
  await first.call('POST', '/api/torrents/magnet', { headers: bearer, body: { magnet: MAGNET } });
  await first.close();
  const accounts = await openCollection(join(dataDir, 'accounts.json'), {
    version: 1,
    defaults: { next_id: 1, accounts: [] },
    migrate: (data) => data,
    validate: (data) => accountsSchema.parse(data),
  });
  const bob: Partial<Account> = {
    id: parseAccountId(2),
    username: 'bob',
    role: 'user',
    perm_add_torrents: false,
    perm_share: false,
    password_hash: await hash('bobs password', CHEAP_ARGON2),
    api_key_digest: null,
  };
  await accounts.update((data) => data.accounts.push(...data.accounts.map((admin) => ({ ...admin, ...bob }))));
  const harness = await startHarness({ dataDir, engine: first.engine });
  t.teardown(async () => {
    await harness.close();
    await rm(dataDir, { recursive: true });
  });
  const login = await harness.call('POST', '/api/login', { body: { username: 'bob', password: 'bobs password' } });
  return { harness, cookie: (login.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '' };
}
