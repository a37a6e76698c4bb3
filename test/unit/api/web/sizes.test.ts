// Sizes as people write them, and back.
import t from 'tap';
import { orUnlimited } from '../../../../api/web/src/features/settings/codecs.js';
import { size } from '../../../../api/web/src/features/settings/size.js';
import { speakAll } from '../../../support/texts.js';

const GIB = 2 ** 30;

await speakAll('en');

void t.test('what is read', async (t) => {
  for (const [typed, value] of [
    ['500 GB', 500e9],
    [' 1.5 TB ', 1.5e12],
    ['1,5tb', 1.5e12],
    ['1 GiB', GIB],
    ['2g', 2e9],
    ['2Gi', 2 * GIB],
    ['3 kB', 3_000],
    ['1 PiB', 2 ** 50],
    ['0.01 GiB', Math.round(GIB / 100)],
    ['7 B', 7],
    ['1234567b', 1_234_567],
    ['0', 0],
    ['0.0', 0],
  ] as const) {
    t.same(size.read(typed), { value }, `'${typed}'`);
  }
});

void t.test('what is none', async (t) => {
  const problem = 'Enter a size such as 500 GB or 1.5 TB.';
  for (const typed of ['lots', '', '-1 GB', '1 XB', 'GB', '1e3', '0x10', '5 i', '1 2 GB', '1.5.2 GB']) {
    t.same(size.read(typed), { problem }, `'${typed}'`);
  }
  for (const typed of ['10', ' 1,5 ', '0.01', '1234567']) {
    t.same(size.read(typed), { problem: 'Add a unit, e.g. 500 GB.' }, `'${typed}'`);
  }
  t.same(size.read('1,000 GB'), { problem }, 'a thousand to some, one to others');
  t.same(size.read('10 PB'), { problem: 'Must be 9 PB or less.' });
});

void t.test('what is shown is short, and reads back as what it was', async (t) => {
  for (const [value, shown] of [
    [1e9, '1 GB'],
    [100e9, '100 GB'],
    [1.5e12, '1.5 TB'],
    [GIB, '1 GiB'],
    [5 * GIB, '5 GiB'],
    [512 * 2 ** 20, '512 MiB'],
    [1_209_462_790_554, '1.1 TiB'],
    [1_234_567_891, '1234567891 B'],
    [9e15, '9 PB'],
    [500, '500 B'],
  ] as const) {
    t.equal(size.show(value), shown);
    t.same(size.read(shown), { value }, shown);
  }
  const { MAX_SAFE_INTEGER: largest } = Number;
  t.same(size.read(size.show(largest)), { value: largest });
});

void t.test('no bound is empty, and empty is none', async (t) => {
  const bound = orUnlimited(size);
  t.equal(bound.show(0), '');
  t.same(bound.read(' '), { value: 0 });
  t.same(bound.read('0'), { value: 0 });
  t.match(bound.read('lots'), { problem: String });
});
