// The table in shared memory: rows, tags, growth, and that no reader ever sees half a row.
import t from 'tap';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import {
  emptyStats,
  StatsReader,
  StatsWriter,
  TORRENT_FLAGS,
  type StatsTable,
} from '../../../shared-protocol/stats-table.js';
import { isWhole, statsOf } from '../../support/whole-stats.js';

function table(): { writer: StatsWriter; reader: StatsReader; tables: SharedArrayBuffer[] } {
  const tables: SharedArrayBuffer[] = [];
  const reader = new StatsReader();
  const writer = new StatsWriter((given) => {
    tables.push(given.buffer);
    reader.attach(given);
  });
  return { writer, reader, tables };
}

void t.test('what is written is read, every field, beyond 32 bits', async (t) => {
  const { writer, reader } = table();
  const { row, tag } = writer.allocate();
  const read = statsOf(99);
  t.equal(reader.read(row, tag, read), true);
  t.same(read, emptyStats(), 'a new row is empty');
  const stats = {
    flags: TORRENT_FLAGS.paused | TORRENT_FLAGS.filesMissing,
    peers: 100,
    seeds: 99,
    queuePosition: -1,
    swarmSeeds: 2 ** 31 - 1,
    swarmLeechers: 12,
    availabilityPerMille: 2_350,
    workingTracker: 3,
    checkedPerMille: 1_000,
    bytesDone: 2 ** 48 - 1,
    wantedBytes: 2 ** 48,
    wantedDone: 2 ** 40 + 1,
    downloadRate: 1.5,
    uploadRate: 2 ** 33,
    totalDown: Number.MAX_SAFE_INTEGER,
    totalUp: 3,
    lastActivityAt: 1_700_000_000,
    activeSeconds: 0.5,
    seedingSeconds: 2 ** 33,
    countedSince: 1_700_000_001,
  };
  writer.write(row, stats);
  t.equal(reader.read(row, tag, read), true);
  t.same(read, stats);
});

void t.test('some numbers are written alone, and only where they are news', async (t) => {
  const { writer, reader } = table();
  const { row, tag } = writer.allocate();
  writer.write(row, statsOf(7));
  writer.writeSome(row, { queuePosition: 3, workingTracker: -1 });
  const read = emptyStats();
  t.equal(reader.read(row, tag, read), true);
  t.same(read, { ...statsOf(7), queuePosition: 3, workingTracker: -1 });
  const sequence = reader.sequence(row);
  writer.writeSome(row, { queuePosition: 3, workingTracker: -1 });
  t.equal(reader.sequence(row), sequence);
  writer.writeSome(row, { checkedPerMille: 1_000 });
  t.equal(reader.read(row, tag, read), true);
  t.match(read, { workingTracker: -1, checkedPerMille: 1_000 }, 'one of two that share a place');
});

void t.test('the sequence changes with every write and only then', async (t) => {
  const { writer, reader } = table();
  const first = writer.allocate();
  const second = writer.allocate();
  const seen = new Set([reader.sequence(first.row)]);
  const other = reader.sequence(second.row);
  for (let i = 0; i < 100; i++) {
    writer.write(first.row, statsOf(i));
    seen.add(reader.sequence(first.row));
    t.equal(reader.sequence(first.row), reader.sequence(first.row));
  }
  t.equal(seen.size, 101);
  t.equal(reader.sequence(second.row), other);
});

void t.test("a reader late with the news of a removal does not get the next torrent's numbers", async (t) => {
  const { writer, reader } = table();
  const old = writer.allocate();
  writer.write(old.row, statsOf(1));
  writer.release(old.row);
  const read = emptyStats();
  t.equal(reader.read(old.row, old.tag, read), false);
  const next = writer.allocate();
  t.equal(next.row, old.row, 'the row is used again');
  t.not(next.tag, old.tag);
  t.equal(reader.read(old.row, old.tag, read), false);
  t.equal(reader.read(next.row, next.tag, read), true);
  t.same(read, emptyStats(), 'nothing of the old torrent is left');
});

