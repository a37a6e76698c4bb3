// The sampler over a store on disk and an engine in memory, with the clock in the test's hand: what each account is told of
// the last hours, what of it is there after the process was killed, and how much is kept at all.
import t from 'tap';
import { firstAdmin, type Account } from '../../../../../api/auth/account.js';
import { History } from '../../../../../api/services/history/history.js';
import { RateAnswers } from '../../../../../api/services/history/rates.js';
import { MAX_ACCOUNTS, MAX_SHARES, RateRings, shareKey } from '../../../../../api/services/history/rate-rings.js';
import { RateSampler } from '../../../../../api/services/history/rate-sampler.js';
import { Library } from '../../../../../api/services/library/library.js';
import type { EngineClient } from '../../../../../shared-protocol/commands.js';
import type { RatesDto } from '../../../../../shared-protocol/dto/rates.js';
import { parseAccountId, parseInfoHash, type AccountId, type TorrentId } from '../../../../../shared-protocol/ids.js';
import { createInProcessTransport } from '../../../../support/in-process-transport.js';
import { openTrafficHistory } from '../../../../../storage/lmdb-traffic-history.js';
import { LASTING_POINTS_KEPT, type TrafficHistory } from '../../../../../storage/traffic-history.js';
import { SILENT_LOG } from '../../../../support/api-harness.js';
import { TEST_ENGINE_OPTIONS } from '../../../../support/engine-options.js';
import { MemoryEngine } from '../../../../support/memory-engine.js';
import { temporaryDirectory } from '../../../../support/temporary-directory.js';

const DAY_S = 86_400;
/** The beginning of a minute, and of an hour. */
const BEGIN_S = 20_000 * DAY_S;
const ADMIN = firstAdmin('', 0);
const BOB: Account = { ...ADMIN, id: parseAccountId(2), role: 'user' };
const EVE: Account = { ...ADMIN, id: parseAccountId(3), role: 'user' };
const SHORT = { seconds: 600, points: 600 };
const LONG = { seconds: 6 * 3_600, points: 2_160 };

class World {
  readonly engine = new MemoryEngine();
  nowS = BEGIN_S;
  /** Times that the sampler has looked through all torrents. */
  looksAtAll = 0;
  library!: Library;
  sampler!: RateSampler;
  answers!: RateAnswers;
  #client!: EngineClient;

  private constructor(readonly store: TrafficHistory) {}

  static async begin(): Promise<World> {
    const world = new World(openTrafficHistory(await temporaryDirectory()));
    await world.startProcess();
    return world;
  }

  /** As after a SIGKILL: nothing is left of the process before but its store. */
  async startProcess(): Promise<void> {
    const engine = {
      client: new Proxy({} as EngineClient, { get: (_, name: keyof EngineClient) => this.#client[name] }),
    };
    const { store } = this;
    const library = (this.library = new Library({ engine }));
    const countLook = () => void this.looksAtAll++;
    const watched = {
      get all() {
        countLook();
        return library.all;
      },
      find: (id: TorrentId) => library.find(id),
      stats: library.stats,
    };
    this.sampler = new RateSampler({
      store,
      library: watched,
      clock: { unixMs: () => this.nowS * 1_000 },
      log: SILENT_LOG,
    });
    const recorder = { settle: async () => undefined };
    const now = () => this.nowS;
    const history = new History({ store, recorder, library, accounts: { all: [ADMIN, BOB, EVE] }, now });
    this.answers = new RateAnswers({ rings: this.sampler.rings, store, recorder, history, library, now });
    const transport = createInProcessTransport(this.engine.handlers);
    transport.onEvent((event) => library.handleEvent(event));
    this.#client = transport.client;
    await transport.client.start(TEST_ENGINE_OPTIONS);
    this.sampler.restore();
  }

  async add(n: number, ownerId: AccountId = BOB.id): Promise<TorrentId> {
    const id = parseInfoHash(n.toString(16).padStart(40, '0'));
    const uri = `magnet:?xt=urn:btih:${id}`;
    await this.#client.addTorrent({ source: { kind: 'magnet', uri }, savePath: '/srv', ownerId, paused: false });
    return id;
  }

  async remove(id: TorrentId): Promise<void> {
    await this.#client.removeTorrent({ id, deleteData: false });
  }

  async join(id: TorrentId, ownerId: AccountId): Promise<void> {
    const source = { kind: 'magnet', uri: `magnet:?xt=urn:btih:${id}` } as const;
    await this.#client.joinTorrent({ source, savePath: '/srv', ownerId, paused: false });
  }

  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      this.nowS++;
      await this.sampler.tick();
    }
  }

  async told(account: Account, query: { seconds: number; points: number } = SHORT): Promise<RatesDto> {
    return this.answers.of(account, query);
  }

