// The order in which Transmission refuses, what it takes for a request, and both of its dialects.
import t from 'tap';
import { startHarness, type Harness } from '../../../support/api-harness.js';
import { TransmissionTool } from '../../../support/transmission-rpc.js';

const PATH = '/transmission/rpc';
const SESSION_ID = 'x-transmission-session-id';
const BODY = { method: 'group-get', tag: 7 };

async function start(t: { teardown(handler: () => Promise<void>): void }, args: readonly string[] = []) {
  const harness = await startHarness({ args });
  t.teardown(() => harness.close());
  return { harness, tool: new TransmissionTool(harness, 'admin', harness.password) };
}

function sessionIdOf(harness: Harness, { headers }: TransmissionTool) {
  return harness.call('GET', PATH, { headers }).then((answer) => String(answer.headers[SESSION_ID]));
}

void t.test('a credential is asked for first, then the session id, then POST', async (t) => {
  const { harness, tool } = await start(t);
  const { authorization } = tool.headers;
  for (const path of [PATH, `${PATH}/`]) {
    for (const method of ['GET', 'POST', 'HEAD', 'DELETE', 'OPTIONS']) {
      const stranger = await harness.call(method, path, { headers: { [SESSION_ID]: 'x' } });
      t.match(stranger, { status: 401, headers: { 'www-authenticate': 'Basic realm="Transmission"' } }, method);
      const unknown = await harness.call(method, path, { headers: { authorization, [SESSION_ID]: 'old' } });
      t.match(unknown, { status: 409, headers: { [SESSION_ID]: /^\w{32,}$/ } }, method);
      const id = String(unknown.headers[SESSION_ID]);
      if (method !== 'HEAD') t.match(unknown.text, `X-Transmission-Session-Id: ${id}\n`);
      const known = await harness.call(method, path, { headers: { authorization, [SESSION_ID]: id }, body: '{}' });
      t.equal(known.status, method === 'POST' ? 200 : 405, method);
    }
  }
  const wrong = Buffer.from('admin:wrong').toString('base64');
  const refused = await harness.call('POST', PATH, { headers: { authorization: `Basic ${wrong}` } });
  t.match(refused, { status: 401, headers: { 'www-authenticate': 'Basic realm="Transmission"' } });
});

void t.test('a page of another site is refused, and so is all while the interface is off', async (t) => {
  const { harness, tool } = await start(t);
  const headers = { ...tool.headers, origin: 'http://evil.example' };
  t.equal((await harness.call('POST', PATH, { headers, body: BODY })).status, 403);
  const { harness: other, tool: another } = await start(t, ['--compatible', 'qbittorrent']);
  t.equal((await other.call('POST', PATH, { headers: another.headers, body: BODY })).status, 404);
});

void t.test("a browser's session opens nothing, and an API key does in place of the password", async (t) => {
  const { harness } = await start(t);
  const cookie = await harness.signIn();
  t.equal((await harness.call('POST', PATH, { headers: { cookie, origin: harness.daemon.url } })).status, 401);
  const key = await harness.apiKey(cookie);
  for (const username of ['admin', 'ADMIN', '']) {
    t.equal((await new TransmissionTool(harness, username, key).ask('group-get')).result, 'success');
  }
});

void t.test('the older dialect', async (t) => {
  const { tool } = await start(t);
  const asked = async (body: unknown) => (await tool.post(body)).json();
  t.same(await asked(BODY), { arguments: { group: [] }, result: 'success', tag: 7 });
  t.same(await asked({ ...BODY, arguments: 21, tag: 'x' }), { arguments: { group: [] }, result: 'success' });
  t.same(await asked({ method: 'group_get' }), { arguments: { group: [] }, result: 'success' });
  for (const body of ['{}', '3', '"x"', 'null', '', '{"method":', '{"method":5}']) {
    t.same(await asked(body), { arguments: {}, result: 'no method name' }, body);
  }
  for (const method of ['nothing', '__proto__', 'constructor', '']) {
    t.same(await asked({ method, tag: 1 }), { arguments: {}, result: 'method name not recognized', tag: 1 });
  }
  t.match(await asked({ method: 'session-close' }), { arguments: {}, result: 'not allowed' });
});

void t.test('JSON-RPC 2.0 in snake_case', async (t) => {
  const { tool } = await start(t);
  const asked = async (body: unknown) => (await tool.post(body)).json<unknown>();
  const call = { jsonrpc: '2.0', method: 'group_get', params: {}, id: 'one' };
  const answer = { jsonrpc: '2.0', result: { group: [] }, id: 'one' };
  const failed = (code: number, id: unknown) => ({ jsonrpc: '2.0', error: { code, data: {} }, id });
  t.same(await asked(call), answer);
  t.same(await asked({ ...call, id: null }), { ...answer, id: null });
  t.match(await asked({ ...call, method: 'nothing' }), failed(-32601, 'one'));
  t.match(await asked({ ...call, method: 'session_close' }), {
    error: { code: -32000, message: 'Not done', data: { error_string: 'not allowed' } },
  });
  for (const change of [{ jsonrpc: '1.0' }, { method: 3 }, { params: [] }, { id: {} }, { id: true }]) {
    t.match(await asked({ ...call, ...change }), failed(-32600, null), JSON.stringify(change));
  }
  const { id: _id, ...notice } = call;
  const silent = await tool.post(notice);
  t.match(silent, { status: 204, text: '' });
  t.match(await tool.post([notice, notice]), { status: 204, text: '' });
  t.match(await asked([call, notice, 5, { ...call, id: 2 }]), [answer, failed(-32600, null), { ...answer, id: 2 }]);
  t.match(await asked([]), failed(-32600, null));
  t.match(await asked(Array<object>(51).fill(call)), failed(-32600, null));
});

void t.test('what is too long or too deep is refused, whatever it says of its length', async (t) => {
  const { harness, tool } = await start(t);
  const headers = { ...tool.headers, [SESSION_ID]: await sessionIdOf(harness, tool) };
  const status = async (body: string, more = {}) =>
    (await harness.call('POST', PATH, { headers: { ...headers, ...more }, body })).status;
  const long = JSON.stringify({ method: 'group-get', arguments: { x: 'x'.repeat(1024 * 1024) } });
  t.equal(await status(long), 413);
  t.equal(await status(long, { 'transfer-encoding': 'chunked' }), 413);
  const file = JSON.stringify({ method: 'group-get', arguments: { metainfo: 'A'.repeat(13.5 * 1024 * 1024) } });
  t.equal(await status(file), 400, 'more than 10 MiB when it is decoded');
  t.equal(await status(`${'['.repeat(40)}${']'.repeat(40)}`), 400);
  const whole = JSON.stringify({ method: 'group-get', arguments: { metainfo: 'A'.repeat(13 * 1024 * 1024) } });
  t.equal(await status(whole), 200);
  t.equal(await status(whole, { 'content-type': 'application/x-www-form-urlencoded' }), 200);
});

void t.test('more ids and places than anybody has are refused', async (t) => {
  const { tool } = await start(t);
  const many = Array.from({ length: 60_000 }, () => 0);
  for (const method of ['torrent-get', 'torrent-stop', 'torrent-set', 'torrent-remove']) {
    const args = { ids: many, fields: ['id'], paused: true };
    t.match(await tool.ask(method, args), { result: /^ids: at most/ }, method);
  }
});
