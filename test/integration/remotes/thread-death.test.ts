// The thread of the lists dies under a real daemon, as it would of a list that is too large for it, while it is asked for
// what has changed: clients are told of all else.
import { once } from 'node:events';
import t from 'tap';
import { WebSocket } from 'ws';
import { startDaemon } from '../../support/daemon.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { keyOf, startRemote, untilState } from '../../support/remotes.js';
import { evaluateInThread, INSPECTED } from '../../support/thread-inspector.js';

const TIMEOUT_MS = 60_000;
/** Longer than a tick, so that answers are waited for when it ends. */
const DIES_SLOWLY = 'const end = Date.now() + 2500; while (Date.now() < end); process.exit(1)';

void t.test('a daemon outlives the thread of its lists', async (t) => {
  const front = await startDaemon({ env: INSPECTED });
  t.teardown(() => front.stop());
  const { daemon, id } = await startRemote(front, 'one');
  t.teardown(() => daemon.stop());
  const socket = new WebSocket(`${front.url.replace('http', 'ws')}/api/ws?servers=all`, {
    headers: { authorization: `Bearer ${await keyOf(front, 'watcher')}` },
  });
  t.teardown(() => socket.terminate());
  let seconds = 0;
  const types = new Set<string>();
  socket.on('message', (data: Buffer) => {
    const { type } = JSON.parse(data.toString()) as { type: string };
    types.add(type);
    if (type === 'stats:tick') seconds++;
  });
  await once(socket, 'open');
  const users = (await front.api<{ id: number }[]>('GET', '/api/users')).json;
  await front.api('PUT', `/api/remotes/${id}`, { user_ids: users.map((user) => user.id) });
  await waitUntil('it is told of servers', TIMEOUT_MS, () => types.has('servers:tick') || undefined);

  await evaluateInThread(() => front.stderr, 'remote-lists', DIES_SLOWLY);
  await waitUntil(
    'the end of the thread',
    TIMEOUT_MS,
    () => front.stderr.includes('lists of remotes lost') || undefined,
  );
  const before = seconds;
  await waitUntil('two more seconds', TIMEOUT_MS, () => seconds > before + 1 || undefined);
  t.equal(front.stderr.match(/servers not told/g)?.length, 1, 'said once');
  t.equal((await front.api('GET', '/api/torrents?servers=all')).status, 200);
  t.match(await untilState(front, id, 'unreachable'), { reason: /its list is too large/ });
});
