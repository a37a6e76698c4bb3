// The seeding check: the decision as a table, then the check itself over a library and an engine in memory, with the
// clock in the test's hand.
import t from 'tap';
import { Library } from '../../../../../api/services/library/library.js';
import { judgeSeeding, SeedingCheck } from '../../../../../api/services/library/seeding-check.js';
import { defaultSettings, type SettingsData } from '../../../../../api/services/settings/settings.js';
import { ADMIN_ACCOUNT_ID, parseInfoHash, type TorrentId } from '../../../../../shared-protocol/ids.js';
import { createInProcessTransport } from '../../../../../shared-protocol/in-process-transport.js';
import { NEW_LIBRARY_RECORD, type SeedPolicy } from '../../../../../shared-protocol/library-record.js';
import { emptyStats, TORRENT_FLAGS, type TorrentStats } from '../../../../../shared-protocol/stats-table.js';
import { SILENT_LOG } from '../../../../support/api-harness.js';
import { TEST_ENGINE_OPTIONS } from '../../../../support/engine-options.js';
import { MemoryEngine } from '../../../../support/memory-engine.js';

const NOW = 1_700_000_000;
const { completed, paused, verifying, filesMissing, forceStart, queued } = TORRENT_FLAGS;
const NO_LIMIT: SeedPolicy = { ratioLimit: null, minutesLimit: null };

void t.test('leave, note, or stop', async (t) => {
  const seeding = { flags: completed, bytesDone: 100, totalUp: 150 };
  const since = (seconds: number) => ({ seedingSince: NOW - seconds });
  const limits = (ratioLimit: number | null, minutesLimit: number | null): SeedPolicy => ({ ratioLimit, minutesLimit });
  const stop = (reason: 'ratio' | 'time') => ({ kind: 'stop', reason });
  const cases: {
    name: string;
    stats?: Partial<TorrentStats>;
    record?: { seedingSince?: number; seedPolicy?: SeedPolicy };
    defaults?: SeedPolicy;
    expected: 'leave' | 'note' | ReturnType<typeof stop>;
  }[] = [
    { name: 'first seen complete', expected: 'note' },
    { name: 'first seen, over its limit: noted first', defaults: limits(0, 0), expected: 'note' },
    { name: 'not complete', stats: { flags: 0 }, defaults: limits(0, 0), expected: 'leave' },
    { name: 'paused', stats: { flags: completed | paused }, defaults: limits(0, 0), expected: 'leave' },
    {
      name: 'verifying',
      stats: { flags: completed | verifying },
      record: since(9),
      defaults: limits(0, 0),
      expected: 'leave',
    },
    {
      name: 'files missing',
      stats: { flags: completed | filesMissing },
      record: since(9),
      defaults: limits(0, 0),
      expected: 'leave',
    },
    {
      name: 'force-started is no exemption',
      stats: { flags: completed | forceStart },
      record: since(9),
      defaults: limits(1, null),
      expected: stop('ratio'),
    },
    {
      name: 'held back by the queue',
      stats: { flags: completed | queued },
      record: since(60),
      defaults: limits(null, 1),
      expected: stop('time'),
    },
    { name: 'no limits', record: since(1e9), expected: 'leave' },
    { name: 'ratio below', record: since(0), defaults: limits(1.51, null), expected: 'leave' },
    { name: 'ratio reached exactly', record: since(0), defaults: limits(1.5, null), expected: stop('ratio') },
    {
      name: 'a ratio of nothing',
      stats: { bytesDone: 0 },
      record: since(0),
      defaults: limits(0, null),
      expected: 'leave',
    },
    {
      name: 'a ratio of 0',
      stats: { totalUp: 0 },
      record: since(0),
      defaults: limits(0, null),
      expected: stop('ratio'),
    },
    { name: 'time below', record: since(119), defaults: limits(null, 2), expected: 'leave' },
    { name: 'time reached exactly', record: since(120), defaults: limits(null, 2), expected: stop('time') },
    { name: 'a time of 0', record: since(0), defaults: limits(null, 0), expected: stop('time') },
    {
      name: 'a time of 0 on a clock that was set back',
      record: since(-500),
      defaults: limits(null, 0),
      expected: stop('time'),
    },
    { name: 'a clock that was set back', record: since(-500), defaults: limits(null, 1), expected: 'leave' },
    { name: 'either is enough: ratio', record: since(0), defaults: limits(1, 99), expected: stop('ratio') },
    { name: 'either is enough: time', record: since(60), defaults: limits(99, 1), expected: stop('time') },
    {
      name: 'its own policy, stricter',
      record: { ...since(0), seedPolicy: limits(1, null) },
      defaults: limits(9, null),
      expected: stop('ratio'),
    },
    {
      name: 'its own policy, milder',
      record: { ...since(0), seedPolicy: limits(9, null) },
      defaults: limits(1, null),
      expected: 'leave',
    },
    {
      name: 'its own policy stands for both limits',
      record: { ...since(900), seedPolicy: limits(9, null) },
      defaults: limits(null, 1),
      expected: 'leave',
    },
    {
      name: 'its own policy of no limit',
      record: { ...since(900), seedPolicy: NO_LIMIT },
      defaults: limits(0, 0),
      expected: 'leave',
    },
  ];
  for (const { name, stats, record, defaults = NO_LIMIT, expected } of cases) {
    const verdict = judgeSeeding(
      { ...emptyStats(), ...seeding, ...stats },
      { ...NEW_LIBRARY_RECORD, ...record },
      defaults,
      NOW,
    );
    t.same(verdict, typeof expected === 'string' ? { kind: expected } : expected, name);
  }
});

