// What a log line looks like, and that secrets do not reach it.
import t from 'tap';
import { asLog, createLogger } from '../../../api/logging.js';

void t.test('a line is JSON with level, part, message and fields; secrets are masked', async (t) => {
  const lines: string[] = [];
  const log = asLog(createLogger('info', { write: (line) => lines.push(line) }).child({ name: 'api' }));
  log.info('signed in', { user: 'admin', password: 'hunter2', token: 'abc' });
  log.debug('not at this level');
  t.equal(lines.length, 1);
  const line: unknown = JSON.parse(lines[0] ?? '');
  t.match(line, { level: 'info', name: 'api', msg: 'signed in', user: 'admin', password: '***', token: '***' });
  t.notMatch(lines[0], /hunter2/);
});
