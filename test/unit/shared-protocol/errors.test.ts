import t from 'tap';
import { AppError, fromErrorRecord, toErrorRecord } from '../../../shared-protocol/errors.js';

void t.test('an error keeps code, message and data across structured clone', async (t) => {
  const sent = structuredClone(toErrorRecord(new AppError('TORRENT_NOT_FOUND', 'no such torrent', { id: 'x' })));
  const received = fromErrorRecord(sent);
  t.equal(received.code, 'TORRENT_NOT_FOUND');
  t.equal(received.message, 'no such torrent');
  t.same(received.data, { id: 'x' });
});

void t.test('anything else thrown is a bug', async (t) => {
  t.equal(toErrorRecord(new TypeError('x is undefined')).code, 'BUG');
  t.match(toErrorRecord('text').message, /^bug: text/);
});
