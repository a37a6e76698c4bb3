// An engine that is none of ours any more, beside others: whatever it says, the front goes on, the others' torrents are theirs, and
// the log names it.
import t, { type Test } from 'tap';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { UserDto } from '../../../shared-protocol/dto/accounts.js';
import type { EngineDto } from '../../../shared-protocol/dto/engines.js';
import type { TorrentFacts } from '../../../shared-protocol/events.js';
import { createInProcessTransport } from '../../support/in-process-transport.js';
import { startDaemon } from '../../support/daemon.js';
import { Hosted } from '../../support/hosted-engine.js';
import { MemoryEngine } from '../../support/memory-engine.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { RogueEngine, type RogueOptions } from '../../support/rogue-engine.js';
import { EVENT_SAMPLES } from '../../support/samples.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { magnetOf, torrentId } from '../../support/two-engines.js';

const TIMEOUT_MS = 60_000;
const [SAMPLE] = EVENT_SAMPLES['torrents.added'].flatMap(({ torrents }) => torrents) as [TorrentFacts];

/** A real front of an engine in memory, and of the rogue. */
async function scene(t: Test, options: RogueOptions = {}, env: Readonly<Record<string, string>> = {}) {
  process.env['SWARMD_TEST_ENGINE'] = '';
  const base = await temporaryDirectory();
  const root = join(base, 'root');
  await mkdir(root);
  const engine = new MemoryEngine();
  const host = await Hosted.start(() => createInProcessTransport(engine.handlers), {
    roots: [{ name: 'own', path: root }],
  });
  t.teardown(() => host.close());
  const rogue = await RogueEngine.start(t, options);
  const entries = [
    { name: 'main', address: `unix:${join(host.directory, 'socket')}`, token_file: host.tokenFile },
    { name: 'customer', address: `unix:${rogue.path}` },
  ];
  const file = join(base, 'engines.json');
  await writeFile(file, JSON.stringify({ engines: entries }));
  const front = await startDaemon({
    dataDir: join(base, 'front'),
    savePath: join(base, 'root'),
    args: ['--engines', file],
    env,
  });
  t.teardown(() => front.stop());
  const states = async () => (await front.api<EngineDto[]>('GET', '/api/engines')).json;
  const state = async (name: string) => (await states()).find((each) => each.name === name)!;
  const logged = (line: RegExp) =>
    waitUntil(
      `the line ${String(line)}`,
      TIMEOUT_MS,
      () => line.exec(front.stderr) ?? undefined,
      () => front.stderr,
    );
  /** Resolves when the front has answered after all that the rogue has said. */
  const heard = async () => {
    const before = rogue.calls.length;
    const isAsked = async () => {
      await front.api('PUT', '/api/settings/limits', LIMITS);
      return rogue.calls.length > before || undefined;
    };
    await waitUntil('it is asked', TIMEOUT_MS, isAsked);
  };
  return { root, engine, host, rogue, front, state, logged, heard };
}

const LIMITS = { down_kbps: 77, up_kbps: 0, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false };
const facts = (n: number, change: object = {}) => ({ ...SAMPLE, id: torrentId(n), ...change });

void t.test('events and answers that are none end its stream, and the front goes on', async (t) => {
  const { rogue, front, state, logged } = await scene(t);
  await front.addMagnet(magnetOf(1));
  t.equal((await state('customer')).away_since, null);
  rogue.events({ name: 'torrents.added', payload: { torrents: [null] } });
  await logged(/what it says is no message of this protocol.*engine away/);
  await waitUntil('it is shown', TIMEOUT_MS, async () => (await state('customer')).away_since ?? undefined);
  t.match((await state('customer')).reason, /what it says is no message of this protocol/);
  t.equal((await state('main')).away_since, null);
  t.equal((await front.api('POST', `/api/torrents/${torrentId(1)}/pause`)).status, 200);
  t.equal((await front.torrents()).length, 1);
  await waitUntil('it is tried again', TIMEOUT_MS, () => rogue.isConnected || undefined);
  rogue.answers.set('start', null);
  await waitUntil('it is asked', TIMEOUT_MS, () => rogue.calls.length > 1 || undefined);
  t.equal((await front.api('GET', '/api/status')).status, 200);
});

