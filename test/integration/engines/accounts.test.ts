// A front with an engine for each account: what an account does is done on its engine, what is said of a torrent goes where that
// is, and an administrator sees all of it as one.
import t from 'tap';
import { join } from 'node:path';
import type { DetailDto } from '../../../shared-protocol/dto/inspector.js';
import type { EngineDto } from '../../../shared-protocol/dto/engines.js';
import type { StorageDto } from '../../../shared-protocol/dto/storage.js';
import type { TorrentDto } from '../../../shared-protocol/dto/torrents.js';
import { multipart } from '../../support/api-harness.js';
import { makeTorrent } from '../../support/make-torrent.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { magnetOf, startTwoEngines, torrentId } from '../../support/two-engines.js';

const add = (n: number) => ['POST', '/api/torrents/magnet', { magnet: magnetOf(n) }] as const;

void t.test('torrents are where their accounts are, and are told what they are told there', async (t) => {
  const { admin, account, engines, roots, flush } = await startTwoEngines(t);
  const { client: bob, id: bobsId } = await account('bob', { engine: 'second' });
  await admin.ask(...add(1));
  await bob.ask(...add(2));
  t.same([engines.first.ids, engines.second.ids], [[torrentId(1)], [torrentId(2)]]);
  t.same(engines.second.added[0]?.savePath, roots.second, 'the first root of its engine');

  engines.first.setStats(torrentId(1), { peers: 11 });
  engines.second.setStats(torrentId(2), { peers: 22 });
  flush();
  const list = await admin.ask<TorrentDto[]>('GET', '/api/torrents');
  t.same(
    new Map(list.map(({ id, peers }) => [id, peers])),
    new Map([
      [torrentId(1), 11],
      [torrentId(2), 22],
    ]),
  );
  t.same(
    (await bob.ask<TorrentDto[]>('GET', '/api/torrents')).map(({ id }) => id),
    [torrentId(2)],
  );

  const details = (client: typeof bob) =>
    client.ask<DetailDto>('GET', `/api/torrents/${torrentId(2)}/details?tabs=overview`);
  t.equal((await details(admin)).engine, 'second');
  t.notOk('engine' in (await details(bob)), 'others are not told of engines');

  await admin.ask('POST', `/api/torrents/${torrentId(2)}/pause`);
  t.same([engines.first.pausesAsked, engines.second.pausesAsked], [0, 1]);
  const pause = async (n: number) => (await bob.call('POST', `/api/torrents/${torrentId(n)}/pause`)).text;
  t.equal(await pause(1), await pause(99), "another account's is as good as none");
  await admin.ask('POST', '/api/torrents/batch', { ids: [torrentId(1), torrentId(2)], action: 'pause' });
  t.same([engines.first.pausesAsked, engines.second.pausesAsked], [1, 2]);
  t.equal((await admin.ask<EngineDto[]>('GET', '/api/engines')).find(({ name }) => name === 'second')?.accounts, 1);
  t.equal(bobsId, 2);
});

void t.test('a torrent that is there is joined where it is', async (t) => {
  const { admin, account, engines } = await startTwoEngines(t);
  const { client: bob } = await account('bob', { engine: 'second' });
  await admin.ask(...add(1));
  await bob.ask(...add(1));
  t.same(engines.second.ids, []);
  t.equal(engines.first.joined.length, 1);
  t.equal((await bob.ask<TorrentDto[]>('GET', '/api/torrents')).length, 1);
  await bob.ask('DELETE', `/api/torrents/${torrentId(1)}`);
  t.same(engines.first.ids, [torrentId(1)], 'the administrator has it still');
});

void t.test('the same torrent of two accounts at the same moment is on one engine', async (t) => {
  const { admin, account, engines } = await startTwoEngines(t);
  const { client: bob } = await account('bob', { engine: 'second' });
  const several = Array.from({ length: 20 }, (_, n) => n + 1);
  await Promise.all(several.flatMap((n) => [admin.ask(...add(n)), bob.ask(...add(n))]));
  t.equal(engines.first.ids.length + engines.second.ids.length, 20);
  t.equal((await bob.ask<TorrentDto[]>('GET', '/api/torrents')).length, 20);
});

void t.test('files are read from where they are, and torrents made there', async (t) => {
  const { admin, account, engines, roots, front } = await startTwoEngines(t);
  const { client: bob } = await account('bob', { engine: 'second', home: roots.second });
  const made = [0, 1].map((n) => makeTorrent({ name: `f${n}`, pieceLength: 16_384, files: Buffer.from(`text ${n}`) }));
  for (const [n, client] of [admin, bob].entries()) {
    const { headers, body } = multipart({ file: made[n]!.torrentBytes });
    const answer = await front().call('POST', '/api/torrents/file', {
      headers: { ...headers, ...client.headers },
      body,
    });
    t.equal(answer.status, 200);
    const engine = n === 0 ? engines.first : engines.second;
    engine.setFile(made[n]!.infoHash, 0, { path: `f${n}`, bytes: Buffer.from(`text ${n}`) });
  }
  const texts = await Promise.all(
    made.map(async ({ infoHash }) => (await admin.call('GET', `/api/torrents/${infoHash}/files/0`)).text),
  );
  t.same(texts, ['text 0', 'text 1']);
  const areClosed = () => engines.first.openFiles + engines.second.openFiles === 0 || undefined;
  await waitUntil('the files are closed', 30_000, areClosed);

  const { id } = await bob.ask<{ id: number }>('POST', '/api/create', { path: join(roots.second, 'x') });
  t.same([engines.first.creationsAsked.length, engines.second.creationsAsked.length], [0, 1]);
  await waitUntil('the torrent is made', 30_000, async () => {
    const { state } = await bob.ask<{ state: string }>('GET', `/api/create/${id}`);
    return state === 'done' || undefined;
  });
  t.equal((await bob.call('GET', `/api/create/${id}/file`)).status, 200);
});

void t.test('paths are those of the engine of the account', async (t) => {
  const { admin, account, roots, engines } = await startTwoEngines(t);
  const { client: bob } = await account('bob', { engine: 'second' });
  const elsewhere = { magnet: magnetOf(1), save_path: roots.first };
  t.equal((await bob.call('POST', '/api/torrents/magnet', elsewhere)).status, 403);
  t.equal((await admin.call('POST', '/api/torrents/magnet', { ...elsewhere, save_path: roots.second })).status, 400);
  t.same([engines.first.ids, engines.second.ids], [[], []]);
  await bob.ask(...add(2));
  const bobs = await bob.ask<StorageDto>('GET', '/api/storage');
  t.match(bobs.volumes, [{ is_default: true, torrents: 1, paths: [] }]);
  t.notOk('engine' in bobs.volumes[0]!, 'it is not told of engines');
  const all = await admin.ask<StorageDto>('GET', '/api/storage');
  t.same(all.volumes.map(({ engine, paths, is_default }) => [engine, paths, is_default]).sort(), [
    ['first', [roots.first], true],
    ['second', [roots.second], false],
  ]);
  // What an administrator moves is moved on the machine that it is on.
  const move = (path: string) => admin.call('POST', `/api/torrents/${torrentId(2)}/move`, { path });
  t.equal((await move(join(roots.first, 'x'))).status, 400);
  t.equal((await move(join(roots.second, 'x'))).status, 200);
});
