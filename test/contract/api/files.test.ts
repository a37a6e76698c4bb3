// What an account may not do to others by reading files of torrents, and what a stranger's file may not do to whoever looks
// at it: over real HTTP, with an engine in memory.
import http from 'node:http';
import t, { type Test } from 'tap';
import { AppError } from '../../../shared-protocol/errors.js';
import { parseInfoHash } from '../../../shared-protocol/ids.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { World, type Caller } from './runner/world.js';

const TIMEOUT_MS = 20_000;
const MIB = 1024 * 1024;
const MAX_OF_AN_ACCOUNT = 16;
const PLAIN = { name: 'plain', isAdmin: false, permissions: [] };
const OTHER = { name: 'other', isAdmin: false, permissions: [] };

async function start(t: Test, path = 'box/a.bin', bytes: Uint8Array = Buffer.from('0123456789')) {
  const world = await World.start();
  t.teardown(() => world.close());
  const caller = await world.caller(PLAIN);
  const { torrentId } = await world.scene(caller, 'viewer');
  const { engine } = world.harness;
  engine.setFile(parseInfoHash(torrentId), 0, { path, bytes });
  const get = (headers: http.OutgoingHttpHeaders = caller.bearer, method = 'GET') =>
    world.harness.call(method, `/api/torrents/${torrentId}/files/0`, { headers });
  return { world, engine, caller, torrentId, get };
}

/** A request whose answer is not read. */
function begin(world: World, caller: Caller, torrentId: string): http.ClientRequest {
  const url = `${world.harness.daemon.url}/api/torrents/${torrentId}/files/0`;
  const request = http.get(url, { headers: caller.bearer, agent: false });
  request.on('error', () => undefined);
  return request;
}

/** Held until it is let go. */
function hold(): { readonly held: Promise<void>; readonly release: () => void } {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  return { held, release };
}

void t.test('nothing of a file runs in this origin', async (t) => {
  for (const path of [
    'box/evil.html',
    'box/evil.svg',
    'box/evil.xhtml',
    'box/evil',
    'box/evil.js',
    'box/a"\r\nX-Evil: 1.html',
  ]) {
    const { get } = await start(t, path, Buffer.from('<script>alert(1)</script>'));
    const { status, headers } = await get();
    t.equal(status, 200);
    t.match(headers, {
      'content-disposition': /^attachment; /,
      'x-content-type-options': 'nosniff',
      'content-security-policy': /^default-src 'none'; (?!.*script).*frame-ancestors 'none'; sandbox$/,
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': /deny/i,
    });
    t.notMatch(headers['content-type'], /html|javascript/);
    t.notOk('x-evil' in headers);
  }
});

void t.test('a browser may keep it and asks each time; who may not see it is told nothing', async (t) => {
  const { world, caller, torrentId, get } = await start(t);
  const { headers } = await get();
  t.equal(headers['cache-control'], 'private, no-cache');
  const again = await get({ ...caller.bearer, 'if-none-match': headers.etag });
  t.match([again.status, again.text, again.headers.etag], [304, '', headers.etag]);
  const head = await get(caller.bearer, 'HEAD');
  t.match([head.status, head.text, head.headers['content-length']], [200, '', '10']);
  t.equal((await get({})).status, 401);
  const other = await world.caller(OTHER);
  t.equal((await get({ ...other.bearer, 'if-none-match': headers.etag })).status, 403);
  t.equal((await get({ ...other.bearer, range: 'bytes=99-' })).status, 403);
  t.equal(world.harness.engine.openFiles, 0, torrentId);
});

void t.test('who reads as much as it may keeps nobody from reading, nor itself from the rest of the API', async (t) => {
  const { world, engine, caller, torrentId, get } = await start(t);
  const other = await world.caller(OTHER);
  const { torrentId: others } = await world.scene(other, 'viewer');
  engine.setFile(parseInfoHash(others), 0, { path: 'b.bin', bytes: Buffer.from('abc') });
  const { held, release } = hold();
  engine.readsHeldBy = held;
  const waiting = Array.from({ length: MAX_OF_AN_ACCOUNT }, () => begin(world, caller, torrentId));
  await waitUntil('all to wait', TIMEOUT_MS, () => engine.openFiles === MAX_OF_AN_ACCOUNT || undefined);
  t.match(await get(), { status: 429 });
  t.equal((await world.harness.call('GET', '/api/torrents', { headers: caller.bearer })).status, 200);
  engine.readsHeldBy = null;
  const answer = await world.harness.call('GET', `/api/torrents/${others}/files/0`, { headers: other.bearer });
  t.match([answer.status, answer.text], [200, 'abc']);
  for (const request of waiting) request.destroy();
  await waitUntil('all to be closed', TIMEOUT_MS, () => engine.openFiles === 0 || undefined);
  release();
  t.equal((await get()).text, '0123456789', 'there is room again');
  await waitUntil('that one to be closed', TIMEOUT_MS, () => engine.openFiles === 0 || undefined);
});

void t.test('who takes nothing is not read for', async (t) => {
  const size = 64 * MIB;
  const { world, engine, caller, torrentId, get } = await start(t, 'a.bin', Buffer.alloc(size));
  const slow = begin(world, caller, torrentId);
  slow.on('response', (response) => response.pause());
  await waitUntil('the first bytes', TIMEOUT_MS, () => engine.bytesRead > 0 || undefined);
  t.equal((await get()).text.length, size);
  t.ok(engine.bytesRead < size + 16 * MIB, `${engine.bytesRead} bytes read for both`);
  slow.destroy();
  await waitUntil('it to be closed', TIMEOUT_MS, () => engine.openFiles === 0 || undefined);
});

void t.test('access that ends while it waits is the end of it', async (t) => {
  const { world, engine, caller, torrentId, get } = await start(t);
  const { held, release } = hold();
  engine.readsHeldBy = held;
  const waiting = get();
  await waitUntil('it to wait', TIMEOUT_MS, () => engine.openFiles === 1 || undefined);
  await world.asAdmin('DELETE', `/api/torrents/${torrentId}/shares/${caller.id}`);
  release();
  t.match(await waiting, { status: 403 });
  t.equal(engine.openFiles, 0);
});

void t.test('an engine that fails half way ends the connection, not the service', async (t) => {
  const bytes = Buffer.alloc(MIB);
  const { world, engine, caller, torrentId, get } = await start(t, 'a.bin', bytes);
  let isFirst = true;
  engine.setFile(parseInfoHash(torrentId), 0, {
    path: 'a.bin',
    bytes,
    get refusal() {
      if (isFirst) return void (isFirst = false);
      return new AppError('FILE_UNAVAILABLE', 'file: it cannot be read');
    },
  });
  const cut = new Promise<number>((resolve, reject) => {
    begin(world, caller, torrentId).on('response', (response) => {
      let length = 0;
      response.on('data', (chunk: Buffer) => (length += chunk.length));
      response.on('error', () => resolve(length));
      response.on('end', () => reject(new Error('not cut off')));
    });
  });
  t.ok((await cut) < MIB, 'cut off');
  await waitUntil('it to be closed', TIMEOUT_MS, () => engine.openFiles === 0 || undefined);
  t.equal((await get()).status, 409, 'and before anything was sent it is told');
});