void t.test('freed rows are used before the table grows', async (t) => {
  const { writer, tables } = table();
  const rows = Array.from({ length: 64 }, () => writer.allocate());
  for (const { row } of rows.slice(10, 40)) writer.release(row);
  const again = Array.from({ length: 30 }, () => writer.allocate().row);
  t.same(new Set(again), new Set(rows.slice(10, 40).map(({ row }) => row)));
  t.equal(tables.length, 1);
  writer.allocate();
  t.equal(tables.length, 2);
});

void t.test('the numbers of another engine are not taken for those of the one before', (t) => {
  const reader = new StatsReader();
  const first = new StatsWriter((table) => reader.attach(table)).allocate();
  t.equal(reader.read(first.row, first.tag, emptyStats()), true);
  const next = new StatsWriter((table) => reader.attach(table)).allocate();
  t.equal(next.row, first.row);
  t.equal(reader.read(first.row, first.tag, emptyStats()), false);
  t.end();
});

void t.test('growth keeps every row and tag; the old table still answers', async (t) => {
  const { writer, reader, tables } = table();
  const late = new StatsReader();
  late.attach(writer.table);
  const rows = Array.from({ length: 1_000 }, (_, i) => {
    const given = writer.allocate();
    writer.write(given.row, statsOf(i));
    return given;
  });
  t.same(
    tables.map(({ byteLength }) => byteLength / 128),
    [64, 128, 256, 512, 1024],
  );
  t.equal(new Set(rows.map(({ tag }) => tag)).size, 1_000);
  const read = emptyStats();
  rows.forEach(({ row, tag }, i) => {
    if (!reader.read(row, tag, read) || read.bytesDone !== i) t.fail(`row ${row}`);
  });
  t.equal(late.read(rows[3]?.row ?? -1, rows[3]?.tag ?? -1, read), true);
  t.equal(late.read(rows[900]?.row ?? -1, rows[900]?.tag ?? -1, read), false, 'not in the table it knows');
  t.equal(late.sequence(rows[900]?.row ?? -1), 0);
});

void t.test('a reader without a table, and a row that was never given out', async (t) => {
  const read = emptyStats();
  t.equal(new StatsReader().read(0, 1, read), false);
  t.equal(table().reader.read(5, 1, read), false);
});

void t.test('a writer that died in the middle of a row does not hold its readers', async (t) => {
  const { writer, reader } = table();
  const { row, tag } = writer.allocate();
  // What a thread that was ended within `write` leaves behind: an odd sequence.
  const sequences = new Int32Array(writer.table.buffer);
  Atomics.add(sequences, (row * 128) / 4, 1);
  t.equal(reader.read(row, tag, emptyStats()), false);
});

void t.test('200,000 reads while another thread writes: never half a row, never back in time', async (t) => {
  const control = new SharedArrayBuffer(4);
  const reader = new StatsReader();
  const worker = new Worker(new URL('../../support/stats-writer-worker.js', import.meta.url), { workerData: control });
  const exited = once(worker, 'exit');
  const given = await new Promise<{ row: number; tag: number }>((resolve, reject) => {
    worker.on('error', reject);
    worker.on('message', (message: { table?: StatsTable; row?: number; tag?: number }) => {
      if (message.table) reader.attach(message.table);
      if (message.row !== undefined && message.tag !== undefined) resolve({ row: message.row, tag: message.tag });
    });
  });
  const read = emptyStats();
  while (reader.sequence(given.row) < 3);
  let last = 0;
  let changes = 0;
  let torn = 0;
  let whole = 0;
  let reads = 0;
  // On a busy machine the writer may get little time, so the reader goes on until it has written often enough.
  for (; reads < 200_000 || (changes < 1_000 && reads < 50_000_000); reads++) {
    // False is allowed: the writer may be off the processor in the middle of a row.
    if (!reader.read(given.row, given.tag, read)) continue;
    whole++;
    if (!isWhole(read) || read.bytesDone < last) torn++;
    if (read.bytesDone !== last) changes++;
    last = read.bytesDone;
  }
  Atomics.store(new Int32Array(control), 0, 1);
  await exited;
  t.equal(torn, 0);
  t.ok(whole > reads / 2, `${whole} of ${reads} reads`);
  t.ok(changes >= 1_000, `the row changed ${changes} times meanwhile`);
});
