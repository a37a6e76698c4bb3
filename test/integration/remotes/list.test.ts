// One list over three daemons: whose torrents are whose, what is shown of one that is killed, and who sees a remote at all.
import { once } from 'node:events';
import t from 'tap';
import { WebSocket } from 'ws';
import { startDaemon, type DaemonUnderTest } from '../../support/daemon.js';
import { makeAccount } from '../../support/daemon-account.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import {
  addRemote,
  allTorrents,
  keyOf,
  remotesOf,
  startRemote,
  untilListed,
  untilState,
} from '../../support/remotes.js';

const TIMEOUT_MS = 60_000;
const magnet = (digit: string) => `magnet:?xt=urn:btih:${digit.repeat(40)}&dn=${digit}`;

void t.test('the torrents of three, and one of them dies', async (t) => {
  const front = await startDaemon();
  t.teardown(() => front.stop());
  const [one, two] = [await startRemote(front, 'one'), await startRemote(front, 'two')];
  t.teardown(() => one.daemon.stop());
  t.teardown(() => two.daemon.stop());
  await front.addMagnet(magnet('a'));
  await one.daemon.addMagnet(magnet('b'));
  await two.daemon.addMagnet(magnet('b'));
  await two.daemon.addMagnet(magnet('c'));
  const all = await untilListed(front, 'four torrents', ({ length }) => length === 4);
  t.same(all.map(({ name, server_id }) => `${server_id ?? 'own'} ${name}`).toSorted(), [
    `${one.id} b`,
    `${two.id} b`,
    `${two.id} c`,
    'own a',
  ]);
  t.equal(all[0]?.server_id, undefined, 'own ones first');
  const own = await front.api<{ name: string }[]>('GET', '/api/torrents');
  t.same(
    own.json.map(({ name }) => name),
    ['a'],
    'who does not ask for servers is shown its own',
  );
  t.notOk('server_id' in own.json[0]!);

  const ofTwo = await front.api<{ name: string }[]>('GET', `/api/torrents?server_id=${two.id}`);
  t.same(ofTwo.json.map(({ name }) => name).toSorted(), ['b', 'c'], 'or those of one alone');
  for (const [query, status, error] of [
    ['server_id=99', 404, /^server not found/],
    ['server_id=me', 400, /^server_id: expected the id of a server/],
    [`server_id=${two.id}&servers=all`, 400, /^server_id: not both/],
  ] as const) {
    t.match(await front.api('GET', `/api/torrents?${query}`), { status, json: { error } }, query);
  }

  const id = 'b'.repeat(40);
  const paused = await front.api('POST', `/api/torrents/${id}/pause?server_id=${two.id}`);
  t.same(paused, { status: 200, json: { ok: true } });
  await untilListed(front, 'paused there', (torrents) =>
    torrents.some(({ id: each, server_id, paused }) => each === id && server_id === two.id && paused),
  );
  t.equal((await one.daemon.torrent(id)).paused, false, 'and nowhere else');

  await two.daemon.kill();
  const away = await untilState(front, two.id, 'unreachable');
  t.match(away, { reason: /^connection (?:closed|refused|reset)$/, torrents: 2 });
  t.equal((await allTorrents(front)).length, 4, 'what it had is shown still');
  const refused = await front.api('POST', `/api/torrents/${id}/resume?server_id=${two.id}`);
  t.match(refused, { status: 503, json: { error: /^server two: connection /, code: 'REMOTE_AWAY' } });
  t.equal((await front.api('POST', `/api/torrents/${id}/pause?server_id=${one.id}`)).status, 200, 'others go on');
  const { samples } = { samples: (await front.download('/metrics')).bytes.toString() };
  t.match(samples, /^swarmd_remote_up\{name="one"\} 1$/m);
  t.match(samples, /^swarmd_remote_up\{name="two"\} 0$/m);
  t.match(samples, /^swarmd_remote_delta_age_seconds\{name="one"\} \d/m);
});

async function idOf(daemon: DaemonUnderTest, name: string): Promise<number> {
  const users = (await daemon.api<{ id: number; username: string }[]>('GET', '/api/users')).json;
  return users.find(({ username }) => username === name)!.id;
}

