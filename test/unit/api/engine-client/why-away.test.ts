// Why an engine is away: by the codes of the system, whatever it says beside them.
import t from 'tap';
import { failed, refused } from '../../../../api/engine-client/why-away.js';

const systemError = (code: string, message: string) => Object.assign(new Error(message), { code });

void t.test('nobody is there, also where all addresses of a name say so together', async (t) => {
  const message = 'connect ENOENT /run/e.sock';
  t.same(failed(systemError('ENOENT', message)), { code: 'NOBODY_THERE', words: message, detail: '' });
  const all = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' });
  t.same(failed(all), { code: 'NOBODY_THERE', words: 'ECONNREFUSED', detail: '' });
});

void t.test('what failed for another reason says which', async (t) => {
  const words = 'self-signed certificate';
  t.same(failed(systemError('DEPTH_ZERO_SELF_SIGNED_CERT', words)), { code: 'FAILED', words, detail: words });
  t.same(failed('odd'), { code: 'FAILED', words: 'odd', detail: 'odd' });
});

void t.test('a refusal has what the engine says, or the status of its answer', async (t) => {
  t.match(refused(409, 'another front has it'), { code: 'REFUSED', detail: 'another front has it' });
  t.match(refused(502, ''), { detail: 'HTTP 502' });
});
