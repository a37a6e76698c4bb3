// Versions by the rules and examples of Semantic Versioning 2.0.0.
import t from 'tap';
import { isNewer, isVersion } from '../../../../../api/services/updater/semver.js';

/** Section 11, and what people trip over. */
const ASCENDING = [
  '0.9.9',
  '0.10.0',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.0.1-0',
  '1.0.1',
  '1.2.0',
  '1.10.0',
  '2.0.0',
];

void t.test('each is newer than all before it, and than none after it', async (t) => {
  for (const [i, a] of ASCENDING.entries()) {
    for (const [j, b] of ASCENDING.entries()) t.equal(isNewer(a, b), i > j, `${a} > ${b}`);
  }
});

void t.test('build metadata does not count', async (t) => {
  t.notOk(isNewer('1.0.0+2', '1.0.0+1'));
  t.ok(isNewer('1.0.1+1', '1.0.0+2'));
});

void t.test('what is no version is not newer than anything', async (t) => {
  for (const text of [
    '',
    '1',
    '1.0',
    'v1.0.0',
    '=1.0.0',
    '1.0.0 ',
    '1.0.0.0',
    '01.0.0',
    '1.0.0-',
    '1.0.0-a..b',
    '1.0.0-01',
    '1.0.0+a..b',
    `1.0.0-${'a'.repeat(65)}`,
    `1.0.0+${'a'.repeat(65)}`,
    ' 1.0.0',
    '1.0.0\n',
    '9999999999.0.0',
    '../1.0.0',
  ]) {
    t.notOk(isVersion(text), JSON.stringify(text));
    t.notOk(isNewer(text, '0.0.1'));
    t.notOk(isNewer('1.0.0', text));
  }
});
