// Which torrents run where an administrator has bounded how many, or how much they take: an engine in memory, every
// account a stranger.
import t from 'tap';
import { firstAdmin, type Account } from '../../../../../api/auth/account.js';
import { diagnosisOf } from '../../../../../api/services/library/diagnosis.js';
import { Library } from '../../../../../api/services/library/library.js';
import { Quotas } from '../../../../../api/services/library/quotas.js';
import { Running } from '../../../../../api/services/library/running.js';
import type { EngineClient } from '../../../../../shared-protocol/commands.js';
import { NO_QUOTA } from '../../../../../shared-protocol/dto/accounts.js';
import { parseAccountId, parseInfoHash, type TorrentId } from '../../../../../shared-protocol/ids.js';
import { createInProcessTransport } from '../../../../support/in-process-transport.js';
import { NEW_LIBRARY_RECORD, type QuotaHold } from '../../../../../shared-protocol/library-record.js';
import { emptyStats, TORRENT_FLAGS } from '../../../../../shared-protocol/stats-table.js';
import { SILENT_LOG } from '../../../../support/api-harness.js';
import { TEST_ENGINE_OPTIONS } from '../../../../support/engine-options.js';
import { MemoryEngine } from '../../../../support/memory-engine.js';
import { UNBOUNDED_UPLOADS } from '../../../../support/unbounded-uploads.js';

const ADMIN = firstAdmin('', 0);
const USER: Account = { ...ADMIN, role: 'user' };

interface Added {
  readonly account?: Account;
  readonly hold?: QuotaHold;
  readonly paused?: boolean;
}

class World {
  readonly engine = new MemoryEngine();
  readonly bob: Account;
  readonly eve: Account;
  readonly library: Library;
  readonly running: Running;
  readonly #client: EngineClient;
  /** Milliseconds that pass from one look at the clock to the next. */
  callMs = 100;
  /** Looks at all torrents of an account. */
  counts = 0;
  #nowMs = 0;