  torrent(account: Account, id: TorrentId): RatesDto {
    return this.answers.ofTorrent(account, this.library.find(id)!);
  }
}

const last = (column: readonly (number | null)[], count: number) => column.slice(-count);

void t.test('each is told of its own torrents, administrators of all', async (t) => {
  const world = await World.begin();
  const bobs = await world.add(1);
  const eves = await world.add(2, EVE.id);
  await world.pass(3);
  world.engine.setStats(bobs, { downloadRate: 100 });
  world.engine.setStats(eves, { uploadRate: 70 });
  await world.pass(2);
  world.engine.setStats(bobs, { downloadRate: 0 });
  await world.pass(1);
  const [bob, eve, all] = [await world.told(BOB), await world.told(EVE), await world.told(ADMIN)];
  t.same([bob.step, bob.from + bob.down.length], [1, world.nowS + 1]);
  t.same(last(bob.down, 7), [null, 0, 0, 0, 100, 100, 0], 'null before anything was sampled');
  t.same(
    [last(bob.up, 4), last(eve.down, 4), last(eve.up, 4)],
    [
      [0, 0, 0, 0],
      [0, 0, 0, 0],
      [0, 70, 70, 70],
    ],
  );
  t.same(
    [last(all.down, 4), last(all.up, 4)],
    [
      [0, 100, 100, 0],
      [0, 70, 70, 70],
    ],
  );
  t.same(last((await world.answers.of(ADMIN, { ...SHORT, account: '3' })).up, 2), [70, 70]);
  await t.rejects(world.answers.of(BOB, { ...SHORT, account: '3' }), { code: 'FORBIDDEN' });
  await world.store.close();
});

void t.test('means: of ten seconds, and of as many as there is room for', async (t) => {
  const world = await World.begin();
  const id = await world.add(1);
  world.engine.setStats(id, { downloadRate: 60 });
  await world.pass(14);
  world.engine.setStats(id, { downloadRate: 0 });
  await world.pass(5);
  const { step, from, down } = await world.told(BOB, LONG);
  t.same([step, from + step * down.length, last(down, 2)], [10, BEGIN_S + 20, [60, 30]]);
  const few = await world.told(BOB, { seconds: 600, points: 10 });
  t.same([few.step, few.from % few.step], [60, 0]);
  t.same(last(few.down, 2), [null, Math.round((14 * 60) / 19)]);
  await world.store.close();
});

void t.test('after a SIGKILL all but the last minute is there, and a gap where nobody sampled', async (t) => {
  const world = await World.begin();
  const id = await world.add(1);
  world.engine.setStats(id, { downloadRate: 500 });
  await world.pass(130);
  await world.sampler.settle();
  await world.startProcess();
  world.nowS += 30;
  await world.pass(1);
  const { down } = await world.told(BOB);
  const at = (second: number) => down[down.length - 1 - (world.nowS - BEGIN_S) + second];
  t.same([at(1), at(60), at(119), at(120), at(159)], [500, 500, 500, null, null]);
  t.same(
    last((await world.told(EVE)).down, 200).filter((rate) => rate === 500),
    [],
    'still nobody else hears of it',
  );
  await world.store.close();
});

void t.test('a torrent: five seconds each, and of several who hold it to each what its own share did', async (t) => {
  const world = await World.begin();
  const id = await world.add(1);
  world.engine.setStats(id, { uploadRate: 40 });
  await world.pass(9);
  t.same(last(world.torrent(BOB, id).up, 2), [40, 40]);
  await world.join(id, EVE.id);
  t.same(last(world.torrent(EVE, id).up, 2), [0, 0], 'nothing of before');
  await world.pass(10);
  t.same(last(world.torrent(EVE, id).up, 2), [40, 40]);
  world.engine.setFacts(id, {
    holders: world.library.find(id)!.holders!.map((each) => ({ ...each, paused: each.accountId === EVE.id })),
  });
  await world.pass(10);
  t.same(last(world.torrent(EVE, id).up, 2), [0, 0], 'what others run is at rest for who has paused it');
  t.same(
    [last(world.torrent(BOB, id).up, 2), last(world.torrent(ADMIN, id).up, 2)],
    [
      [40, 40],
      [40, 40],
    ],
  );
  await world.store.close();
});

void t.test('many are removed at once: all others are looked through once', async (t) => {
  const world = await World.begin();
  const ids = await Promise.all([1, 2, 3, 4, 5].map((n) => world.add(n)));
  await world.pass(1);
  for (const id of ids) world.engine.setStats(id, { downloadRate: 100 });
  for (const id of ids.slice(1)) await world.remove(id);
  const before = world.looksAtAll;
  await world.pass(1);
  t.equal(world.looksAtAll - before, 1);
  t.same(last((await world.told(BOB)).down, 1), [100], 'what stays is counted');
  await world.store.close();
});

