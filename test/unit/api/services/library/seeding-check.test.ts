// The seeding check: the decision as a table, then the check itself over a library and an engine in memory, with the
// clock in the test's hand.
import t from 'tap';
import { Library } from '../../../../../api/services/library/library.js';
import { judgeSeeding, SeedingCheck } from '../../../../../api/services/library/seeding-check.js';
import { SeedingRules } from '../../../../../api/services/library/seeding-rules.js';
import { TorrentLabels } from '../../../../../api/services/library/torrent-labels.js';
import { defaultSettings, type SettingsData } from '../../../../../api/services/settings/settings-data.js';
import type { SeedingRuleForAllDto } from '../../../../../shared-protocol/dto/seeding.js';
import { ADMIN_ACCOUNT_ID, parseAccountId, parseInfoHash, type TorrentId } from '../../../../../shared-protocol/ids.js';
import { createInProcessTransport } from '../../../../support/in-process-transport.js';
import { NEW_LIBRARY_RECORD, type SeedPolicy } from '../../../../../shared-protocol/library-record.js';
import { emptyStats, TORRENT_FLAGS, type TorrentStats } from '../../../../../shared-protocol/stats-table.js';
import { SILENT_LOG } from '../../../../support/api-harness.js';
import { TEST_ENGINE_OPTIONS } from '../../../../support/engine-options.js';
import { MemoryEngine } from '../../../../support/memory-engine.js';

const NOW = 1_700_000_000;
const YEAR_S = 365 * 86_400;
const { completed, paused, verifying, filesMissing, forceStart, queued } = TORRENT_FLAGS;

void t.test('leave, note, or act', async (t) => {
  const seeding = { flags: completed, bytesDone: 100, totalUp: 150 };
  const since = (seconds: number) => ({ seedingSince: NOW - seconds });
  const limits = (
    ratio_limit: number | null,
    time_min_limit: number | null,
    inactive_min_limit: number | null = null,
  ): SeedingRuleForAllDto => ({ ratio_limit, time_min_limit, inactive_min_limit, action: 'pause' });
  const NO_LIMIT = limits(null, null);
  const cases: {
    name: string;
    stats?: Partial<TorrentStats>;
    record?: { seedingSince?: number; tagIds?: number[] };
    superSeeding?: boolean;
    rule?: SeedingRuleForAllDto;
    expected: 'leave' | 'note' | 'ratio' | 'time' | 'inactive';
  }[] = [
    { name: 'first seen complete', expected: 'note' },
    { name: 'first seen, over its limit: noted first', rule: limits(0, 0, 0), expected: 'note' },
    { name: 'not complete', stats: { flags: 0 }, rule: limits(0, 0, 0), expected: 'leave' },
    { name: 'paused', stats: { flags: completed | paused }, rule: limits(0, 0, 0), expected: 'leave' },
    {
      name: 'verifying',
      stats: { flags: completed | verifying },
      record: since(9),
      rule: limits(0, 0, 0),
      expected: 'leave',
    },
    {
      name: 'files missing',
      stats: { flags: completed | filesMissing },
      record: since(9),
      rule: limits(0, 0, 0),
      expected: 'leave',
    },
    {
      name: 'force-started is no exemption',
      stats: { flags: completed | forceStart },
      record: since(9),
      rule: limits(1, null),
      expected: 'ratio',
    },
    {
      name: 'held back by the queue',
      stats: { flags: completed | queued },
      record: since(60),
      rule: limits(null, 1),
      expected: 'time',
    },
    { name: 'no limits', record: since(1e9), expected: 'leave' },
    { name: 'ratio below', record: since(0), rule: limits(1.51, null), expected: 'leave' },
    { name: 'ratio reached exactly', record: since(0), rule: limits(1.5, null), expected: 'ratio' },
    { name: 'a ratio of nothing', stats: { bytesDone: 0 }, record: since(0), rule: limits(0, null), expected: 'leave' },
    { name: 'a ratio of 0', stats: { totalUp: 0 }, record: since(0), rule: limits(0, null), expected: 'ratio' },
    { name: 'time below', record: since(119), rule: limits(null, 2), expected: 'leave' },
    { name: 'time reached exactly', record: since(120), rule: limits(null, 2), expected: 'time' },
    { name: 'a time of 0', record: since(0), rule: limits(null, 0), expected: 'time' },
    {
      name: 'a time of 0 on a clock that was set back',
      record: since(-500),
      rule: limits(null, 0),
      expected: 'time',
    },
    { name: 'a clock that was set back', record: since(-500), rule: limits(null, 1), expected: 'leave' },
    { name: 'either is enough: ratio', record: since(0), rule: limits(1, 99), expected: 'ratio' },
    { name: 'either is enough: time', record: since(60), rule: limits(99, 1), expected: 'time' },
    {
      name: 'never active: since it began to seed',
      record: since(119),
      rule: limits(null, null, 2),
      expected: 'leave',
    },
    { name: 'never active, for long enough', record: since(120), rule: limits(null, null, 2), expected: 'inactive' },
    {
      name: 'active a moment ago',
      stats: { lastActivityAt: NOW - 119 },
      record: since(1e6),
      rule: limits(null, null, 2),
      expected: 'leave',
    },
    {
      name: 'active before',
      stats: { lastActivityAt: NOW - 120 },
      record: since(1e6),
      rule: limits(null, null, 2),
      expected: 'inactive',
    },
    {
      name: 'active later than now, on a clock that was set back',
      stats: { lastActivityAt: NOW + 500 },
      record: since(1e6),
      rule: limits(null, null, 1),
      expected: 'leave',
    },
    {
      name: 'the queue keeps it from activity',
      stats: { flags: completed | queued },
      record: since(1e6),
      rule: limits(null, null, 1),
      expected: 'leave',
    },
    {
      name: 'a tag to put on it',
      record: { ...since(0), tagIds: [7] },
      rule: { ...limits(1, null), action: 'tag', tag_id: 8 },
      expected: 'ratio',
    },
    {
      name: 'to super-seed',
      record: since(0),
      rule: { ...limits(1, null), action: 'super_seed' },
      expected: 'ratio',
    },
    {
      name: 'it super-seeds',
      record: since(0),
      superSeeding: true,
      rule: { ...limits(1, null), action: 'super_seed' },
      expected: 'leave',
    },
    {
      name: 'the tag is there',
      record: { ...since(0), tagIds: [7, 8] },
      rule: { ...limits(1, null), action: 'tag', tag_id: 8 },
      expected: 'leave',
    },
  ];
  for (const { name, stats, record, superSeeding, rule = NO_LIMIT, expected } of cases) {
    const verdict = judgeSeeding(
      { ...emptyStats(), ...seeding, ...stats },
      { library: { ...NEW_LIBRARY_RECORD, ...record }, superSeeding: superSeeding ?? false },
      rule,
      NOW,
    );
    const kind =
      expected === 'leave' || expected === 'note' ? { kind: expected } : { kind: 'act', reason: expected, rule };
    t.same(verdict, kind, name);
  }
});