  constructor(quota: Partial<typeof NO_QUOTA>) {
    this.bob = { ...USER, id: parseAccountId(2), quota: { ...NO_QUOTA, ...quota } };
    this.eve = { ...USER, id: parseAccountId(3) };
    const transport = createInProcessTransport(this.engine.handlers);
    const { client } = transport;
    this.#client = client;
    const library = (this.library = new Library({ engine: { client } }));
    const accounts = [ADMIN, this.bob, this.eve];
    this.running = new Running({
      library: {
        find: (id) => library.find(id),
        visibleTo: (viewer) => {
          this.counts++;
          return library.visibleTo(viewer);
        },
        share: (ref) => library.share(ref),
        stats: library.stats,
        pause: (ref) => library.pause(ref),
        resume: (ref) => library.resume(ref),
        remove: (ref, withData) => library.remove(ref, withData),
        editRecord: (ref, change) => library.editRecord(ref, change),
        usageOf: (id) => library.usageOf(id),
      },
      ...{ quotas: new Quotas({ library, uploads: UNBOUNDED_UPLOADS }), log: SILENT_LOG },
      findAccount: (id) => accounts.find((account) => account.id === id),
      now: () => (this.#nowMs += this.callMs),
    });
    transport.onEvent((event) => {
      library.handleEvent(event);
      this.running.handleEvent(event);
    });
  }

  static async begin(quota: Partial<typeof NO_QUOTA>): Promise<World> {
    const world = new World(quota);
    await world.#client.start(TEST_ENGINE_OPTIONS);
    return world;
  }

  async add(n: number, { account = this.bob, hold, paused = hold !== undefined }: Added = {}): Promise<TorrentId> {
    const id = parseInfoHash(n.toString(16).padStart(40, '0'));
    const library = hold ? { ...NEW_LIBRARY_RECORD, quotaHold: hold } : NEW_LIBRARY_RECORD;
    const source = { kind: 'magnet', uri: `magnet:?xt=urn:btih:${id}` } as const;
    const params = { source, savePath: '/srv', ownerId: account.id, paused, library };
    const { existed } = await this.#client.addTorrent(params);
    if (existed) await this.#client.joinTorrent(params);
    return id;
  }

  isPaused(id: TorrentId, account = this.bob): boolean {
    const share = this.library.shareFor(account.id, this.library.find(id)!)!;
    const stats = emptyStats();
    this.library.stats.read(share.row, share.rowTag, stats);
    return share.own?.paused ?? (stats.flags & TORRENT_FLAGS.paused) !== 0;
  }

  resume(id: TorrentId, caller = this.bob, by = this.bob.id): Promise<void> {
    return this.running.resume(caller, caller.role === 'admin' ? { id } : { id, by });
  }
}

void t.test('no more than an account may run: resumed by nobody but an administrator', async (t) => {
  const world = await World.begin({ active: 2 });
  const [a, b] = [await world.add(1), await world.add(2)];
  t.notOk(world.running.hasRoom(world.bob));
  const held = await world.add(3, { hold: 'active' });
  const refused = { code: 'QUOTA_EXCEEDED', message: 'torrent: your account runs 2 of 2 torrents; pause one first' };
  await t.rejects(world.resume(held), refused);
  await t.rejects(world.resume(held, world.eve), refused, 'one that it is shared with is asked the same');
  t.match(diagnosisOf(world.library.find(held)!), { code: 'QUOTA_EXCEEDED', error: /^paused: / });
  await world.running.check();
  t.ok(world.isPaused(held));
  await world.resume(a);
  await world.resume(held, ADMIN);
  t.notOk(world.isPaused(held));
  t.same(diagnosisOf(world.library.find(held)!), { error: null, code: null, disk_state: 'ok' });
  t.equal(world.running.activeOf(world.bob), 3);
  t.ok(world.running.hasRoom(world.eve), 'others have what they have');
  await world.running.pause({ id: b, by: world.bob.id });
  await t.rejects(world.resume(b), refused);
});

void t.test('what is held begins when there is room, the oldest first; not what a person has paused', async (t) => {
  const world = await World.begin({ active: 1 });
  const first = await world.add(1);
  const [second, third] = [await world.add(2, { hold: 'active' }), await world.add(3, { hold: 'active' })];
  await world.running.pause({ id: second, by: world.bob.id });
  await world.running.pause({ id: first, by: world.bob.id });
  await world.running.check();
  t.same(
    [first, second, third].map((id) => world.isPaused(id)),
    [true, true, false],
  );
  await world.library.remove({ id: third, by: world.bob.id }, false);
  await world.running.check();
  t.same(
    [first, second].map((id) => world.isPaused(id)),
    [true, true],
  );
  await world.resume(second);
  await t.rejects(world.resume(first), { code: 'QUOTA_EXCEEDED' });
});

void t.test('of resumes at once no more succeed than there are places', async (t) => {
  const world = await World.begin({ active: 2 });
  const ids = await Promise.all([1, 2, 3, 4, 5].map((n) => world.add(n, { paused: true })));
  const outcomes = await Promise.allSettled(ids.map((id) => world.resume(id)));
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 2);
  t.equal(world.running.activeOf(world.bob), 2);
});

void t.test(
  'a magnet that turns out too large is held until there is room; of several holders only who lacks it',
  async (t) => {
    const world = await World.begin({ bytes: 100 });
    const small = await world.add(1);
    world.engine.setFacts(small, { hasMetadata: true, totalBytes: 60 });
    const large = await world.add(2, { account: world.eve });
    await world.add(2);
    world.engine.setFacts(large, { hasMetadata: true, totalBytes: 50 });
    await world.running.check();
    await world.running.check();
    t.same(
      [small, large].map((id) => world.isPaused(id)),
      [false, true],
    );
    t.notOk(world.isPaused(large, world.eve), 'the other holder goes on');
    await t.rejects(world.resume(large), {
      code: 'QUOTA_EXCEEDED',
      message: 'torrent: your account uses 110 bytes of 100 bytes; remove some first',
    });
    await world.running.pause({ id: large, by: world.bob.id });
    await t.rejects(world.resume(large), { code: 'QUOTA_EXCEEDED' }, 'nor by pausing it first');
    await world.library.remove({ id: small, by: world.bob.id }, true);
    await world.running.check();
    t.ok(world.isPaused(large), 'what a person has paused stays paused');
    await world.resume(large);
    t.notOk(world.isPaused(large));
  },
);

