// The recorder over a store on disk and an engine in memory, with both clocks in the test's hand: bytes are counted once,
// whatever ends and begins again meanwhile, and whatever the clock says.
import fc from 'fast-check';
import t from 'tap';
import { History } from '../../../../../api/services/history/history.js';
import { LOOK_MS, STORE_MS, TrafficRecorder } from '../../../../../api/services/history/recorder.js';
import { STEADY_MS } from '../../../../../api/services/steady-clock.js';
import { firstAdmin, type Account } from '../../../../../api/auth/account.js';
import { Library } from '../../../../../api/services/library/library.js';
import type { EngineClient } from '../../../../../shared-protocol/commands.js';
import type { HistoryQuery, TrafficQuery } from '../../../../../shared-protocol/dto/history.js';
import { parseAccountId, parseInfoHash, type AccountId, type TorrentId } from '../../../../../shared-protocol/ids.js';
import { createInProcessTransport } from '../../../../support/in-process-transport.js';
import { NEW_LIBRARY_RECORD } from '../../../../../shared-protocol/library-record.js';
import { openTrafficHistory } from '../../../../../storage/lmdb-traffic-history.js';
import type { TrafficHistory } from '../../../../../storage/traffic-history.js';
import { SILENT_LOG } from '../../../../support/api-harness.js';
import { TEST_ENGINE_OPTIONS } from '../../../../support/engine-options.js';
import { MemoryEngine } from '../../../../support/memory-engine.js';
import { temporaryDirectory } from '../../../../support/temporary-directory.js';

const DAY_MS = 86_400_000;
const NOON_MS = 20_000 * DAY_MS + DAY_MS / 2;
const ADMIN = firstAdmin('', 0);
const BOB: Account = { ...ADMIN, id: parseAccountId(2), role: 'user' };
const EVE: Account = { ...ADMIN, id: parseAccountId(3), role: 'user' };

class World {
  readonly engine = new MemoryEngine();
  readonly clock = { ms: 0, unix: NOON_MS };
  library!: Library;
  recorder!: TrafficRecorder;
  history!: History;
  #client!: EngineClient;

  private constructor(readonly store: TrafficHistory) {}

  static async begin(): Promise<World> {
    const world = new World(openTrafficHistory(await temporaryDirectory()));
    await world.startProcess();
    return world;
  }