void t.test('answers that are none end its stream, and the front goes on', async (t) => {
  const { rogue, front, state, logged } = await scene(t);
  const { json: eve } = await front.api<UserDto>('POST', '/api/users', {
    ...{ username: 'eve', password: 'eight or more', engine: 'customer', perm_add_torrents: true },
  });
  t.equal(eve.engine, 'customer');
  for (const answer of [undefined, { kind: 'place' }, [1]]) {
    await waitUntil('it is there', TIMEOUT_MS, async () => (await state('customer')).away_since === null || undefined);
    rogue.answers.set('locateFolder', answer);
    // The folder that it is about is looked at for the account that is there.
    await front.api('PUT', `/api/users/${eve.id}`, { home: '/srv/eve' });
    await waitUntil('it is away', TIMEOUT_MS, async () => (await state('customer')).away_since ?? undefined);
    rogue.answers.set('locateFolder', { kind: 'place', path: '/srv/eve' });
  }
  await logged(/what it says is no message of this protocol.*engine away/);
  t.equal((await front.api('GET', '/api/status')).status, 200);
});

void t.test('an error with a code that there is none of', async (t) => {
  const { rogue, front, heard } = await scene(t);
  rogue.events({ name: 'torrents.added', payload: { torrents: [facts(3, { row: 0, ownerId: 1 })] } });
  await heard();
  for (const code of ['X', 'constructor', '__proto__']) {
    rogue.failures.set('pauseTorrent', { code, message: 'x' });
    const { status, json } = await front.api('POST', `/api/torrents/${torrentId(3)}/pause`);
    t.same([status, json], [500, { error: 'internal error' }], code);
  }
  t.equal((await front.api('GET', '/api/status')).status, 200);
});

void t.test('torrents of another engine stay where they are, whatever it says of them', async (t) => {
  const { root, host, rogue, front, state, logged, heard } = await scene(t, {
    roots: [{ name: 'all', path: '/', isShared: true }],
  });
  for (const n of [1, 2]) await front.addMagnet(magnetOf(n));
  const { json: before } = await front.api('GET', '/api/torrents');
  rogue.events(
    {
      name: 'torrents.added',
      payload: { torrents: [facts(1, { row: 0, name: 'stolen', ownerId: 1 }), facts(3, { row: 1 })] },
    },
    { name: 'torrent.changed', payload: { facts: facts(2, { row: 1, name: 'stolen' }) } },
    { name: 'torrent.removed', payload: { id: torrentId(2), givenTo: rogue.engineId } },
    { name: 'torrent.removed', payload: { id: torrentId(2), givenTo: host.engineId } },
    { name: 'torrent.removed', payload: { id: torrentId(2) } },
    { name: 'torrent.removed', payload: { id: torrentId(9), givenTo: '../../x' } },
    {
      name: 'files.left',
      payload: {
        id: torrentId(2),
        ownerId: 1,
        name: 'stolen',
        path: '/',
        error: { code: 'DISK_FAILED', message: 'x' },
      },
    },
    { name: 'lease.wanted', payload: { asked: 1, engineId: host.engineId, ttlMs: 1e15, epoch: 99 } },
  );
  // Figures that would be those of a torrent of the other: rows are each engine's own.
  rogue.say({ kind: 'rows', bytes: new Uint8Array(new Int32Array(32).fill(0x41414141, 1).buffer) });
  await heard();
  const own = async () => (await front.torrents()).filter(({ id }) => id !== torrentId(3));
  t.same(await own(), before);
  t.match(await front.api('GET', '/api/notices'), { json: { notices: [] } }, 'nor of files of accounts of another');
  const grant = rogue.calls.find(({ name }) => name === 'grantLease');
  t.match(grant?.params, { asked: 1, epoch: Number, ttlMs: 15_000 }, 'a lease of its own, as long as any');
  await front.api('POST', `/api/torrents/${torrentId(1)}/pause`);
  t.notOk(
    rogue.calls.some(({ name }) => name === 'pauseTorrent'),
    'it is told nothing of it',
  );
  await host.end();
  await waitUntil('the other is away', TIMEOUT_MS, async () => (await state('main')).away_since ?? undefined);
  rogue.events({
    name: 'torrents.added',
    payload: { torrents: [facts(1, { row: 0, savePath: root, name: 'stolen' })] },
  });
  await logged(/"torrent":"0{39}1","engine":"main","other":"customer".*do not share its root/);
  t.same((await own()).map(({ name }) => name).toSorted(), ['1', '2'], 'nor while that one is away');
  t.equal((await state('main')).torrents, 2);
});

