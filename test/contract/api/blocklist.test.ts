// The blocklist's settings and fetches, with --fetch-allow for a server on loopback.
import { readdir, stat, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { RangeLookup } from '../../../shared-protocol/address-ranges.js';
import { startHarness, type Harness, type HarnessOptions } from '../../support/api-harness.js';
import { startUpstream, type Respond } from '../../support/upstream.js';

const LIST = 'some range:1.2.4.0-1.2.4.255\nother:5.6.7.8-5.6.7.9\nlast line without an end';
const KIB = 1024;
/** More than a GiB would come out of it. */
const BOMB = Buffer.concat(Array<Buffer>(40).fill(gzipSync(Buffer.alloc(32 * KIB * KIB))));

interface Shown {
  readonly url: string;
  readonly enabled: boolean;
  readonly last_loaded_at: number;
  readonly entries: number;
  readonly error?: string;
}

async function start(t: Test, respond: Respond, options: HarnessOptions = {}) {
  const server = await startUpstream(respond);
  t.teardown(() => server.close());
  const harness = await startHarness({ args: ['--fetch-allow', '127.0.0.1'], ...options });
  t.teardown(() => harness.close());
  const headers = { authorization: `Bearer ${await harness.apiKey()}` };
  const put = (url: string, enabled: boolean) =>
    harness.call('PUT', '/api/settings/blocklist', { headers, body: { url, enabled } });
  const refresh = () => harness.call('POST', '/api/settings/blocklist/refresh', { headers });
  const get = async () => (await harness.call('GET', '/api/settings/blocklist', { headers })).json<Shown & object>();
  /** The settings once they are like this. */
  const until = async (isSo: (shown: Shown) => boolean): Promise<Shown> => {
    for (;;) {
      const shown = await get();
      if (isSo(shown)) return shown;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return { server, harness, put, refresh, get, until };
}

void t.test('enabling fetches at once; a refresh fetches again', async (t) => {
  let body: Buffer = Buffer.from(LIST);
  const { server, put, refresh, get, until } = await start(t, (_request, response) => response.end(body));
  const url = `${server.origin}/list?key=1`;
  t.same(await get(), { url: '', enabled: false, last_loaded_at: 0, entries: 0 });
  t.match(await put(url, true), { status: 200, text: '{"ok":true}' });
  const loaded = await until(({ entries }) => entries > 0);
  t.match(loaded, { url, enabled: true, entries: 2 });
  t.ok(Math.abs(loaded.last_loaded_at - Date.now() / 1_000) < 60);
  t.equal('error' in loaded, false);
  for (const [name, bytes, entries] of [
    ['gzipped', gzipSync('1.2.3.4\n'.repeat(100_000)), 100_000],
    ['in two members', Buffer.concat([gzipSync('1.2.3.4\n'), gzipSync('5.6.7.8\n')]), 2],
    ['empty', Buffer.alloc(0), 0],
    ['line ends only', Buffer.from('\n\r\n\n'), 3],
  ] as const) {
    body = bytes;
    t.match(await refresh(), { status: 200, text: '{"ok":true}' }, name);
    t.match(await get(), { entries }, name);
  }
});

void t.test('what may be stored', async (t) => {
  const { server, put, refresh, get } = await start(t, (_request, response) => response.end(LIST));
  const isPrivate = {
    error: 'url: This URL points to a private address. Allow it with --fetch-allow.',
    code: 'URL_PRIVATE',
  };
  const noUrl = { error: 'url: not a URL', code: 'URL_NOT_HTTP' };
  for (const [url, body] of [
    ['', { error: 'url: required when enabled' }],
    ['list.txt', noUrl],
    ['ftp://a.invalid/', { error: 'url: expected an http or https URL', code: 'URL_NOT_HTTP' }],
    ['http://10.0.0.1/', isPrivate],
    ['http://[::1]/', isPrivate],
  ] as const) {
    t.match(await put(url, true), { status: 400, text: JSON.stringify(body) }, url);
  }
  t.match(await get(), { url: '', enabled: false }, 'nothing of it is stored');
  t.match(await refresh(), { status: 400, text: '{"error":"url: not configured"}' });
  t.equal((await put('anything', false)).status, 200);
  t.match(await refresh(), { status: 400, text: JSON.stringify(noUrl) });
  t.equal((await put('http://10.0.0.1/', false)).status, 200);
  t.match(await refresh(), { status: 400, text: JSON.stringify(isPrivate) });
  t.equal((await put(`${server.origin}/list`, false)).status, 200);
  t.equal(server.requests.length, 0, 'disabled, nothing is fetched');
  t.equal((await refresh()).status, 200);
  t.match(await get(), { enabled: false, entries: 2 });
});

void t.test('a failure is 502, is shown, and is forgotten with the next success or another URL', async (t) => {
  let answer: Respond = (_request, response) => response.writeHead(503).end();
  const { server, put, refresh, get, until } = await start(t, (request, response) => answer(request, response));
  await put(`${server.origin}/list`, true);
  t.match(await until(({ error }) => error !== undefined), {
    error: 'Download failed: HTTP 503',
    reason: { code: 'HTTP_STATUS', data: { status: 503 } },
    last_loaded_at: 0,
    entries: 0,
  });
  for (const [body, headers, reason] of [
    [gzipSync(LIST.repeat(100)).subarray(0, 60), {}, 'the body is not compressed as it says'],
    [gzipSync(Buffer.alloc(51 * KIB * KIB)), { 'content-encoding': 'gzip' }, `larger than ${50 * KIB * KIB} bytes`],
    [BOMB, {}, `larger than ${256 * KIB * KIB} bytes`],
    [Buffer.from('<html>\nno such list\n'), {}, 'no line of it is understood'],
    [Buffer.from('PK\x03\x04 and so on'), {}, 'the list is a zip archive: only text and gzip are understood'],
    [
      Buffer.alloc(0),
      { location: 'http://127.0.0.2/' },
      'This URL points to a private address. Allow it with --fetch-allow.',
    ],
  ] as const) {
    answer = (_request, response) => response.writeHead('location' in headers ? 302 : 200, headers).end(body);
    const told = 'location' in headers ? { code: 'URL_PRIVATE' } : undefined;
    t.match(await refresh(), { status: 502, text: JSON.stringify({ error: `blocklist: ${reason}`, ...told }) });
    t.match(await get(), { error: reason, reason: told });
  }
  answer = (_request, response) => response.end(LIST);
  t.equal((await refresh()).status, 200);
  t.equal('error' in (await get()), false);
  answer = (_request, response) => response.writeHead(404).end();
  await refresh();
  await put(`${server.origin}/list`, false);
  t.match(await get(), { error: 'Download failed: HTTP 404', entries: 2 }, 'of the same URL');
  await put(`${server.origin}/other`, false);
  t.equal('error' in (await get()), false, 'of another URL');
});

void t.test('one fetch at a time, and none that was overtaken leaves a trace', async (t) => {
  const waiting: ServerResponse[] = [];
  const arrivals: (() => void)[] = [];
  const { server, put, refresh, get, until } = await start(t, (_request, response) => {
    waiting.push(response);
    arrivals.shift()?.();
  });
  const arrival = () => new Promise<void>((resolve) => arrivals.push(resolve));
  let arrived = arrival();
  await put(`${server.origin}/a`, true);
  await arrived;
  const joined = [refresh(), refresh()];
  waiting[0]?.end(LIST);
  for (const answer of await Promise.all(joined)) t.equal(answer.status, 200);
  t.equal(server.requests.length, 1, 'they waited for the one that ran');

  arrived = arrival();
  await put(`${server.origin}/b`, true);
  await arrived;
  const overtaken = refresh();
  const ended = new Promise<void>((resolve) => waiting[1]?.on('close', resolve));
  await put(`${server.origin}/b`, false);
  t.match(await overtaken, { status: 502 });
  await t.resolves(ended, 'its connection is closed');
  t.match(await get(), { enabled: false, entries: 2 });
  t.equal('error' in (await get()), false);

  arrived = arrival();
  await put(`${server.origin}/c`, true);
  await arrived;
  waiting[2]?.end('1.1.1.1\n2.2.2.2\n3.3.3.3\n');
  t.match(await until(({ entries }) => entries === 3), { url: `${server.origin}/c` });
});

void t.test('the secrets of the URL are for those who may change it', async (t) => {
  const { harness, put } = await start(t, (_request, response) => response.end(LIST));
  await put('https://me:secret@a.invalid/list?key=secret', false);
  const admin = { authorization: `Bearer ${await harness.apiKey()}` };
  const body = {
    ...{ username: 'other', password: 'correct horse', role: 'user', disabled: false, perm_change_settings: false },
    ...{ perm_add_torrents: true, perm_manage_cat_tags: true, perm_manage_rss: true, perm_share: true },
  };
  t.equal((await harness.call('POST', '/api/users', { headers: admin, body })).status, 200);
  const login = await harness.call('POST', '/api/login', { body: { username: 'other', password: 'correct horse' } });
  const cookie = (login.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
  const shown = await harness.call('GET', '/api/settings/blocklist', { headers: { cookie } });
  t.match(shown.json(), { url: 'https://***@a.invalid/list?key=***' });
});

/** What the engine blocks, of a few addresses. */
function blocked({ engine }: Harness): string[] {
  const lookups = engine.blocklist.map((ranges) => new RangeLookup(ranges));
  return ['1.2.4.7', '5.6.7.8', '9.9.9.9', '2001:db8::1'].filter((address) =>
    lookups.some((lookup) => lookup.has(address)),
  );
}

void t.test(
  'the engine has the list while it is enabled; a refresh replaces it; a failure changes nothing',
  async (t) => {
    let answer: Respond = (_request, response) => response.end(LIST);
    const world = await start(t, (request, response) => answer(request, response));
    const { server, harness, put, refresh, get, until } = world;
    const url = `${server.origin}/list`;
    await put(url, true);
    await until(({ entries }) => entries > 0);
    t.same(blocked(harness), ['1.2.4.7', '5.6.7.8']);

    for (const body of [gzipSync(LIST).subarray(0, 40), Buffer.from('no list\n')]) {
      answer = (_request, response) => response.end(body);
      t.equal((await refresh()).status, 502);
      t.match(await get(), { enabled: true, entries: 2 });
      t.same(blocked(harness), ['1.2.4.7', '5.6.7.8']);
    }

    answer = (_request, response) => response.end('9.9.9.9\n2001:db8::/32\n1.0.0.0 - 1.0.0.9 , 0 , x\n');
    t.equal((await refresh()).status, 200);
    t.match(await get(), { entries: 3 });
    t.same(blocked(harness), ['9.9.9.9', '2001:db8::1']);

    t.equal((await put(url, false)).status, 200);
    t.same(harness.engine.blocklist, [], 'and before it is answered');
    t.same(
      (await readdir(harness.dataDir)).filter((name) => name.startsWith('blocklist')),
      [],
    );
    t.equal((await refresh()).status, 200);
    t.same(harness.engine.blocklist, [], 'disabled, a list is only counted');
  },
);

void t.test('what has not changed is not sent again', async (t) => {
  const { server, put, refresh, until } = await start(t, (request, response) => {
    if (request.headers['if-none-match'] === '"1"') return response.writeHead(304).end();
    return response.writeHead(200, { etag: '"1"' }).end(LIST);
  });
  await put(`${server.origin}/list`, true);
  await until(({ entries }) => entries > 0);
  t.equal((await refresh()).status, 200);
  t.match(await until(({ entries }) => entries === 2), { enabled: true });
  t.same(
    server.requests.map(({ headers }) => headers['if-none-match']),
    [undefined, '"1"'],
  );
});

void t.test('an engine that takes the place of a dead one begins with the list', async (t) => {
  const { server, harness, put, until } = await start(t, (_request, response) => response.end(LIST));
  await put(`${server.origin}/list`, true);
  await until(({ entries }) => entries > 0);
  const { engine } = harness;
  const first = engine.started;
  engine.blocklist = [];
  harness.transport().kill('test');
  while (engine.started === first) await new Promise((resolve) => setTimeout(resolve, 5));
  t.same(blocked(harness), ['1.2.4.7', '5.6.7.8']);
  t.equal(engine.started?.blocklist.length, 1, 'from its very start');
});

void t.test('a restart begins with the copy, also without the server; a damaged one is fetched again', async (t) => {
  const dataDir = t.testdir({});
  let isUp = true;
  const respond: Respond = (_request, response) => (isUp ? response.end(LIST) : response.writeHead(503).end());
  const server = await startUpstream(respond);
  t.teardown(() => server.close());
  const run = async (use: (harness: Harness) => Promise<void>) => {
    const harness = await startHarness({ args: ['--fetch-allow', '127.0.0.1'], dataDir });
    await use(harness);
    await harness.close();
  };
  await run(async (harness) => {
    const headers = { authorization: `Bearer ${await harness.apiKey()}` };
    const body = { url: `${server.origin}/list`, enabled: true };
    await harness.call('PUT', '/api/settings/blocklist', { headers, body });
    while (harness.engine.blocklist.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const copy = join(dataDir, 'blocklist.ranges');
    while (!(await readdir(dataDir)).includes('blocklist.ranges'))
      await new Promise((resolve) => setTimeout(resolve, 5));
    t.equal((await stat(copy)).mode & 0o777, 0o600);
  });
  isUp = false;
  await run(async (harness) => {
    t.same(blocked(harness), ['1.2.4.7', '5.6.7.8']);
    t.equal(harness.engine.started?.blocklist.length, 1, 'from its very start');
  });
  await writeFile(join(dataDir, 'blocklist.ranges'), 'rubbish');
  isUp = true;
  await run(async (harness) => {
    t.same(harness.engine.started?.blocklist, []);
    while (harness.engine.blocklist.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    t.same(blocked(harness), ['1.2.4.7', '5.6.7.8']);
  });
});