  /** As after a SIGKILL: nothing is left of the process before but its stores. */
  async startProcess(): Promise<void> {
    const clock = {
      nowMs: () => this.clock.ms,
      unixMs: () => this.clock.unix,
      after: () => ({ cancel: () => undefined }),
    };
    const engine = {
      client: new Proxy({} as EngineClient, { get: (_, name: keyof EngineClient) => this.#client[name] }),
    };
    const library = (this.library = new Library({ engine }));
    const { store } = this;
    const recorder = (this.recorder = new TrafficRecorder({
      ...{ store, engine, engines: { isWhole: true }, library, clock, log: SILENT_LOG },
    }));
    const now = () => Math.floor(this.clock.unix / 1_000);
    const accounts = { all: [ADMIN, BOB, EVE] };
    this.history = new History({ store, recorder, library, accounts, now });
    await this.#startEngine();
  }

  /** Another engine takes the place of one that died; what that had not recorded is lost. */
  async restartEngine(): Promise<void> {
    this.library.beginReload();
    await this.#startEngine();
    this.library.endReload();
  }

  async #startEngine(): Promise<void> {
    const transport = createInProcessTransport(this.engine.handlers);
    transport.onEvent((event) => {
      this.recorder.handleEvent(event);
      this.library.handleEvent(event);
    });
    this.#client = transport.client;
    await transport.client.start(TEST_ENGINE_OPTIONS);
  }

  async add(n: number, ownerId: AccountId = BOB.id, tracker = 't.example'): Promise<TorrentId> {
    const id = parseInfoHash(n.toString(16).padStart(40, '0'));
    const uri = `magnet:?xt=urn:btih:${id}&tr=${encodeURIComponent(`http://${tracker}/announce`)}`;
    await this.#client.addTorrent({ source: { kind: 'magnet', uri }, savePath: '/srv', ownerId, paused: false });
    return id;
  }

  async join(id: TorrentId, ownerId: AccountId): Promise<void> {
    const source = { kind: 'magnet', uri: `magnet:?xt=urn:btih:${id}` } as const;
    await this.#client.joinTorrent({ source, savePath: '/srv', ownerId, paused: false });
  }

  remove(id: TorrentId): Promise<void> {
    return this.#client.removeTorrent({ id, deleteData: false });
  }

  /** Time goes by, long enough that what was counted is stored. */
  async pass(ms: number = STORE_MS): Promise<void> {
    this.clock.ms += ms;
    this.clock.unix += ms;
    await this.recorder.tick();
  }

  async sum(account: Account = ADMIN, query: HistoryQuery = {}): Promise<number> {
    const from = String(Math.floor((NOON_MS - 300 * DAY_MS) / 1_000));
    const { total } = await this.history.history(account, { from, ...query });
    return total.down + total.up;
  }

  async traffic(account: Account, query: TrafficQuery): Promise<Record<string, number>> {
    const { series } = await this.history.traffic(account, query);
    return Object.fromEntries(series.map(({ id, down, up }) => [id, down + up]));
  }

  async end(): Promise<void> {
    await this.recorder.stop();
    await this.store.close();
  }
}

void t.test('what an account is told: its own, and torrents in its sight', async (t) => {
  const world = await World.begin();
  const bobs = await world.add(1);
  const eves = await world.add(2, EVE.id);
  world.engine.setStats(bobs, { totalUp: 10 });
  world.engine.setStats(eves, { totalUp: 700 });
  await world.pass();
  t.same([await world.sum(BOB), await world.sum(EVE), await world.sum(ADMIN)], [10, 700, 710]);
  t.same([await world.sum(BOB, { by: 'torrent', id: bobs }), await world.sum(ADMIN, { account: '3' })], [10, 700]);
  for (const query of [
    { by: 'torrent', id: eves },
    { by: 'torrent', id: '0'.repeat(40) },
    { by: 'torrent' },
    { by: 'account', id: '3' },
    { by: 'account', id: '99' },
    { by: 'total', account: '3' },
    { by: 'tracker', id: 't.example', account: '3' },
    { by: 'category', id: '', account: 'all' },
  ] as const) {
    await t.rejects(world.history.history(BOB, query), { code: 'FORBIDDEN' }, JSON.stringify(query));
  }
  await t.rejects(world.history.traffic(BOB, { by: 'tracker', account: '3' }), { code: 'FORBIDDEN' });
  t.same(await world.traffic(BOB, { by: 'account' }), { 2: 10 });
  t.same(await world.traffic(BOB, { by: 'tracker' }), { 't.example': 10 });
  t.same(await world.traffic(BOB, { by: 'category' }), { '': 10 });
  t.same(await world.traffic(BOB, { by: 'torrent' }), { [bobs]: 10 });
  t.same(await world.traffic(ADMIN, { by: 'torrent' }), { [bobs]: 10, [eves]: 700 });
  t.same(await world.traffic(ADMIN, { by: 'torrent', account: '3' }), { [eves]: 700 });
  t.same(await world.traffic(ADMIN, { by: 'account' }), { 2: 10, 3: 700 });
  await world.end();
});

void t.test('of one that several hold each counts all of it, and is told nothing of before', async (t) => {
  const world = await World.begin();
  const id = await world.add(1);
  world.engine.workingTrackers.set(id, ['bobs.example']);
  world.engine.setStats(id, { totalUp: 10 });
  await world.pass(DAY_MS);
  await world.join(id, EVE.id);
  world.engine.setFacts(id, {
    holders: world.library.find(id)!.holders!.map((holder) => ({
      ...holder,
      addedAt: Math.floor(world.clock.unix / 1_000),
      library: holder.accountId === EVE.id ? { ...NEW_LIBRARY_RECORD, categoryId: 7 } : holder.library,
    })),
  });
  world.engine.setStats(id, { totalUp: 15 });
  await world.pass(DAY_MS);
  t.same([await world.sum(BOB), await world.sum(EVE), await world.sum(ADMIN)], [15, 5, 15]);
  t.equal(await world.sum(EVE, { by: 'torrent', id }), 5);
  t.same(await world.traffic(EVE, { by: 'torrent' }), {});
  t.same(await world.traffic(EVE, { by: 'category' }), { 7: 5 });
  t.same(await world.traffic(ADMIN, { by: 'category' }), { '': 15, 7: 5 });
  t.notOk('bobs.example' in (await world.traffic(EVE, { by: 'tracker' })), 'nor where others announce');
  await world.end();
});

void t.test('what a removed torrent has moved stays, its own series goes', async (t) => {
  const world = await World.begin();
  const id = await world.add(1);
  world.engine.setStats(id, { totalDown: 10 });
  await world.pass();
  world.engine.setStats(id, { totalDown: 15 });
  await world.remove(id);
  await world.pass();
  t.same(await world.traffic(ADMIN, { by: 'tracker' }), { 't.example': 15 });
  t.same([await world.sum(), await world.sum(BOB)], [15, 15]);
  await world.add(1);
  t.equal(await world.sum(ADMIN, { by: 'torrent', id }), 0);
  world.engine.setStats(id, { totalDown: 3 });
  await world.pass();
  t.equal(await world.sum(ADMIN, { by: 'torrent', id }), 3);
  t.equal(await world.sum(), 18);
  await world.end();
});

void t.test('what was moved before anything was counted does not count', async (t) => {
  const world = await World.begin();
  const id = await world.add(1);
  world.engine.setStats(id, { totalDown: 1_000 });
  const other = await World.begin();
  Object.assign(other, { engine: world.engine });
  await other.startProcess();
  await other.pass();
  t.equal(await other.sum(), 0);
  other.engine.setStats(id, { totalDown: 1_001 });
  await other.pass();
  t.equal(await other.sum(), 1);
  await world.end();
  await other.end();
});

void t.test('a clock that is set loses nothing, and forgets nothing for a moment in the wrong year', async (t) => {
  const world = await World.begin();
  const id = await world.add(1);
  let totalUp = 0;
  for (const jumpMs of [0, -3_600_000, 3_600_000, 5_000 * DAY_MS, -5_000 * DAY_MS, -7 * DAY_MS, 7 * DAY_MS]) {
    world.clock.unix += jumpMs;
    world.engine.setStats(id, { totalUp: (totalUp += 10) });
    await world.pass();
  }
  t.equal(await world.sum(), 60, 'all but what was counted to another decade');
  world.clock.unix += 5_000 * DAY_MS;
  for (let passed = 0; passed <= STEADY_MS; passed += STORE_MS) await world.pass();
  world.clock.unix -= 5_000 * DAY_MS;
  t.equal(await world.sum(), 0, 'one that has gone on evenly for an hour is believed');
  await world.end();
});

void t.test('one that was removed when nothing was recorded leaves no series', async (t) => {
  const world = await World.begin();
  const id = await world.add(1);
  world.engine.setStats(id, { totalUp: 10 });
  await world.pass();
  await world.remove(id);
  await world.startProcess();
  t.equal(world.store.names('t/').length, 1);
  world.recorder.start();
  await world.recorder.stop();
  t.equal(world.store.names('t/').length, 0);
  await world.store.close();
});

void t.test('a store that fails loses nothing', async (t) => {
  const world = await World.begin();
  const id = await world.add(1);
  const { store } = world;
  const add = store.add.bind(store);
  store.add = () => Promise.reject(new Error('disk full'));
  world.engine.setStats(id, { totalUp: 10 });
  await world.pass();
  world.engine.setStats(id, { totalUp: 11 });
  await world.pass();
  t.equal(await world.sum(), 0);
  store.add = add;
  await world.pass();
  t.equal(await world.sum(), 11);
  await world.end();
});

type Step =
  | { readonly kind: 'move'; readonly torrent: number; readonly bytes: number }
  | { readonly kind: 'look' | 'store' | 'kill' | 'engine' | 'add' }
  | { readonly kind: 'remove'; readonly torrent: number };

/** Engines that die before anybody has looked at what a torrent moved first. */
const SEEN_TO_FAIL: readonly Step[][] = [
  [{ kind: 'add' }, { kind: 'move', torrent: 0, bytes: 1 }, { kind: 'engine' }],
  [
    ...[{ kind: 'add' as const }, { kind: 'move' as const, torrent: 0, bytes: 1 }, { kind: 'kill' as const }],
    ...[{ kind: 'move' as const, torrent: 0, bytes: 1 }, { kind: 'engine' as const }],
  ],
];

void t.test('whatever ends when, each byte is counted once', async (t) => {
  const index = fc.nat(3);
  const steps: fc.Arbitrary<Step[]> = fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('move' as const),
          torrent: index,
          bytes: fc.integer({ min: 1, max: 1e6 }),
        }),
      },
      { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('look' as const, 'store' as const) }) },
      fc.record({ kind: fc.constantFrom('kill' as const, 'engine' as const, 'add' as const) }),
      fc.record({ kind: fc.constant('remove' as const), torrent: index }),
    ),
    { maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const world = await World.begin();
      const totals = new Map<TorrentId, number>();
      let moved = 0;
      let unsure = 0;
      let added = 0;
      for (const step of all) {
        const ids = [...totals.keys()];
        const id = 'torrent' in step ? ids[step.torrent % Math.max(1, ids.length)] : undefined;
        if (step.kind === 'add') {
          totals.set(await world.add(++added), 0);
        } else if (step.kind === 'move' && id) {
          totals.set(id, totals.get(id)! + step.bytes);
          world.engine.setStats(id, { totalUp: totals.get(id)! });
          moved += step.bytes;
        } else if (step.kind === 'remove' && id) {
          await world.remove(id);
          totals.delete(id);
        } else if (step.kind === 'look') await world.pass(LOOK_MS / 2);
        else if (step.kind === 'store') await world.pass();
        else if (step.kind === 'engine') await world.restartEngine();
        else if (step.kind === 'kill') {
          // Only what was never stored may be lost: of torrents that were new, or were removed just now.
          unsure = moved;
          await world.startProcess();
        }
      }
      await world.pass();
      const counted = await world.sum();
      t.ok(counted <= moved && counted >= moved - unsure, `${counted} of ${moved}, ${unsure} unsure`);
      if (unsure === 0) t.equal(counted, moved);
      await world.end();
    }),
    { numRuns: 15, examples: SEEN_TO_FAIL.map((seen) => [seen]) },
  );
});

void t.test('a SIGKILL loses nothing of torrents that were counted before', async (t) => {
  const world = await World.begin();
  const id = await world.add(1);
  world.engine.setStats(id, { totalUp: 10 });
  await world.pass();
  world.engine.setStats(id, { totalUp: 17 });
  await world.pass(LOOK_MS / 2);
  await world.startProcess();
  world.engine.setStats(id, { totalUp: 18 });
  await world.pass();
  t.equal(await world.sum(), 18);
  // The engine had not recorded all of it, and moves it again.
  world.engine.setStats(id, { totalUp: 15 });
  await world.restartEngine();
  await world.pass();
  t.equal(await world.sum(), 18);
  world.engine.setStats(id, { totalUp: 16 });
  await world.pass();
  t.equal(await world.sum(), 19);
  await world.end();
});