class Bench {
  readonly engine = new MemoryEngine();
  readonly settings: SettingsData = defaultSettings('/files');
  now = NOW;
  /** Edits and pauses that the engine has not answered, now and at most. */
  underWay = 0;
  most = 0;
  /** Asked of the engine, in order. */
  readonly asked: string[] = [];
  readonly library: Library;
  readonly seeding: SeedingCheck;
  transport = createInProcessTransport(this.engine.handlers);
  /** Whichever it is at the moment. */
  readonly running = { client: this.transport.client };

  constructor() {
    this.library = new Library({ engine: this.running, isAccount: () => true });
    const { library } = this;
    this.seeding = new SeedingCheck({
      library: {
        get all() {
          return library.all;
        },
        share: (ref) => library.share(ref),
        stats: library.stats,
        editRecord: (share, change) => this.#count(`note ${share.id[0]}`, library.editRecord(share, change)),
        pause: (share) => this.#count(`pause ${share.id[0]}`, library.pause(share)),
      },
      settings: { stored: (group) => this.settings[group] },
      now: () => this.now,
      log: SILENT_LOG,
    });
  }

  async start(): Promise<void> {
    this.transport.onEvent((event) => this.library.handleEvent(event));
    await this.transport.client.start(TEST_ENGINE_OPTIONS);
  }

  async replaceEngine(): Promise<void> {
    this.transport = createInProcessTransport(this.engine.handlers);
    this.running.client = this.transport.client;
    await this.start();
  }

  async add(id: TorrentId, stats: Partial<TorrentStats> = {}): Promise<void> {
    const source = { kind: 'magnet', uri: `magnet:?xt=urn:btih:${id}` } as const;
    await this.transport.client.addTorrent({ source, savePath: '/files', ownerId: ADMIN_ACCOUNT_ID, paused: false });
    this.engine.setStats(id, { flags: completed, bytesDone: 100, ...stats });
  }

  since(id: TorrentId): number | null | undefined {
    return this.library.find(id)?.library.seedingSince;
  }

  isPaused(id: TorrentId): boolean {
    const stats = emptyStats();
    const facts = this.library.find(id)!;
    this.library.stats.read(facts.row, facts.rowTag, stats);
    return (stats.flags & paused) !== 0;
  }

  async #count(what: string, asking: Promise<void>): Promise<void> {
    this.asked.push(what);
    this.most = Math.max(this.most, ++this.underWay);
    try {
      await asking;
    } finally {
      this.underWay--;
    }
  }
}

const [A, B] = [parseInfoHash('a'.repeat(40)), parseInfoHash('b'.repeat(40))];

