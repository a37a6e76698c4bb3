// What is typed into the settings, and what the server says about it.
import t from 'tap';
import { passwordProblems } from '../../../../api/web/src/features/accounts/password-problems.js';
import {
  choice,
  clockTime,
  flag,
  lines,
  number,
  orNothing,
  timeOfDay,
} from '../../../../api/web/src/features/settings/codecs.js';
import { typedSince } from '../../../../api/web/src/features/settings/edits.js';
import { problemOf } from '../../../../api/web/src/features/settings/server-problem.js';
import { speakAll } from '../../../support/texts.js';

const valueOf = (reading: { readonly value: unknown } | { readonly problem: string }) =>
  'value' in reading ? reading.value : 'refused';

await speakAll('en');

void t.test('numbers', async (t) => {
  for (const { typed, whole, fraction } of [
    { typed: '80', whole: 80, fraction: 80 },
    { typed: ' 80 ', whole: 80, fraction: 80 },
    { typed: '0', whole: 0, fraction: 0 },
    { typed: '1.5', whole: 'refused', fraction: 1.5 },
    { typed: '1,5', whole: 'refused', fraction: 1.5 },
    { typed: '', whole: 'refused', fraction: 'refused' },
    { typed: '-1', whole: 'refused', fraction: 'refused' },
    { typed: '0x10', whole: 'refused', fraction: 'refused' },
    { typed: '1e3', whole: 'refused', fraction: 'refused' },
    { typed: 'many', whole: 'refused', fraction: 'refused' },
    { typed: '99999999999999999999', whole: 'refused', fraction: 'refused' },
  ]) {
    t.equal(valueOf(number().read(typed)), whole, `'${typed}'`);
    t.equal(valueOf(number({ isWhole: false }).read(typed)), fraction, `'${typed}', fractions allowed`);
  }
  t.equal(valueOf(number({ max: 65_535 }).read('65536')), 'refused');
  const limit = orNothing(number());
  t.equal(valueOf(limit.read(' ')), null, 'empty is no limit');
  t.equal(valueOf(limit.read('0')), 0, 'and 0 is one');
  t.equal(limit.show(null), '');
});

void t.test('times, marks and choices', async (t) => {
  t.equal(valueOf(timeOfDay.read('22:05')), 22 * 60 + 5);
  t.equal(valueOf(timeOfDay.read('24:00')), 'refused');
  t.equal(valueOf(timeOfDay.read('')), 'refused');
  t.equal(clockTime(9 * 60 + 5), '09:05');
  t.equal(valueOf(flag.read(true)), true);
  t.equal(valueOf(choice(['stable', 'beta'] as const).read('nightly')), 'refused');
});

void t.test('lists, an entry on each line', async (t) => {
  t.equal(lines.show(['*.exe', 'sample']), '*.exe\nsample');
  t.same(valueOf(lines.read('  *.exe \n\n sample\r\n')), ['*.exe', 'sample']);
  t.same(valueOf(lines.read('')), []);
});

void t.test('what the server refuses', async (t) => {
  const fields = ['path', 'url'];
  const problem = (said: string, code?: string) => problemOf({ said, reason: { code } }, fields);
  const noFolder = { field: 'path', reason: 'No such folder on the server.' };
  t.same(problem('path: no such directory', 'FOLDER_NOT_FOUND'), noFolder);
  t.same(problem('url.3: required'), { field: 'url', reason: 'Entry 4: Required' }, 'which entry');
  t.same(problem('rules: at most 1000'), { field: null, reason: 'Rules: at most 1000' });
  t.same(problem('forbidden'), { field: null, reason: 'You don’t have permission to do this.' });
  t.same(problem('url: http://a: refused'), { field: 'url', reason: 'http://a: refused' });
});

void t.test('a new password, typed twice', async (t) => {
  const about = (password: string, again: string) => Object.keys(passwordProblems('password', password, again));
  t.same(about('long enough', 'long enough'), []);
  t.same(about('long enough', ''), ['again'], 'not typed again');
  t.same(about('long enough', 'long-enough'), ['again']);
  t.same(about('short', 'short'), ['password']);
});

void t.test('what is typed while a form is saved is still to be saved', async (t) => {
  const saved = { host: 'b', port: '2', isOn: true };
  t.same(typedSince(saved, saved), {}, 'nothing was typed meanwhile');
  t.same(typedSince({ ...saved, host: 'bc', path: '/' }, saved), { host: 'bc', path: '/' });
  t.same(typedSince({ ...saved, isOn: false }, saved), { isOn: false });
});
