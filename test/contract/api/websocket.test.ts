// The push channel with a real client: who gets in, what arrives, and when it is closed.
import { once } from 'node:events';
import { connect } from 'node:net';
import t from 'tap';
import { WebSocket, type ClientOptions } from 'ws';
import { startHarness, type Harness } from '../../support/api-harness.js';

const A = 'a'.repeat(40);

interface Frame {
  readonly type: string;
  readonly payload: unknown;
}

class Client {
  readonly #socket: WebSocket;
  readonly #frames: Frame[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  /** The status of a refused upgrade, with its body. */
  readonly refused: Promise<{ status: number; body: string }>;

  constructor(harness: Harness, options: ClientOptions, path = '/api/ws') {
    this.#socket = new WebSocket(harness.daemon.url.replace('http', 'ws') + path, options);
    this.#socket.on('message', (data, isBinary) => {
      if (isBinary) throw new Error('expected text');
      this.#frames.push(JSON.parse(String(data)) as Frame);
    });
    this.closed = new Promise((resolve) =>
      this.#socket.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
    );
    this.refused = new Promise((resolve) =>
      this.#socket.on('unexpected-response', (_request, response) => {
        let body = '';
        response.on('data', (chunk) => (body += String(chunk)));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      }),
    );
    this.#socket.on('error', () => undefined);
    this.#socket.on('upgrade', ({ socket }) => socket.on('close', () => (this.bytesRead = socket.bytesRead)));
  }

  /** The next frame of the type. */
  async next(type: string): Promise<unknown> {
    for (;;) {
      const index = this.#frames.findIndex((frame) => frame.type === type);
      if (index >= 0) return this.#frames.splice(index, 1)[0]?.payload;
      await once(this.#socket, 'message');
    }
  }

  /** Of the whole connection. */
  bytesRead = 0;

  pongs = 0;

  /** What comes back. */
  async ping(data: string): Promise<string> {
    this.#socket.on('pong', () => this.pongs++);
    const pong = once(this.#socket, 'pong');
    this.#socket.ping(data);
    return String((await pong)[0]);
  }

  say(text: string): void {
    this.#socket.send(text);
  }

  close(): void {
    this.#socket.close();
  }
}

async function start(t: { teardown(handler: () => Promise<void>): void }) {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  const key = await harness.apiKey();
  return { harness, bearer: { authorization: `Bearer ${key}` }, cookie: await harness.signIn() };
}

void t.test('a cookie or a key opens it; snapshots come at once and then each second', async (t) => {
  const { harness, bearer, cookie } = await start(t);
  await harness.call('POST', '/api/torrents/magnet', {
    headers: bearer,
    body: { magnet: `magnet:?xt=urn:btih:${A}` },
  });
  for (const headers of [bearer, { cookie }]) {
    const client = new Client(harness, { headers });
    t.match(await client.next('torrents:tick'), [{ id: A, access: 'owner', paused: false }]);
    t.match(await client.next('stats:tick'), { total_torrents: 1 });
    client.say('anything is read and thrown away');
    await harness.call('POST', `/api/torrents/${A}/pause`, { headers: bearer });
    // One may have been under way.
    const ticks = [await client.next('torrents:tick'), await client.next('torrents:tick')];
    t.match(ticks[1], [{ id: A, paused: true }]);
    await harness.call('POST', `/api/torrents/${A}/resume`, { headers: bearer });
    client.close();
    await client.closed;
  }
});

void t.test('frames of clients: up to 64 KiB are thrown away, larger ones close the socket', async (t) => {
  const { harness, bearer } = await start(t);
  for (const frames of ['full', 'delta']) {
    const client = new Client(harness, { headers: bearer }, `/api/ws?frames=${frames}`);
    await client.next('torrents:tick');
    client.say('x'.repeat(64 * 1024));
    // An answer shows that it was read, and that the socket is still there.
    t.equal(await client.ping('read'), 'read');
    client.say('x'.repeat(64 * 1024 + 1));
    t.match(await client.closed, { code: 1009 });
  }
});

void t.test('who is not let in', async (t) => {
  const { harness, bearer, cookie } = await start(t);
  const refused = (options: ClientOptions, path?: string) => new Client(harness, options, path).refused;
  t.same(await refused({}), { status: 401, body: '{"error":"unauthorized"}' });
  t.match(await refused({ headers: { cookie: 'service_session=x' } }), { status: 401 });
  t.match(await refused({ headers: { cookie }, origin: 'http://evil.example' }), {
    status: 403,
    body: '{"error":"origin mismatch"}',
  });
  t.match(await refused({ headers: bearer }, '/api/elsewhere'), { status: 404 });
  const key = bearer.authorization.slice('Bearer '.length);
  t.match(await refused({}, `/api/ws?api_key=${key}`), { status: 401 });
  const own = new Client(harness, { headers: { cookie }, origin: harness.daemon.url });
  t.same(await own.next('torrents:tick'), []);
  own.close();
});

void t.test('frames are deflated for those who offer it, and the same for all', async (t) => {
  const { harness, bearer } = await start(t);
  for (let i = 0; i < 20; i++) {
    const body = { magnet: `magnet:?xt=urn:btih:${String(i).padStart(40, 'a')}&dn=${'Größe '.repeat(i)}` };
    await harness.call('POST', '/api/torrents/magnet', { headers: bearer, body });
  }
  const expected = (await harness.call('GET', '/api/torrents', { headers: bearer })).json<unknown>();
  const smallWindow = { serverMaxWindowBits: 10 };
  const read = await Promise.all(
    [true, true, false, smallWindow].map(async (perMessageDeflate) => {
      const client = new Client(harness, { headers: bearer, perMessageDeflate });
      for (let tick = 0; tick < 3; tick++) t.same(await client.next('torrents:tick'), expected);
      client.close();
      await client.closed;
      return client.bytesRead;
    }),
  );
  const [deflated, again, plain, small] = read as [number, number, number, number];
  t.ok(deflated < plain * 0.3, `${deflated} of ${plain} bytes`);
  t.ok(Math.abs(deflated - again) < 1_000);
  t.ok(small > plain * 0.9, 'a smaller window than ours is not for shared frames');
});

void t.test('with frames=delta, the list comes once and then what changes of it', async (t) => {
  const { harness, bearer } = await start(t);
  const add = (id: string) =>
    harness.call('POST', '/api/torrents/magnet', { headers: bearer, body: { magnet: `magnet:?xt=urn:btih:${id}` } });
  await add(A);
  const client = new Client(harness, { headers: bearer }, '/api/ws?frames=delta');
  t.match(await client.next('torrents:tick'), [{ id: A, paused: false }]);
  const next = async () => {
    for (;;) {
      const delta = (await client.next('torrents:delta')) as { upsert: unknown[]; removed: string[] };
      if (delta.upsert.length + delta.removed.length > 0) return delta;
    }
  };
  await harness.call('POST', `/api/torrents/${A}/pause`, { headers: bearer });
  t.match(await next(), { upsert: [{ id: A, paused: true, name: undefined }], removed: [] });
  const B = 'b'.repeat(40);
  await add(B);
  t.match(await next(), { upsert: [{ id: B, name: B, access: 'owner', tags: [] }], removed: [] });
  await harness.call('DELETE', `/api/torrents/${A}`, { headers: bearer });
  t.match(await next(), { removed: [A] });
  t.match(await client.next('stats:tick'), { total_torrents: 1 });
  client.close();
  const refused = await new Client(harness, { headers: bearer }, '/api/ws?frames=some').refused;
  t.same(refused, { status: 400, body: '{"error":"frames: expected full or delta"}' });
  const full = new Client(harness, { headers: bearer }, '/api/ws?frames=full');
  for (let tick = 0; tick < 2; tick++) t.match(await full.next('torrents:tick'), [{ id: B }]);
  full.close();
});

void t.test('pings are answered', async (t) => {
  const { harness, bearer } = await start(t);
  const client = new Client(harness, { headers: bearer });
  await client.next('stats:tick');
  t.equal(await client.ping('hello'), 'hello');
  await client.next('stats:tick');
  t.equal(client.pongs, 1);
  client.close();
});

void t.test('targets that are no path', async (t) => {
  const { harness, bearer } = await start(t);
  const { hostname, port } = new URL(harness.daemon.url);
  for (const target of ['//[', '//', '/api/ws/', '/API/WS']) {
    const socket = connect(Number(port), hostname);
    const head = [
      `GET ${target} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      `Authorization: ${bearer.authorization}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    await once(socket, 'close');
    t.match(answer, /^HTTP\/1.1 404 /, target);
  }
});

void t.test('logout closes the sockets of its session only', async (t) => {
  const { harness, bearer, cookie } = await start(t);
  const other = await harness.signIn();
  const clients = [cookie, other].map((each) => new Client(harness, { headers: { cookie: each } }));
  const withKey = new Client(harness, { headers: bearer });
  for (const client of [...clients, withKey]) await client.next('stats:tick');
  await harness.call('POST', '/api/logout', { headers: { cookie } });
  t.same(await clients[0]?.closed, { code: 1008, reason: 'session revoked' });
  t.ok(await clients[1]?.next('stats:tick'));
  t.ok(await withKey.next('stats:tick'));
});

void t.test('a new password or key closes every socket of the account', async (t) => {
  const { harness, cookie, bearer } = await start(t);
  const origin = harness.daemon.url;
  const pair = async () => {
    const both = [new Client(harness, { headers: { cookie } }), new Client(harness, { headers: bearer })];
    for (const client of both) await client.next('stats:tick');
    return both;
  };
  const first = await pair();
  const rotation = await harness.call('POST', '/api/me/api_key/rotate', { headers: { cookie, origin } });
  bearer.authorization = `Bearer ${rotation.json<{ api_key: string }>().api_key}`;
  for (const { closed } of first) t.same(await closed, { code: 1008, reason: 'session revoked' });
  const second = await pair();
  const body = { old_password: harness.password, new_password: 'correct horse' };
  await harness.call('POST', '/api/me/password', { headers: { cookie, origin }, body });
  for (const { closed } of second) t.same(await closed, { code: 1008, reason: 'session revoked' });
});

void t.test('shutdown says 1001', async (t) => {
  const harness = await startHarness();
  const client = new Client(harness, { headers: { cookie: await harness.signIn() } });
  await client.next('stats:tick');
  const [{ code }] = await Promise.all([client.closed, harness.close()]);
  t.equal(code, 1001);
});

void t.test('one account has 50 sockets at most; the next is refused, until one is closed', async (t) => {
  const { harness, bearer } = await start(t);
  const clients: Client[] = [];
  for (let i = 0; i < 50; i++) {
    const client = new Client(harness, { headers: bearer });
    await client.next('torrents:tick');
    clients.push(client);
  }
  t.same(await new Client(harness, { headers: bearer }).refused, {
    status: 429,
    body: '{"error":"too many connections"}',
  });
  const [first, ...others] = clients;
  first?.close();
  await first?.closed;
  const next = new Client(harness, { headers: bearer });
  t.same(await next.next('torrents:tick'), []);
  for (const client of [next, ...others]) client.close();
});
