// What an account may not do to others by having media files looked at: over real HTTP, with an engine in memory.
import t, { type Test } from 'tap';
import { parseInfoHash } from '../../../shared-protocol/ids.js';
import { makeWav } from '../../support/media.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { World, type Caller } from './runner/world.js';

const TIMEOUT_MS = 20_000;
const PLAIN = { name: 'plain', isAdmin: false, permissions: [] };
const OTHER = { name: 'other', isAdmin: false, permissions: [] };

/** A file in memory that a caller may see, and a way to ask about it. */
async function fileOf(world: World, caller: Caller) {
  const { torrentId } = await world.scene(caller, 'viewer');
  const id = parseInfoHash(torrentId);
  world.harness.engine.setFile(id, 0, { path: 'box/a.wav', bytes: makeWav() });
  const ask = () =>
    world.harness.call('GET', `/api/torrents/${torrentId}/files/0/media_info`, { headers: caller.bearer });
  return { id, torrentId, ask };
}

async function start(t: Test) {
  const world = await World.start();
  t.teardown(() => world.close());
  const caller = await world.caller(PLAIN);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const { engine } = world.harness;
  /** Resolves when somebody's file is open and waits for its bytes. */
  const reading = () => waitUntil('it to be read', TIMEOUT_MS, () => engine.openFiles === 1 || undefined);
  return { world, engine, caller, held, release, reading, ...(await fileOf(world, caller)) };
}

void t.test('one at a time of an account; others have their turn; what is known is told at once', async (t) => {
  const { world, engine, held, release, reading, ask } = await start(t);
  const other = await fileOf(world, await world.caller(OTHER));
  engine.readsHeldBy = held;
  const first = ask();
  await reading();
  t.match(await ask(), { status: 429 });
  const second = other.ask();
  release();
  t.match(await first, { status: 200, text: /Wave/ });
  t.match(await second, { status: 200, text: /Wave/ });
  const before = engine.bytesRead;
  t.match(await ask(), { status: 200, text: /Wave/ });
  t.match([engine.bytesRead, engine.openFiles], [before, 0], 'not read again, and closed');
});

void t.test('access that ends while it is looked at is the end of it', async (t) => {
  const { world, engine, caller, torrentId, held, release, reading, ask } = await start(t);
  engine.readsHeldBy = held;
  const waiting = ask();
  await reading();
  await world.asAdmin('DELETE', `/api/torrents/${torrentId}/shares/${caller.id}`);
  release();
  t.match(await waiting, { status: 403 });
  t.match(await ask(), { status: 403 }, 'and nothing is told of what is known');
  t.equal(engine.openFiles, 0);
});

void t.test('a file that is not whole any more is refused, known or not', async (t) => {
  const { engine, id, ask } = await start(t);
  t.match(await ask(), { status: 200 });
  engine.setFile(id, 0, { path: 'box/a.wav', bytes: makeWav(), isPartial: true });
  t.match(await ask(), { status: 409 });
});
