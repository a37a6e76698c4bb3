// Names of fields in either spelling, and what is remembered of those that accounts make up.
import t from 'tap';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { inSnakeCase, toSnakeCase } from '../../../../../api/compatible/transmission/names.js';

const MIB = 1024 * 1024;

void t.test('each spelling of a name', async (t) => {
  for (const name of ['download-dir', 'hashString', 'isUTP', 'seed_ratio_limit']) {
    t.match(toSnakeCase(name), /^[a-z]+(_[a-z]+)+$/, name);
    t.equal(toSnakeCase(name), toSnakeCase(name), 'and as it is remembered');
  }
  t.same(inSnakeCase({ 'a-b': [{ cD: 1 }] }), { a_b: [{ c_d: 1 }] });
});

void t.test('long names that a request brings are not remembered', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void; // typed nowhere: the flag makes V8 define it
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 30; n++) toSnakeCase(`${n}${'a-B'.repeat(MIB / 3)}`);
  collect();
  t.ok(process.memoryUsage().heapUsed < before + 20 * MIB);
});
