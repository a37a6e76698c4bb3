// Answers of a remote that somebody else has got hold of: refused, and the service goes on.
import t from 'tap';
import { RemoteRequests } from '../../../../../api/services/remotes/ask-remote.js';
import { RequestError } from '../../../../../api/errors.js';
import type { StoredRemote } from '../../../../../api/services/remotes/remote-records.js';
import { detailSchema } from '../../../../../shared-protocol/dto/inspector.js';
import { okSchema } from '../../../../../shared-protocol/dto/fields.js';
import { categoryListSchema } from '../../../../../shared-protocol/dto/labels.js';
import { parseAccountId } from '../../../../../shared-protocol/ids.js';

const BOB = parseAccountId(2);
const REMOTE: StoredRemote = {
  ...{ id: 1, name: 'attic', url: 'https://attic', api_key: 'key', tls: 'verify' },
  ...{ enabled: true, user_ids: [2] },
};

const IN_WORDS = 'server attic: its answer is not one of this version';
const CATEGORY = { id: 1, name: 'films', color: '#ff0000', default_save_path: '', auto_move: false };

/** One that answers with this text, unless it is longer than it may be. */
function requestsTo(status: number, text: string): RemoteRequests {
  const ask = (_url: string, { maxBytes }: { readonly maxBytes: number }) => {
    const bytes = new Uint8Array(Buffer.from(text));
    if (bytes.length > maxBytes) return Promise.reject(new RequestError('FETCH_FAILED', 'too large'));
    return Promise.resolve({ status, headers: {}, bytes });
  };
  return new RemoteRequests({ ask });
}

const ask = (requests: RemoteRequests) =>
  requests.ask(BOB, REMOTE, { method: 'GET', path: '/api/categories' }, categoryListSchema);

const details = (requests: RemoteRequests) =>
  requests.relay(BOB, REMOTE, { method: 'GET', path: '/api/torrents/1/details' }, detailSchema);

/** How often others had their turn on this thread until it is settled. */
async function turnsDuring(asked: Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const next = (): void => {
    turns++;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  await asked.catch(() => undefined);
  isOver = true;
  return turns;
}

void t.test('a list', async (t) => {
  const categories = [CATEGORY];
  t.match(await ask(requestsTo(200, JSON.stringify(categories))), { kind: 'value' });
});

void t.test('a long list is understood while others have their turns', async (t) => {
  const requests = requestsTo(200, JSON.stringify(new Array<object>(10_000).fill({ ...CATEGORY, unknown: 1 })));
  t.teardown(() => requests.close());
  const asked = ask(requests);
  t.ok((await turnsDuring(asked)) > 1);
  t.same(await asked, { kind: 'value', value: new Array<object>(10_000).fill(CATEGORY) });
});

void t.test('a long answer goes on as it was understood', async (t) => {
  const known = { id: 'a', name: 'film', magnet: '', save_path: '/', content_path: '/film', ratio: 0, paused: true };
  const counts = { total_bytes: 9, bytes_done: 0, progress: 0, peers: 0, seeds: 0, added_at: 1, total_down: 0 };
  const others = { completed: false, files_missing: false, first_last_first: false, total_up: 0 };
  const file = { index: 0, path: 'a, [b] "c"', size: 9, bytes_done: 0, progress: 0, priority: 'normal' };
  const files = new Array<object>(200_000).fill(file);
  const told = { ...known, ...counts, ...others, files };
  const requests = requestsTo(200, JSON.stringify({ ...told, server_id: 3 }));
  t.teardown(() => requests.close());
  const asked = details(requests);
  t.ok((await turnsDuring(asked)) > 1);
  const answer = await asked;
  t.ok(answer.kind === 'value' && answer.value instanceof Uint8Array);
  const text = Buffer.from((answer as { readonly value: Uint8Array }).value).toString();
  t.same(JSON.parse(text), told, 'and nothing else');
});

void t.test('answers of millions of faults or values, or of lists in lists', async (t) => {
  // Told of one by one faults would take gigabytes, and end the process; so would objects without anything in them.
  for (const text of [
    `[${'0,'.repeat(2_000_000)}0]`,
    `[${'{},'.repeat(20_000_000)}{}]`,
    '['.repeat(10_000_000),
    `{${'"":0,'.repeat(5_000_000)}"":0}`,
  ]) {
    const requests = requestsTo(200, text);
    const asked = details(requests);
    t.ok((await turnsDuring(asked)) > 1);
    await t.rejects(asked, { code: 'UPSTREAM_FAILED', message: IN_WORDS });
    await requests.close();
  }
});

void t.test('an answer that is longer than it can be is not read', async (t) => {
  const text = JSON.stringify({ ok: true, more: ' '.repeat(70_000) });
  const paused = requestsTo(200, text).ask(BOB, REMOTE, { method: 'POST', path: '/pause' }, okSchema);
  await t.rejects(paused, { code: 'REMOTE_AWAY' });
});

void t.test('a refusal of many megabytes', async (t) => {
  const text = JSON.stringify({ error: 'x'.repeat(1_000_000), code: 'Y' });
  t.match(await ask(requestsTo(400, text)), { kind: 'refused', status: 400, said: { error: 'HTTP 400' } });
  const short = JSON.stringify({ error: 'name: required', code: 'NAME' });
  t.match(await ask(requestsTo(400, short)), { said: { error: 'name: required', code: 'NAME' } });
});
