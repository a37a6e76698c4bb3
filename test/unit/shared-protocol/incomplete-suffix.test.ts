// Suffixes of incomplete files: what names end with on every system, and nothing that could lead elsewhere.
import t from 'tap';
import { isIncompleteSuffix } from '../../../shared-protocol/incomplete-suffix.js';

void t.test('suffixes', async (t) => {
  for (const text of ['.part', '.!qB', '.a', '.not yet', '.ü', '.x.y', `.${'a'.repeat(15)}`])
    t.ok(isIncompleteSuffix(text), text);
});

void t.test('none', async (t) => {
  const none = [
    '',
    '.',
    '..',
    'part',
    '/',
    './a',
    '.a/b',
    '.a\\b',
    '.a.',
    '.a ',
    '.\0',
    '.a\u0007',
    '.a\u202eb',
    '.\ud800',
    '.a:b',
    '.*',
  ];
  for (const text of [...none, `.${'a'.repeat(16)}`]) t.notOk(isIncompleteSuffix(text), JSON.stringify(text));
});