interface ServerTick {
  readonly server_id: number;
  readonly state: string;
  readonly full: boolean;
  readonly upsert: readonly { readonly id: string; readonly paused: boolean; readonly server_id: number }[];
  readonly removed: readonly string[];
}

void t.test('a client that asks for servers is told of their lists, and no other', async (t) => {
  const front = await startDaemon();
  t.teardown(() => front.stop());
  const { daemon, id: server } = await startRemote(front, 'one');
  t.teardown(() => daemon.stop());
  const annsKey = await keyOf(front, 'ann', { role: 'user' });
  const follow = async (key: string, query: string) => {
    const socket = new WebSocket(`${front.url.replace('http', 'ws')}/api/ws?${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    t.teardown(() => socket.terminate());
    const list = new Map<string, boolean>();
    const types = new Set<string>();
    let [state, fulls, ticks, seconds, servers] = ['', 0, 0, 0, 0];
    socket.on('message', (data: Buffer) => {
      const { type, payload } = JSON.parse(data.toString()) as { type: string; payload: ServerTick[] };
      types.add(type);
      if (type === 'stats:tick') seconds++;
      if (type !== 'servers:tick') return;
      ticks++;
      servers = payload.length;
      for (const tick of payload) {
        state = tick.state;
        if (tick.full) fulls++;
        if (tick.full) list.clear();
        for (const { id, paused } of tick.upsert) list.set(id, paused);
        for (const id of tick.removed) list.delete(id);
      }
    });
    await once(socket, 'open');
    const counts = { fulls: () => fulls, ticks: () => ticks, seconds: () => seconds, servers: () => servers };
    return { list, types, state: () => state, ...counts };
  };
  const id = await daemon.addMagnet(magnet('a'));
  const [all, plain, hers] = [
    await follow(await keyOf(front, 'watcher'), 'frames=delta&servers=all'),
    await follow(await keyOf(front, 'other'), 'frames=delta'),
    await follow(annsKey, 'servers=all'),
  ];
  await front.api('PUT', `/api/remotes/${server}`, { user_ids: [1, await idOf(front, 'watcher')] });
  await waitUntil('the torrent', TIMEOUT_MS, () => (all.list.get(id) === false ? true : undefined));
  await daemon.api('POST', `/api/torrents/${id}/pause`);
  await waitUntil('its pause', TIMEOUT_MS, () => all.list.get(id));
  await daemon.addMagnet(magnet('b'));
  await waitUntil('another', TIMEOUT_MS, () => (all.list.size === 2 ? true : undefined));
  await daemon.api('DELETE', `/api/torrents/${id}`);
  await waitUntil('one is gone', TIMEOUT_MS, () => (all.list.size === 1 ? true : undefined));
  t.equal(all.fulls(), 1, 'all but the first by what has changed');
  await daemon.kill();
  await waitUntil('it is away', TIMEOUT_MS, () => (all.state() === 'unreachable' ? true : undefined));
  t.equal(all.list.size, 1, 'and its torrents stay');
  t.notOk(hers.types.has('servers:tick'), 'ann sees none');
  t.ok(hers.types.has('stats:tick'));
  await front.api('PUT', `/api/remotes/${server}`, { user_ids: [1] });
  await waitUntil('it is taken away', TIMEOUT_MS, () => (all.servers() === 0 ? true : undefined));
  const told = all.ticks();
  const counted = all.seconds();
  await waitUntil('two more seconds', TIMEOUT_MS, () => (all.seconds() > counted + 1 ? true : undefined));
  t.equal(all.ticks(), told, 'that is said once');
  t.notOk(plain.types.has('servers:tick'));
  const bad = new WebSocket(`${front.url.replace('http', 'ws')}/api/ws?servers=some`, {
    headers: { authorization: `Bearer ${annsKey}` },
  });
  const [response] = (await once(
    bad.on('error', () => undefined),
    'unexpected-response',
  ).then((args) => args.slice(1))) as [{ statusCode: number }];
  t.equal(response.statusCode, 400);
});

void t.test('a remote comes back on the state that the front keeps', async (t) => {
  const front = await startDaemon();
  t.teardown(() => front.stop());
  const [dataDir, savePath] = [await temporaryDirectory(), await temporaryDirectory()];
  const first = await startDaemon({ dataDir, savePath });
  const { port } = new URL(first.url);
  const key = await keyOf(first, 'front');
  await first.addMagnet(magnet('d'));
  const id = await addRemote(front, { name: 'one', url: first.url, api_key: key });
  await untilListed(front, 'its torrent', ({ length }) => length === 1);
  await first.kill();
  await untilState(front, id, 'unreachable');
  const again = await startDaemon({ dataDir, savePath, args: ['--port', port] });
  t.teardown(() => again.stop());
  await untilState(front, id, 'connected');
  await again.addMagnet(magnet('e'));
  await untilListed(front, 'both', ({ length }) => length === 2);
  t.equal((await front.api('DELETE', `/api/remotes/${id}`)).status, 200);
  t.same(await allTorrents(front), [], 'one that is forgotten is not shown');
  t.equal((await again.torrents()).length, 2, 'and has lost nothing');
});

void t.test('a key that is refused, and who sees what', async (t) => {
  const front = await startDaemon();
  t.teardown(() => front.stop());
  const remote = await startDaemon();
  t.teardown(() => remote.stop());
  const [ann, bob] = [await makeAccount(front, 'ann'), await makeAccount(front, 'bob')];
  const key = await keyOf(remote, 'front');
  await remote.addMagnet(magnet('f'));
  const id = await addRemote(front, { name: 'one', url: remote.url, api_key: `${key}x`, user_ids: [ann.id] });
  const refused = await untilState(front, id, 'refused');
  t.match(refused, { reason: 'it refuses the key (HTTP 401)', torrents: 0 });
  t.equal((await front.api('PUT', `/api/remotes/${id}`, { api_key: key })).status, 200);
  await untilState(front, id, 'connected');
  await untilListed(ann.client, 'what ann sees', ({ length }) => length === 1);

  const [shown] = await remotesOf(ann.client);
  t.match(shown, { id, name: 'one', state: 'connected' });
  t.notOk(
    'url' in shown! || 'user_ids' in shown! || 'tls' in shown!,
    'where it is and who sees it is not hers to know',
  );
  t.notMatch(JSON.stringify(await remotesOf(front)), key, 'the key is nobody’s to know');
  const hash = 'f'.repeat(40);
  t.same(await remotesOf(bob.client), []);
  t.same(await allTorrents(bob.client), []);
  const strange = { status: 404, json: { error: 'server not found' } };
  t.same(await bob.client.api('POST', `/api/torrents/${hash}/pause?server_id=${id}`), strange);
  t.same(await bob.client.api('POST', `/api/torrents/${hash}/pause?server_id=${id + 1}`), strange);
  t.same(await front.api('POST', `/api/torrents/${hash}/pause?server_id=${id}`), strange, 'nor an administrator’s');
  t.same(await allTorrents(front), []);
  for (const [method, path] of [
    ['POST', '/api/remotes'],
    ['PUT', `/api/remotes/${id}`],
    ['DELETE', `/api/remotes/${id}`],
    ['POST', `/api/remotes/${id}/test`],
  ] as const) {
    t.equal((await ann.client.api(method, path, { name: 'x' })).status, 403, path);
  }
  const stolen = await front.api('PUT', `/api/remotes/${id}`, { url: front.url });
  t.match(stolen, { status: 400, json: { error: 'api_key: required with another url or tls' } });

  t.match((await front.api('POST', `/api/remotes/${id}/test`)).json, {
    ...{ version: /^\d/, username: 'front', role: 'admin', perm_add_torrents: true, free_bytes: Number },
  });
  t.equal((await ann.client.api('POST', `/api/torrents/${hash}/pause?server_id=${id}`)).status, 200);
  t.equal((await front.api('DELETE', `/api/users/${ann.id}`)).status, 200);
  const after = await waitUntil('ann is named nowhere', TIMEOUT_MS, async () => {
    const [only] = await remotesOf(front);
    return only?.user_ids?.length === 0 ? only : undefined;
  });
  t.match(after, { id, user_ids: [] });
});
