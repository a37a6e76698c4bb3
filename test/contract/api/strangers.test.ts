// What people without a credential, and programs that are no browser, may throw at the listener: the answer is JSON, says
// what is wrong, and neither a stack nor what lies behind the gate. docs/limits.md 2.25, docs/semantics.md section 1.
import net from 'node:net';
import t, { type Test } from 'tap';
import { startHarness, type Harness } from '../../support/api-harness.js';

const MIB = 1024 * 1024;
const HASH = 'a'.repeat(40);

async function start(t: Test, args: readonly string[] = []) {
  const harness = await startHarness({ args });
  t.teardown(() => harness.close());
  return { harness, headers: { authorization: `Bearer ${await harness.apiKey()}` } };
}

interface Said {
  readonly status: number;
  readonly count: number;
  readonly error: string | undefined;
}

/** Everything that comes back for these bytes, up to the end of the connection; asks for that end by `Connection`. */
async function say({ daemon }: Harness, text: string): Promise<Said> {
  const { port } = new URL(daemon.url);
  const heard = await new Promise<string>((resolve, reject) => {
    let all = '';
    const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(text, 'latin1'));
    socket
      .on('data', (chunk) => (all += String(chunk)))
      .on('close', () => resolve(all))
      .on('error', reject);
  });
  const starts = heard.match(/^HTTP\/1\.1 \d{3} /gm) ?? [];
  const { error } = JSON.parse(heard.slice(heard.lastIndexOf('\r\n\r\n'))) as { error?: string };
  return { status: Number(starts[0]?.slice(9, 12)), count: starts.length, error };
}

const HOST = 'Host: 127.0.0.1\r\nConnection: close\r\n';
const BROKEN = { status: 400, error: 'not a valid HTTP request' };
const RAW: Readonly<Record<string, { readonly text: string; readonly answer: Partial<Said> }>> = {
  'both lengths, a second request behind': {
    text: `POST /api/logout HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/me HTTP/1.1\r\n${HOST}\r\n`,
    answer: { ...BROKEN, count: 1 },
  },
  'two lengths': {
    text: `POST /api/logout HTTP/1.1\r\n${HOST}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
    answer: BROKEN,
  },
  'a length below 0': { text: `POST /api/login HTTP/1.1\r\n${HOST}Content-Length: -5\r\n\r\n`, answer: BROKEN },
  'an encoding after chunked': {
    text: `POST /api/logout HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    answer: BROKEN,
  },
  'a space before the colon': {
    text: `POST /api/logout HTTP/1.1\r\n${HOST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
    answer: BROKEN,
  },
  'bare line feeds': { text: 'GET /api/bootstrap HTTP/1.1\nHost: x\n\n', answer: BROKEN },
  'a NUL': { text: `GET /api/bootstrap HTTP/1.1\r\n${HOST}X: a\0b\r\n\r\n`, answer: BROKEN },
  'HTTP/2': { text: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', answer: BROKEN },
  'a path of bytes': { text: `GET /api/\x80 HTTP/1.1\r\n${HOST}\r\n`, answer: BROKEN },
  'no Host': {
    text: 'GET /api/bootstrap HTTP/1.1\r\nConnection: close\r\n\r\n',
    answer: { status: 400, error: 'Host: required' },
  },
  'two Hosts': {
    text: `GET /api/bootstrap HTTP/1.1\r\n${HOST}Host: evil.example\r\n\r\n`,
    answer: { status: 400, error: 'Host: more than one' },
  },
  'a proxy request': {
    text: `CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n`,
    answer: { status: 405, error: 'method not allowed' },
  },
  'an id of 100 KB': {
    text: `POST /api/torrents/${'a'.repeat(100_000)}/pause HTTP/1.1\r\n${HOST}\r\n`,
    answer: { status: 431, error: 'request headers too large' },
  },
  'an upgrade to nowhere': {
    text: `GET // HTTP/1.1\r\n${HOST.replace('close', 'Upgrade')}Upgrade: websocket\r\n\r\n`,
    answer: { status: 401, error: 'unauthorized' },
  },
};

void t.test('what is no request, or two', async (t) => {
  const { harness } = await start(t);
  for (const [name, { text, answer }] of Object.entries(RAW)) t.match(await say(harness, text), answer, name);
  t.match((await harness.call('GET', '/api/bootstrap')).status, 200, 'and it is still there');
});

