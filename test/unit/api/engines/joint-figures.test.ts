// Rows of several engines lie in one table, none in the place of another, however they grow.
import t from 'tap';
import { JointFigures } from '../../../../api/engines/joint-figures.js';
import { RowPacker } from '../../../../shared-protocol/stats-mirror.js';
import { emptyStats, StatsReader, StatsWriter } from '../../../../shared-protocol/stats-table.js';

/** An engine's own table, and what is packed of it. */
function engine() {
  const packer = new RowPacker();
  const writer = new StatsWriter((table) => packer.attach(table));
  const add = (peers: number) => {
    const { row, tag } = writer.allocate();
    writer.write(row, { ...emptyStats(), peers, uploadRate: peers, totalUp: peers });
    return { row, tag };
  };
  return { add, writer, packer };
}

void t.test('figures of three engines', async (t) => {
  const joint = new JointFigures();
  const reader = new StatsReader();
  let tables = 0;
  joint.onTable((table) => {
    tables++;
    reader.attach(table);
  });
  const engines = [engine(), engine(), engine()].map((each) => ({
    ...each,
    part: joint.part(),
    rows: [] as ReturnType<typeof each.add>[],
  }));
  const flush = () => {
    for (const { packer, part } of engines) {
      for (let packed = packer.take(50); packed; packed = packer.take(50)) t.ok(part.take(packed));
    }
  };
  // The first one has far more than the others, as it is in life.
  for (let n = 0; n < 300; n++) {
    engines[0]!.rows.push(engines[0]!.add(1_000 + n));
    if (n % 10 === 0)
      for (const [at, each] of engines.slice(1).entries()) each.rows.push(each.add(10_000 * (at + 2) + n));
    if (n % 70 === 0) flush();
  }
  flush();
  const seen = engines.map(({ rows, part }) =>
    rows.map(({ row, tag }) => {
      const stats = emptyStats();
      return reader.read(part.rowOf(row), tag, stats) ? stats.peers : null;
    }),
  );
  t.same(
    seen[0],
    Array.from({ length: 300 }, (_, n) => 1_000 + n),
  );
  t.same(
    seen[1],
    Array.from({ length: 30 }, (_, n) => 20_000 + 10 * n),
  );
  t.same(
    seen[2],
    Array.from({ length: 30 }, (_, n) => 30_000 + 10 * n),
  );
  const used = engines.flatMap(({ rows, part }) => rows.map(({ row }) => part.rowOf(row)));
  t.equal(new Set(used).size, 360);
  t.equal(Math.max(...used), 359, 'there is no room that nobody uses');
  t.ok(tables > 1, 'the table has grown');

  engines[1]!.part.rest();
  const stats = emptyStats();
  const { row, tag } = engines[1]!.rows[3]!;
  t.ok(reader.read(engines[1]!.part.rowOf(row), tag, stats));
  t.match(stats, { peers: 0, uploadRate: 0, totalUp: 20_030 }, 'of one that is away only what it has come to');
  const other = engines[2]!.rows[3]!;
  t.ok(reader.read(engines[2]!.part.rowOf(other.row), other.tag, stats));
  t.match(stats, { peers: 30_030, uploadRate: 30_030 });
});

void t.test('what are no rows is refused', async (t) => {
  const part = new JointFigures().part();
  t.equal(part.take(new Uint8Array(127)), false);
  t.equal(part.take(new Uint8Array(128).fill(255)), false);
  t.equal(part.rowOf(0), 0, 'and takes no row');
});

void t.test('figures that make no sum are none, and other engines have their limits as before', async (t) => {
  const part = new JointFigures().part();
  const { add, packer } = engine();
  add(5);
  const packed = packer.take(50)!;
  t.ok(part.take(packed));
  for (const figure of [NaN, Infinity, -Infinity, 1e300]) {
    for (const at of [0, 3, 4, 10]) {
      const wrong = new Uint8Array(packed);
      new DataView(wrong.buffer).setFloat64(40 + 8 * at, figure, true);
      t.notOk(part.take(wrong), `${figure} at ${at}`);
    }
  }
  t.same(part.rates, { downBytesPerSec: 0, upBytesPerSec: 5 });
});
