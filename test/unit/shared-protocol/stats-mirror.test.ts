// A table that is followed and written again elsewhere: readers find the same numbers, and what is news is news once.
import t from 'tap';
import { RowPacker, StatsMirror } from '../../../shared-protocol/stats-mirror.js';
import { emptyStats, StatsReader, StatsWriter, type StatsTable } from '../../../shared-protocol/stats-table.js';

function connected() {
  const packer = new RowPacker();
  const writer = new StatsWriter((table) => packer.attach(table));
  const reader = new StatsReader();
  const tables: StatsTable[] = [];
  const mirror = new StatsMirror((table) => {
    tables.push(table);
    reader.attach(table);
  });
  const flush = (maxRows = 1_000): number => {
    let rows = 0;
    for (let packed = packer.take(maxRows); packed; packed = packer.take(maxRows)) {
      rows += packed.length / 128;
      if (!mirror.take(packed)) throw new Error('not taken');
    }
    return rows;
  };
  const seen = (row: number, tag: number) => {
    const stats = emptyStats();
    return reader.read(row, tag, stats) ? stats : null;
  };
  return { packer, writer, reader, mirror, tables, flush, seen };
}

void t.test('rows arrive as they are, only those that have changed', async (t) => {
  const { writer, flush, seen } = connected();
  const [a, b] = [writer.allocate(), writer.allocate()];
  writer.write(a.row, { ...emptyStats(), peers: 3, totalDown: 2 ** 50, checkedPerMille: 500, workingTracker: 2 });
  t.equal(flush(), 2);
  t.match(seen(a.row, a.tag), { peers: 3, totalDown: 2 ** 50, checkedPerMille: 500, workingTracker: 2 });
  t.match(seen(b.row, b.tag), { peers: 0, swarmSeeds: -1 });
  t.equal(flush(), 0);
  writer.writeSome(b.row, { seeds: 9 });
  t.equal(flush(), 1);
  t.match(seen(b.row, b.tag), { seeds: 9 });
});

void t.test('a row that is given to another torrent is that one’s, also with the same numbers', async (t) => {
  const { writer, flush, seen } = connected();
  const first = writer.allocate();
  flush();
  writer.release(first.row);
  const second = writer.allocate();
  t.equal(second.row, first.row);
  flush();
  t.equal(seen(first.row, first.tag), null);
  t.ok(seen(second.row, second.tag));
});

void t.test('a table that grows, and more changes than the log remembers', async (t) => {
  const { writer, flush, seen, tables } = connected();
  const rows = Array.from({ length: 5_000 }, () => writer.allocate());
  t.equal(flush(700), 5_000);
  t.ok(tables.length > 1, 'the mirror has grown as well');
  rows.forEach(({ row }, n) => writer.write(row, { ...emptyStats(), peers: n + 1 }));
  t.equal(flush(700), 5_000);
  t.ok(rows.every(({ row, tag }, n) => seen(row, tag)?.peers === n + 1));
  t.equal(flush(), 0);
});

void t.test('a reader of the mirror is told what is news, and nothing twice', async (t) => {
  const { packer, writer, reader, flush } = connected();
  const { row } = writer.allocate();
  flush();
  const before = reader.changes!.mark();
  packer.forget();
  t.equal(flush(), 1, 'all is told again');
  t.equal(reader.changes!.rowsBetween(before, reader.changes!.mark())?.size, 0, 'and was known');
  writer.writeSome(row, { peers: 1 });
  flush();
  t.same([...(reader.changes!.rowsBetween(before, reader.changes!.mark()) ?? [])], [row]);
});

void t.test('the table of another engine: all its rows are news, whatever was sent of the one before', async (t) => {
  const { packer, flush, seen } = connected();
  const next = new StatsWriter((table) => packer.attach(table));
  const { row, tag } = next.allocate();
  t.equal(flush(), 1);
  const another = new StatsWriter((table) => packer.attach(table));
  const other = another.allocate();
  another.write(other.row, { ...emptyStats(), peers: 4 });
  t.equal(other.row, row);
  t.equal(flush(), 1);
  t.match(seen(other.row, other.tag), { peers: 4 }, `in the place of ${tag}`);
});

void t.test('of an engine that is away no rate is shown for that of now', async (t) => {
  const { writer, packer, mirror, reader, flush, seen } = connected();
  const { row, tag } = writer.allocate();
  const stats = { ...emptyStats(), peers: 3, seeds: 2, downloadRate: 5, uploadRate: 6, totalDown: 7, swarmSeeds: 8 };
  writer.write(row, stats);
  flush();
  const before = reader.changes!.mark();
  mirror.rest();
  t.match(seen(row, tag), { ...stats, peers: 0, seeds: 0, downloadRate: 0, uploadRate: 0 });
  t.same([...(reader.changes!.rowsBetween(before, reader.changes!.mark()) ?? [])], [row], 'which is news');
  packer.forget();
  flush();
  t.match(seen(row, tag), stats, 'until it is back');
});

void t.test('what is no row is not taken', async (t) => {
  const { mirror } = connected();
  t.notOk(mirror.take(new Uint8Array(127)));
  const packed = (row: number) => new Uint8Array(new Int32Array([row, ...Array<number>(31).fill(0)]).buffer);
  t.notOk(mirror.take(packed(-1)));
  t.notOk(mirror.take(packed(4_000_000)));
  t.ok(mirror.take(packed(70)), 'the table grows for it');
  const shifted = new Uint8Array(129);
  shifted.set(packed(1), 1);
  t.ok(mirror.take(shifted.subarray(1)), 'wherever in memory it begins');
});