void t.test('an upgrade to nowhere, with a credential', async (t) => {
  const { harness, headers } = await start(t);
  const text = `GET // HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${headers.authorization}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
  t.match(await say(harness, text), { status: 404, error: 'not found' });
});

void t.test('paths: unknown ones are 401 for strangers, 404 for accounts', async (t) => {
  const { harness, headers } = await start(t);
  for (const path of ['/api//torrents', '/api/nothing', '/api/torrents/x/y/z/pause', `/api/${'a'.repeat(10_000)}`]) {
    t.match((await harness.call('GET', path)).json(), { error: 'unauthorized' }, path.slice(0, 40));
    t.match((await harness.call('GET', path, { headers })).json(), { error: 'not found' }, path.slice(0, 40));
  }
  for (const path of ['//api/torrents', '/API/torrents', '/index.htm']) {
    const answer = await harness.call('GET', path, { headers });
    t.match([answer.status, answer.json()], [404, { error: 'not found' }], path);
  }
  t.equal((await harness.call('GET', '/api/torrents/', { headers })).status, 200, 'a slash at the end');
  const undecodable = '/api/torrents/%zz/pause';
  t.equal((await harness.call('POST', undecodable)).status, 401);
  const answer = await harness.call('POST', undecodable, { headers });
  t.match([answer.status, answer.json()], [400, { error: 'path: not valid percent-encoding' }]);
  for (const id of ['..%2f..%2fme', '%2e%2e%2fme', `${HASH}%00`, `${HASH}%2f`]) {
    const encoded = await harness.call('POST', `/api/torrents/${id}/pause`, { headers });
    t.match([encoded.status, encoded.json()], [400, { error: /^id: expected an info hash/ }], id);
  }
});

void t.test('HEAD is GET without a body; other methods are told which there are', async (t) => {
  const { harness, headers } = await start(t);
  t.match(await harness.call('HEAD', '/api/torrents', { headers }), { status: 200, text: '' });
  t.match(await harness.call('HEAD', '/api/torrents'), { status: 401, text: '' });
  t.match(await harness.call('PATCH', '/api/me', { headers }), { status: 405, headers: { allow: 'GET' } });
  t.equal((await harness.call('TRACE', '/api/me')).status, 401);
  t.match(await harness.call('OPTIONS', '/api/me'), { status: 204, text: '' });
});

void t.test('bodies over 1 MiB: declared ones for everybody, others for those who are let in', async (t) => {
  const { harness, headers } = await start(t);
  const put = (length: number, more: Record<string, string>) =>
    harness.call('PUT', '/api/settings/limits', { headers: more, body: Buffer.alloc(length, ' ') });
  for (const answer of [await put(MIB + 1, headers), await put(MIB + 1, {})]) {
    t.match([answer.status, answer.json()], [413, { error: 'request body too large' }]);
  }
  t.match((await put(MIB, headers)).json(), { error: 'body: not valid JSON' });
  const head = `PUT /api/settings/limits HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n`;
  const chunks = `\r\n${(MIB + 1).toString(16)}\r\n${' '.repeat(MIB + 1)}\r\n0\r\n\r\n`;
  const chunked = await say(harness, `${head}Authorization: ${headers.authorization}\r\n${chunks}`);
  t.match(chunked, { status: 413, error: 'request body too large' });
});

void t.test('nothing is read of the body of somebody who is not let in', async (t) => {
  const { harness } = await start(t);
  for (const length of ['Content-Length: 1000', 'Transfer-Encoding: chunked']) {
    const text = `PUT /api/settings/limits HTTP/1.1\r\n${HOST}${length}\r\n\r\n`;
    t.match(await say(harness, text), { status: 401 }, 'answered although it never comes');
  }
});

void t.test('who loses the right while the body is under way is refused', async (t) => {
  const { harness, headers } = await start(t);
  const { port } = new URL(harness.daemon.url);
  const body = JSON.stringify({ password: 'battery staple' });
  const head = `PUT /api/settings/web/password HTTP/1.1\r\n${HOST}Authorization: ${headers.authorization}\r\nContent-Length: ${body.length}\r\n\r\n`;
  const heard = new Promise<string>((resolve) => {
    let all = '';
    const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(head));
    socket.on('data', (chunk) => (all += String(chunk))).on('close', () => resolve(all));
    // On a later connection, so that the first request has been looked at by then.
    void harness.call('POST', '/api/me/api_key/rotate', { headers }).then(() => socket.write(body));
  });
  t.match(await heard, /^HTTP\/1\.1 401 .*\{"error":"unauthorized"\}$/s);
});

void t.test('X-Forwarded-* of a client that is no proxy changes nothing', async (t) => {
  const { harness } = await start(t, ['--allowed-hosts', 'box.local']);
  const forwarded = { 'x-forwarded-for': '9.9.9.9', 'x-forwarded-host': 'box.local', 'x-forwarded-proto': 'https' };
  const spoofed = await harness.call('GET', '/api/bootstrap', { headers: { ...forwarded, host: 'evil.example' } });
  t.match([spoofed.status, spoofed.json()], [421, { error: 'host not allowed' }]);
  const cookie = (await harness.call('POST', '/api/logout', { headers: forwarded })).headers['set-cookie']?.[0];
  t.notMatch(cookie, /Secure/);
  const foreign = { ...forwarded, origin: 'http://box.local' };
  t.equal((await harness.call('POST', '/api/logout', { headers: foreign })).status, 403);
  let last = 0;
  for (let attempt = 0; attempt < 6; attempt++) {
    const headers = { 'x-forwarded-for': `9.9.9.${attempt}` };
    last = (await harness.call('POST', '/api/login', { headers, body: { username: 'a', password: 'b' } })).status;
  }
  t.equal(last, 429, 'six attempts of one address');
});

void t.test('a login costs one attempt, also of somebody who is signed in', async (t) => {
  const { harness, headers } = await start(t);
  const body = { username: 'nobody', password: 'wrong' };
  const statuses: number[] = [];
  // The key was asked for with a session: the first of five attempts.
  for (let attempt = 0; attempt < 5; attempt++) {
    statuses.push((await harness.call('POST', '/api/login', { headers, body })).status);
  }
  t.same(statuses, [401, 401, 401, 401, 429]);
});