void t.test('one that tells of torrents without end is left before there is no memory', async (t) => {
  const { rogue, front, state, logged } = await scene(t, {}, { NODE_OPTIONS: '--max-old-space-size=128' });
  await front.addMagnet(magnetOf(1));
  const trackers = 'x'.repeat(60_000);
  for (let n = 2; n < 4_000 && rogue.isConnected; n++) {
    rogue.events({
      name: 'torrents.added',
      payload: { torrents: [facts(n, { row: n, trackers: `${trackers}${n}` })] },
    });
    await turn();
  }
  await logged(/it tells of more torrents than the front has memory for.*engine away/);
  const { reason_code, torrents } = await waitUntil('it is away', TIMEOUT_MS, async () => {
    const told = await state('customer');
    return told.reason_code === 'TOO_MANY_TORRENTS' ? told : undefined;
  });
  t.equal(reason_code, 'TOO_MANY_TORRENTS');
  t.ok(torrents > 300 && torrents < 1_500, `${torrents} torrents of 60 KB each`);
  t.equal((await state('main')).away_since, null);
  t.equal((await front.api('POST', `/api/torrents/${torrentId(1)}/pause`)).status, 200);
});

void t.test('one that asks for leases without end is given one at a time', async (t) => {
  const { rogue, front, heard } = await scene(t);
  const asked = Array.from({ length: 20_000 }, (_, n) => ({ name: 'lease.wanted', payload: { asked: n + 1 } }));
  rogue.events(...asked);
  const isAnswered = () => {
    const grants = rogue.calls.filter(({ name }) => name === 'grantLease');
    return grants.some(({ params }) => (params as { asked: number }).asked === 20_000) ? grants.length : undefined;
  };
  const grants = await waitUntil('the last is answered', TIMEOUT_MS, isAnswered);
  t.ok(grants < 10, `${grants} grants`);
  await heard();
  t.equal((await front.api('GET', '/api/status')).status, 200);
});

void t.test('one that says it is another', async (t) => {
  const engineId = 'd'.repeat(32);
  const base = await temporaryDirectory();
  const [one, two] = [await RogueEngine.start(t, { engineId }), await RogueEngine.start(t, { engineId })];
  const file = join(base, 'engines.json');
  const entries = [one, two].map(({ path }, place) => ({ name: ['one', 'two'][place], address: `unix:${path}` }));
  await writeFile(file, JSON.stringify({ engines: entries }));
  const front = await startDaemon({
    dataDir: join(base, 'front'),
    savePath: join(base, 'root'),
    args: ['--engines', file],
  });
  t.teardown(() => front.stop());
  const { json } = await front.api<EngineDto[]>('GET', '/api/engines');
  const away = json.filter(({ away_since }) => away_since !== null);
  t.match(away, [{ reason: /it is the engine that is called (one|two) here/ }], 'one of them, and not both');
  t.match(front.stderr, /it is the engine that is called (one|two) here.*engine away/);
});