class Bench {
  readonly engine = new MemoryEngine();
  readonly settings: SettingsData = defaultSettings('/files');
  readonly labels = {
    category: (id: number) => ({ id, name: `category ${id}`, default_save_path: '', color: '', auto_move: false }),
    tag: (id: number) => (id < 100 ? { id, name: `tag ${id}`, color: '' } : undefined),
  };
  now = NOW;
  /** By how much the wall clock has been set. */
  setBy = 0;
  isListBroken = false;
  /** Edits and pauses that the engine has not answered, now and at most. */
  underWay = 0;
  most = 0;
  /** What was told, in order. */
  readonly ended: string[] = [];
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
    const rules = new SeedingRules({
      settings: { stored: (group) => this.settings[group], change: async (change) => change(this.settings) },
      labels: this.labels,
      shownLabels: { categories: () => [] },
    });
    this.seeding = new SeedingCheck({
      library: {
        all: {
          [Symbol.iterator]: () => {
            if (this.isListBroken) throw new Error('test');
            return library.all[Symbol.iterator]();
          },
        },
        share: (ref) => library.share(ref),
        stats: library.stats,
        editRecord: (share, change) => this.#count(`note ${share.id[0]}`, library.editRecord(share, change)),
        pause: (share) => this.#count(`pause ${share.id[0]}`, library.pause(share)),
        setSuperSeeding: (share, on) => this.#count(`super-seed ${share.id[0]}`, library.setSuperSeeding(share, on)),
        remove: (share, withData) =>
          this.#count(`remove ${share.id[0]} of ${share.by} ${withData}`, library.remove(share, withData)),
      },
      torrentLabels: new TorrentLabels({ labels: this.labels, library }),
      rules,
      onEnded: ({ id }, reason, action) => void this.ended.push(`${id[0]} ${reason} ${action}`),
      now: () => this.now + this.setBy,
      nowMs: () => this.now * 1_000,
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
  t.same(bench.ended, ['a time pause']);
  await bench.library.resume({ id: A });
  await bench.seeding.check();
  t.ok(bench.isPaused(A), 'a resumed one is paused again');
  t.equal(bench.since(A), NOW, 'the start never changes');
});

void t.test('a clock that is years ahead for a while removes nothing', async (t) => {
  const bench = new Bench();
  await bench.start();
  await bench.add(A);
  bench.settings.seeding_defaults = { ratio_limit: null, time_min_limit: 60 * 24 };
  bench.settings.seeding_rules = {
    ...bench.settings.seeding_rules,
    inactive_min_limit: 60,
    action: 'remove_with_data',
  };
  await bench.seeding.check();
  for (const setBy of [10 * YEAR_S, -YEAR_S, 0]) {
    bench.setBy = setBy;
    for (let minutes = 0; minutes < 15; minutes++) {
      bench.now += 60;
      await bench.seeding.check();
    }
  }
  t.same(bench.asked, ['note a']);
  bench.now += 3_600;
  await bench.seeding.check();
  t.same(bench.ended, ['a inactive remove_with_data'], 'what is due by a clock that goes on evenly is done');
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

void t.test('once it has stopped nothing of it is under way', async (t) => {
  const bench = new Bench();
  await bench.start();
  for (const id of [A, B]) await bench.add(id);
  void bench.seeding.check();
  while (bench.underWay === 0) await Promise.resolve();
  await bench.seeding.stop();
  t.equal(bench.underWay, 0);
  t.same([bench.since(A), bench.since(B)], [NOW, NOW]);
});

void t.test('a check that cannot look at the torrents leaves it to the next one', async (t) => {
  const bench = new Bench();
  await bench.start();
  await bench.add(A);
  bench.isListBroken = true;
  await bench.seeding.check();
  bench.isListBroken = false;
  await bench.seeding.check();
  t.equal(bench.since(A), NOW);
});

void t.test('each share is acted on by itself, and data go with the last one alone', async (t) => {
  const bench = new Bench();
  await bench.start();
  await bench.add(A, { totalUp: 500 });
  const ann = parseAccountId(7);
  const source = { kind: 'magnet', uri: `magnet:?xt=urn:btih:${A}` } as const;
  await bench.transport.client.joinTorrent({ source, savePath: '/files', ownerId: ann, paused: false });
  const gone: SeedPolicy = { ratioLimit: 2, minutesLimit: null, action: 'remove_with_data' };
  await bench.library.editRecord({ id: A, by: ADMIN_ACCOUNT_ID }, (record) => ({ ...record, seedPolicy: gone }));
  await bench.seeding.check();
  t.same(bench.library.find(A)?.ownerId, ann, 'the other holds it still');
  t.notOk(bench.engine.deletedData.has(A));
  t.notOk(bench.isPaused(A));
  await bench.seeding.check();
  t.ok(bench.library.find(A), 'whose limits are its own');
  await bench.library.editRecord({ id: A, by: ann }, (record) => ({ ...record, seedPolicy: gone }));
  await bench.seeding.check();
  t.equal(bench.library.find(A), undefined);
  t.ok(bench.engine.deletedData.has(A));
  t.same(
    bench.asked.filter((what) => what.startsWith('remove')),
    ['remove a of 1 true', 'remove a of 7 true'],
  );
});

void t.test('a tag is put on once, and not at all where it is gone; without data nothing is deleted', async (t) => {
  const bench = new Bench();
  await bench.start();
  await bench.add(A, { totalUp: 500 });
  const own = (seedPolicy: SeedPolicy) => bench.library.editRecord({ id: A }, (record) => ({ ...record, seedPolicy }));
  const limits = { ratioLimit: 2, minutesLimit: null };
  await own({ ...limits, action: 'tag', tagId: 3 });
  for (let round = 0; round < 2; round++) await bench.seeding.check();
  t.same(bench.library.find(A)?.library.tagIds, [3]);
  t.notOk(bench.isPaused(A));
  await own({ ...limits, action: 'tag', tagId: 100 });
  await bench.seeding.check();
  t.same(bench.library.find(A)?.library.tagIds, [3]);
  await own({ ...limits, action: 'super_seed' });
  for (let round = 0; round < 2; round++) await bench.seeding.check();
  t.equal(bench.library.find(A)?.superSeeding, true);
  t.equal(bench.asked.filter((what) => what === 'super-seed a').length, 1);
  await own({ ...limits, action: 'remove' });
  await bench.seeding.check();
  t.equal(bench.library.find(A), undefined);
  t.notOk(bench.engine.deletedData.has(A));
});