void t.test('the start is noted once, and paused when the time is up', async (t) => {
  const bench = new Bench();
  await bench.start();
  await bench.add(A);
  await bench.add(B, { flags: completed | paused });
  bench.settings.seeding_defaults = { ratio_limit: null, time_min_limit: 2 };
  await bench.seeding.check();
  t.same([bench.since(A), bench.since(B)], [NOW, null]);
  bench.now += 119;
  await bench.seeding.check();
  t.notOk(bench.isPaused(A));
  bench.now += 1;
  await bench.seeding.check();
  t.ok(bench.isPaused(A));
  t.same(bench.asked, ['note a', 'pause a'], 'nothing is asked twice');
  await bench.library.resume({ id: A });
  await bench.seeding.check();
  t.ok(bench.isPaused(A), 'a resumed one is paused again');
  t.equal(bench.since(A), NOW, 'the start never changes');
});

void t.test('a start that was noted late, but before, stays', async (t) => {
  const bench = new Bench();
  await bench.start();
  await bench.add(A);
  const late = bench.library.editRecord({ id: A }, (record) => ({ ...record, seedingSince: NOW - 500 }));
  await Promise.all([late, bench.seeding.check()]);
  t.equal(bench.since(A), NOW - 500);
});

void t.test('limits of 0 stop at the first check; a changed policy holds from the next', async (t) => {
  const bench = new Bench();
  await bench.start();
  await bench.add(A);
  bench.settings.seeding_defaults = { ratio_limit: null, time_min_limit: 0 };
  await bench.seeding.check();
  t.same([bench.since(A), bench.isPaused(A)], [NOW, true]);
  const own: SeedPolicy = { ratioLimit: 2, minutesLimit: null };
  await bench.library.editRecord({ id: A }, (record) => ({ ...record, seedPolicy: own }));
  await bench.library.resume({ id: A });
  await bench.seeding.check();
  t.notOk(bench.isPaused(A));
  bench.engine.setStats(A, { totalUp: 200 });
  await bench.seeding.check();
  t.ok(bench.isPaused(A));
});

void t.test('very many that complete at a time: a few are written at a time, each once', async (t) => {
  const bench = new Bench();
  await bench.start();
  const ids = Array.from({ length: 500 }, (_, index) => parseInfoHash(index.toString(16).padStart(40, '0')));
  for (const id of ids) await bench.add(id);
  const checks = [bench.seeding.check(), bench.seeding.check()];
  await Promise.all(checks);
  t.ok(ids.every((id) => bench.since(id) === NOW));
  t.equal(bench.asked.length, 500, 'the second check left it to the first');
  t.equal(bench.most, 16);
});

void t.test('an engine that is away puts the rest off to the next check', async (t) => {
  const bench = new Bench();
  await bench.start();
  const ids = Array.from({ length: 100 }, (_, index) => parseInfoHash(index.toString(16).padStart(40, '0')));
  for (const id of ids) await bench.add(id);
  bench.transport.kill('test');
  await bench.seeding.check();
  t.equal(bench.asked.length, 16, 'only those that were under way');
  t.ok(ids.every((id) => bench.since(id) === null));
  await bench.replaceEngine();
  await bench.seeding.check();
  t.ok(ids.every((id) => bench.since(id) === NOW));
});

void t.test('one that goes meanwhile does not keep the others from their turn', async (t) => {
  const bench = new Bench();
  await bench.start();
  for (const id of [A, B]) await bench.add(id);
  const checked = bench.seeding.check();
  await bench.library.remove({ id: A }, false);
  await checked;
  t.equal(bench.since(B), NOW);
  t.equal(bench.since(A), undefined);
});

void t.test('once stopped it takes up no more', async (t) => {
  const bench = new Bench();
  await bench.start();
  for (let index = 0; index < 40; index++) await bench.add(parseInfoHash(index.toString(16).padStart(40, '0')));
  const checked = bench.seeding.check();
  while (bench.asked.length === 0) await Promise.resolve();
  bench.seeding.stop();
  await checked;
  t.equal(bench.asked.length, 16);
  await bench.seeding.check();
  t.equal(bench.asked.length, 16);
});
