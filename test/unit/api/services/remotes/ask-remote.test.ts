// Answers of a remote that somebody else has got hold of: refused, and the service goes on.
import t from 'tap';
import { RemoteRequests } from '../../../../../api/services/remotes/ask-remote.js';
import type { StoredRemote } from '../../../../../api/services/remotes/remote-records.js';
import { categoryListSchema } from '../../../../../shared-protocol/dto/labels.js';
import { parseAccountId } from '../../../../../shared-protocol/ids.js';

const BOB = parseAccountId(2);
const REMOTE: StoredRemote = {
  ...{ id: 1, name: 'attic', url: 'https://attic', api_key: 'key', tls: 'verify' },
  ...{ enabled: true, user_ids: [2] },
};

/** One that answers with this text. */
function requestsTo(status: number, text: string): RemoteRequests {
  const bytes = new Uint8Array(Buffer.from(text));
  return new RemoteRequests({ ask: () => Promise.resolve({ status, headers: {}, bytes }) });
}

const ask = (requests: RemoteRequests) =>
  requests.ask(BOB, REMOTE, { method: 'GET', path: '/api/categories' }, categoryListSchema);

void t.test('a list', async (t) => {
  const categories = [{ id: 1, name: 'films', color: '#ff0000', default_save_path: '', auto_move: false }];
  t.match(await ask(requestsTo(200, JSON.stringify(categories))), { kind: 'value' });
});

void t.test('a list of millions of faults', async (t) => {
  // Told of one by one they would take gigabytes, and end the process.
  const text = `[${'0,'.repeat(20_000_000)}0]`;
  await t.rejects(ask(requestsTo(200, text)), {
    code: 'UPSTREAM_FAILED',
    message: 'server attic: its answer is not one of this version',
  });
});

void t.test('a refusal of many megabytes', async (t) => {
  const text = JSON.stringify({ error: 'x'.repeat(1_000_000), code: 'Y' });
  t.match(await ask(requestsTo(400, text)), { kind: 'refused', status: 400, said: { error: 'HTTP 400' } });
  const short = JSON.stringify({ error: 'name: required', code: 'NAME' });
  t.match(await ask(requestsTo(400, short)), { said: { error: 'name: required', code: 'NAME' } });
});
