import t from 'tap';
import { parsePss, proportionalBytes } from '../../../../bench/measure/private-memory.js';

void t.test('the proportional set size, not one of its parts', async (t) => {
  const rollup =
    '55d0-7ffc ---p 00000000 00:00 0    [rollup]\nRss:  20 kB\nPss:   12 kB\nPss_Anon:  3 kB\nShared_Clean: 8 kB\n';
  t.equal(parsePss(rollup), 12 * 1024);
  t.throws(() => parsePss('Rss: 20 kB\n'), /no Pss/);
  t.ok(proportionalBytes(process.pid) > 1_000_000, 'of a process of our own');
});
