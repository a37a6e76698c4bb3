// The ring of rows that were written: who follows it misses none, or is told that it has.
import fc from 'fast-check';
import t from 'tap';
import { ChangeLogReader, ChangeLogWriter } from '../../../shared-protocol/change-log.js';

const ENTRIES = 4096;

function open(count = 0) {
  const writer = new ChangeLogWriter();
  new Int32Array(writer.buffer)[0] = count;
  return { writer, reader: new ChangeLogReader(writer.buffer) };
}

void t.test('readers follow each from where they are, also where the count wraps around', async (t) => {
  const counts = fc.constantFrom(0, ENTRIES - 2, 2 ** 31 - 5, -5);
  const rounds = fc.array(fc.array(fc.nat(50), { maxLength: 40 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(counts, rounds, async (count, written) => {
      const { writer, reader } = open(count);
      const first = reader.mark();
      let last = first;
      for (const rows of written) {
        for (const row of rows) writer.add(row);
        const now = reader.mark();
        t.same(reader.rowsBetween(last, now), new Set(rows));
        t.same(reader.rowsBetween(now, now), new Set());
        last = now;
      }
      t.same(reader.rowsBetween(first, last), new Set(written.flat()));
    }),
  );
});

void t.test('who is too far behind is told so', async (t) => {
  const { writer, reader } = open();
  const mark = reader.mark();
  for (let row = 0; row < ENTRIES - 1; row++) writer.add(row);
  t.equal(reader.rowsBetween(mark, reader.mark())?.size, ENTRIES - 1);
  const now = reader.mark();
  writer.add(1);
  t.equal(reader.rowsBetween(mark, now), null, 'the oldest entry may be another one by now');
  t.same(reader.rowsBetween(now, reader.mark()), new Set([1]));
});

void t.test('the mark of one log says nothing about another', async (t) => {
  const [one, other] = [open(), open()];
  t.equal(one.reader.rowsBetween(other.reader.mark(), one.reader.mark()), null);
});