void t.test('a clock that is set back begins anew, and one that jumps leaves a gap', async (t) => {
  const world = await World.begin();
  const id = await world.add(1);
  world.engine.setStats(id, { downloadRate: 9 });
  await world.pass(5);
  world.nowS -= 3_600;
  await world.pass(2);
  t.same(last((await world.told(BOB)).down, 3), [null, 9, 9]);
  world.nowS += 7_200;
  await world.pass(1);
  t.same(last((await world.told(BOB)).down, 3), [null, null, 9]);
  await world.store.close();
});

void t.test('months come from what was moved', async (t) => {
  const world = await World.begin();
  const series = `s/${BOB.id}`;
  const put = (at: number, down: number) =>
    world.store.add([
      { at, forgotten: [], moved: new Map([[series, { down, up: 0 }]]), counters: new Map(), lasting: [series] },
    ]);
  await put(BEGIN_S - 20 * DAY_S, 300_000);
  await put(BEGIN_S - 300 * DAY_S, 7_200_000);
  world.nowS = BEGIN_S + 10;
  const month = await world.told(BOB, { seconds: 30 * DAY_S, points: 2_160 });
  t.same(
    month.down.filter((rate) => rate !== 0 && rate !== null),
    [250],
  );
  t.same([month.step, month.down.length <= 2_161], [1_200, true]);
  const year = await world.told(BOB, { seconds: 365 * DAY_S, points: 2_160 });
  t.same(
    year.down.filter((rate) => rate !== 0 && rate !== null),
    [400, Math.round(300_000 / 18_000)],
  );
  const begin = year.down.findIndex((rate) => rate !== null);
  t.equal(year.down[begin], 400, 'nothing is known of what was before');
  t.equal(Math.floor((year.from + begin * year.step) / DAY_S), BEGIN_S / DAY_S - 300);
  t.same(
    (await world.told(EVE, { seconds: DAY_S, points: 600 })).down.filter((rate) => rate !== null),
    [],
  );
  t.match(world.store.ever(series), { down: 7_500_000, up: 0 });
  await world.store.trim(BEGIN_S + LASTING_POINTS_KEPT.hour * 3_600 - 200 * DAY_S);
  const points = await world.store.lastingPoints(series, 'hour', { first: 0, last: BEGIN_S / 3_600 });
  t.same(points.length, 1, 'what is older than two years goes');
  t.equal(world.store.ever(series)?.down, 7_500_000, 'the sum stays');
  await world.store.close();
});

void t.test('as many accounts as there is room for, those that moved something last', async (t) => {
  const rings = new RateRings();
  const count = MAX_ACCOUNTS + 10;
  for (let n = 1; n <= count; n++) {
    const scopes = new Map([[parseAccountId(n), { down: n, up: 0 }]]);
    rings.add(BEGIN_S + n * 10, { scopes, shares: new Map() });
  }
  const of = (n: number) => rings.at(parseAccountId(n), 'tens', BEGIN_S / 10 + n);
  t.same([of(10)?.down, of(11)?.down, of(count)?.down], [0, 11, count]);
  t.equal(shareKey({ id: parseInfoHash('a'.repeat(40)), ownerId: BOB.id }), `${'a'.repeat(40)}/2`);
});

void t.test('of more torrents that move at once than there is room for, those that came first are kept', async (t) => {
  const rings = new RateRings();
  const keys = Array.from({ length: MAX_SHARES + 10 }, (_, n) =>
    shareKey({ id: parseInfoHash(n.toString(16).padStart(40, '0')), ownerId: BOB.id }),
  );
  const shares = new Map(keys.map((key) => [key, { down: 5, up: 0 }]));
  const scopes = new Map([[BOB.id, { down: 5, up: 0 }]]);
  for (let second = 0; second < 15; second++) rings.add(BEGIN_S + second, { scopes, shares });
  const told = (key: (typeof keys)[number]) => [0, 1, 2].map((slot) => rings.ofShare(key, BEGIN_S / 5 + slot)?.down);
  t.same(
    [told(keys[0]!), told(keys[MAX_SHARES - 1]!)],
    [
      [5, 5, 5],
      [5, 5, 5],
    ],
  );
  t.same(told(keys[MAX_SHARES]!), [0, 0, 0]);
  // Room is made by those that have come to rest.
  const late = new Map([[keys[MAX_SHARES]!, { down: 7, up: 0 }]]);
  for (let second = 15; second < 30; second++) rings.add(BEGIN_S + second, { scopes, shares: late });
  t.equal(rings.ofShare(keys[MAX_SHARES]!, BEGIN_S / 5 + 5)?.down, 7);
  t.equal(rings.ofShare(keys[1]!, BEGIN_S / 5)?.down, 5);
});