void t.test('over its room an account begins what is complete, and nothing else', async (t) => {
  const world = await World.begin({ bytes: 100 });
  const [whole, part] = [await world.add(1, { paused: true }), await world.add(2, { paused: true })];
  for (const id of [whole, part]) world.engine.setFacts(id, { hasMetadata: true, totalBytes: 60 });
  await world.running.check();
  world.engine.setStats(whole, { flags: TORRENT_FLAGS.paused | TORRENT_FLAGS.completed });
  await world.resume(whole);
  await t.rejects(world.resume(part), { code: 'QUOTA_EXCEEDED' });
});

void t.test('torrents that are there when a bound is lowered go on', async (t) => {
  const world = await World.begin({ bytes: 1 });
  const id = await world.add(1);
  world.engine.setFacts(id, { hasMetadata: true, totalBytes: 1 });
  Object.assign(world.bob, { quota: { ...NO_QUOTA, bytes: 0, active: 0 } });
  world.engine.setFacts(id, { totalBytes: 99 });
  Object.assign(world.bob, { quota: { ...NO_QUOTA, bytes: 1, active: 1 } });
  world.engine.setFacts(id, { name: 'another' });
  await world.running.check();
  t.notOk(world.isPaused(id));
});

void t.test('once it has stopped nothing of it is under way, and what is still held waits', async (t) => {
  const world = await World.begin({ active: 2 });
  const held = [await world.add(1, { hold: 'active' }), await world.add(2, { hold: 'active' })];
  world.running.start();
  void world.running.check();
  await world.running.stop();
  const paused = () => held.map((id) => world.isPaused(id));
  const atStop = paused();
  await world.running.check();
  t.same(paused(), atStop);
  t.ok(atStop[1]);
  world.running.start();
  await world.running.check();
  await world.running.stop();
  t.same(paused(), [false, false]);
});

void t.test('where there is room an account is not counted anew for each of many', async (t) => {
  const world = await World.begin({ active: 50 });
  world.callMs = 0;
  for (let n = 1; n <= 50; n++) {
    t.ok(world.running.hasRoom(world.bob));
    await world.add(n);
  }
  t.notOk(world.running.hasRoom(world.bob));
  t.ok(world.counts <= 2, `${world.counts} counts`);
});

void t.test('a count follows what begins, pauses and goes, and what was told of room and then not added', async (t) => {
  const world = await World.begin({ active: 3 });
  world.callMs = 0;
  const { bob, running } = world;
  for (let turn = 0; turn < 9; turn++) t.ok(running.hasRoom(bob), 'nothing is added');
  const [a, b] = [await world.add(1), await world.add(2)];
  const c = await world.add(3, { paused: true });
  t.ok(running.hasRoom(bob));
  await world.resume(c);
  t.notOk(running.hasRoom(bob));
  await running.pause({ id: a, by: bob.id });
  t.ok(running.hasRoom(bob));
  await world.resume(a, ADMIN);
  t.notOk(running.hasRoom(bob));
  await world.library.remove({ id: b, by: bob.id }, false);
  t.ok(running.hasRoom(bob));
  await world.add(4);
  t.notOk(running.hasRoom(bob));
});

void t.test('what another front begins is found within a second', async (t) => {
  const world = await World.begin({ active: 2 });
  world.callMs = 0;
  t.ok(world.running.hasRoom(world.bob));
  for (const n of [1, 2]) await world.add(n);
  world.callMs = 1_000;
  t.notOk(world.running.hasRoom(world.bob));
});
