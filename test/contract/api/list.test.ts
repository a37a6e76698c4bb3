// GET /api/torrents as clients ask for it: plain, gzipped, again, and slowly.
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { startHarness } from '../../support/api-harness.js';

async function start(t: { teardown(handler: () => Promise<void>): void }, torrents: number, nameBytes = 20) {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  const authorization = `Bearer ${await harness.apiKey()}`;
  const add = async (index: number) => {
    const id = index.toString(16).padStart(40, '0');
    const body = { magnet: `magnet:?xt=urn:btih:${id}&dn=${'x'.repeat(nameBytes)}` };
    await harness.call('POST', '/api/torrents/magnet', { headers: { authorization }, body });
  };
  for (let index = 0; index < torrents; index++) await add(index);
  const get = async (headers: Record<string, string> = {}): Promise<IncomingMessage> => {
    const asked = request(`${harness.daemon.url}/api/torrents`, { headers: { authorization, ...headers } }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return response;
  };
  return { get, add };
}

async function read(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

void t.test('gzipped for those who take it, with the length of what comes', async (t) => {
  const { get } = await start(t, 30);
  const plain = await read(await get());
  t.equal((JSON.parse(plain.toString()) as unknown[]).length, 30);
  for (const accepted of ['gzip', 'br, gzip;q=0.5', '*']) {
    const response = await get({ 'accept-encoding': accepted });
    const bytes = await read(response);
    t.match(response.headers, { 'content-encoding': 'gzip', 'content-length': `${bytes.length}` }, accepted);
    t.same(gunzipSync(bytes), plain);
    t.ok(bytes.length < plain.length / 3);
  }
  for (const accepted of ['identity', 'br', 'gzip;q=0', '*, gzip;q=0', '']) {
    const response = await get({ 'accept-encoding': accepted });
    t.match(response.headers, { 'content-encoding': undefined, vary: 'Accept-Encoding' }, accepted);
    t.same(await read(response), plain);
  }
});

void t.test('whoever has it already is told so, until something changes', async (t) => {
  const { get, add } = await start(t, 10);
  const first = await get();
  await read(first);
  const known = { 'if-none-match': first.headers.etag! };
  for (const headers of [known, { ...known, 'accept-encoding': 'gzip' }]) {
    const again = await get(headers);
    t.equal(again.statusCode, 304);
    t.equal((await read(again)).length, 0);
  }
  await add(10);
  const changed = await get(known);
  t.equal(changed.statusCode, 200);
  t.not(changed.headers.etag, first.headers.etag);
  t.equal((JSON.parse((await read(changed)).toString()) as unknown[]).length, 11);
});

void t.test('who reads slowly gets what there was when it asked; who leaves is let go', async (t) => {
  const { get, add } = await start(t, 200, 40_000);
  const [slow, leaving] = [await get(), await get()];
  leaving.destroy();
  await add(200);
  const other = await read(await get({ 'accept-encoding': 'gzip' }));
  t.equal((JSON.parse(gunzipSync(other).toString()) as unknown[]).length, 201);
  const bytes = await read(slow);
  t.ok(bytes.length > 8_000_000);
  t.equal((JSON.parse(bytes.toString()) as unknown[]).length, 200);
});
