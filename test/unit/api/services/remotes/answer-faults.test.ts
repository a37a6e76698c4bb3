// Faults in long lists of an answer are found at the first of them, and nothing that a schema takes is a fault.
import t from 'tap';
import { z } from 'zod';
import { hasFaultInLongList } from '../../../../../api/services/remotes/answer-faults.js';

const item = z.object({ id: z.number(), tags: z.array(z.string()).optional() });
const schema = z.object({
  files: z.array(item),
  rates: z.record(z.string(), z.number()).nullable().optional(),
  peers: z.union([z.array(item), z.null()]).optional(),
});
const many = <Value>(value: Value, length = 300_000) => Array<Value>(length).fill(value);

void t.test('what the schema takes', async (t) => {
  for (const value of [
    { files: many({ id: 1, tags: ['a'] }, 3_000), rates: null, peers: null },
    { files: [], rates: Object.fromEntries(many(0, 2_000).map((_, n) => [`${n}`, n])), peers: many({ id: 1 }, 2_000) },
  ]) {
    t.ok(schema.safeParse(value).success);
    t.notOk(hasFaultInLongList(schema, value));
  }
});

void t.test('many faults, wherever they are', async (t) => {
  for (const value of [
    { files: many(0) },
    { files: [{ id: 1, tags: many(0) }] },
    { files: many({ id: 1, tags: [0] }) },
    { files: [], rates: Object.fromEntries(many(0).map((_, n) => [`${n}`, null])) },
    { files: [], peers: many(null) },
  ]) {
    t.ok(hasFaultInLongList(schema, value), JSON.stringify(Object.keys(value)));
  }
});

void t.test('what is no list where one is expected, and few faults, are the schema’s to tell', async (t) => {
  for (const value of [null, 1, [], many(0), { files: 1 }, { files: { length: 1e9 } }, { files: [0, 1] }, {}]) {
    t.notOk(hasFaultInLongList(schema, value));
    t.notOk(schema.safeParse(Array.isArray(value) ? [] : value).success);
  }
});
