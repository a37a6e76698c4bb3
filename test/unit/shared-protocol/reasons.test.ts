// The codes of errors: what a client is told of one, and that docs/api.md has them all.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { answerFor, RequestError } from '../../../api/errors.js';
import { AppError } from '../../../shared-protocol/errors.js';
import { because, REASON_CODES } from '../../../shared-protocol/reasons.js';

void t.test('an error tells its reason, and the facts of that alone', async (t) => {
  const path = new RequestError('PATH_UNUSABLE', 'path: no', because('PATH_NOT_WRITABLE', { errno: 'EROFS' }));
  t.same(answerFor(path), {
    ...{ status: 400, headers: {} },
    body: { error: 'path: no', code: 'PATH_NOT_WRITABLE', data: { errno: 'EROFS' } },
  });
  const link = new AppError('CREATE_REFUSED', 'path: a is a link', because('PATH_IS_LINK', { path: 'a' }));
  t.same(answerFor(link).body, { error: 'path: a is a link', code: 'PATH_IS_LINK', data: { path: 'a' } });
  const torrent = new AppError('TORRENT_NOT_FOUND', 'torrent not found', { id: 'secret' });
  t.same(answerFor(torrent).body, { error: 'torrent not found' }, 'data without a reason are ours');
  const paused = new AppError('TORRENT_NOT_RUNNING', 'torrent: it does not run', { id: 'secret' });
  t.same(answerFor(paused).body, { error: 'torrent: it does not run', code: 'TORRENT_NOT_RUNNING' });
  const quota = new RequestError('QUOTA_EXCEEDED', 'import: another one is under way', { of: 'imports' });
  t.match(answerFor(quota).body, { code: 'QUOTA_EXCEEDED', data: { of: 'imports' } });
  t.same(answerFor(new Error('of ours')).body, { error: 'internal error' });
  t.same(answerFor(new RequestError('FORBIDDEN')).body, { error: 'forbidden' }, 'the contract has all of it');
});

void t.test('docs/api.md has the codes, in their order', async (t) => {
  const [, table = ''] = readFileSync('docs/api.md', 'utf8').split('\n### Codes\n');
  const told = [...table.split('\n## ')[0]!.matchAll(/^\| `([A-Z0-9_]+)`/gm)].map(([, code]) => code);
  t.same(told, [...REASON_CODES]);
});
