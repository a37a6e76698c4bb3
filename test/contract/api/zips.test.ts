// What an account may not do to others by reading folders of torrents as archives: over real HTTP, with an engine in memory.
import http from 'node:http';
import t, { type Test } from 'tap';
import { parseInfoHash } from '../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../../shared-protocol/library-record.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { World, type Caller } from './runner/world.js';

const TIMEOUT_MS = 20_000;
const MAX_OF_AN_ACCOUNT = 16;
const PLAIN = { name: 'plain', isAdmin: false, permissions: [] };
const BYTES = [Buffer.from('0123456789'), Buffer.from('abc')];

async function start(t: Test) {
  const world = await World.start();
  t.teardown(() => world.close());
  const caller = await world.caller(PLAIN);
  const { torrentId } = await world.scene(caller, 'viewer');
  const { engine } = world.harness;
  const id = parseInfoHash(torrentId);
  const files = BYTES.map((bytes, index) => ({ index, path: `box/${index}`, bytes, sizeBytes: bytes.length }));
  for (const { index, path, bytes } of files) engine.setFile(id, index, { path, bytes });
  const details = files.map(({ index, path, sizeBytes }) => ({ index, path, sizeBytes, bytesDone: sizeBytes }));
  engine.setDetails(id, { files: details.map((file) => ({ ...file, priority: 'normal' as const })) });
  const path = `/api/torrents/${torrentId}/zip`;
  const get = (headers: http.OutgoingHttpHeaders = {}) =>
    world.harness.call('GET', path, { headers: { ...caller.bearer, ...headers } });
  return { world, engine, caller, id, path, get };
}

/** A request whose answer is not read. */
function begin(world: World, caller: Caller, path: string): http.ClientRequest {
  const request = http.get(`${world.harness.daemon.url}${path}`, { headers: caller.bearer, agent: false });
  request.on('error', () => undefined);
  return request;
}

void t.test('an archive takes one place of those for files, and gives it back', async (t) => {
  const { world, engine, caller, path, get } = await start(t);
  let release = (): void => undefined;
  engine.readsHeldBy = new Promise<void>((resolve) => (release = resolve));
  const waiting = Array.from({ length: MAX_OF_AN_ACCOUNT }, () => begin(world, caller, path));
  await waitUntil('all to wait', TIMEOUT_MS, () => engine.openFiles === MAX_OF_AN_ACCOUNT || undefined);
  t.equal((await get()).status, 429);
  t.equal((await world.harness.call('GET', path.replace('/zip', '/files/0'), { headers: caller.bearer })).status, 429);
  for (const request of waiting) request.destroy();
  await waitUntil('all to be closed', TIMEOUT_MS, () => engine.openFiles === 0 || undefined);
  engine.readsHeldBy = null;
  release();
  const { status, headers } = await get();
  t.match([status, headers['content-type'], engine.openFiles], [200, 'application/zip', 0]);
  for (const condition of [{ 'if-none-match': headers.etag }, { range: 'bytes=999999-' }, { 'if-match': '"x"' }]) {
    for (let n = 0; n < MAX_OF_AN_ACCOUNT; n++) await get(condition);
  }
  t.equal((await get()).status, 200, 'what is not sent takes none');
});

void t.test('who may not see the torrent any more gets nothing more of it', async (t) => {
  const { engine, id, get } = await start(t);
  let release = (): void => undefined;
  engine.readsHeldBy = new Promise<void>((resolve) => (release = resolve));
  const answer = get();
  await waitUntil('it to wait', TIMEOUT_MS, () => engine.openFiles > 0 || undefined);
  engine.setFacts(id, { library: { ...NEW_LIBRARY_RECORD, shares: [] } });
  engine.readsHeldBy = null;
  release();
  t.match(await answer, { status: 403 });
  t.equal(engine.openFiles, 0);
});

void t.test('of what was sent before nothing is read again but what is needed', async (t) => {
  const { engine, get } = await start(t);
  const whole = await get();
  const { bytesRead } = engine;
  const rest = await get({ range: 'bytes=-60', 'if-range': whole.headers.etag });
  t.match([rest.status, rest.text], [206, whole.text.slice(-60)]);
  t.equal(engine.bytesRead, bytesRead, 'its checksums are known');
});
