// What an account on one engine of several can see, reach and change of another's: nothing; and what an administrator gets wrong.
import t from 'tap';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { UserDto } from '../../../shared-protocol/dto/accounts.js';
import type { EngineDto } from '../../../shared-protocol/dto/engines.js';
import type { PathsDto } from '../../../shared-protocol/dto/paths.js';
import type { TorrentDto } from '../../../shared-protocol/dto/torrents.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { magnetOf, startTwoEngines, torrentId } from '../../support/two-engines.js';

const TIMEOUT_MS = 30_000;

void t.test('engines are for administrators, and so is which one an account is on', async (t) => {
  const { admin, account } = await startTwoEngines(t);
  const { client: bob, id } = await account('bob', { engine: 'second' });
  t.equal((await bob.call('GET', '/api/engines')).status, 403);
  t.equal((await bob.call('PUT', `/api/users/${id}`, { engine: 'first' })).status, 403);
  for (const engine of ['third', 'First', '..', 'first\n']) {
    const { status, text } = await admin.call('PUT', `/api/users/${id}`, { engine });
    t.match([status, text], [400, /engine: expected first, second/], engine);
  }
  t.equal(
    (await admin.call('POST', '/api/users', { username: 'x', password: 'long enough', engine: 'x' })).status,
    400,
  );
  t.match(await admin.ask<UserDto[]>('GET', '/api/users'), [{ engine: '' }, { engine: 'second' }]);
  t.equal((await admin.ask<UserDto[]>('GET', '/api/users')).length, 2, 'and no account is made');
});

void t.test('a home is on the engine of its account, and says nothing of another', async (t) => {
  const { admin, account, roots, engines } = await startTwoEngines(t);
  const { client: eve, id: evesId } = await account('eve', { home: join(roots.first, 'eve') });
  const home = join(roots.second, 'bob');
  const { client: bob, id: bobsId } = await account('bob', { engine: 'second', home });
  await mkdir(join(home, 'films'), { recursive: true });
  await mkdir(join(roots.first, 'eve', 'secret'), { recursive: true });
  const adopters = (engine: keyof typeof engines) => engines[engine].adopters.map(({ accountId }) => accountId);
  await waitUntil('homes are told', TIMEOUT_MS, () => adopters('second').length === 2 || undefined);
  t.same(
    [adopters('first'), adopters('second')],
    [
      [1, evesId],
      [1, bobsId],
    ],
  );
  const paths = async (prefix: string) => bob.ask<PathsDto>('GET', `/api/paths?prefix=${encodeURIComponent(prefix)}`);
  t.same((await paths(`${home}/`)).paths, [join(home, 'films')]);
  const there = join(roots.first, 'eve', 'secret');
  t.match(await paths(there), { paths: [], allowed: false, free_bytes: null });
  t.same(await paths(there), { ...(await paths(`${there}-not`)) }, 'whether it is there or not');
  // The same home by name on the other engine is another folder.
  const wrong = await admin.call('PUT', `/api/users/${evesId}`, { engine: 'second' });
  t.match([wrong.status, wrong.text], [400, /home: outside the roots of the engine/]);
  await eve.ask('POST', '/api/torrents/magnet', { magnet: magnetOf(1) });
  t.equal(engines.first.added[0]?.savePath, join(roots.first, 'eve'));
});

void t.test('torrents of an account that is given another engine stay, and new ones go there', async (t) => {
  const { admin, account, engines, again } = await startTwoEngines(t);
  const { client: bob, id } = await account('bob', { engine: 'second' });
  await bob.ask('POST', '/api/torrents/magnet', { magnet: magnetOf(1) });
  await admin.ask('PUT', `/api/users/${id}`, { engine: 'first', perm_add_torrents: true });
  const later = await again('bob');
  await later.ask('POST', '/api/torrents/magnet', { magnet: magnetOf(2) });
  await later.ask('POST', '/api/torrents/magnet', { magnet: magnetOf(1) });
  t.same([engines.first.ids, engines.second.ids], [[torrentId(2)], [torrentId(1)]]);
  t.equal((await later.ask<TorrentDto[]>('GET', '/api/torrents')).length, 2);
  await later.ask('POST', `/api/torrents/${torrentId(1)}/pause`);
  t.same([engines.first.pausesAsked, engines.second.pausesAsked], [0, 1]);
});

void t.test('a torrent that two engines have is one, and the other is seen once the first is removed', async (t) => {
  const { admin, account, engines, hosts } = await startTwoEngines(t);
  const { client: bob } = await account('bob', { engine: 'second' });
  await bob.ask('POST', '/api/torrents/magnet', { magnet: magnetOf(1) });
  // As one that had a front of its own before.
  await hosts.first.end();
  engines.first.adopt(engines.second, torrentId(1));
  await hosts.first.begin();
  const isThere = async () =>
    (await admin.ask<EngineDto[]>('GET', '/api/engines'))[0]!.away_since === null || undefined;
  await waitUntil('the first engine is there', TIMEOUT_MS, isThere);
  t.equal((await admin.ask<TorrentDto[]>('GET', '/api/torrents')).length, 1);
  await admin.ask('POST', `/api/torrents/${torrentId(1)}/pause`);
  t.same([engines.first.pausesAsked, engines.second.pausesAsked], [0, 1], 'the one that is shown');
  await admin.ask('DELETE', `/api/torrents/${torrentId(1)}`);
  t.same([engines.first.ids, engines.second.ids], [[torrentId(1)], []], 'and no data of the other goes');
  t.equal((await admin.ask<TorrentDto[]>('GET', '/api/torrents')).length, 1);
});

void t.test('two names for one engine: the second is refused, and the first goes on', async (t) => {
  const { admin, base, enginesFile, restartFront } = await startTwoEngines(t);
  await admin.ask('POST', '/api/torrents/magnet', { magnet: magnetOf(1) });
  const file = JSON.parse(await readFile(enginesFile, 'utf8')) as { engines: { name: string; address: string }[] };
  const [first, second] = [file.engines[0]!, file.engines[1]!];
  // Another path to the same socket.
  await symlink(dirname(first.address.slice('unix:'.length)), join(base, 'link'));
  const again = { ...first, name: 'again', address: `unix:${join(base, 'link', 'socket')}` };
  await writeFile(enginesFile, JSON.stringify({ engines: [first, second, again] }));
  const then = await restartFront();
  const states = await then.ask<EngineDto[]>('GET', '/api/engines');
  t.match(
    states.map(({ away_since }) => away_since),
    [null, null, Number],
  );
  t.match(states[2]!.reason, /another front|it is the engine that is called first here/);
  t.equal((await then.ask<TorrentDto[]>('GET', '/api/torrents')).length, 1);
});
